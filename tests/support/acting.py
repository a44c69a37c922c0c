"""Ways to act in a battle as a player would, and to look at it, for tests of every system.

>>> give(b, "move_with", "Reds")
>>> give(b, "move", {"mode": "normal", "by": [6, 0]})
"""

from __future__ import annotations

from typing import Any

from sandtable.battle import Battle, Verdict, answers
from sandtable.battle.decisions import Decision
from sandtable.battle.events import Rolled, Told
from sandtable.battle.questions import check
from sandtable.table.grid import STEP

AnyBattle = Battle[Any, Any, Any, Any]


def asked(b: AnyBattle, kind: str) -> Decision[Any]:
    """The open question of this kind."""
    found = [d for d in b.decisions if d.kind == kind]
    assert found, f"'{kind}' is not asked; open is {[d.kind for d in b.decisions]}"
    return found[0]


def give(b: AnyBattle, kind: str, raw: Any) -> None:
    """Answer the open question of this kind, in the words of scenario files."""
    decision = asked(b, kind)
    b.answer(decision, answers.read(b, decision, raw))


def judge(b: AnyBattle, kind: str, raw: Any) -> Verdict:
    """What the rules say of an answer, without giving it."""
    decision = asked(b, kind)
    return check(b, decision, answers.read(b, decision, raw))


def refused_by(b: AnyBattle, kind: str, raw: Any, *rules: str) -> Verdict:
    """The answer is refused, and these rules are cited."""
    verdict = judge(b, kind, raw)
    assert not verdict.ok, f"allowed, but should be refused by {rules}"
    cited = {r for reason in verdict.reasons for r in reason.rules}
    assert set(rules) <= cited, f"{verdict}"
    return verdict


def cites(verdict: Verdict) -> set[str]:
    """The rules that a refusal cites."""
    return {r for reason in verdict.reasons for r in reason.rules}


def offered(b: AnyBattle, kind: str) -> list[str]:
    """What the open question of this kind offers, as labels."""
    return sorted(answers.labels(asked(b, kind)))


def default(b: AnyBattle, kind: str) -> None:
    """Give the default answer."""
    decision = asked(b, kind)
    b.answer(decision, b.default(decision))


def until(b: AnyBattle, kind: str, player: int | None = None, most: int = 200) -> None:
    """Pass, or give the default where that is refused, until a question of this kind is open, to this player."""
    for _ in range(most):
        d = b.decisions[0]
        if d.kind == kind and player in (None, d.player):
            return
        b.answer(d, None if check(b, d, None) else b.default(d))
    raise AssertionError(f"'{kind}' was not asked")


def kinds(b: AnyBattle) -> list[str]:
    """The kinds of the open questions."""
    return [d.kind for d in b.decisions]


def told(b: AnyBattle) -> list[str]:
    """The kinds of what was told so far."""
    return [e.kind for e in b.events if isinstance(e, Told)]


def rolls(b: AnyBattle) -> list[tuple[str, tuple[int, ...]]]:
    """The rolls so far: kind and faces."""
    return [(e.reason, e.faces) for e in b.events if isinstance(e, Rolled)]


def named(b: AnyBattle, name: str) -> Any:
    """The unit of that name."""
    return answers.unit_named(b, name)


def alive(b: AnyBattle, name: str) -> int:
    """How many models of a unit are on the table."""
    return len(b.on_table(named(b, name)))


def places(b: AnyBattle, name: str) -> list[tuple[float, ...]]:
    """Where the models of a unit stand, in inches."""
    return [tuple(round(float(v) / STEP, 2) for v in b.state.models.pos[m]) for m in b.on_table(named(b, name))]


def wounds(b: AnyBattle, name: str) -> list[int]:
    """Wounds left of the models on the table."""
    return [int(b.state.models.wounds[m]) for m in b.on_table(named(b, name))]
