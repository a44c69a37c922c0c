"""The command `sandtable scenario`: check scenario files, show them, compare, play on from them, write them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.cli.frame import WRONG_INPUT, new_app
from sandtable.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from sandtable.battle.judging import Outcome
    from sandtable.battle.scenario import Scenario

app = new_app(
    "Check scenario files, show them, compare editions by them, play on from them; write one of a saved battle."
)

File = Annotated[Path, typer.Argument(metavar="FILE", help="A scenario file.")]
MOST_DISTANCES = 10


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Scenario files.")],
    explain: Annotated[bool, typer.Option("--explain", help="Print the account of each.")] = False,
) -> None:
    """Say whether what the files expect comes true.

    An expectation that does not come true ends it with status 1, a file that cannot be played with status 2.
    """
    from sandtable.api import check_scenario
    from sandtable.battle.driving import BrokenRule
    from sandtable.battle.scenario import read_scenario_file
    from sandtable.cli.out import console, text

    screen = console()
    failed = broken = 0
    for path in files:
        try:
            document = read_scenario_file(path)
            outcome = check_scenario(document, path)
        except UserError as error:
            broken += 1
            typer.echo(f"Error: {error}", err=True)
            continue
        except BrokenRule as error:
            failed += 1
            screen.print(text(("FAIL  ", "bold red"), str(path)))
            screen.print(text(f"      {error} ({type(error.__cause__).__name__}: {error.__cause__})"))
            continue
        failed += bool(outcome.failures)
        mark = ("FAIL  ", "bold red") if outcome.failures else ("pass  ", "green")
        screen.print(text(mark, f"{path}: {document.scenario}"))
        for failure in outcome.failures:
            screen.print(text(f"      {failure}"))
        if explain:
            _print_account(screen, document, outcome, "      ")
    if len(files) > 1:
        passed = len(files) - failed - broken
        screen.print(f"{passed} passed, {failed} failed, {broken} broken.")
    if failed or broken:
        raise typer.Exit(WRONG_INPUT if broken else 1)


@app.command()
def show(
    file: File,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture of the moment.")] = None,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="The same as PNG.")] = None,
) -> None:
    """Show a scenario: who stands where, the distances, the dice, and how it goes."""
    from sandtable.api import check_scenario, open_moment
    from sandtable.battle.scenario import read_scenario_file
    from sandtable.cli.out import console, text
    from sandtable.files import claim, write_whole

    claim(svg, png, beside=[file])
    document = read_scenario_file(file)
    world = open_moment(document, file)
    outcome = check_scenario(document, file)
    shown: dict[str, Any] = {"title": document.scenario, "caption": document.question}
    screen = console()
    _print_header(screen, document, world)
    _print_units(screen, world)
    _print_distances(screen, world)
    screen.print(text(("How it goes", "bold")))
    _print_account(screen, document, outcome, "  ")
    verdict = "Everything comes true that the file expects." if not outcome.failures else "Not as the file expects:"
    screen.print(text((verdict, "bold")))
    for failure in outcome.failures:
        screen.print(text(f"  {failure}"))
    if svg is not None:
        write_whole(svg, world.svg(**shown))
        screen.print(text(f"Wrote {svg}."))
    if png is not None:
        world.png(png, **shown)
        screen.print(text(f"Wrote {png}."))


@app.command()
def diff(
    file: File,
    systems: Annotated[
        str, typer.Option("--systems", "-s", metavar="A,B...", help="Two or more; or one, beside that of the file.")
    ],
    whole: Annotated[bool, typer.Option("--all", help="Show what is the same, too.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Play a scenario under several systems, with the same dice and answers, and say what comes out differently.

    What the file does not answer gets the plain answer; what it expects is not judged.
    """
    from sandtable.api import compare_scenario
    from sandtable.battle.scenario import read_scenario_file
    from sandtable.cli.out import console, print_json
    from sandtable.cli.side_by_side import tell_scenario

    among = [name for part in systems.split(",") if (name := part.strip())]
    found = compare_scenario(read_scenario_file(file), file, among)
    if json:
        print_json(found.data())
    else:
        tell_scenario(console(), found, whole)


@app.command()
def play(
    file: File,
    side: Annotated[str, typer.Option("--as", metavar="PLAYER", help="Whom you play; the one whose turn it is.")] = "",
    versus: Annotated[
        str, typer.Option("--versus", metavar="WHO", help="Who plays the others: random, default or person.")
    ] = "random",
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", min=0, help="For other dice.")] = None,
    orders: Annotated[
        str | None, typer.Option("--orders", metavar="FILE", help="Your standing orders; or the word default.")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Write the battle to this file.")] = None,
) -> None:
    """Play on from the moment of a scenario, with fresh dice instead of the written ones."""
    import msgspec

    from sandtable.api import open_moment
    from sandtable.battle.scenario import player_number, read_scenario_file
    from sandtable.cli.account import FullAccount
    from sandtable.cli.battle import named
    from sandtable.cli.out import console, show
    from sandtable.cli.seats import read_standing, seats, tell_and_save
    from sandtable.files import claim

    orders = named("--orders", orders)
    claim(save, beside=(file, orders))
    standing = read_standing(orders)
    document = read_scenario_file(file)
    seed = document.seed if seed is None else seed
    battle = open_moment(msgspec.structs.replace(document, dice=None, seed=seed), file)
    mine = player_number(document, side) if side else battle.state.active
    names = ["person" if p.id == mine else versus for p in battle.state.players]
    screen = console()
    account = FullAccount(battle, partial(show, screen), secret=True)
    seated = seats(battle, names, seed, standing, account, screen, orders)
    _print_header(screen, document, battle)
    tell_and_save(battle, seated, save, account, screen)


@app.command()
def moment(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A battle that was saved.")],
    at: Annotated[
        int | None, typer.Option("--at", metavar="N", min=0, help="The step, as the replay page counts; the last one.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it to this file.")
    ] = None,
) -> None:
    """Write a moment of a saved battle as a scenario file, with what everybody may know.

    It is the moment of the first question from that step on, where a battle can be played on.
    """
    from sandtable.api import disagreement, replay
    from sandtable.battle import journal
    from sandtable.cli.out import console, text
    from sandtable.files import claim, write_whole
    from sandtable.page.story import tell
    from sandtable.server import moments

    claim(output, beside=[file])
    battle, agreement = replay(file)
    if not agreement.whole:
        raise UserError(disagreement(file, agreement))
    frames = tell(battle).frames
    at = len(frames) - 1 if at is None else at
    if at >= len(frames):
        raise UserError(f"{file} has no step {at}; its steps run from 0 to {len(frames) - 1}.")
    shown = moments.at(journal.read_file(file), frames[at].heard, str(file))
    if output is None:
        typer.echo(shown.text, nl=False)
        return
    write_whole(output, shown.text)
    console().print(text(f"Wrote {output}."))


@app.command()
def kinds(
    system: Annotated[str, typer.Option("--system", "-s", metavar="SYSTEM", help="The rules system.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the words that scenario files of a system use: steps, questions, ways of moving, rolls and events."""
    import msgspec

    from sandtable import systems
    from sandtable.battle.vocabulary import vocabulary
    from sandtable.cli.out import console, print_json, show, text

    rules = systems.get(system or systems.DEFAULT)
    words = vocabulary(rules)
    if json:
        print_json({"system": rules.id, **msgspec.structs.asdict(words)})
        return
    screen = console()
    screen.print(text((f"{rules.name}: the words of its scenario files", "bold")))
    for segment, steps in words.steps.items():
        show(screen, text(f"  Steps of '{segment}' (at, until): ", ", ".join(steps)))
    screen.print(text(("Questions (to, asked), their shape, and how they are put", "bold")))
    for asked in words.questions:
        show(screen, text("  ", (f"{asked.kind:<21}", "cyan"), f"{asked.shape:<13}{asked.prompt}"))
    screen.print(text(("Reactions (to, asked), and what may be due there", "bold")))
    for kind, names in words.reactions.items():
        show(screen, text("  ", (f"{kind:<34}", "cyan"), ", ".join(names)))
    for title, plain in (
        ("Ways of moving (mode)", words.modes),
        ("Rolls (dice, rolls); those of abilities go by the ability's name", words.rolls),
        ("Events (told, told_not)", words.told),
        *([("Marks of models (marks)", words.marks)] if words.marks else []),
    ):
        screen.print(text((title, "bold")))
        show(screen, text("  ", ", ".join(plain)))


# ------------------------------------------------------------------------------------------------------- printing


def _print_header(screen: Console, document: Scenario, world: Any) -> None:
    from sandtable.cli.out import text

    screen.print(text((document.scenario, "bold")))
    screen.print(text(f"{world.system.name}; at '{document.at.step}', round {document.at.round}"))
    if document.options:
        screen.print(text("Options: ", ", ".join(f"{n}={v}" for n, v in sorted(document.options.items()))))
    screen.print(text("Question: ", " ".join(document.question.split())))
    if document.answer:
        screen.print(text("Answer: ", " ".join(document.answer.split())))
    for proof in document.proves:
        screen.print(text((f"Proves {proof.rule}, check {proof.check}", "dim")))
    screen.print()


def _print_units(screen: Console, world: Any) -> None:
    from sandtable.cli.out import text
    from sandtable.players.commands import describe_unit

    screen.print(text(("Units", "bold")))
    for unit in world.units():
        screen.print(text(f"  {describe_unit(world, unit)}"))
        screen.print(text(f"    {bases(world, unit)}"))
    screen.print()


def _print_distances(screen: Console, world: Any) -> None:
    from sandtable.cli.out import text
    from sandtable.table.grid import units

    on_table = [u for u in world.units() if world.is_on_table(u)]
    pairs = [(a, b) for i, a in enumerate(on_table) for b in on_table[i + 1 :] if world.are_enemies(a, b)]
    if not pairs:
        return
    measured = sorted((world.distance(a, b), a.id, b.id) for a, b in pairs)
    screen.print(text(("Distances between enemies, base to base", "bold")))
    for far, a, b in measured[:MOST_DISTANCES]:
        screen.print(text(f"  {units(far):6.2f} {world.system.unit}  {world.unit(a).name} - {world.unit(b).name}"))
    if len(measured) > MOST_DISTANCES:
        screen.print(text((f"  {len(measured) - MOST_DISTANCES} pairs are further apart.", "dim")))
    screen.print()


def _print_account(screen: Console, document: Scenario, outcome: Outcome, indent: str) -> None:
    from sandtable.cli.out import text

    for line in outcome.account:
        screen.print(text(indent, line))
    if not outcome.account:
        screen.print(text(indent, "Nothing is rolled or answered."))
    if document.dice is None and "rolls" in "".join(outcome.account):
        screen.print(text((f"{indent}The dice are those of seed {document.seed}.", "dim")))


def bases(world: Any, unit: Any) -> str:
    """The bases of a unit as one would measure them, and where they stand."""
    from collections import Counter

    from sandtable.table.grid import STEP, units

    setup = world.setup
    kinds = Counter(setup.shapes[setup.shape_of[m]] for m in unit.models)
    millimetres = (25.4 if world.system.unit == "in" else 10.0) / STEP
    said = []
    for shape, count in kinds.items():
        length, width = round(shape.length * millimetres), round(shape.width * millimetres)
        size = f"{length} mm" if length == width and not shape.hull else f"{length} x {width} mm"
        said.append(f"{count} x {size} {'hull' if shape.hull else 'base'}")
    pos = world.state.models.pos
    places = [f"({units(int(pos[m][0])):g}, {units(int(pos[m][1])):g})" for m in world.on_table(unit)]
    shown = " ".join(places[:6]) + (f" and {len(places) - 6} more" if len(places) > 6 else "")
    return ", ".join(said) + (f"; at {shown}" if places else "; not on the table")
