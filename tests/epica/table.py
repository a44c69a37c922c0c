"""Compact builders for situations of Epic, and ways to act in them as a player would.

>>> b = situation([formation("Reds", "red", at=row(3, 10, 10)), formation("Blues", "blue", at=row(3, 10, 50))])
>>> act(b, "Reds", "advance")
>>> give(b, "move", {"by": [0, 10]})
"""

from __future__ import annotations

from typing import Any

from sandtable.battle import answers
from sandtable.battle.decisions import Decision
from sandtable.battle.events import Rolled, Told
from sandtable.battle.questions import check
from sandtable.battle.rolls import sentence
from sandtable.battle.scenario import AtDoc, Scenario, UnitDoc, open_scenario
from sandtable.battle.state import GONE
from sandtable.battle.tables import FeatureDoc, TableDoc
from sandtable.battle.verdict import Verdict
from sandtable.systems.epica.datasheet import Sheet
from sandtable.systems.epica.library import SheetDoc, read_sheet
from sandtable.systems.epica.state import EpicBattle, Formation, formation_of
from sandtable.systems.epica.system import SYSTEM
from sandtable.table.grid import STEP

TROOPS: dict[str, Any] = {
    "type": "INF", "speed": 15, "armour": 5, "cc": 4, "ff": 5,
    "weapons": ["Rifles (15cm) Small Arms", "Heavy Gun 30cm AP5+/AT6+"],
}  # fmt: skip
MILITIA: dict[str, Any] = {**TROOPS, "armour": 0, "weapons": ["Rifles (15cm) Small Arms"]}
BRUTES: dict[str, Any] = {**TROOPS, "weapons": ["Clubs (b/c) Assault"]}
TANK: dict[str, Any] = {
    "type": "AV", "speed": 30, "armour": 4, "cc": 6, "ff": 5, "base": [2.0], "weapons": ["Cannon 45cm AP4+/AT4+"],
}  # fmt: skip
BUGGY: dict[str, Any] = {**TANK, "type": "LV", "armour": 5, "weapons": ["Gun 30cm AP5+/AT5+"]}
GUNS: dict[str, Any] = {**TROOPS, "speed": 0, "weapons": ["Field Gun 60cm AP5+/AT5+"]}

PASSES = [6] * 12


def formation(
    name: str,
    player: str,
    sheet: dict[str, Any] | str = TROOPS,
    at: list[tuple[float, float]] | None = None,
    *,
    loadout: list[Any] | None = None,
    **flags: Any,
) -> UnitDoc:
    """A formation; flags are its fields, such as `markers`."""
    return UnitDoc(
        name=name, player=player, sheet=sheet, models=len(at or ()), positions=tuple(at or ()), flags=flags,
        loadout=loadout or [],
    )  # fmt: skip


def row(count: int, x: float, y: float, dx: float = 3, dy: float = 0) -> list[tuple[float, float]]:
    """Places in a row; stands are 2 cm across, so that 3 cm from middle to middle leave a gap of 1 cm."""
    return [(x + i * dx, y + i * dy) for i in range(count)]


def area(kind: str, x: float, y: float, width: float, depth: float, height: float = 0, **more: Any) -> FeatureDoc:
    """A terrain feature."""
    return FeatureDoc(kind=kind, rect=(x, y, width, depth), height=height, **more)


def situation(
    units: list[UnitDoc],
    terrain: list[FeatureDoc] | None = None,
    *,
    step: str = "take_action",
    dice: dict[str, list[int]] | None = None,
    active: str = "red",
    size: tuple[float, float] = (120, 90),
    round_: int = 1,
    turns: int = 1,
    state: dict[str, dict[str, Any]] | None = None,
    players: tuple[str, ...] = ("red", "blue"),
    options: dict[str, str] | None = None,
) -> EpicBattle:
    """A battle at the entry of a step; action tests pass unless their dice are given."""
    doc = Scenario(
        scenario="test",
        system="epica",
        question="",
        table=TableDoc(size=size, terrain=tuple(terrain or ())),
        units=tuple(units),
        at=AtDoc(step=step, round=round_, active=active),
        state={"red": {"strategy": 3}, **(state or {})},
        dice={"action test": PASSES, **(dice or {})},
        extra={"turns": turns},
        players=players,
        options=options or {},
    )
    return open_scenario(doc, SYSTEM)


def a_sheet(doc: dict[str, Any], name: str = "Unit") -> Sheet:
    """A datasheet from its document."""
    import msgspec

    return read_sheet(name, msgspec.convert(doc, SheetDoc))


def asked(b: EpicBattle, kind: str) -> Decision[Any]:
    """The open question of this kind."""
    found = [d for d in b.decisions if d.kind == kind]
    assert found, f"'{kind}' is not asked; open is {kinds(b)}"
    return found[0]


def kinds(b: EpicBattle) -> list[str]:
    """The kinds of the open questions."""
    return [d.kind for d in b.decisions]


def give(b: EpicBattle, kind: str, raw: Any = None) -> None:
    """Answer the open question of this kind, in the words of scenario files."""
    decision = asked(b, kind)
    b.answer(decision, answers.read(b, decision, raw))


def default(b: EpicBattle, kind: str) -> None:
    """Give the default answer."""
    decision = asked(b, kind)
    b.answer(decision, b.default(decision))


def act(b: EpicBattle, name: str, action: str) -> None:
    """Nominate a formation, where there is a choice, and declare its action."""
    for kind in ("activate", "retain"):
        if kind in kinds(b):
            give(b, kind, name)
    decision = asked(b, "action")
    assert decision.unit == named(b, name).id, f"it is the turn of {b.unit(decision.unit).name}"
    give(b, "action", action)


def stay(b: EpicBattle, *which: str) -> None:
    """Answer moves with no move."""
    for kind in which:
        give(b, kind, {})


def pass_all(b: EpicBattle, most: int = 60) -> None:
    """Give plain answers, without retaining or shooting, until the battle is over."""
    for _ in range(most):
        if not b.decisions:
            return
        b.answer(b.decisions[0], b.default(b.decisions[0]))


def judge(b: EpicBattle, kind: str, raw: Any) -> Verdict:
    """What the rules say of an answer, without giving it."""
    decision = asked(b, kind)
    return check(b, decision, answers.read(b, decision, raw))


def refused_by(verdict: Verdict, *rules: str) -> bool:
    """Whether a verdict is a refusal that cites these rules."""
    cited = {r for reason in verdict.reasons for r in reason.rules}
    return not verdict.ok and set(rules) <= cited


def refused(b: EpicBattle, kind: str, raw: Any, *rules: str) -> None:
    """The answer is refused, and these rules are cited."""
    verdict = judge(b, kind, raw)
    assert not verdict.ok, f"allowed, but should be refused by {rules}"
    assert refused_by(verdict, *rules), f"{verdict}"


def allowed(b: EpicBattle, kind: str, raw: Any) -> None:
    verdict = judge(b, kind, raw)
    assert verdict.ok, f"{verdict}"


def offered(b: EpicBattle, kind: str) -> set[Any]:
    """The values that the open question of this kind offers."""
    return {o.value for o in asked(b, kind).options}  # type: ignore[attr-defined]


def offered_units(b: EpicBattle, kind: str) -> set[str]:
    """The formations that a question offers, by name."""
    return {b.unit(int(v)).name for v in offered(b, kind)}


def told(b: EpicBattle) -> list[str]:
    """The kinds of what was told so far."""
    return [e.kind for e in b.events if isinstance(e, Told)]


def account(b: EpicBattle) -> str:
    """All that was told, as one text."""
    return "\n".join(e.text for e in b.events if isinstance(e, Told))


def rolls(b: EpicBattle, kind: str | None = None) -> list[Any]:
    """The rolls so far: kind and faces, or the faces of one kind."""
    found = [(e.reason, e.faces) for e in b.events if isinstance(e, Rolled)]
    return found if kind is None else [faces for reason, faces in found if reason == kind]


def named(b: EpicBattle, name: str) -> Formation:
    """The formation of that name."""
    found: Formation = answers.unit_named(b, name)
    return found


def alive(b: EpicBattle, name: str) -> int:
    """How many stands of a formation are on the table."""
    return len(b.on_table(named(b, name)))


def left(b: EpicBattle, name: str) -> list[int]:
    """Which stands of a formation are on the table, counted from 1."""
    f = named(b, name)
    return [f.models.index(int(m)) + 1 for m in b.on_table(f)]


def stand(b: EpicBattle, name: str, number: int) -> int:
    """A stand by its number in the formation, counted from 1."""
    return named(b, name).models[number - 1]


def places(b: EpicBattle, name: str) -> list[tuple[float, float]]:
    """Where the stands of a formation are, in centimetres."""
    pos = b.state.models.pos
    return [(round(int(pos[m, 0]) / STEP, 2), round(int(pos[m, 1]) / STEP, 2)) for m in b.on_table(named(b, name))]


def fire(b: EpicBattle, mode: str = "AP", aim: str | None = None) -> None:
    """Aim every weapon that can fire like this at the target, and shoot."""
    decision = asked(b, "aim")
    chosen = []
    for r in decision.rows:  # type: ignore[attr-defined]
        wanted = aim or r.targets[0]
        if mode in r.modes and wanted in r.targets:
            chosen.append({"weapon": r.id, "target": wanted, "mode": mode, "count": r.count})
    b.answer(decision, answers.read(b, decision, chosen))
    settle(b)


def settle(b: EpicBattle) -> None:
    """Leave ties of allocation as they come."""
    while "allocate" in kinds(b):
        default(b, "allocate")


def shoot_at(b: EpicBattle, name: str) -> None:
    """Pick a target; ties of suppression are left as they come."""
    give(b, "shoot-at", name)
    if "suppress" in kinds(b):
        default(b, "suppress")


def destroy(b: EpicBattle, name: str) -> None:
    """Take a whole formation off the table."""
    b.place_models(list(named(b, name).models), GONE)


def silent(b: EpicBattle) -> list[int]:
    """Which stands were suppressed last, each by its number in its formation."""
    found = [e.data["stands"] for e in b.events if isinstance(e, Told) and e.kind == "suppressed"][-1]
    return [formation_of(b, s).models.index(s) + 1 for s in found]


def sentences(b: EpicBattle, kind: str) -> list[str]:
    """How the rolls of a kind are read out."""
    return [sentence(e) for e in b.events if isinstance(e, Rolled) and e.reason == kind]


def prompt(b: EpicBattle, kind: str) -> str:
    """What the open question of this kind asks."""
    return asked(b, kind).prompt


def facts(b: EpicBattle, kind: str, raw: Any) -> dict[str, Any]:
    """The numbers behind a refusal."""
    return judge(b, kind, raw).reasons[0].facts


def shots(b: EpicBattle) -> int:
    """How many weapons could be aimed."""
    return sum(r.count for r in asked(b, "aim").rows)  # type: ignore[attr-defined]


def versus(
    shooters: list[tuple[float, float]],
    targets: list[tuple[float, float]],
    *,
    sheet: dict[str, Any] = TROOPS,
    target_sheet: dict[str, Any] = TROOPS,
    dice: dict[str, list[int]] | None = None,
    terrain: list[Any] | None = None,
    loadout: list[Any] | None = None,
    target_loadout: list[Any] | None = None,
    broken: bool = False,
    **flags: object,
) -> EpicBattle:
    """The Reds on sustained fire (hits on 4+ for AP5+), about to pick a target."""
    b = situation(
        [
            formation("Reds", "red", sheet, shooters, loadout=loadout, **flags),
            formation("Blues", "blue", target_sheet, targets, loadout=target_loadout, broken=broken),
            formation("Others", "blue", at=row(3, 5, 85)),
        ],
        terrain,
        dice=dice,
    )
    act(b, "Reds", "sustained")
    return b
