"""A mission as a player is told about it: its name, how long it lasts, and how one scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sandtable.battle.system import Briefing
from sandtable.forty.counts import Scoring, is_for
from sandtable.forty.mission import mission_of
from sandtable.forty.state import World40
from sandtable.forty.victory import rounds_of
from sandtable.kit.grammar import counted
from sandtable.kit.missions import Action, Score

SIDES: Final = ("first side", "second side")
"""What missions call those who have cards of their own."""
UNLIMITED: Final = 99
"""What stands in a mission where nothing is limited."""
WHERE: Final = {
    "all": "",
    "own zone": " in your own deployment zone",
    "enemy zone": " in the enemy deployment zone",
    "not own zone": " outside your own deployment zone",
    "no man's land": " in no man's land",
    "own home": " at your home",
    "enemy home": " at the enemy's home",
    "not own home": " away from your home",
    "central": " in the centre",
    "expansion": " at an expansion",
    "own territory": " in your territory",
    "enemy territory": " in enemy territory",
}
WHEN: Final = {
    "command": "at the end of your Command phase",
    "round": "at the end of each battle round",
    "battle": "when the battle ends",
}
AT: Final = {
    "": "",
    "objective": " at an objective in range",
    "area": " in a terrain area",
    "enemy": " at an enemy in sight",
}
TURNS: Final = {
    "own": "at the end of your turn",
    "enemy": "at the end of an enemy turn",
    "either": "at the end of each turn",
}


def briefing(w: World40) -> Briefing | None:
    """What the battle is about; None without a mission, or before one is picked."""
    mission = mission_of(w)
    if mission is None or (w.setup.data.wishes and w.state.game.wish < 0):
        return None
    book = w.system.seam(Scoring)
    ways = [_for(w, way.by) + in_words(way, book.most(way), mission.rounds) for way in mission.scoring]
    tasks = [_for(w, action.by) + task(action) for action in mission.actions]
    lost = ("Whoever has no models left loses, whatever was scored.",) if mission.destroyed_loses else ()
    return Briefing(mission.name, _named(w, mission.text), rounds_of(w), (*ways, *book.further(w), *tasks, *lost))


def _named(w: World40, text: str) -> str:
    """What is said of the sides of a mission, with their players: it has nothing to do with who has the first turn."""
    for side in SIDES:
        names = " and ".join(player.name for player in w.state.players if is_for(w, player.id, side))
        text = text.replace(f"The {side}", f"{names[:1].upper()}{names[1:]}").replace(f"the {side}", names)
    return text


def _for(w: World40, whose: str) -> str:
    """Who plays by a card, where the sides have cards of their own."""
    names = [player.name for player in w.state.players if is_for(w, player.id, whose)]
    return "" if len(names) == len(w.state.players) else f"For {' and '.join(names)}: "


def in_words(way: Score, most: int, rounds: int) -> str:
    """A way to score, in a sentence."""
    limits = ", ".join(_limits(way, most, rounds))
    what, when = _what(way), TURNS[way.turns] if way.when == "turn" else WHEN[way.when]
    return f"{way.name}: {way.vp} VP{' ' + what if what else ''}, scored {when}{', ' + limits if limits else ''}."


def _what(way: Score) -> str:
    where = WHERE[way.where]
    match way.kind:
        case "hold":
            return f"for each marker that you control{where}"
        case "hold more":
            return f"if you control more markers{where} than the enemy"
        case "hold some":
            return f"if you control at least {counted(way.count, 'marker')}{where}"
        case "destroy":
            return "for each enemy unit that was destroyed since the last scoring"
        case "destroy warlord":
            return "once an enemy Warlord is destroyed"
        case "break through":
            return "for each of your units wholly within the enemy deployment zone"
        case _:  # cards call these by what they pay for
            return ""


def _limits(way: Score, most: int, rounds: int) -> Iterator[str]:
    first, last = way.from_round, min(way.to_round, rounds)
    if first > 1 or last < rounds:
        yield f"in round {first}" if first == last else f"in rounds {first} to {last}"
    if way.grows:
        yield f"{way.grows} VP more with each round after the first of these"
    if most < UNLIMITED:
        yield f"at most {most} VP at a time"
    if way.most_in_battle < UNLIMITED:
        yield f"at most {way.most_in_battle} VP in the battle"
    if way.carries_off:
        yield "and the marker is taken off the battlefield"


def task(action: Action) -> str:
    """An action of a mission, in a sentence: what it scores, or what is done by it that scores."""
    if action.vp:
        near = " within range of an objective" if action.near_objective else ""
        return f"{action.name}: {action.vp} VP for each unit{near} that completes this action."
    return f"{action.name}: {_deed(action)}."


def _deed(action: Action) -> str:
    where = WHERE[action.where]
    match action.starts:
        case "battle":
            markers = counted(action.limit, "operation marker")
            return f"before the first turn you put {markers} into terrain areas{where}"
        case "turn begins":
            return f"at the start of your turn you name enemies on objectives, or that destroyed somebody, {action.tag}"
        case "turn ends":
            return f"at the end of your turn who has destroyed an enemy makes an objective in range{where} {action.tag}"
        case "moves":
            return "whoever ends a move in range of an objective takes the enemy's operation markers off it"
    done = f"an action of your {action.starts.title()} phase{AT[action.at]}{where}"
    if action.within:
        done += f' within {action.within:g}"'
    when = "at once" if action.completes == "at once" else "at the end of the turn"
    provided = ", if the unit controls the objective then" if action.controls else ""
    provided += ", if no enemy is in the area then" if action.alone else ""
    brings = f"; what it was done to is {action.tag}" if action.tag else ""
    brings += "; it takes one operation marker off" if action.clears == "one" else ""
    return f"{done}, completed {when}{provided}{brings}"
