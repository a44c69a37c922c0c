"""The command `sandtable odds`: what does this do to that, exactly."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sandtable.cli.frame import new_app
from sandtable.errors import UserError

if TYPE_CHECKING:
    from sandtable.odds import Situation
    from sandtable.odds.answers import Answer
    from sandtable.odds.setting import Setting

app = new_app("Exact odds: what does this do to that, and is it worth its points?")

Attacker = Annotated[
    str, typer.Argument(metavar="UNIT", help="Such as '10 boyz with big shoota led by warboss', or 'LIST: UNIT'.")
]
Target = Annotated[
    str, typer.Argument(metavar="TARGET", help="A unit likewise, or one of the panel: 'panel: battle tank'.")
]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the answer: FILE.svg or FILE.png.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print the table as CSV.")]
Json = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]
Targets = Annotated[list[str], typer.Argument(metavar="TARGETS...", help="Several units.")]


class Ask(NamedTuple):
    """How a question is asked: what the shared options say."""

    how: "Situation"
    setting: "Setting"
    plain: bool
    """Nothing was said about range or melee."""


def _shared(
    melee: Annotated[bool, typer.Option("--melee", help="In close combat, not from afar.")] = False,
    distance: Annotated[
        float | None, typer.Option("--distance", metavar="N", help="How far apart; else everything is in range.")
    ] = None,
    mod: Annotated[
        list[str] | None,
        typer.Option("--mod", "-m", metavar="NAME", help="A modifier such as cover; see 'odds modifiers'."),
    ] = None,
    cover: Annotated[bool, typer.Option("--cover", help="Short for --mod cover.")] = False,
    half_range: Annotated[bool, typer.Option("--half-range", help="Short for --mod half-range.")] = False,
    charged: Annotated[bool, typer.Option("--charged", help="Short for --melee --mod charged.")] = False,
    weapon: Annotated[
        list[str] | None, typer.Option("--weapon", "-w", metavar="NAME", help="Only this weapon; may be repeated.")
    ] = None,
    use: Annotated[
        list[str] | None,
        typer.Option("--use", "-u", metavar="NAME", help="An ability or stratagem at work, such as 'Oath of Moment'."),
    ] = None,
    system: Annotated[str, typer.Option("--system", "-s", metavar="SYSTEM", help="The rules system.")] = "",
    pack: Annotated[
        str, typer.Option("--pack", metavar="PACK", help="Where units come from: a name or a folder.")
    ] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A reading of the rules.")
    ] = None,
    reroll: Annotated[
        str, typer.Option("--reroll", metavar="POLICY", help="Re-rolls: failures, criticals, none or optimal.")
    ] = "failures",
    order: Annotated[
        str, typer.Option("--order", metavar="ORDER", help="Weapons in the best order, or as named by --weapon.")
    ] = "best",
    allocation: Annotated[
        str,
        typer.Option("--allocation", metavar="POLICY", help="Losses: in-order, best-save or worst-for-attacker."),
    ] = "in-order",
    goal: Annotated[
        str, typer.Option("--goal", metavar="GOAL", help="What is weighed: damage, models, destroy or value.")
    ] = "damage",
    plot: Plot = None,
    csv: Csv = False,
    json: Json = False,
) -> None:
    """The options that all questions share."""


def asks(question: Callable[..., "Answer"]) -> Callable[..., None]:
    """A command from a question: it takes the shared options besides its own, and shows the answer."""
    own = [p for name, p in inspect.signature(question).parameters.items() if name != "ask"]
    shared = list(inspect.signature(_shared).parameters.values())

    def command(**given: Any) -> None:
        said = {p.name: given.pop(p.name) for p in shared}
        plot, csv, json = said.pop("plot"), said.pop("csv"), said.pop("json")
        _check_plot(plot)
        answer = question(**given, ask=_ask(**said))
        _show(answer, plot, csv=csv, json=json)

    kind = inspect.Parameter.KEYWORD_ONLY
    command.__signature__ = inspect.Signature([p.replace(kind=kind) for p in (*own, *shared)])  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in (*own, *shared)}
    command.__doc__, command.__name__ = question.__doc__, question.__name__
    return command


def _ask(
    *,
    melee: bool,
    distance: float | None,
    mod: list[str] | None,
    cover: bool,
    half_range: bool,
    charged: bool,
    weapon: list[str] | None,
    use: list[str] | None,
    system: str,
    pack: str,
    option: list[str] | None,
    reroll: str,
    order: str,
    allocation: str,
    goal: str,
) -> Ask:
    from sandtable import systems
    from sandtable.cli.battle import read_options
    from sandtable.odds import Situation
    from sandtable.odds.setting import Setting

    short = {"cover": cover, "half-range": half_range, "charged": charged}
    modifiers = tuple(dict.fromkeys((*(mod or ()), *(name for name, wanted in short.items() if wanted))))
    close = melee or charged
    if close and distance is not None:
        raise UserError("Units in close combat touch each other; leave --distance or --melee out.")
    setting = Setting(
        system or systems.DEFAULT,
        pack,
        read_options(option or []),
        _one_of("--allocation", allocation.replace("-", "_"), ("in_order", "best_save", "worst_for_attacker")),
        _one_of("--reroll", reroll, ("failures", "criticals", "none", "optimal")),
        _one_of("--goal", goal, ("damage", "models", "destroy", "value")),
        _one_of("--order", order, ("best", "named")),
    )
    setting.rules.settle_options(setting.options)
    how = Situation(close, distance, modifiers, tuple(weapon or ()), tuple(use or ()))
    plain = how == Situation()
    return Ask(how, setting, plain)


def _one_of(name: str, value: str, known: tuple[str, ...]) -> Any:
    if value not in known:
        raise UserError(f"{name} is {', '.join(k.replace('_', '-') for k in known)}, not '{value}'.")
    return value


def _check_plot(path: Path | None) -> None:
    from sandtable.files import writable

    if path is None:
        return
    if path.suffix.lower() not in (".svg", ".png"):
        raise UserError(f"{path}: a picture is a file that ends in .svg or .png.")
    writable(path)


def _show(answer: "Answer", plot: Path | None, *, csv: bool, json: bool) -> None:
    if plot is not None:
        answer.save(plot)
    if json:
        typer.echo(answer.to_json())
    elif csv:
        typer.echo(answer.to_csv(), nl=False)
    else:
        from sandtable.cli.odds_out import show_answer

        show_answer(answer)
        if plot is not None:
            typer.echo(f"The picture is in {plot}.")


# --- The questions ----------------------------------------------------------------------------------------------------


@app.command()
@asks
def into(
    unit: Attacker,
    target: Target,
    ask: Ask,
    also: Annotated[
        list[str] | None, typer.Option("--and", metavar="UNIT", help="Another unit that attacks after the first.")
    ] = None,
    who: Annotated[
        str, typer.Option("--who", metavar="MODEL", help="The chance that this model of the target dies.")
    ] = "",
    hurt: Annotated[
        int, typer.Option("--hurt", metavar="N", help="Wounds that the target has lost already.", min=0)
    ] = 0,
) -> "Answer":
    """All attacks of a unit on another: chance to destroy, models killed, points returned."""
    from sandtable import odds

    hit = f"{target}, {hurt} wounds lost" if hurt else target
    return odds.combine([unit, *(also or ())], hit, ask.how, ask.setting, who=who)


@app.command()
@asks
def need(
    unit: Attacker,
    target: Target,
    ask: Ask,
    chance: Annotated[float, typer.Option("--chance", metavar="P", help="The chance that is wanted.")] = 0.8,
    most: Annotated[int, typer.Option("--most", metavar="N", help="The most units that are tried.")] = 12,
) -> "Answer":
    """How many of a unit it takes to destroy another with a given chance."""
    from sandtable import odds

    return odds.need(unit, target, chance, ask.how, ask.setting, most=most)


@app.command()
@asks
def targets(unit: Attacker, among: Targets, ask: Ask) -> "Answer":
    """Which of several targets a unit should take."""
    from sandtable import odds

    return odds.targets(unit, among, ask.how, ask.setting)


@app.command()
@asks
def weapons(
    unit: Attacker,
    ask: Ask,
    against: Annotated[
        list[str] | None, typer.Option("--against", "-a", metavar="TARGET", help="Instead of the panel of targets.")
    ] = None,
    other: Annotated[
        list[str] | None, typer.Option("--or", metavar="UNIT", help="Another unit, instead of the sheet's options.")
    ] = None,
) -> "Answer":
    """Which weapon option of a unit does most per point, over a panel of targets."""
    from sandtable import odds

    return odds.weapons(unit, other or (), against or (), ask.how, ask.setting)


@app.command()
@asks
def leader(
    unit: Attacker,
    target: Target,
    ask: Ask,
    without: Annotated[
        str, typer.Option("--without", metavar="UNIT", help="What to compare with; else the unit without Leaders.")
    ] = "",
) -> "Answer":
    """Is the Leader, the enhancement or the upgrade worth it: with and without."""
    from sandtable import odds

    return odds.leader(unit, target, ask.how, ask.setting, without=without)


@app.command()
@asks
def cp(
    unit: Attacker,
    target: Target,
    ask: Ask,
    aim: Annotated[str, typer.Option("--aim", metavar="AIM", help="destroy, kills, damage or points.")] = "destroy",
) -> "Answer":
    """What a command point is worth in an attack, on which die, for either side."""
    from sandtable import odds

    return odds.command_point(unit, target, aim, ask.how, ask.setting)


@app.command()
@asks
def exchange(
    unit: Attacker,
    target: Target,
    ask: Ask,
    shoot: Annotated[bool, typer.Option("--shoot", help="The unit shoots before it charges.")] = False,
    overwatch: Annotated[bool, typer.Option("--overwatch", help="The target fires Overwatch at the charge.")] = False,
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="How often both strike.")] = 1,
) -> "Answer":
    """A unit charges, the other strikes back with what is left."""
    from sandtable import odds

    how = None if ask.plain else ask.how
    before = odds.shooting() if shoot else None
    watch = odds.shooting("overwatch") if overwatch else None
    back = odds.melee() if how is None or how.melee else odds.shooting(distance=how.distance)
    return odds.exchange(unit, target, how, back, ask.setting, before=before, overwatch=watch, rounds=rounds)


@app.command()
@asks
def assault(
    unit: Attacker,
    target: Target,
    ask: Ask,
    shoot: Annotated[bool, typer.Option("--shoot", help="The unit shoots before it charges.")] = False,
    overwatch: Annotated[bool, typer.Option(help="Whether the target fires Overwatch.")] = True,
) -> "Answer":
    """A charge over a distance, or 8 inches: Overwatch, the roll, the blows of both, and who flees."""
    from sandtable import odds

    distance = 8.0 if ask.how.distance is None else ask.how.distance
    return odds.assault(unit, target, distance, ask.setting, shoot=shoot, overwatch=overwatch)


@app.command()
@asks
def morale(
    unit: Attacker,
    ask: Ask,
    lost: Annotated[int, typer.Option("--lost", metavar="N", help="Models that were slain this turn.", min=0)] = 0,
    by: Annotated[
        list[str] | None, typer.Option("--by", metavar="UNIT", help="Who attacks; several attack one after the other.")
    ] = None,
) -> "Answer":
    """A Morale phase: who flees after so many losses, or after an attack."""
    from sandtable import odds

    return odds.morale(unit, lost, by or (), ask.how, ask.setting)


@app.command()
@asks
def power(
    psyker: Attacker,
    target: Target,
    ask: Ask,
    name: Annotated[str, typer.Option("--power", metavar="NAME", help="Which power; else the first it knows.")] = "",
    deny: Annotated[str, typer.Option("--deny", metavar="UNIT", help="An enemy psyker who tries to deny it.")] = "",
) -> "Answer":
    """A psychic power: the test, Perils, a denial, and what it does."""
    from sandtable import odds

    return odds.power(psyker, target, name, deny, ask.setting, distance=ask.how.distance)


@app.command()
@asks
def split(
    unit: Attacker,
    among: Targets,
    ask: Ask,
    aim: Annotated[str, typer.Option("--aim", metavar="AIM", help="destroy, kills, damage or points.")] = "destroy",
) -> "Answer":
    """The best split of a unit's weapons over targets; for one target, the best order."""
    from sandtable import odds

    return odds.split(unit, among, aim, ask.how, ask.setting)


@app.command()
@asks
def sweep(
    unit: Attacker,
    target: Target,
    what: Annotated[str, typer.Argument(metavar="WHAT", help="S, AP, D, A..., T, Sv, W..., models or distance.")],
    ask: Ask,
    low: Annotated[int | None, typer.Option("--from", metavar="N", help="The first value.")] = None,
    high: Annotated[int | None, typer.Option("--to", metavar="N", help="The last value.")] = None,
) -> "Answer":
    """Where a number breaks: a weapon's of the attacker, or a model's of the target, step by step."""
    from sandtable import odds

    if (low is None) != (high is None):
        raise UserError("A sweep needs both --from and --to, or neither.")
    values = () if low is None or high is None else _between(low, high)
    return odds.sweep(unit, target, what, values, ask.how, ask.setting)


def _between(low: int, high: int) -> range:
    if not low < high <= low + 59:
        raise UserError(f"A sweep goes up, over 2 to 60 values, not from {low} to {high}.")
    return range(low, high + 1)


@app.command()
@asks
def lists(
    mine: Annotated[str, typer.Argument(metavar="MINE", help="An army list: a file, or one of a pack by its name.")],
    theirs: Annotated[str, typer.Argument(metavar="THEIRS", help="The other list.")],
    ask: Ask,
) -> "Answer":
    """Two army lists, both ways: what can I not kill, what kills me?"""
    from sandtable import odds

    return odds.lists(mine, theirs, None if ask.plain else ask.how, ask.setting)


@app.command()
@asks
def charge(
    unit: Annotated[str, typer.Argument(metavar="UNIT", help="A unit; or a distance alone, for any unit.")],
    ask: Ask,
    far: Annotated[float | None, typer.Argument(metavar="[DISTANCE]", help="How far away the enemy is.")] = None,
) -> "Answer":
    """Charge, Advance, Leadership and Battle-shock, with and without a re-roll; for a distance, or 9 inches."""
    from sandtable import odds

    if far is not None and ask.how.distance is not None:
        raise UserError("Name the distance once: behind the unit, or with --distance.")
    distance = far if far is not None else ask.how.distance
    return odds.rolls(unit, 9.0 if distance is None else distance, ask.setting)


@app.command()
@asks
def survive(
    unit: Attacker,
    ask: Ask,
    by: Annotated[
        list[str] | None, typer.Option("--by", metavar="UNIT", help="Who attacks; several attack one after the other.")
    ] = None,
    army: Annotated[
        str, typer.Option("--list", metavar="LIST", help="A whole army list attacks: it shoots, and then charges.")
    ] = "",
    shooting: Annotated[bool, typer.Option("--shooting", help="With --list: shooting alone.")] = False,
    times: Annotated[int, typer.Option("--times", metavar="N", help="How often they all attack.")] = 1,
) -> "Answer":
    """How long a unit lives under these attacks; with --list and --distance, by who reaches it."""
    from sandtable import odds

    if bool(by) == bool(army):
        raise UserError("Say who attacks: either --by UNIT, as often as needed, or --list LIST.")
    if shooting and (by or ask.how.melee):
        raise UserError("--shooting is for --list, and goes without --melee; units named with --by shoot anyway.")
    if army and times != 1:
        raise UserError("--times is for units named with --by; a list is asked about for one turn.")
    if not army:
        return odds.survive(unit, by or (), ask.how, ask.setting, times=times)
    if shooting or ask.how.melee:
        return odds.survive_list(unit, army, ask.how, ask.setting)
    shoot, fight = odds.both_ways(ask.how, ask.setting)
    return odds.survive_list(unit, army, shoot, ask.setting, then=fight)


# --- Asking again -----------------------------------------------------------------------------------------------------


@app.command("open")
def open_again(
    link: Annotated[str, typer.Argument(metavar="LINK", help="The link or code of an answer.")],
    pack: Annotated[
        str, typer.Option("--pack", metavar="FOLDER", help="The question's pack, where it is not installed.")
    ] = "",
    plot: Plot = None,
    csv: Csv = False,
    json: Json = False,
) -> None:
    """Ask the question of a link again."""
    from sandtable import odds

    _check_plot(plot)
    _show(odds.open(link, pack), plot, csv=csv, json=json)


# --- Looking things up ------------------------------------------------------------------------------------------------


@app.command()
def modifiers(
    system: Annotated[str, typer.Option("--system", "-s", metavar="SYSTEM", help="The rules system.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """The modifiers that --mod takes, with the rules behind them."""
    from sandtable import systems
    from sandtable.cli.out import cites, console, print_json, show, text
    from sandtable.odds.setting import Setting

    known = Setting(system or systems.DEFAULT).matchups.modifiers
    if json:
        print_json(known)
        return
    screen = console()
    for modifier in known:
        show(screen, text((f"{modifier.name:<18}", "bold"), modifier.text, cites(modifier.rules)))


@app.command()
def panel(
    system: Annotated[str, typer.Option("--system", "-s", metavar="SYSTEM", help="The rules system.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """The typical targets that weapons are measured against."""
    from sandtable import systems
    from sandtable.cli.out import console, print_json, show, text
    from sandtable.odds.setting import Setting
    from sandtable.odds.units import panel_forces

    forces = panel_forces(Setting(system or systems.DEFAULT))
    rows = []
    for force in forces:
        sheet = force.pack.sheet(force.army.units[0].sheet)
        assert sheet is not None
        kind = sheet.models[0]
        rows.append({"name": force.name, force.cost: force.points, "invulnerable": kind.invulnerable, **kind.stats})
    if json:
        print_json(rows)
        return
    screen = console()
    for force, row in zip(forces, rows, strict=True):
        stats = " ".join(f"{k}{v}" for k, v in row.items() if k not in ("name", "points", "Power", "invulnerable"))
        save = f" {row['invulnerable']}++" if row["invulnerable"] else ""
        show(screen, text((f"{row['name']:<24}", "bold"), f"{force.price:>10}  ", f"{stats}{save}"))
