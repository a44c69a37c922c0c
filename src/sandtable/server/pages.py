"""Pages: the built browser table where it is there, otherwise a plain list of battles; and headers for all of them."""

from __future__ import annotations

import base64
import hashlib
import re
import time
from collections import Counter
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from fastapi import Response
from fastapi.responses import FileResponse, HTMLResponse

from sandtable import page, systems
from sandtable.server import rulings
from sandtable.server.protocol import MomentShown
from sandtable.server.seats import new_secret
from sandtable.server.store.records import Listed

STATIC: Final = Path(__file__).parent / "static"
"""Where the build of the browser table puts its files."""
FIRST: Final = "index.html"
SHELF_ROOM: Final = 16
SHELF_SHARE: Final = 4
SHELF_LIFE: Final = 600.0
"""Replays of files that are kept, those from one address, and for how many seconds."""

_NOWHERE: Final = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    f"connect-src 'self'; worker-src 'self'; {_NOWHERE}"
)
"""The page asks nobody but this server, and runs nothing but its own files."""

#: On every response; what a page may do is added to it.
HEADERS: Final = {
    "content-security-policy": f"default-src 'none'; {_NOWHERE}",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}

_PLACEHOLDER: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandtable</title>
<h1>Sandtable</h1>
<p>This server plays battles for programs that speak its protocol. The browser table is not built here.</p>
<h2>Battles</h2>
{battles}
</html>
"""

_TROUBLE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandtable</title>
<style>{style}</style>
<nav><a href="/">Sandtable</a></nav>
<main>
<h1>That did not work</h1>
<p>{text}</p>
</main>
</html>
"""


def first_page(listed: Sequence[Listed]) -> Response:
    """What a browser gets first."""
    if (STATIC / FIRST).is_file():
        return FileResponse(STATIC / FIRST, headers={"content-security-policy": POLICY})
    return plain_list(listed)


def plain_list(listed: Sequence[Listed]) -> Response:
    """The battles and their replays, for a server without the browser table."""
    rows = "\n".join(_row(battle) for battle in listed)
    battles = f"<ul>\n{rows}\n</ul>" if rows else "<p>Nobody plays yet.</p>"
    return HTMLResponse(_PLACEHOLDER.format(battles=battles))


def _row(battle: Listed) -> str:
    """A battle in a list. Its names come from files of strangers: they stay text."""
    status, called = battle.status, systems.get(battle.system).round_name
    when = "over" if status.result is not None else f"{called} {status.round}"
    players = " against ".join(battle.plays)
    title = escape(battle.title)
    return f'<li><a href="/battles/{escape(battle.id)}/replay">{title}</a> ({escape(players)}, {when})</li>'


def static_file(name: str) -> Response | None:
    """A file of the built page; None where there is no such file."""
    try:
        root = STATIC.resolve()
        path = (root / name).resolve()
        found = path.is_relative_to(root) and path.is_file()
    except (OSError, ValueError):
        return None  # no file could have that name
    if not found:
        return None
    # The build puts a fingerprint into the names of all files but the first.
    kept = "public, max-age=31536000, immutable" if "assets" in path.relative_to(root).parts else "no-cache"
    return FileResponse(path, headers={"content-security-policy": POLICY, "cache-control": kept})


class Kept(NamedTuple):
    """A page on the shelf."""

    until: float
    html: bytes
    file: bytes
    host: str


class Shelf:
    """Replays of files that somebody sent: a browser fetches one by its address, and soon it is forgotten."""

    def __init__(self) -> None:
        self._pages: dict[str, Kept] = {}
        """The oldest first."""

    def put(self, html: bytes, file: bytes = b"", host: str = "") -> str:
        """Keep a page, and the file that it shows; gives the name that only who sent it knows.

        What is too much goes first from the address that has most here.
        """
        self._sweep()
        name = new_secret()
        self._pages[name] = Kept(time.monotonic() + SHELF_LIFE, html, file, host)
        shares = Counter(kept.host for kept in self._pages.values())
        if shares[host] > SHELF_SHARE:
            self._drop_oldest(host)
        elif len(self._pages) > SHELF_ROOM:
            self._drop_oldest(shares.most_common(1)[0][0])
        return name

    def get(self, name: str) -> bytes | None:
        """A page that is still here."""
        self._sweep()
        kept = self._pages.get(name)
        return None if kept is None else kept.html

    def file(self, name: str) -> bytes | None:
        """The file of a page that is still here."""
        self._sweep()
        kept = self._pages.get(name)
        return None if kept is None else kept.file

    def _sweep(self) -> None:
        now = time.monotonic()
        self._pages = {name: kept for name, kept in self._pages.items() if now < kept.until}

    def _drop_oldest(self, host: str) -> None:
        del self._pages[next(name for name, kept in self._pages.items() if kept.host == host)]


def trouble(status: int, text: str) -> Response:
    """What somebody is told who came here by an address, with a way home."""
    return plain(_TROUBLE.format(style=rulings.STYLE, text=escape(text)).encode(), rulings.STYLE, status)


def plain(html: bytes, style: str, status: int = 200) -> Response:
    """A page of text in this style; it loads nothing, and runs nothing."""
    policy = f"default-src 'none'; style-src {_print_of(style)}; {_NOWHERE}"
    return HTMLResponse(html, status, headers={"content-security-policy": policy})


def moment(shown: MomentShown) -> Response:
    """A scenario file, to be saved."""
    saved = {"content-disposition": f'attachment; filename="{shown.name}"'}
    return Response(shown.text, media_type="text/yaml; charset=utf-8", headers=saved)


def replay(html: bytes) -> Response:
    """The page that replays a battle; of scripts it runs its own, known by their fingerprint."""
    policy = (
        f"default-src 'none'; script-src {_own_scripts()}; style-src 'unsafe-inline'; img-src data: blob:; {_NOWHERE}"
    )
    return HTMLResponse(html, headers={"content-security-policy": policy})


@cache
def _own_scripts() -> str:
    scripts = re.findall(r"<script>(.*?)</script>", page.empty_page(), re.DOTALL)
    return " ".join(_print_of(script) for script in scripts)


def _print_of(text: str) -> str:
    """The fingerprint by which a browser knows a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
