"""Using stratagems (15.01): what stands on the core cards, what they cost, when and how often they are used."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.forty.effects.prices import SECTION, can_be_shared, that_count, whole
from sandtable.forty.stratagems import Cards, Stratagem, Turn, affordable, is_its_moment, remember_use
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k11.battle_round import CHARGE, COMMAND, FIGHT, MOVEMENT, SHOOTING
from sandtable.systems.w40k11.state import Battle11, Unit, World11

PHASES: Final = (COMMAND, MOVEMENT, SHOOTING, CHARGE, FIGHT)


def core(name: str, rule_: str, phases: tuple[str, ...], turn: Turn = Turn.EITHER, cost: int = 1) -> Stratagem:
    """A core stratagem; there are no categories."""
    return Stratagem(name, cost, "", rule_, phases, turn)


COMMAND_REROLL: Final = core("Command Re-Roll", "w40k11.strat.command_reroll", PHASES)
EPIC_CHALLENGE: Final = core("Epic Challenge", "w40k11.strat.epic_challenge", (FIGHT,))
INSANE_BRAVERY: Final = core("Insane Bravery", "w40k11.strat.insane_bravery", (COMMAND,), Turn.OWN)
EXPLOSIVES: Final = core("Explosives", "w40k11.strat.explosives", (SHOOTING,), Turn.OWN)
CRUSHING_IMPACT: Final = core("Crushing Impact", "w40k11.strat.crushing_impact", (CHARGE,), Turn.OWN)
RAPID_INGRESS: Final = core("Rapid Ingress", "w40k11.strat.rapid_ingress", (MOVEMENT,), Turn.OPPONENTS)
FIRE_OVERWATCH: Final = core("Fire Overwatch", "w40k11.strat.fire_overwatch", (MOVEMENT,), Turn.OPPONENTS)
SMOKESCREEN: Final = core("Smokescreen", "w40k11.strat.smokescreen", (SHOOTING,), Turn.OPPONENTS)
HEROIC_INTERVENTION: Final = core("Heroic Intervention", "w40k11.strat.heroic_intervention", (CHARGE,), Turn.OPPONENTS)
INTO_THE_FRAY: Final = HEROIC_INTERVENTION._replace(
    name=f"{HEROIC_INTERVENTION.name}{SECTION}Into the Fray", cost=2, rule="w40k11.strat.into_the_fray"
)
COUNTEROFFENSIVE: Final = core("Counteroffensive", "w40k11.strat.counteroffensive", (FIGHT,), Turn.OPPONENTS, cost=2)


@rule("w40k11.strat.core_list", neutral=())
def core_stratagems() -> tuple[Stratagem, ...]:
    """The stratagems that every player may use."""
    return (
        COMMAND_REROLL, EPIC_CHALLENGE, INSANE_BRAVERY, EXPLOSIVES, CRUSHING_IMPACT, RAPID_INGRESS, FIRE_OVERWATCH,
        SMOKESCREEN, HEROIC_INTERVENTION, COUNTEROFFENSIVE,
    )  # fmt: skip


# --- Whether one can be used ------------------------------------------------------------------------------------------


@rule("w40k11.strat.use", "w40k11.strat.extra_cost", neutral=ALLOWED)
def can_pay(w: World11, player: int, stratagem: Stratagem) -> Verdict:
    """A stratagem needs its CP, those of its section included."""
    return affordable(w, player, stratagem, "w40k11.strat.use")


@rule("w40k11.strat.use", neutral=ALLOWED)
def in_its_moment(w: World11, player: int, stratagem: Stratagem) -> Verdict:
    """Each stratagem has its phases and its turn."""
    return is_its_moment(w, player, stratagem, "w40k11.strat.use")


@rule("w40k11.strat.once_per_phase", neutral=ALLOWED)
def not_used_yet(w: World11, player: int, stratagem: Stratagem, unit: int = -1) -> Verdict:
    """A player uses a stratagem, with whatever section, once in a phase, unless an ability of a unit allows more."""
    p, name = w.player(player), whole(stratagem.name)
    used = [whole(one) for one in that_count(w, player, p.used)]
    if name not in used or can_be_shared(w, player, stratagem.name, unit):
        return ALLOWED
    return refuse(f"{p.name} has used {name} in this phase already.", "w40k11.strat.once_per_phase")


@rule("w40k11.strat.one_per_unit", neutral=ALLOWED)
def not_targeted_yet(w: World11, player: int, unit: int) -> Verdict:
    """A unit is the target of one of its player's stratagems in a phase."""
    if any(used.endswith(f"@{unit}") for used in w.player(player).used):
        text = f"{does(w.unit(unit), 'has')} been the target of a stratagem in this phase."
        return refuse(text, "w40k11.strat.one_per_unit")
    return ALLOWED


def left_for(w: World11, player: int, stratagem: Stratagem, unit: int) -> Verdict:
    """Whether a use of a stratagem is left for a unit."""
    return not_used_yet(w, player, stratagem, unit) and not_targeted_yet(w, player, unit)


@rule("w40k11.strat.use", "w40k11.concept.battleshocked", neutral=ALLOWED)
def may_target(w: World11, player: int, stratagem: Stratagem, unit: Unit) -> Verdict:
    """A player targets no battle-shocked unit of their own."""
    if unit.battle_shocked:
        return refuse(f"{does(unit, 'is')} battle-shocked.", "w40k11.concept.battleshocked", "w40k11.strat.use")
    return ALLOWED


@rule("w40k11.strat.use")
def pay(b: Battle11, player: int, stratagem: Stratagem, cost: int, unit: int) -> None:
    """Take the CP, and remember the use."""
    remember_use(b, player, stratagem, cost, unit)


CARDS: Final = Cards((in_its_moment, can_pay, not_used_yet), left_for, may_target, pay)
