"""What commands print: plain text that stays readable without colour, and JSON."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Final

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

NARROWEST: Final = 20
PLAIN_WIDTH: Final = 80


def console() -> Console:
    from rich.console import Console

    # A file or a pipe has no width; long lines stay whole there, for grep.
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty(), width=_width())


def _width() -> int | None:
    """What a terminal that claims to be too narrow for anything is taken to have; None to believe it."""
    said = os.environ.get("COLUMNS", "")
    return PLAIN_WIDTH if said.isdigit() and int(said) < NARROWEST else None


def text(*parts: str | tuple[str, str]) -> Text:
    """A line of parts, each plain or with a style; control characters in names do not reach the terminal."""
    from rich.text import Text

    from sandtable.errors import plain

    return Text.assemble(*(plain(p) if isinstance(p, str) else (plain(p[0]), p[1]) for p in parts))


def show(screen: Console, line: Text) -> None:
    """Print a line; where it must be broken, what follows keeps its indent."""
    from rich.padding import Padding

    indent = len(line.plain) - len(line.plain.lstrip(" "))
    if screen.soft_wrap or not indent:
        screen.print(line)
    else:
        screen.print(Padding(line[indent:], (0, 0, 0, indent), expand=False))


def cites(rules: tuple[str, ...]) -> tuple[str, str]:
    """The ids of the rules behind a line."""
    return (f"  [{', '.join(rules)}]" if rules else "", "dim")


def print_json(content: Any) -> None:
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(content), indent=2).decode())
