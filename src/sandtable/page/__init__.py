"""The replay page: a battle as one self-contained HTML file, with a timeline, the log and the dice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sandtable.battle.journal import Journal
from sandtable.files import write_whole

if TYPE_CHECKING:
    from sandtable.battle.machine import Battle
    from sandtable.page.story import Story

__all__ = ["empty_page", "page_html", "write_page"]

TITLE_HERE: Final = "<!-- title -->"
STORY_HERE: Final = "<!-- story -->"
DRAWING_HERE: Final = "/* drawing */\n"

#: What could end a script element, begin a comment or break a line in JavaScript is written as JSON escapes.
_ESCAPES: Final = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def write_page(
    source: Battle[Any, Any, Any, Any] | Journal, path: str | Path, reasons: Mapping[int, str] | None = None
) -> None:
    """Write the page of a battle, or of a journal; the file is there whole, or not at all.

    `reasons` says for numbers of questions why they were answered so, where a computer player said it.
    """
    from sandtable.page.story import tell

    write_whole(Path(path), page_html(tell(_battle(source), reasons or {})))


def page_html(story: Story) -> str:
    """The page of a story. Names in it may come from strangers: they stay text, whatever they hold."""
    import msgspec

    # Cut before anything is put in, so that no name can pass for a place to put something.
    head, _, rest = empty_page().partition(TITLE_HERE)
    body, _, tail = rest.partition(STORY_HERE)
    told = msgspec.json.encode(story).decode().translate(_ESCAPES)
    return f"{head}{escape(story.title)}{body}{told}{tail}"


@cache
def empty_page() -> str:
    """The page with its scripts, and without a story."""
    folder = files(__name__)
    template = folder.joinpath("template.html").read_text(encoding="utf-8")
    drawing = folder.joinpath("drawing.js").read_text(encoding="utf-8")
    # The browser table imports what the module exports; here it is what a function gives back.
    return template.replace(DRAWING_HERE, drawing.replace("\nexport {", "\nreturn {"))


def _battle(source: Battle[Any, Any, Any, Any] | Journal) -> Battle[Any, Any, Any, Any]:
    if not isinstance(source, Journal):
        return source
    from sandtable import systems
    from sandtable.battle.replaying import replay

    return replay(source, systems.get(source.system))[0]
