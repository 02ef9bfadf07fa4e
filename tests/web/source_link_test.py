#!/usr/bin/python3
"""Which remotes become a link to the source, and that only those do."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "wasm_demo"))
from source_link import link_of, source_link, with_address  # noqa: E402


class Links(unittest.TestCase):
    def test_public_remotes_become_addresses(self):
        for remote, link in {
            "https://github.com/someone/minibert.git": "https://github.com/someone/minibert",
            "https://github.com/someone/minibert/\n": "https://github.com/someone/minibert",
            "https://user:secret@gitlab.com/a/b/c.git": "https://gitlab.com/a/b/c",
            "https://git.example.org:8443/a/b": "https://git.example.org:8443/a/b",
            "git@github.com:someone/minibert.git": "https://github.com/someone/minibert",
            "ssh://git@github.com:22/someone/minibert.git": "https://github.com/someone/minibert",
        }.items():
            self.assertEqual(link_of(remote), link, remote)

    def test_others_give_none(self):
        for remote in ["", "/home/someone/minibert", "../minibert", "file:///srv/minibert.git", "http://github.com/a/b",
                       "git://github.com/a/b", "someone@github.com:a/b", "git@github.com:/etc", "https://localhost/a",
                       "https://127.0.0.1/a/b", "https://server.local/a/b", "https://github.com", "https://github.com/",
                       "https://github.com/a b", "https://github.com/a\"><script>", "https://[::1/a", "javascript:alert(1)",
                       "https://github.com:x/a/b"]:
            self.assertEqual(link_of(remote), "", remote)

    def test_a_page_for_an_address_has_a_whole_one_for_its_picture(self):
        page = (pathlib.Path(__file__).resolve().parents[2] / "wasm_demo/web/index.html").read_text()
        self.assertEqual(with_address(page, ""), page)
        for given in ["https://example.org/mini", "https://example.org/mini/"]:
            found = with_address(page, given)
            self.assertIn('<meta property="og:url" content="https://example.org/mini/">', found)
            self.assertIn('<meta property="og:image" content="https://example.org/mini/preview.png">', found)
        for given in ["example.org", "https://a.org/?x", 'https://a.org/"><script>', "javascript:alert(1)"]:
            with self.assertRaises(ValueError):
                with_address(page, given)

    def test_the_environment_stands_before_the_remote(self):
        with tempfile.TemporaryDirectory() as folder:
            os.environ.pop("MINIBERT_SOURCE_URL", None)
            self.assertEqual(source_link(folder), "", "no clone")
            git = ["git", "-C", folder]
            subprocess.run([*git, "init", "-q"], check=True)
            self.assertEqual(source_link(folder), "", "no remote")
            subprocess.run([*git, "remote", "add", "origin", "git@github.com:a/b.git"], check=True)
            self.assertEqual(source_link(folder), "https://github.com/a/b")
            os.environ["MINIBERT_SOURCE_URL"] = "https://example.org/source"
            self.assertEqual(source_link(folder), "https://example.org/source")
            os.environ["MINIBERT_SOURCE_URL"] = ""
            self.assertEqual(source_link(folder), "", "switched off")
            del os.environ["MINIBERT_SOURCE_URL"]


if __name__ == "__main__":
    unittest.main()
