"""What players argue about, in the file of a moment: their question, distances written out, and what was refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import isinf
from typing import Any, Final, TypeAlias

import yaml

from sandtable.api import check_scenario
from sandtable.battle import questions
from sandtable.battle.decisions import Decision, Move, Moves
from sandtable.battle.scenario import read_scenario
from sandtable.battle.tables import in_units
from sandtable.battle.verdict import Verdict
from sandtable.battle.world import View
from sandtable.documents import visible
from sandtable.errors import UserError
from sandtable.kit.written import own_names
from sandtable.server.protocol import ShowMoment
from sandtable.table.grid import STEP

AnyView: TypeAlias = View[Any, Any, Any, Any]

NEAREST: Final = 3
"""Enemies to which the distance is written down, beside those that were named."""


def written(view: AnyView, doc: Mapping[str, Any], decision: Decision[Any] | None, said: ShowMoment) -> str:
    """A moment as YAML, with what is argued about."""
    if visible(said.question).strip():
        doc = {**doc, "question": " ".join(visible(said.question).split())}
    notes = list(_distances(view, said.units))
    if decision is not None and said.refused is not None:
        verdict, typed = questions.weigh(view, decision, said.refused)
        notes += [f"Refused: {reason.text} ({', '.join(reason.rules)})" for reason in verdict.reasons]
        if not verdict and isinstance(decision, Move) and isinstance(typed, Moves):
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
    view: AnyView, doc: Mapping[str, Any], decision: Move, moves: Moves, verdict: Verdict, chosen: str
) -> Mapping[str, Any]:
    """The file with the move that was refused, if whoever plays it comes to the same."""
    name = own_names(str(unit.name) for unit in view.state.units)[decision.unit]
    player = str(view.state.players[decision.player].name)
    standing = [m for m in view.state.units[decision.unit].models if m in decision.models]
    paths = {
        standing.index(path.model) + 1: [
            {"do": leg.do, "to": [in_units(leg.x), in_units(leg.y), in_units(leg.z)]} for leg in path.legs
        ]
        for path in moves.paths
        if path.model in standing
    }
    rules = sorted({rule for reason in verdict.reasons for rule in reason.rules})
    before = [{"player": player, "to": chosen, "answer": name}] if chosen else []
    tried = {"player": player, "to": decision.kind, "answer": {"mode": moves.mode, "paths": paths}, "refused": rules}
    more = {**doc, "answers": [*before, tried]}
    try:
        outcome = check_scenario(read_scenario(yaml.safe_dump(more), "the moment"), "the moment")
    except UserError:
        return doc
    return doc if outcome.failures else more
