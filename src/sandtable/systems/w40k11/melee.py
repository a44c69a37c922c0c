"""Select weapons and targets (04.01, 04.02) when fighting: which models strike, whom, and with what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.battle import ALLOWED, Assignment, Moment, Verdict, refuse
from sandtable.battle.kept import PLACES, kept
from sandtable.forty.effects.weapons import all_armed, changes_to_weapons
from sandtable.forty.moments import TARGETS_SELECTED
from sandtable.forty.striking import STRIKE, Hand, Striking, declaration, one_of, strikes, wanted_of, wielders
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k11 import aircraft
from sandtable.systems.w40k11 import weapon_abilities as weapons
from sandtable.systems.w40k11.datasheet import can_strike
from sandtable.systems.w40k11.engagement import engaged_enemies, engaged_models
from sandtable.systems.w40k11.hazard_rolls import hazard_rolls
from sandtable.systems.w40k11.making_attacks import make_attacks, precise_targets
from sandtable.systems.w40k11.shooting_phase import hazardous
from sandtable.systems.w40k11.shot import Shot
from sandtable.systems.w40k11.state import Battle11, Unit, World11, weapons_of

CHALLENGE: Final = "epic_challenge"
"""Kind of effect: the melee attacks of the model in its value have Precision."""


@rule("w40k11.fight.normal")
async def fight_with(b: Battle11, unit: Unit) -> None:
    """A unit selects weapons and targets for all its engaged models, then makes its attacks."""
    if not may_attack(b, unit):
        b.tell("no_targets", f"{does(unit, 'has')} nobody to strike.", "w40k11.fight.normal", units=[unit.id])
        return
    answer = await b.ask(declaration(b, unit))
    blows = strikes(b, unit, hands_of(b, unit), answer)
    targets = tuple(dict.fromkeys(s.target for s in blows))
    await b.window(TARGETS_SELECTED, Moment(unit.id, data={"targets": targets, "shots": blows}))
    await make_attacks(b, unit, blows)
    await hazard_rolls(b, unit, hazardous(blows), "w40k11.weapon.hazardous")


def may_attack(w: World11, unit: Unit) -> bool:
    """Whether anybody of a unit has somebody to strike."""
    return any(h.targets for h in hands_of(w, unit))


def blow_at(w: World11, target: Unit) -> Shot:
    """What is fixed about a target when it is selected, whatever strikes it."""
    return Shot(target=target.id, size=len(w.on_table(target)), melee=True)


@kept(PLACES)
def fighters(w: World11, unit: Unit) -> dict[int, tuple[int, ...]]:
    """The models that fight, and the enemy units that each of them may attack."""
    found: dict[int, tuple[int, ...]] = {}
    for enemy in engaged_enemies(w, unit):
        for m in who_strikes(w, unit, enemy):
            if not aircraft.may_strike(w, unit, m, enemy):
                continue
            found[m] = (*found.get(m, ()), enemy.id)
    return found


@rule("w40k11.attack.targets_fighting", neutral=())
def who_strikes(w: World11, unit: Unit, enemy: Unit) -> list[int]:
    """Only models that are themselves engaged with an enemy unit strike it."""
    models = w.on_table(unit)
    near: list[int] = models[engaged_models(w, w.bodies, models, w.on_table(enemy))].tolist()
    return near


def hands_of(w: World11, unit: Unit) -> list[Hand]:
    """Every melee profile of the fighting models, with whom it may strike."""
    challengers = {e.value for e in w.effects(CHALLENGE, unit.id)}
    changes = changes_to_weapons(w, unit)
    found = []
    for model, targets in sorted(fighters(w, unit).items()):
        alive = tuple(t for t in targets if w.is_on_table(w.unit(t)))
        for plain, weapon in zip(weapons_of(w, model), all_armed(w, model, changes), strict=True):
            if can_strike(plain):
                number, extra = weapons.attacks_made(weapon), weapons.is_extra(weapon)
                found.append(Hand(model, weapon, alive, number, extra, precise=model in challengers))
    return found


@rule("w40k11.attack.split_melee", neutral=1)
def things(hand: Hand) -> int:
    """How much one weapon gives to assign: its attacks, which may be divided, or itself where they are rolled."""
    return hand.attacks or 1


# --- The answer -------------------------------------------------------------------------------------------------------


def struck_together(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment]) -> Verdict:
    """Whether every fighting model makes all attacks of one melee weapon, beside those with Extra Attacks."""
    return check_whole_weapons(groups, answer) and check_one_weapon(groups, answer)


@rule("w40k11.attack.split_melee", neutral=ALLOWED)
def check_whole_weapons(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment]) -> Verdict:
    """A model makes as many attacks as its weapon has, no fewer."""
    for row, count in wanted_of(answer).items():
        hand = one_of(groups[row])
        if count % things(hand):
            text = f"Each model makes all {things(hand)} attacks of {hand.weapon.name}, not only some of them."
            return refuse(text, "w40k11.attack.split_melee")
    return ALLOWED


@rule("w40k11.attack.weapons_fighting", neutral=ALLOWED)
def check_one_weapon(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment]) -> Verdict:
    """Each fighting model strikes with one melee weapon, and one profile of it."""
    who = wielders(groups, answer, things)
    wanted, rule_ = wanted_of(answer), "w40k11.attack.weapons_fighting"
    if any(len(who[row]) * things(one_of(groups[row])) < count for row, count in wanted.items()):
        return refuse("Each model strikes with one melee weapon, and one profile of it.", rule_)
    fighting = {h.model for group in groups for h in group if not h.extra}
    striking = {m for row, models in who.items() if not one_of(groups[row]).extra for m in models}
    if fighting - striking:
        return refuse(f"Every model that can fight does so: {len(fighting - striking)} have no attack yet.", rule_)
    return ALLOWED


def aim(w: World11, unit: Unit, model: int, hand: Hand, target: Unit) -> tuple[int, ...]:
    """The models that a blow may pick out."""
    if not hand.precise and not weapons.precision(hand.weapon):
        return ()
    return precise_targets(w, unit, target, model)


STRIKING: Final = Striking(
    ("w40k11.attack.targets_fighting", "w40k11.attack.weapons_fighting", "w40k11.attack.split_melee"),
    hands=hands_of,
    things=things,
    together=struck_together,
    blow_at=blow_at,
    aim=aim,
)
QUESTIONS: Final = {"strike": STRIKE}
