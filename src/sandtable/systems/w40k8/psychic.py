"""The Psychic phase: psykers manifest powers that they know, enemies deny them, and the warp may take its price."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.armies.effects import Reroll
from sandtable.battle import AGAIN, ALLOWED, DONE, TABLE, Choose, Moment, Option, Question, Reaction, Step, Verdict
from sandtable.battle.decisions import Value
from sandtable.battle.rolls import Total
from sandtable.forty.effects.at_work import at_work
from sandtable.forty.effects.manifesting import manifest_ability
from sandtable.forty.effects.other_rolls import added
from sandtable.forty.psykers import Power, Psyker, chance_of_test, pick_powers, powers_described
from sandtable.forty.ready import refuse_unless
from sandtable.forty.rerolls import offer_reroll
from sandtable.forty.single_dice import roll
from sandtable.forty.state import called
from sandtable.kit.asking import agreed, put_in_order
from sandtable.kit.dice import parts_of
from sandtable.kit.grammar import does
from sandtable.kit.ideas import mostly_go_on
from sandtable.kit.seeing import seen_by
from sandtable.rules import rule
from sandtable.systems.w40k8.attacks import inflict, rerolls
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import enemies, model_distances, model_has_keyword, reaches, who_orders
from sandtable.systems.w40k8.dice import throw, total
from sandtable.systems.w40k8.only_war import end_if_wiped_out
from sandtable.systems.w40k8.state import Battle8, Unit, World8, sheet_of, unit_of
from sandtable.table.grid import steps

GENERATE: Final = "w40k8.psychic.generate"
# Kinds of effects on a unit.
TEST: Final = "psychic"
"""Added to its Psychic tests"""
REROLL_TEST: Final = "reroll_psychic"
"""Which of its Psychic tests may be made again: failures or all"""


@rule("w40k8.psychic.sequence")
async def manifest_powers(b: Battle8) -> Step:
    """One power after the other, of psykers in any order, as often as they may."""
    player, prompt = b.state.active, "Which psyker tries to manifest which power?"
    psykers = [m for u in b.units_of(player) for m in u.models if is_psyker(b, m)]
    found = [(m, p) for m in psykers for p in powers_of(b) if may_try(b, m, p)]
    options = [
        Option(f"{m}|{p.name}", f"{called(b, m)}: {p.title}", f"warp charge {p.charge}", unit=unit_of(b, m).id)
        for m, p in found
    ]
    value = await b.choose(player, "manifest", prompt, options, optional=True, rules=("w40k8.psychic.sequence",))
    if value is None:
        return DONE
    model, power = next((m, p) for m, p in found if f"{m}|{p.name}" == value)
    await manifest(b, model, power)
    return AGAIN


@rule("w40k8.psychic.sequence", "w40k8.psychic.resolve")
async def manifest(b: Battle8, model: int, power: Power) -> None:
    """A psyker takes the test, suffers what Perils there are, lets the enemy deny the power, and resolves it."""
    unit = unit_of(b, model)
    b.set_unit(unit, tried=(*unit.tried, (model, power.name)))
    faces, result = await take_test(b, model, power)
    if is_perilous(faces) and await suffer_perils(b, model, power):
        end_if_wiped_out(b)
        return
    if not succeeds(result, power):
        _tell(b, "not_manifested", f"does not manifest {power.title}", model, "w40k8.psychic.test")
        return
    _tell(b, "manifested", f"manifests {power.title}", model, "w40k8.psychic.test")
    if not await is_denied(b, model, power, result):
        await resolve(b, model, power, result)


def chance_to_manifest(w: World8, d: Choose, answer: Value | None) -> float | None:
    """The chance that a power's test succeeds, made again where that is allowed; who may deny it is not looked at."""
    if answer is None:
        return None
    number, _, name = str(answer).partition("|")
    unit, power = unit_of(w, int(number)), next(p for p in powers_of(w) if p.name == name)
    more = added_to_test(w, unit)
    return chance_of_test(
        lambda faces: succeeds(sum(faces) + more, power), lambda faces: may_reroll(w, unit, faces, power)
    )


def _tell(b: Battle8, kind: str, deed: str, model: int, *rules: str) -> None:
    b.tell(kind, f"{called(b, model)} {deed}.", *rules, units=[unit_of(b, model).id])


def powers_of(w: World8) -> list[Power]:
    """The powers of this battle: that of the book, and those that datasheets describe."""
    return [BOOK.smite, *powers_described(w)]


def psyker(w: World8, model: int) -> Psyker:
    """What the datasheet says of a psyker, or leaves to the book."""
    return sheet_of(w, model).psyker or Psyker()


@rule("w40k8.psychic.powers", "w40k8.gap.psychic_powers", neutral=ALLOWED)
def knows(w: World8, model: int, power: Power) -> Verdict:
    """A psyker knows the powers that its datasheet names, Smite if it names none, and those that it generated."""
    own = psyker(w, model).powers or (BOOK.smite.name,)
    known = power.name in own or (model, power.name) in unit_of(w, model).generated
    return refuse_unless(known, w, model, f"does not know {power.title}", "w40k8.psychic.powers")


@rule("w40k8.psychic.generate", neutral=())
def open_to(w: World8, model: int) -> tuple[str, ...]:
    """The powers among which a psyker that generates some before the battle finds them."""
    own = psyker(w, model)
    return tuple(sorted(p.name for p in own.described if own.more and not knows(w, model, p)))


def who_generates(w: World8, player: int, moment: Moment) -> list[Option]:
    """The units with psykers whose powers are generated before the battle, by their names."""
    found = [u for u in w.units_of(player) if not u.generated and any(open_to(w, m) for m in u.models)]
    return [Option(u.name, u.name) for u in found]


@rule("w40k8.psychic.generate")
async def generate(b: Battle8, player: int, moment: Moment, use: Value) -> None:
    """The psykers of a unit get powers to their number, which their player picks; they are theirs for the battle."""
    unit = next(u for u in b.units_of(player) if u.name == use)
    for m in (m for m in unit.models if open_to(b, m)):
        names = open_to(b, m)
        chosen = await pick_powers(b, unit, m, names, min(psyker(b, m).more, len(names)), GENERATE)
        b.set_unit(unit, generated=(*unit.generated, *((m, name) for name in chosen)))


GENERATION: Final = Reaction(
    "Psychic powers", "before_deployment", generate, lambda w, p, m: bool(who_generates(w, p, m)), who_generates,
    mandatory=True, rules=(GENERATE,),
)  # fmt: skip


def may_manifest(w: World8, unit: Unit) -> Verdict:
    """Whether any psyker of a unit may try any power now; else why its first model may not."""
    found = [may_try(w, m, p) for m in unit.models for p in powers_of(w)]
    return next((v for v in found if v), found[0])


def may_try(w: World8, model: int, power: Power) -> Verdict:
    """Whether a model may try to manifest a power now."""
    return (
        is_own_phase(w, model)
        and is_psyker(w, model)
        and is_there(w, model)
        and has_attempts_left(w, model)
        and knows(w, model, power)
        and not_tried_yet(w, model, power)
    )


@rule("w40k8.psychic.psyker", neutral=ALLOWED)
def is_own_phase(w: World8, model: int) -> Verdict:
    """Powers are manifested in the owner's Psychic phase only."""
    own = unit_of(w, model).player == w.state.active
    return refuse_unless(own, w, model, "belongs to a player whose Psychic phase it is not", "w40k8.psychic.psyker")


@rule("w40k8.psychic.psyker", neutral=ALLOWED)
def is_psyker(w: World8, model: int) -> Verdict:
    """Only Psykers manifest and deny powers."""
    return refuse_unless(model_has_keyword(w, model, "PSYKER"), w, model, "is no Psyker", "w40k8.psychic.psyker")


@rule("w40k8.psychic.psyker", neutral=ALLOWED)
def is_there(w: World8, model: int) -> Verdict:
    """Psykers that are embarked, not there yet, or slain do neither."""
    there = w.state.models.place[model] == TABLE
    return refuse_unless(there, w, model, "is not on the battlefield", "w40k8.psychic.psyker")


@rule("w40k8.psychic.psyker", neutral=ALLOWED)
def has_attempts_left(w: World8, model: int) -> Verdict:
    """A psyker tries no more powers in a phase than its datasheet says, whatever came of them."""
    left = sum(m == model for m, _ in unit_of(w, model).tried) < psyker(w, model).casts
    return refuse_unless(left, w, model, "has made all its attempts of this phase", "w40k8.psychic.psyker")


@rule("w40k8.psychic.once_per_turn", "w40k8.gap.psychic_powers", neutral=ALLOWED)
def not_tried_yet(w: World8, model: int, power: Power) -> Verdict:
    """A psyker tries each power once in a turn."""
    untried = (model, power.name) not in unit_of(w, model).tried
    return refuse_unless(untried, w, model, f"tried {power.title} this turn", "w40k8.psychic.once_per_turn")


async def take_test(b: Battle8, model: int, power: Power) -> tuple[tuple[int, ...], int]:
    """The dice of a Psychic test as they stand in the end, and what they come to."""
    unit, rules = unit_of(b, model), ("w40k8.psychic.test",)
    more = added_to_test(b, unit)
    by = *added(b, unit, "psychic")[1], *(e.source for e in b.effects(TEST, unit.id))
    read = Total("manifested/not manifested", parts_of(more, by), needed=power.charge, plus=more)
    faces = b.roll(2, "psychic test", unit.player, rules=rules, read=read)
    again: tuple[int, ...] = ()
    if may_reroll(b, unit, faces, power):
        prompt, failed = f"The Psychic test came to {sum(faces)}. Is it made again?", sum(faces) < power.charge
        if await agreed(b, unit, "reroll_psychic_test", prompt, "w40k8.dice.reroll", default=failed):
            again = (0, 1)
            faces = b.roll_again(faces, again, "psychic test", unit.player, rules=rules, read=read)

    def value(thrown: Sequence[int]) -> int:
        return succeeds(sum(thrown) + more, power) - 2 * is_perilous(thrown)

    faces = await offer_reroll(b, unit, "psychic test", faces, sum_=False, read=read, rerolled=again, value=value)
    return faces, sum(faces) + more


def may_reroll(w: World8, unit: Unit, faces: Sequence[int], power: Power) -> bool:
    """Whether an ability lets a Psychic test be made again; it has failed or not by its bare dice."""
    own = [(a.effect.faces, a.name) for a in at_work(w, unit, Reroll) if a.effect.roll == TEST]
    allowed = rerolls(w, unit, REROLL_TEST, own).faces
    return allowed == "all" or (allowed == "failures" and sum(faces) < power.charge)


@rule("w40k8.psychic.test", neutral=0)
def added_to_test(w: World8, unit: Unit) -> int:
    """What is added to a Psychic test."""
    return total([added(w, unit, "psychic")[0], *(int(e.value) for e in w.effects(TEST, unit.id))])


@rule("w40k8.psychic.test", "w40k8.psychic.resolve", neutral=True)
def succeeds(result: int, power: Power) -> bool:
    """A test manifests a power if it reaches the warp charge value."""
    return result >= power.charge


@rule("w40k8.psychic.perils", neutral=False)
def is_perilous(faces: Sequence[int]) -> bool:
    """Two 1s and two 6s are Perils, by the faces that stand and before anything is added."""
    return any(set(faces) == {face} for face in BOOK.perils)


@rule("w40k8.psychic.perils", "w40k8.psychic.sequence", "w40k8.psychic.resolve", "w40k8.psychic.perils_death")
async def suffer_perils(b: Battle8, model: int, power: Power) -> bool:
    """The psyker itself takes mortal wounds; whether it died of them, and its power with it."""
    unit = unit_of(b, model)
    _tell(b, "perils", "suffers Perils of the Warp", model, "w40k8.psychic.perils")
    b.set_game(unjudged=True)
    points = await throw(b, BOOK.perils_wounds, "perils", "mortal wound(s)", unit, "w40k8.psychic.perils", low=True)
    await inflict(b, unit, points, "w40k8.psychic.perils", by=unit.id, alone=model)
    b.set_game(unjudged=not is_there(b, model))
    if not b.state.game.unjudged:
        return False
    _tell(b, "taken_by_the_warp", f"dies, and {power.title} fails", model, "w40k8.psychic.perils_death")
    await burst(b, model)
    b.set_game(unjudged=False)
    return True


async def burst(b: Battle8, model: int) -> None:
    """Each unit near a psyker who died of Perils suffers, in the order that the active player likes."""
    own, points, source = unit_of(b, model), 0, "w40k8.psychic.perils_death"
    prompt = f"In which order do the units near {called(b, model)} suffer?"
    for unit in await put_in_order(b, who_orders(b), "perils_order", prompt, units_around(b, model), source):
        if not points or b.option("perils-burst") == "for-each-unit":
            points = await throw(b, BOOK.burst, "perils", "mortal wound(s)", own, source)
        await inflict(b, unit, points, source, by=own.id)


@rule("w40k8.psychic.perils_death", neutral=())
def units_around(w: World8, model: int) -> list[Unit]:
    """Friends and enemies within 6" of where a psyker stood, its own fellows too."""
    return [u for u in w.units() if w.is_on_table(u) and reaches(distance_to(w, model, u), BOOK.burst_range)]


def distance_to(w: World8, model: int, unit: Unit) -> float:
    """How far a unit is from a model, or from where it stood."""
    return float(model_distances(w, np.array([model]), w.on_table(unit)).min())


@rule("w40k8.psychic.deny", "w40k8.psychic.deny_once", "w40k8.psychic.resolve", neutral=False)
async def is_denied(b: Battle8, model: int, power: Power, result: int) -> bool:
    """One enemy psyker may try to undo a power that was manifested."""
    own, rules = unit_of(b, model), ("w40k8.psychic.deny", "w40k8.psychic.deny_once")
    able = [m for e in enemies(b, own) for m in e.models if may_deny(b, m, model)]
    prompt = f"{called(b, model)} manifests {power.title} with {result}. Which psyker tries to deny it?"
    for player in b.opponents(b.state.active):
        options = [Option(m, called(b, m)) for m in able if unit_of(b, m).player == player.id]
        value = await b.choose(player.id, "deny_with", prompt, options, optional=True, rules=rules, unit=own.id)
        if value is not None:
            return await deny(b, int(value), model, power, result)
    return False


async def deny(b: Battle8, model: int, by: int, power: Power, result: int) -> bool:
    """A psyker tries to undo a power: whether its test comes to more."""
    unit, rules = unit_of(b, model), ("w40k8.psychic.deny",)
    b.set_unit(unit, denied=(*unit.denied, model))
    more, names = added(b, unit, "deny", against=[unit_of(b, by).id])
    read = Total("denied/not denied", parts_of(more, names), needed=result + 1, plus=more)

    def value(faces: Sequence[int]) -> bool:
        return undoes(sum(faces) + more, result)

    if not value(await roll(b, unit, 2, "deny the witch", *rules, read=read, value=value)):
        _tell(b, "not_denied", f"cannot deny {power.title}", model, *rules)
        return False
    _tell(b, "denied", f"denies {power.title}", model, *rules)
    return True


@rule("w40k8.psychic.deny", neutral=True)
def undoes(thrown: int, result: int) -> bool:
    """A power is undone by more than the Psychic test came to."""
    return thrown > result


def may_deny(w: World8, model: int, by: int) -> Verdict:
    """Whether a model may try to deny what another one manifests."""
    return is_psyker(w, model) and is_there(w, model) and has_denials_left(w, model) and is_in_reach(w, model, by)


@rule("w40k8.psychic.psyker", "w40k8.psychic.deny_once", neutral=ALLOWED)
def has_denials_left(w: World8, model: int) -> Verdict:
    """A psyker denies no more powers in a phase than its datasheet says, whatever came of it."""
    left = unit_of(w, model).denied.count(model) < psyker(w, model).denies
    return refuse_unless(left, w, model, "has denied all that it may in this phase", "w40k8.psychic.psyker")


@rule("w40k8.psychic.deny", neutral=ALLOWED)
def is_in_reach(w: World8, model: int, by: int) -> Verdict:
    """A psyker denies what is manifested within 24" of it, seen or not, whoever it is meant for."""
    near = reaches(float(model_distances(w, np.array([by]), np.array([model])).item()), BOOK.deny_range)
    return refuse_unless(near, w, by, f'is not within 24" of {called(w, model)}', "w40k8.psychic.deny")


async def resolve(b: Battle8, model: int, power: Power, result: int) -> None:
    """A power takes effect: the nearest enemy in sight suffers mortal wounds, or what an ability of its name does."""
    unit, name = unit_of(b, model), power.title
    if power.ability:
        if not await manifest_ability(b, unit, model, power.name):
            _tell(b, "no_targets", f"has nobody for {name}", model, "w40k8.psychic.resolve")
        return
    prompt, ties = f"Which of the units that are equally near suffers {name}?", ("w40k8.gap.closest_tie",)
    near = targets_of(b, model, power)
    target = await b.choose_unit(unit.player, "power_target", prompt, near, rules=ties, unit=unit.id)
    if target is None:
        _tell(b, "no_targets", f"sees no enemy near enough for {name}", model, "w40k8.psychic.smite")
        return
    b.tell("power", f"{does(target, 'suffers')} {name}.", "w40k8.psychic.resolve", units=[unit.id, target.id])
    kind = "smite" if power.name == BOOK.smite.name else "power"
    points = await throw(b, wounds_of(power, result), kind, "mortal wound(s)", unit, "w40k8.psychic.smite")
    await inflict(b, target, points, "w40k8.psychic.smite", by=unit.id)


@rule("w40k8.psychic.smite_strong", neutral="0")
def wounds_of(power: Power, result: int) -> str:
    """What a power deals: more, where that is said, if the test came to more than some number."""
    return power.strong if result > power.above else power.wounds


@rule("w40k8.psychic.smite", neutral=())
def targets_of(w: World8, model: int, power: Power) -> list[Unit]:
    """The nearest enemy unit that a psyker sees within the range of a power, and any that are as near."""
    own = unit_of(w, model)
    far = [(distance_to(w, model, e), e) for e in enemies(w, own) if seen_by(w, own, model, e).any()]
    near = min((distance for distance, _ in far), default=math.inf)
    reached = [(distance, e) for distance, e in far if reaches(distance, steps(power.range))]
    return [e for distance, e in reached if distance - near <= BOOK.equally_near]


QUESTIONS: Final = {
    "manifest": Question(default=lambda w, d: d.options[0].value, suggest=mostly_go_on(0.1), odds=chance_to_manifest),
    "deny_with": Question(default=lambda w, d: d.options[0].value, suggest=mostly_go_on(0.3)),
}
