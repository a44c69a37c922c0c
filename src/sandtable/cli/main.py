"""The command `sandtable`."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from sandtable import __version__
from sandtable.cli import process
from sandtable.cli.frame import call, lazy_group

#: Every command: the module that has its Typer app as `app`, and its line in the help.
COMMANDS = {
    "rules": ("sandtable.cli.rules", "Look rules up; see what enforces and what proves them."),
    "scenario": ("sandtable.cli.scenario", "Check scenario files, show them, play on from them."),
    "battle": ("sandtable.cli.battle", "Play a battle."),
    "army": ("sandtable.cli.army", "What of an army list, or of a faction, is enforced."),
    "serve": ("sandtable.cli.serve", "Let people and programs play over the network."),
    "replay": ("sandtable.cli.replay", "Play a saved battle again."),
    "matchup": ("sandtable.cli.matchup", "Play two army lists against each other many times."),
    "odds": ("sandtable.cli.odds", "Exact odds: what does this do to that?"),
    "compare": ("sandtable.cli.compare", "One question under several editions, side by side."),
    "bench": ("sandtable.cli.bench", "Measure how fast the engine is."),
}

app = typer.Typer(
    cls=lazy_group(COMMANDS), rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sandtable {__version__}")
        raise typer.Exit


@app.callback()
def sandtable(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Play tabletop miniature wargames by the book."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, without the program's name, and give the exit status."""
    return call(app, "sandtable", arguments)


def run() -> None:
    """The entry point of the installed command."""
    # Loading modules makes hundreds of thousands of objects, and none of them is garbage.
    gc.set_threshold(50_000, 20, 20)
    sys.exit(process.run(main))


if __name__ == "__main__":
    run()
