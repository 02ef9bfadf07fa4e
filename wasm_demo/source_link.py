#!/usr/bin/python3
"""Where people find the page's source: MINIBERT_SOURCE_URL, else what the clone's remote "origin" says, if anybody
can open that; and where the page itself stands (MINIBERT_PAGE_URL)."""
import os
import re
import subprocess
from urllib.parse import urlsplit


def link_of(remote):
    """The https:// address of a git remote, "" of one that is none: git@host:path and ssh://git@host/path become
    https://host/path, user names and passwords are left out, and a port, a trailing slash and ".git" of ssh's."""
    remote = remote.strip()
    scp = re.fullmatch(r"git@([\w.-]+):(?!/)(.+)", remote)
    if scp:
        remote = f"https://{scp[1]}/{scp[2]}"
    try:
        parts = urlsplit(remote)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    if parts.scheme == "ssh" and parts.username == "git":
        port = None
    elif parts.scheme != "https":
        return ""
    path = parts.path.rstrip("/").removesuffix(".git")
    # Nobody else can open an address of this machine or of its network.
    named = re.fullmatch(r"(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*", host) and not host.endswith((".local", ".internal"))
    if not named or not path.strip("/") or not re.fullmatch(r"[\w./~+%@-]+", path):
        return ""
    return f"https://{host}{f':{port}' if port else ''}{path}"


def source_link(folder):
    """Of the clone that holds `folder`; "" where there is none to show."""
    given = os.environ.get("MINIBERT_SOURCE_URL")
    if given is not None:
        return link_of(given)
    try:
        found = subprocess.run(["git", "-C", folder, "remote", "get-url", "origin"], capture_output=True, text=True)
    except OSError:
        return ""
    return link_of(found.stdout) if found.returncode == 0 else ""


PREVIEW = '<meta property="og:image" content="preview.png">'


def with_address(page, address):
    """index.html for the address where it will stand, with a whole address of its picture: who shows previews of links
    may want one. As it is without an address."""
    if not address:
        return page
    if not re.fullmatch(r"https?://[\w.:-]+(/[\w./~+%@-]*)?", address):
        raise ValueError(f"found {address}, expected an address such as https://example.org/minibert/")
    if PREVIEW not in page:
        raise ValueError(f"index.html lacks {PREVIEW}")
    folder = address.rstrip("/")
    return page.replace(PREVIEW, f'<meta property="og:url" content="{folder}/">\n' + PREVIEW.replace("preview.png", f"{folder}/preview.png"))
