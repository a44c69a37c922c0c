"""The command `sandtable battle`: play a battle, and tell it as it goes."""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.cli.frame import new_app
from sandtable.errors import UserError

if TYPE_CHECKING:
    from sandtable.battle.decisions import Decision
    from sandtable.players.table import AnyBattle

app = new_app("Play a battle.")
BY_HAND = (
    "  'correct' applies them: it changes wounds, places and modifiers, and 'help' shows how. "
    "Other people are asked first; a computer player leaves it to you."
)


@app.command()
def battle(
    system: Annotated[str | None, typer.Option("--system", "-s", metavar="SYSTEM", help="The rules system.")] = None,
    red: Annotated[
        str | None,
        typer.Option("--red", metavar="LIST", help="Red's army list: a file, - for what comes in, or one of a pack."),
    ] = None,
    blue: Annotated[
        str | None,
        typer.Option("--blue", metavar="LIST", help="Blue's army list. Whoever has none gets a ready one by chance."),
    ] = None,
    mission: Annotated[
        str | None,
        typer.Option("--mission", metavar="MISSION", help="With army lists: the mission; A,B if players disagree."),
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option(
            "--layout", metavar="LAYOUT", help="With army lists: the terrain; by default a new one, at random."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", min=0, help="For the same battle again.")] = None,
    players: Annotated[
        str,
        typer.Option(
            "--players", metavar="A,B", help="Who plays: person, tactician, rusher, gunline, random or default."
        ),
    ] = "tactician,tactician",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A reading of the rules.")
    ] = None,
    orders: Annotated[
        str | None, typer.Option("--orders", metavar="FILE", help="Standing orders for people; or the word default.")
    ] = None,
    takebacks: Annotated[
        str,
        typer.Option("--takebacks", metavar="WHEN", help="After dice: until-dice (no), agreed or free; or never."),
    ] = "agreed",
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a battle that was saved.")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Write the battle to this file.")] = None,
    pictures: Annotated[
        Path | None, typer.Option("--pictures", metavar="FOLDER", help="Write a picture after each turn.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page that replays the battle.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page of --html in a browser.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Tell every decision and every roll, with the rules behind them.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of the account.")] = False,
) -> None:
    """Play a battle, and tell it as it goes."""
    from sandtable import systems
    from sandtable.api import DEFAULT_MISSION, load, new
    from sandtable.armies.lists import draw_lists, uneven
    from sandtable.cli.brought import armies_of, bring, costs_of, show_brought, told
    from sandtable.cli.out import console, print_json, show, text
    from sandtable.cli.seats import play_and_save, read_standing, read_takebacks, seats, tell_and_save
    from sandtable.cli.short_account import account_of
    from sandtable.files import claim

    system, red, blue = named("--system", system), named("--red", red), named("--blue", blue)
    mission, layout, orders = named("--mission", mission), named("--layout", layout), named("--orders", orders)
    names = [name.strip() for name in players.split(",")]
    if json and "person" in names:
        raise UserError("A person cannot play with --json.")
    claim(save, html, beside=(red, blue, *mission.split(","), layout, orders))
    standing, allowed = read_standing(orders), read_takebacks(takebacks)
    album = None if pictures is None else Album(pictures)
    if open_page and html is None:
        raise UserError("There is no page to open: name one with --html.")
    if resume is not None and (system or red or blue or mission or layout or seed is not None or option):
        raise UserError("A battle that is resumed brings its own system, armies, mission, table, seed and options.")
    from sandtable.battle.dice import SEED_BITS

    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    system, brought = bring((red, blue), system) if red or blue else (system, (None, None))
    screen = console()
    if not json:
        show_brought(screen, brought)
    lonely = bool(red) != bool(blue)
    if resume is None:
        known, _ = costs_of((red, blue), brought) if lonely else ({}, "")
        drawn = draw_lists(system or systems.DEFAULT, seed, next(iter(known.values()), None))
        red, blue = red or drawn[0], blue or drawn[1]
    if (mission or layout) and not red:
        raise UserError("A mission or a layout needs army lists: give --red and --blue, too.")
    if resume is not None:
        fought = load(resume, on_step=album)
        seed = fought.seed or 0
    else:
        fought = new(
            system or systems.DEFAULT,
            armies=armies_of((red, blue), brought, drawn=lonely) if red else None,
            mission=mission or DEFAULT_MISSION,
            layout=layout,
            seed=seed,
            options=read_options(option or ()),
            on_step=album,
        )
    odd = uneven(*costs_of((red, blue), brought)) if red and resume is None else ""
    people = [number for number, name in enumerate(names) if name == "person"]
    account = account_of(fought, partial(show, screen), verbose=verbose, people=people)
    seated = seats(fought, names, seed, standing, account, screen, orders)
    if json:
        tally = Tally(fought)
        play_and_save(fought, seated, save, on_ask=tally)
        print_json(
            {
                "system": fought.system.id,
                "seed": seed,
                **({"lists": [told(one) for one in brought if one is not None]} if any(brought) else {}),
                **({"uneven": odd} if odd else {}),
                "options": fought.setup.options,
                "armies": list(fought.setup.armies),
                "scene": fought.setup.scene,
                "abilities": abilities_of(fought),
                **tally.report(),
                "rolls": rolls_of(fought),
                "reasons": tally.reasons(account.reasons),
            }
        )
    else:
        screen.print(text((f"{fought.system.name}, seed {seed}", "bold")))
        if fought.system.lacks:
            screen.print(text(fought.system.lacks))
        if fought.setup.armies:
            screen.print(text(_armies_line(fought)))
            for line in filter(None, (odd,)):
                screen.print(text((line, "bold")))
        else:
            screen.print(text("No pack has army lists for this system: made-up armies play."))
        left = list(abilities_lines(fought))
        for line in (*left, *((BY_HAND,) if left and people else ())):
            show(screen, text(line))
        tell_and_save(fought, seated, save, account, screen, allowed)
    if album is not None:
        album.close(fought)
    if html is not None:
        from sandtable.page import write_page

        write_page(fought, html, {} if "person" in names else account.reasons)
        if not json:
            screen.print(text(f"Wrote {html}."))
        if open_page and not show_page(html) and not json:
            screen.print(text(f"Open {html.resolve().as_uri()} in a browser to watch it."))


def named(option: str, name: str | None) -> str:
    """What an option names, or nothing where it is left out; refuses one that is there and names nothing."""
    if name is not None and not name.strip():
        raise UserError(f"{option} names nothing; write a name after it, or leave it out.")
    return name or ""


def show_page(page: Path) -> bool:
    """Open a page in a browser; False where nobody could see it."""
    import sys
    import webbrowser

    seen = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(seen) and webbrowser.open(page.resolve().as_uri())


def abilities_of(battle: AnyBattle) -> dict[str, Any]:
    """How much of the armies' abilities is enforced, and what is left to the players."""
    system = battle.system
    if system.left_out is None or system.enforcement is None:
        return {}
    names = [p.name for p in battle.state.players]
    counts = [system.enforcement(battle, p) for p in range(len(names))]
    return {
        "armies": {
            name: {"abilities": total, "not_enforced": left, "share": round(1 - left / total, 3) if total else 1.0}
            for name, (left, total) in zip(names, counts, strict=True)
        },
        "not_enforced": [
            {
                "armies": [names[p] for p in entry.players],
                "where": entry.where,
                "of": entry.called,
                "ability": entry.name,
                "what": entry.what,
                "whole": entry.whole,
            }
            for entry in system.left_out(battle)
        ],
    }


def _armies_line(battle: AnyBattle) -> str:
    """Who plays what."""
    pairs = zip(battle.state.players, battle.setup.armies, strict=True)
    scene = f"; {battle.setup.scene}" if battle.setup.scene else ""
    return f"{', '.join(f'{player.name} plays {army}' for player, army in pairs)}{scene}."


def abilities_lines(battle: AnyBattle) -> Iterator[str]:
    """How many abilities are not enforced, and which, a line for each datasheet; nothing where all are."""
    from sandtable.battle.reminding import in_words, left_by_unit

    found = abilities_of(battle)
    parts = [
        f"{name} {army['not_enforced']} of {army['abilities']}"
        for name, army in found.get("armies", {}).items()
        if army["not_enforced"]
    ]
    if parts:
        yield f"Abilities that are not enforced in every part: {', '.join(parts)} ('sandtable army report' says why)."
    told = -1
    for left in left_by_unit(battle):
        if left.player != told:
            told = left.player
            yield f"  Not enforced here, for {battle.player(told).name} to play by hand:"
        yield f"    {left.called}: {in_words(left)}"


def read_options(pairs: list[str] | tuple[str, ...]) -> dict[str, str]:
    """Options of a battle from name=value pairs."""
    chosen: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name or not value:
            raise UserError(f"An option is written NAME=VALUE, not '{pair}'.")
        if chosen.setdefault(name, value) != value:
            raise UserError(f"The option '{name}' is given twice, as '{chosen[name]}' and as '{value}'.")
    return chosen


def rolls_of(battle: AnyBattle) -> list[dict[str, Any]]:
    """Every roll of a battle: what it needed, why, and what came of it."""
    from sandtable.battle.events import Changed, Rolled
    from sandtable.battle.rolls import as_data

    names = [p.name for p in battle.state.players]
    number, found = 0, []
    for event in battle.events:
        if isinstance(event, Changed) and event.what == "clock":
            number = int(event.fields.get("round", number))
        elif isinstance(event, Rolled):
            who = names[event.player] if event.player >= 0 else None
            found.append({"round": number, "player": who, **as_data(event)})
    return found


class Tally:
    """Counts what is asked, by player turn and kind."""

    def __init__(self, battle: AnyBattle) -> None:
        self._battle = battle
        self._turns: dict[tuple[int, int], dict[int, Counter[str]]] = {}
        self._asked: list[Decision[Any]] = []

    def __call__(self, decision: Decision[Any]) -> None:
        self._asked.append(decision)
        state = self._battle.state
        turn = self._turns.setdefault((state.round, state.active), {})
        turn.setdefault(decision.player, Counter())[decision.kind] += 1

    def reasons(self, known: Mapping[int, str]) -> list[dict[str, Any]]:
        """Why computer players answered as they did, question by question."""
        names = [p.name for p in self._battle.state.players]
        return [
            {"decision": d.id, "player": names[d.player], "kind": d.kind, "why": known[d.id]}
            for d in self._asked
            if d.id in known
        ]

    def report(self) -> dict[str, Any]:
        """Plain data for JSON."""
        battle = self._battle
        names = [p.name for p in battle.state.players]
        result = battle.result
        real = [(active, asked) for (number, active), asked in self._turns.items() if number]
        mine = sum(asked[active].total() for active, asked in real if active in asked)
        everybody = sum(count.total() for _, asked in real for count in asked.values())
        turns = max(len(real), 1)
        return {
            "result": None
            if result is None
            else {
                "winners": [names[p] for p in result.winners],
                "reason": result.reason,
                "scores": dict(zip(names, result.scores, strict=False)),
                "rulings": result.rulings,
                "takebacks": result.takebacks,
            },
            "rounds": battle.state.round,
            "answers": len(battle.answers),
            "events": len(battle.events),
            "asked_per_turn": {"active": round(mine / turns, 2), "others": round((everybody - mine) / turns, 2)},
            "turns": [
                {
                    "round": number,
                    "active": names[active],
                    "asked": {names[p]: dict(sorted(count.items())) for p, count in sorted(asked.items())},
                }
                for (number, active), asked in self._turns.items()
            ],
        }


class Album:
    """Writes a picture whenever a turn has ended. Called at the entry of each step."""

    def __init__(self, folder: Path) -> None:
        from sandtable.files import writable_folder

        self._folder = writable_folder(folder)
        self._turn: tuple[str, int, int] | None = None
        self._before: Any = None
        self._pages = 0

    def __call__(self, battle: AnyBattle) -> None:
        state = battle.state
        turn = (state.segment, state.round, state.active)
        if turn == self._turn:
            return
        if self._turn is not None:
            self._write(battle)
        self._turn, self._before = turn, state.copy()

    def close(self, battle: AnyBattle) -> None:
        """The last page: the table as it was left."""
        self._write(battle)

    def _write(self, battle: AnyBattle) -> None:
        from sandtable.files import write_whole

        assert self._turn is not None
        segment, number, active = self._turn
        name = battle.player(active).name
        when = f"round {number}, {name}" if number else segment
        slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in when.replace(",", "").casefold())
        self._folder.mkdir(exist_ok=True)
        picture = battle.svg(title=battle.system.name, caption=f"After {when}", before=self._before)
        write_whole(self._folder / f"{self._pages:02}-{slug}.svg", picture)
        self._pages += 1
