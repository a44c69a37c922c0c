"""What players argue about, in the file of a moment: their question, distances written out, and what was refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from math import isinf
from typing import Any, Final, TypeAlias

import yaml

from sandtable.api import check_scenario
from sandtable.battle import questions
from sandtable.battle.decisions import (
    Assign,
    Choose,
    ChooseSome,
    Decision,
    Move,
    Moves,
    Option,
    Order,
    Place,
    Template,
    Value,
)
from sandtable.battle.scenario import read_scenario
from sandtable.battle.tables import in_units
from sandtable.battle.verdict import Verdict
from sandtable.battle.world import View
from sandtable.documents import visible
from sandtable.errors import UserError
from sandtable.kit.written import own_names
from sandtable.server.protocol import ShowMoment
from sandtable.table.grid import STEP, TURN

AnyView: TypeAlias = View[Any, Any, Any, Any]

NEAREST: Final = 3
"""Enemies to which the distance is written down, beside those that were named."""


def written(view: AnyView, doc: Mapping[str, Any], decision: Decision[Any] | None, said: ShowMoment) -> str:
    """A moment as YAML, with what is argued about."""
    if visible(said.question).strip():
        doc = {**doc, "question": " ".join(visible(said.question).split())}
    measures = view.system.measures
    notes = list(_distances(view, said.units)) if measures is None or measures(view, decision, "") else []
    if decision is not None and said.refused is not None:
        verdict, typed = questions.weigh(view, decision, said.refused)
        notes += [f"Refused: {reason.text} ({', '.join(reason.rules)})" for reason in verdict.reasons]
        if not verdict:
            doc = _with_refused(view, doc, decision, typed, verdict, said.chosen)
    # Comments are one line each, whatever a name holds.
    head = "".join(f"# {' '.join(note.split())}\n" for note in notes)
    return head + yaml.safe_dump(dict(doc), sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)


def _distances(view: AnyView, wanted: tuple[int, ...]) -> Iterator[str]:
    """How far those units are from each other, and the first of them from its nearest enemies, from base to base."""
    units = [view.state.units[u] for u in dict.fromkeys(wanted) if 0 <= u < len(view.state.units)]
    pairs = list(combinations(units, 2))
    if units:
        first = units[0]
        enemies = [u for u in view.state.units if view.side(u.player) != view.side(first.player)]
        near = sorted(enemies, key=lambda enemy: view.distance(first, enemy))[:NEAREST]
        pairs += [(first, enemy) for enemy in near if enemy not in units]
    for one, other in pairs:
        far = view.distance(one, other)
        if not isinf(far):
            yield f"{one.name} to {other.name}: {far / STEP:.2f} {view.system.unit}, at the nearest"


def _with_refused(
    view: AnyView, doc: Mapping[str, Any], decision: Decision[Any], typed: Any, verdict: Verdict, chosen: str
) -> Mapping[str, Any]:
    """The file with the answer that was refused, if it can be written and whoever plays it comes to the same."""
    answer = in_words(view, decision, typed)
    if answer is None:
        return doc
    player = str(view.state.players[decision.player].name)
    rules = sorted({rule for reason in verdict.reasons for rule in reason.rules})
    before = []
    if chosen and decision.unit >= 0:
        before = [{"player": player, "to": chosen, "answer": _name_of(view, decision.unit)}]
    tried = {"player": player, "to": decision.kind, "answer": answer, "refused": rules}
    for earlier in _before_it_was_chosen(doc, before[0]["answer"] if before else ""):
        more = {**earlier, "answers": [*before, tried]}
        if _holds(more):
            return more
    return doc


def _holds(doc: Mapping[str, Any]) -> bool:
    """Whether a file comes to what it says."""
    try:
        return not check_scenario(read_scenario(yaml.safe_dump(dict(doc)), "the moment"), "the moment").failures
    except UserError:
        return False


def _before_it_was_chosen(doc: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    """The file as it is, and as it was before a unit was chosen: that may have left a mark on it."""
    yield doc
    units = doc.get("units", ())
    for unit in units:
        for flag in unit.get("flags", {}) if unit["name"] == name else ():
            kept = {other: value for other, value in unit["flags"].items() if other != flag}
            rest = {field: value for field, value in unit.items() if field != "flags"}
            one = {**rest, "flags": kept} if kept else rest
            yield {**doc, "units": [one if other is unit else other for other in units]}


# --- Answers as scenario files write them -----------------------------------------------------------------------------


def in_words(view: AnyView, decision: Decision[Any], typed: Any) -> Any:
    """An answer as scenario files write it; None where they have no words for it."""
    match decision, typed:
        case Move(), Moves():
            return {"mode": typed.mode, "paths": _paths(view, decision, typed)}
        case Choose(), int() | str():
            return _meant(view, decision.options, typed)
        case ((ChooseSome() | Order()), tuple()):
            return [_meant(view, decision.options, value) for value in typed]
        case Assign(), tuple():
            return [
                {"weapon": a.row, "target": _meant(view, decision.targets, a.target), "count": a.count}
                | ({"mode": a.mode} if a.mode else {})
                for a in typed
            ]
        case Place(), tuple():
            spots = {spot.model: spot for spot in typed}
            if len(typed) != len(spots) or set(spots) != set(decision.models):
                return None
            return [_place(spots[m].x, spots[m].y, spots[m].z, facing=spots[m].facing) for m in decision.models]
        case Template(), tuple():
            return [{"template": laid.template, **_place(laid.x, laid.y, facing=laid.facing)} for laid in typed]
    return None


def _paths(view: AnyView, decision: Move, moves: Moves) -> dict[int, Any]:
    """The ways of a move, by the number of each model in its unit."""
    standing = [m for m in view.state.units[decision.unit].models if m in decision.models]
    return {
        standing.index(path.model) + 1: [
            {"do": leg.do, "to": [in_units(leg.x), in_units(leg.y), in_units(leg.z)]} for leg in path.legs
        ]
        for path in moves.paths
        if path.model in standing
    }


def _meant(view: AnyView, options: Iterable[Option], value: Value) -> Value:
    """An option by its label; a unit that is none by its name, and anything else as it is."""
    label = next((o.label for o in options if o.value == value), None)
    if label is None and isinstance(value, int) and 0 <= value < len(view.state.units):
        return _name_of(view, value)
    return value if label is None else label


def _name_of(view: AnyView, unit: int) -> str:
    return own_names(str(u.name) for u in view.state.units)[unit]


def _place(*at: int, facing: int) -> dict[str, Any]:
    return {"at": [in_units(length) for length in at], "facing": facing % TURN * 360 / TURN}
