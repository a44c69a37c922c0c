"""When an ability of the dataset matters, in our words: what its entry says of moments and phases, or what it changes.

Only reminders rest on this. Players are told of an entry that lost its moment in the first round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from sandtable.armies.due import DEPLOYMENT, MADE, OPPONENT, OWN, PHASES, ROLLS, STATS, SUFFERED, of_attacks, turned
from sandtable.armies.kdc.gate import conditions, nodes
from sandtable.armies.kdc.source import Json

FRAGMENTS: Final = (
    ("end-of-opponent-turn", ("opponent end",)),
    ("end-of-turn", ("own end",)),
    ("start-of-turn", ("own start",)),
    ("start-of-battle-round", ("own start",)),
    ("battle-formations", (DEPLOYMENT,)),
    ("deployment", (DEPLOYMENT,)),
    ("battle-start", (DEPLOYMENT,)),
    ("start-of-battle", (DEPLOYMENT,)),
    ("battle-shock", ("own command",)),
    ("command", ("own command",)),
    ("charge", ("own charge",)),
    ("fight", ("fight",)),
    ("melee", ("fight",)),
    ("resolves-attacks", MADE),
    ("completes-attacks", MADE),
    ("hit-roll", MADE),
    ("wound-roll", MADE),
    ("save-roll", SUFFERED),
    ("damage-roll", SUFFERED),
    ("damage-allocated", SUFFERED),
    ("shoot", ("own shooting",)),
    ("shot", ("own shooting",)),
    ("fires", ("own shooting",)),
    ("move", ("own movement",)),
    ("advance", ("own movement",)),
    ("fall-back", ("own movement",)),
    ("fell-back", ("own movement",)),
    ("disembark", ("own movement",)),
    ("reinforcements", ("own movement",)),
    ("from-strategic-reserves", ("own movement",)),
    ("deep-strike", ("own movement",)),
    ("set-up", ("own movement",)),
)  # fmt: skip
"""Parts of the names of events and timings; the first one that is found counts. They are seen by who acts."""
ENEMY: Final = "enemy"
TURNS: Final = {
    **dict.fromkeys(("your", "your-turn", "own", "self"), OWN),
    **dict.fromkeys(("opponent", "opponent-turn"), OPPONENT),
}
ATTACKS: Final = {"ranged": "shooting", "melee": "fight"}
CHANGES: Final = {
    "keyword-grant": MADE,
    **dict.fromkeys(("feel-no-pain", "invulnerable-save", "damage-reduction"), SUFFERED),
    "bs-modifier": ("own shooting",),
    "charge-roll-modifier": ("own charge",),
    **dict.fromkeys(("fight-first", "fight-on-death", "fight-eligibility-extension"), ("fight",)),
    "shoot-on-death": ("opponent shooting",),
    **dict.fromkeys(("battle-shock-test", "leadership-modifier"), ("own command",)),
    **dict.fromkeys(("fallback-and-act", "disembark-after-move", "deep-strike", "disembark"), ("own movement",)),
    "strategic-reserves-arrival": ("own movement",),
    "unit-attachment": (DEPLOYMENT,),
}
MOVES: Final = {
    "normal": ("own movement",),
    "reactive": ("opponent movement",),
    **dict.fromkeys(("pile-in", "consolidation"), ("fight",)),
    "scout": (DEPLOYMENT,),
}
SAME_ROLL: Final = {"battle-shock": "battle_shock", "saving-throw": "save"}


def due_of(ability: Json) -> tuple[str, ...]:
    """When an ability matters, as far as its entry tells."""
    told = list(conditions(ability["effect"]))
    whose = {TURNS[turn] for one in told if (turn := str(_said(one).get("turn"))) in TURNS}
    words = [*_phases(ability, told), *_moments(ability, told)] or _changes(ability)
    if len(whose) == 1:
        words = [next(iter(whose)) + _bare(word) if word != DEPLOYMENT else word for word in words]
    return tuple(dict.fromkeys(words))


def _bare(word: str) -> str:
    return word.removeprefix(OWN).removeprefix(OPPONENT)


def _said(condition: Json) -> Json:
    return condition.get("parameters") or {}


def _phases(ability: Json, told: Iterable[Json]) -> Iterator[str]:
    """Phases that conditions name: attacks come in own ones where the unit makes them, others in the player's turn."""
    for one in told:
        phase = str(_said(one).get("phase"))
        if one.get("type") == "attack-is-type":
            phase = ATTACKS.get(str(_said(one).get("attack_type")), "")
        if phase == "fight":
            yield phase
        elif phase in PHASES:
            yield (OPPONENT if phase == "shooting" and _is_suffered(ability) else OWN) + phase


def _moments(ability: Json, told: Iterable[Json]) -> Iterator[str]:
    """What is told of events that an ability waits for, and of timings."""
    for trigger in _triggers(ability):
        yield from _words(str(trigger.get("event")), str(trigger.get("subject")))
    for one in told:
        if one.get("type") == "timing-is":
            yield from _words(str(_said(one).get("timing")))


def _words(name: str, subject: str = "") -> Iterator[str]:
    found = next((words for fragment, words in FRAGMENTS if fragment in name), ())
    yield from turned(found) if ENEMY in name or ENEMY in subject else found


def _triggers(part: Any) -> Iterator[Json]:
    """All triggers of an entry, whole or of a part of it."""
    if isinstance(part, list):
        for one in part:
            yield from _triggers(one)
    elif isinstance(part, dict):
        trigger = part.get("trigger")
        yield from (one for one in (trigger if isinstance(trigger, list) else [trigger]) if isinstance(one, dict))
        for key, inner in part.items():
            if key != "trigger":
                yield from _triggers(inner)


def _changes(ability: Json) -> list[str]:
    """Where what it changes can be noticed."""
    found: list[str] = []
    for node, _ in nodes(ability["effect"]):
        change = node.get("modifier") or {}
        kind, roll = node["type"], str(change.get("roll"))
        words = CHANGES.get(kind, ())
        if kind in ("roll-modifier", "re-roll"):
            words = ROLLS.get(SAME_ROLL.get(roll, roll), ())
        elif kind == "stat-modifier":
            words = STATS.get(str(change.get("stat")), ())
        elif kind == "movement-modifier":
            words = MOVES.get(str(change.get("move_type")), ())
        kinds = [str(change.get(key)) for key in ("attack_type", "weapon_type", "context")]
        found += of_attacks(turned(words) if _is_on_attacker(node) else words, kinds)
    return found


def _is_suffered(ability: Json) -> bool:
    """Whether it is about attacks on the unit."""
    parts = [node for node, _ in nodes(ability["effect"])]
    return bool(parts) and all(_is_on_attacker(node) or CHANGES.get(node["type"]) == SUFFERED for node in parts)


def _is_on_attacker(node: Json) -> bool:
    """Whether it changes what enemies do: also where it only makes rolls worse, for nobody does so to the own ones."""
    change = node.get("modifier") or {}
    worse = change.get("operation") == "subtract" and change.get("roll") in ("hit", "wound")
    return worse or bool(change.get("incoming")) or node.get("target") in ("attacker", "enemy-within-aura")
