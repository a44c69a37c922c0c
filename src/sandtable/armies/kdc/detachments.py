"""Detachments of the dataset, with their rules, enhancements and stratagems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, TypeVar, cast

from sandtable.armies.format import Ability, Detachment, Enhancement, Granted, Stratagem
from sandtable.armies.kdc.names import as_id, cut, keyword, titled
from sandtable.armies.kdc.source import NO_EDITION, Data, Json
from sandtable.armies.kdc.verdicts import Verdict

PHASES: Final = ("command", "movement", "shooting", "charge", "fight")
Phase = Literal["any", "command", "movement", "shooting", "opponent_shooting", "charge", "fight"]
TURNS: Final = {"your-turn": "own", "your": "own", "own": "own", "opponent-turn": "opponent", "opponent": "opponent"}
MOST_CP: Final = 3

Part = TypeVar("Part", Enhancement, Stratagem)
Judge = Callable[[Json | None, str], Verdict]
"""(ability of the dataset or None, its name): what becomes of it."""


def detachments_of(data: Data, faction: str, judge: Judge) -> Iterator[Detachment]:
    """The detachments of a faction that armies of the game may have."""
    enhancements = _by_detachment(data, "enhancements")
    stratagems = _by_detachment(data, "stratagems")
    for raw in data.raw["detachments"]:
        if raw["faction_id"] != faction or NO_EDITION in (raw.get("game_modes") or ()):
            continue
        wanted = set(raw["enhancement_ids"])
        cards = set(raw.get("stratagem_ids") or ())
        yield Detachment(
            as_id(raw["id"]),
            cut(raw["name"]),
            tuple(_rules(data, faction, raw, judge)),
            _once(
                [_enhancement(data, faction, e, judge) for e in enhancements.get(raw["id"], ()) if e["id"] in wanted]
            ),
            _once([_stratagem(data, faction, s, judge) for s in stratagems.get(raw["id"], ()) if s["id"] in cards]),
            grants=tuple(map(_granted, raw.get("granted_keywords") or ())),
        )


def _granted(raw: Json) -> Granted:
    to = tuple(keyword(word) for word in raw["to_keywords"])
    return Granted(keyword(raw["keyword"]), to, int(raw.get("max_selected") or 0))


def _by_detachment(data: Data, part: str) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = {}
    for one in data.raw[part]:
        found.setdefault(one["detachment_id"], []).append(one)
    return found


def _once(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Parts by their names: chapters repeat what all Space Marines have."""
    found: dict[str, Part] = {}
    for part in parts:
        found.setdefault(part.name, part)
    return tuple(found.values())


def _rules(data: Data, faction: str, raw: Json, judge: Judge) -> Iterator[Ability]:
    ids = raw.get("detachment_rule_ids") or [raw.get("detachment_rule_id")]
    for id_ in ids:
        found = data.ability(faction, id_) if id_ else None
        name = cut(found["name"] if found else (id_ or raw["name"]).replace("-", " ").capitalize())
        verdict = judge(found, name)
        yield Ability(
            name,
            verdict.text,
            verdict.effects,
            verdict.choose,
            None,
            verdict.enforced,
            verdict.left_out,
            verdict.unreviewed,
            verdict.due,
        )


def _enhancement(data: Data, faction: str, raw: Json, judge: Judge) -> Enhancement:
    name = cut(raw["name"])
    faction_words = {keyword(word) for one in data.factions.values() for word in one["keywords"]}
    verdict = judge(data.ability(faction, raw["ability_id"]) if raw.get("ability_id") else None, name)
    return Enhancement(
        name,
        max(0, int(raw["cost"] or 0)),
        verdict.text,
        verdict.effects,
        verdict.enforced,
        verdict.left_out,
        tuple(word for word in _needs(raw) if word not in faction_words),
        verdict.unreviewed,
        verdict.due,
    )


def _needs(raw: Json) -> tuple[str, ...]:
    return tuple(keyword(word) for word in raw.get("keyword_restrictions") or ())


def _stratagem(data: Data, faction: str, raw: Json, judge: Judge) -> Stratagem:
    name = cut(titled(raw["name"]) if raw["name"].isupper() else raw["name"])
    verdict = judge(data.ability(faction, raw["ability_id"]) if raw.get("ability_id") else None, name)
    phases = tuple(phase for phase in raw["phases"] if phase in PHASES)
    turn = cast(Literal["own", "opponent", "either"], TURNS.get(raw["player_turn"], "either"))
    whole: tuple[Phase, ...] = ("any",) if len(phases) in (0, len(PHASES)) else cast(tuple[Phase, ...], phases)
    return Stratagem(
        name,
        min(MOST_CP, max(0, int(raw["cp_cost"] or 0))),
        whole,
        turn,
        verdict.text,
        verdict.effects,
        (),
        verdict.until,
        verdict.enforced,
        verdict.left_out,
        verdict.unreviewed,
    )
