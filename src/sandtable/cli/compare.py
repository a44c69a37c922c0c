"""The command `sandtable compare`: one question under several editions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import replace

from sandtable.cli.frame import new_app
from sandtable.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from sandtable.odds.side_by_side import Editions
    from sandtable.sim import Matchup

app = new_app("One question under several editions, side by side.")


@app.command()
def compare(
    question: Annotated[
        list[str], typer.Argument(metavar="QUESTION...", help="Such as '10 boyz charge 5 intercessors'.")
    ],
    system: Annotated[
        list[str] | None,
        typer.Option("--system", "-s", metavar="SYSTEM", help="An edition; again for more. By default all with odds."),
    ] = None,
    distance: Annotated[
        float | None, typer.Option("--distance", metavar="N", help="How far apart; 8 inches for a charge, 12 for fire.")
    ] = None,
    shoot: Annotated[bool, typer.Option("--shoot", help="Those who charge shoot before.")] = False,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", min=0, help="Also play so many battles of both armies in each.")
    ] = 0,
    points: Annotated[
        int, typer.Option("--points", metavar="N", help="How large the armies are; 20 points are about 1 Power.")
    ] = 1000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Of the first pair of battles.")] = 1,
    processes: Annotated[
        int, typer.Option("--processes", "-j", metavar="N", min=0, max=256, help="By default one for each core.")
    ] = 0,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the answer: FILE.svg or FILE.png.")
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print the table as CSV.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Ask one question under several editions, each with its own datasheets, and see which rules differ."""
    from sandtable.cli.out import console, print_json
    from sandtable.files import writable
    from sandtable.odds.side_by_side import editions

    words = " ".join(question)
    if plot is not None:
        if plot.suffix.lower() not in (".svg", ".png"):
            raise UserError(f"{plot}: a picture is a file that ends in .svg or .png.")
        writable(plot)
    found = editions(words, system or (), distance=distance, shoot=shoot)
    played = _play(words, found, games, points, seed, processes) if games else []
    if plot is not None:
        found.save(plot)
    if json:
        told = [{"system": u.system, **m.to_json()} for u, m in zip(found.under, played, strict=False)]
        print_json({**found.data(), "games": told})
    elif csv:
        typer.echo(found.to_csv(), nl=False)
    else:
        _tell(console(), found, played)
        if plot is not None:
            typer.echo(f"The picture is in {plot}.")


def _play(words: str, found: Editions, games: int, points: int, seed: int, processes: int) -> list[Matchup]:
    """Whole battles of both factions in each edition, with armies of about the same size."""
    from sandtable import sim
    from sandtable.cli.matchup import Progress
    from sandtable.odds.setting import Setting
    from sandtable.odds.side_by_side import lists_for, parse

    asked = parse(words)
    # All lists are found before the first battle begins.
    lists = [(u.system, *lists_for(asked, Setting(u.system), points)) for u in found.under]
    with Progress() as bar:
        return [
            sim.matchup(one, other, games=games, system=id_, seed=seed, processes=processes, controls=False,
                        players=("tactician",), progress=bar)
            for id_, one, other in lists
        ]  # fmt: skip


# --- In words ---------------------------------------------------------------------------------------------------------


def _tell(screen: Console, found: Editions, played: list[Matchup]) -> None:
    from sandtable.cli.out import show, text
    from sandtable.cli.side_by_side import rules_behind

    show(screen, text((f"{found.headline}.", "bold")))
    screen.print()
    _numbers(screen, found)
    for u in found.under:
        show(
            screen,
            text(("  " + f"{u.edition}: ", "bold"), f"{u.names[0]} ({u.prices[0]}), {u.names[1]} ({u.prices[1]})"),
        )
        for b in u.blows:
            rolls = f"hits {b.hits}, wounds {b.wounds}, saved {b.saved}, damage {b.damage}"
            number = f"{b.attacks} attack{'' if b.attacks == '1' else 's'} each"
            show(screen, text(f"    {b.bearers} x {b.weapon}: {number}, {rolls}"))
    screen.print()
    names = {u.system: u.edition for u in found.under}
    for one, other, pairs in found.differences:
        rules_behind(screen, names, one, other, pairs)
    for u, m in zip(found.under, played, strict=False):
        show(screen, text((f"  {u.edition}: ", "bold"), f"{m.headline}"))
    if played:
        screen.print()
    # The units stand above, edition by edition.
    for line in replace(found.assumptions, units=()).lines()[1:]:
        show(screen, text(("  " + line, "dim")))


def _numbers(screen: Console, found: Editions) -> None:
    from rich.table import Table

    from sandtable.cli.out import text

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("")
    for u in found.under:
        table.add_column(text((u.edition, "bold")), justify="right")
    for row in found.table():
        what = str(row["what"])
        table.add_row(text(f"  {what}"), *(_cell(what, row[u.edition]) for u in found.under))
    screen.print(table)
    screen.print()


def _cell(what: str, value: Any) -> str:
    if value is None:
        return "-"
    return f"{100 * value:.1f} %" if what.startswith(("chance", "share")) else f"{value:.2f}"
