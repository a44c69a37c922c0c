"""The command `sandtable matchup`: play two lists against each other many times."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.cli.frame import new_app
from sandtable.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from sandtable.sim import Matchup, Paired, Share

PICTURES = (".svg", ".png")
WIDTH, LEAST = 30, 10
"""Of bars; narrow screens have shorter ones."""

app = new_app("Play two army lists against each other many times.")


@app.command()
def matchup(
    first: Annotated[str, typer.Argument(metavar="LIST", help="An army list: a file, or one of a pack by its name.")],
    second: Annotated[str, typer.Argument(metavar="LIST", help="The list that it plays against.")],
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", help="How many battles; half from each seat.")
    ] = 100,
    instead: Annotated[
        str | None,
        typer.Option("--instead", metavar="LIST", help="Also this list in place of the first, on the same seeds."),
    ] = None,
    system: Annotated[str | None, typer.Option("--system", "-s", metavar="SYSTEM", help="The rules system.")] = None,
    mission: Annotated[str | None, typer.Option("--mission", metavar="MISSION", help="The mission.")] = None,
    layout: Annotated[
        list[str] | None, typer.Option("--layout", metavar="LAYOUT", help="A table; again for more. By default all.")
    ] = None,
    players: Annotated[
        str, typer.Option("--players", metavar="A,B", help="Who plays both sides; the second repeats a quarter of it.")
    ] = "tactician,rusher",
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Of the first pair of battles.")] = 1,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A reading of the rules.")
    ] = None,
    processes: Annotated[
        int, typer.Option("--processes", "-j", metavar="N", min=0, max=256, help="By default one for each core.")
    ] = 0,
    controls: Annotated[bool, typer.Option(help="Play each list against itself, and by the other players.")] = True,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Write a picture, .svg or .png.")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write one line for each battle.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of the report.")] = False,
) -> None:
    """Play two army lists against each other many times, and say how sure the answer is."""
    from sandtable import sim, systems
    from sandtable.cli.battle import named, read_options
    from sandtable.cli.out import console, print_json
    from sandtable.files import claim, write_whole

    instead, system, mission = (
        named(option, name) for option, name in (("--instead", instead), ("--system", system), ("--mission", mission))
    )
    for name in layout or ():
        named("--layout", name)
    claim(plot, csv, beside=(first, second, instead, mission, *(layout or ())))
    if plot is not None and plot.suffix.lower() not in PICTURES:
        raise UserError(f"A picture is {' or '.join(PICTURES)}, not '{plot.name}'.")
    screen = console()
    how: dict[str, Any] = {
        "games": games,
        "system": system or systems.DEFAULT,
        "mission": mission,
        "layouts": tuple(layout or ()),
        "players": tuple(name.strip() for name in players.split(",")),
        "seed": seed,
        "options": read_options(option or ()),
        "processes": processes,
        "controls": controls,
    }
    with Progress() as bar:
        found: Matchup | Paired
        if instead:
            found = sim.paired(first, instead, second, progress=bar, **how)
        else:
            found = sim.matchup(first, second, progress=bar, **how)
    if json:
        print_json(found.to_json())
    else:
        _tell(screen, found)
    if plot is not None:
        from sandtable.sim.pictures import to_png, to_svg

        write_whole(plot, to_png(found) if plot.suffix.lower() == ".png" else to_svg(found))
    if csv is not None:
        write_whole(csv, found.to_csv())


class Progress:
    """A progress bar on the error stream, so that what is printed can be piped."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bars

        self._progress = Bars(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        # Stopping ends the line of a bar, so one that was never shown would leave an empty line before a refusal.
        if self._tasks:
            self._progress.stop()

    def __call__(self, what: str, done: int, of: int) -> None:
        self._progress.start()
        if done == 0 or what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, total=of)
        self._progress.update(self._tasks[what], completed=done)


def _tell(screen: Console, found: Matchup | Paired) -> None:
    from sandtable.cli.out import text
    from sandtable.sim import Paired

    screen.print(text((found.headline, "bold")))
    if isinstance(found, Paired):
        changed = found.changed
        told = f"Of the pairs {changed['better']} went better, {changed['same']} the same, {changed['worse']} worse."
        screen.print(text(told))
        report = found.second
    else:
        report = found
    _shares(screen, f"{report.names[0]} won", {"all battles": report.share, **report.by_seat, **report.by_first_turn})
    if len(report.by_layout) > 1:
        _shares(screen, "By table", report.by_layout)
    others = {f"played by {name}": share for name, share in report.other_shares.items()}
    mirrors = {f"{name} against itself, first seat": share for name, share in report.mirror_shares.items()}
    _shares(screen, "Controls", {**others, **mirrors, "first seat, whichever list": report.seats})
    margins = report.to_json()["margin"]
    if margins:
        screen.print(
            text(f"Margin: median {margins['median']:+g}, 10% to 90% {margins['p10']:+g} to {margins['p90']:+g} VP.")
        )
    for side, name in enumerate(report.names):
        _units(screen, report, side, name)
    for line in report.assumptions:
        screen.print(text((f"- {line}", "dim")))
    for trouble in report.troubles[:5]:
        screen.print(text((f"! {trouble}", "red")))


def _shares(screen: Console, title: str, shares: Mapping[str, Share]) -> None:
    from rich.table import Table

    from sandtable.cli.out import text

    table = Table(title=text((title, "bold")), title_justify="left", box=None, pad_edge=False, show_header=False)
    rest = max(len(f"{name} {share} {share.games} battles") for name, share in shares.items())
    # Two spaces at the most stand between columns.
    width = max(LEAST, min(WIDTH, screen.width - rest - 2))
    for name, share in shares.items():
        low, high = share.interval
        bar = "".join("█" if i / width < low else "▒" if i / width < high else "·" for i in range(width))
        table.add_row(text(name), bar, text(str(share)), text((f"{share.games} battles", "dim")))
    screen.print(table)


def _units(screen: Console, report: Matchup, side: int, name: str) -> None:
    from rich.table import Table

    from sandtable.cli.out import text
    from sandtable.forty.odds.matchups import currency

    table = Table(title=text((name, "bold")), title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("unit")
    cost = currency(report.system)
    for heading in (cost, "earned", f"per {cost.removesuffix('s')}", "lives", "dies in round"):
        table.add_column(heading, justify="right")
    for unit in report.units(side):
        dies = f"{unit.median_death:g}" if unit.median_death else ""
        table.add_row(
            text(unit.name),
            f"{unit.points}",
            f"{unit.earned:.0f}",
            f"{unit.returned:.2f}",
            f"{unit.survived:.0%}",
            dies,
        )
    screen.print(table)
