#!/usr/bin/python3
"""Where people find the page's source: MINIBERT_SOURCE_URL, else what the clone's remote "origin" says, if anybody
can open that."""
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
