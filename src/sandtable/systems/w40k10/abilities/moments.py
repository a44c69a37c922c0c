"""Abilities at their moments: what has to happen happens, what may be used is offered.

Every trigger of the flow stands for some moments of the vocabulary (`armies.effects`). For each of them there are two
reactions: one for all that is mandatory, in an order that the active player chooses where it can matter, and one that
offers each optional use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType
from typing import Final

from sandtable.armies.effects import AnyEffect, BattleShock, Forbid, MortalWounds, Move
from sandtable.battle import Choose, Confirm, Effect, Moment, Option, Order, Question, Reaction, Value
from sandtable.forty.moments import (
    ATTACKS_MADE,
    MODEL_DESTROYED,
    PHASE_BEGAN,
    PHASE_ENDED,
    TURN_ENDED,
    UNIT_MOVE_ENDED,
    UNIT_SELECTED_TO_FIGHT,
    UNIT_SELECTED_TO_SHOOT,
)
from sandtable.systems.w40k10.abilities.doing import SOURCE, Doing, carry_out
from sandtable.systems.w40k10.abilities.uses import (
    Occasion,
    Use,
    abilities_at,
    at_moment,
    can_matter,
    describe,
    is_left,
    read_use,
    spend,
    uses_at,
)
from sandtable.systems.w40k10.concepts import engaged_enemies, who_orders
from sandtable.systems.w40k10.mission import PRE_BATTLE
from sandtable.systems.w40k10.state import MOVES, Battle10, World10
from sandtable.systems.w40k10.turn import COMMAND, FIGHT, MOVEMENT, SHOOTING

MUST: Final = "Abilities"
MAY: Final = "Ability"
FALLEN: Final = "fallen_bearer"
"""Kind of effect: a model, in its value, fell in this phase and may stand up again."""

Reads = Callable[[World10, int, Moment], Iterator[Occasion]]


# --- From triggers to moments -----------------------------------------------------------------------------------------


def _phase_began(w: World10, player: int, moment: Moment) -> Iterator[Occasion]:
    phase, own = moment.data["phase"], w.state.active == player
    if phase == COMMAND:
        yield Occasion("any_command")
    if phase == FIGHT or (own and phase in (COMMAND, MOVEMENT, SHOOTING)):
        yield Occasion(phase)


def _phase_ended(w: World10, player: int, moment: Moment) -> Iterator[Occasion]:
    phase, own = moment.data["phase"], w.state.active == player
    if own and phase in (COMMAND, MOVEMENT):
        yield Occasion(f"{phase}_end")
    yield Occasion("phase_end")
    fallen = tuple(int(e.value) for e in w.state.effects if e.kind == FALLEN and w.unit(e.unit).player == player)
    if fallen:
        yield Occasion("death_phase_end", fallen=fallen)


def _move_ended(w: World10, player: int, moment: Moment) -> Iterator[Occasion]:
    mover, move = w.unit(moment.unit), moment.data["move"]
    if not w.is_on_table(mover):
        return
    if mover.player != player:
        if move in MOVES and w.side(mover.player) != w.side(player):
            yield Occasion("enemy_moved", mover.id)
        return
    if move == "charge":
        yield Occasion("charged", mover.id, targets=tuple(e.id for e in engaged_enemies(w, mover)))
        return
    yield Occasion("moved", mover.id)
    if moment.data.get("over"):
        yield Occasion("moved_over", mover.id, targets=tuple(moment.data["over"]))


def _to_shoot(w: World10, player: int, moment: Moment) -> Iterator[Occasion]:
    if w.unit(moment.unit).player == player:
        yield Occasion("select_to_shoot", moment.unit)


def _to_fight(w: World10, player: int, moment: Moment) -> Iterator[Occasion]:
    if w.unit(moment.unit).player == player:
        yield Occasion("select_to_fight", moment.unit)


def _attacks_made(w: World10, player: int, moment: Moment) -> Iterator[Occasion]:
    unit, data = w.unit(moment.unit), moment.data
    if unit.player == player:
        if w.state.game.phase == SHOOTING and w.state.active == player and not unit.last_stand:
            yield Occasion("shot", unit.id, targets=data["hit"])
        owners = w.state.models.unit
        gone = dict.fromkeys(int(owners[m]) for m in data["destroyed"])
        killed = tuple(u for u in gone if _is_destroyed(w, u, data["destroyed"]))
        if killed:
            fallen = tuple(m for m in data["destroyed"] if int(owners[m]) in killed)
            yield Occasion("killed", unit.id, targets=killed, melee=data["melee"], fallen=fallen)
        return
    for hurt in data["hurt"]:
        if w.unit(hurt).player == player and w.is_on_table(w.unit(hurt)):
            yield Occasion("wounded", hurt, by=unit.id, melee=data["melee"])


def _is_destroyed(w: World10, unit: int, fallen: Sequence[int]) -> bool:
    """Whether a unit, or one part of an Attached unit, fell with these models."""
    u = w.unit(unit)
    left = [int(m) for m in w.on_table(u)]
    parts = ([m for m in u.models if m in u.leader], [m for m in u.models if m not in u.leader])
    return any(any(m in fallen for m in part) and not any(m in left for m in part) for part in parts)


def _turn_ended(w: World10, player: int, moment: Moment) -> Iterator[Occasion]:
    if w.side(player) != w.side(w.state.active):
        yield Occasion("opponent_turn_end")


def _before_battle(w: World10, player: int, moment: Moment) -> Iterator[Occasion]:
    yield Occasion("battle_start")


READS: Final[MappingProxyType[str, tuple[tuple[str, ...], Reads]]] = MappingProxyType(
    {
        PHASE_BEGAN: ((COMMAND, "any_command", MOVEMENT, SHOOTING, FIGHT), _phase_began),
        PHASE_ENDED: (("command_end", "movement_end", "phase_end", "death_phase_end"), _phase_ended),
        UNIT_MOVE_ENDED: (("moved", "moved_over", "enemy_moved", "charged"), _move_ended),
        UNIT_SELECTED_TO_SHOOT: (("select_to_shoot",), _to_shoot),
        UNIT_SELECTED_TO_FIGHT: (("select_to_fight",), _to_fight),
        ATTACKS_MADE: (("shot", "killed", "wounded"), _attacks_made),
        TURN_ENDED: (("opponent_turn_end",), _turn_ended),
        PRE_BATTLE: (("battle_start",), _before_battle),
    }
)
"""For each trigger the moments that it can stand for, and which of them it stands for now."""


def waits(w: World10, player: int, trigger: str) -> bool:
    """Whether a player has any ability for a trigger; looked up once for the whole battle."""
    if not w.setup.data.abilities:
        return False
    known: dict[tuple[int, str], bool] = w.fixed("abilities at triggers", lambda: _by_trigger(w))
    return known[player, trigger]


def _by_trigger(w: World10) -> dict[tuple[int, str], bool]:
    return {
        (p.id, trigger): any(abilities_at(w, p.id, at) for at in moments)
        for p in w.state.players
        for trigger, (moments, _) in READS.items()
    }


def uses_now(w: World10, player: int, trigger: str, moment: Moment, *, optional: bool) -> list[tuple[Occasion, Use]]:
    """What a player can, or must, use when a trigger fires."""
    occasions = list(READS[trigger][1](w, player, moment))
    return [(o, use) for o in occasions for use in uses_at(w, player, o, optional=optional)]


# --- What has to happen -----------------------------------------------------------------------------------------------


async def _all_that_must(b: Battle10, player: int, trigger: str, moment: Moment) -> None:
    due = uses_now(b, player, trigger, moment, optional=False)
    due = await _in_order(b, due)
    done: list[tuple[Occasion, int, int]] = []
    for occasion, use in due:
        whose = (occasion, use.ability, use.bearer)
        if whose in done or not _still_there(b, use):
            continue
        done.append(whose)
        same = [u for o, u in due if (o, u.ability, u.bearer) == whose]
        for chosen in await _branches(b, same):
            if can_matter(b, chosen, occasion):
                await use_ability(b, chosen, occasion)


async def _in_order(b: Battle10, due: list[tuple[Occasion, Use]]) -> list[tuple[Occasion, Use]]:
    """The active player orders what happens at the same time, where that can make a difference."""
    if len(due) < 2 or not (any(_meddles(b, o, u) for o, u in due) or b.option("windows") == "all"):
        return due
    order = await b.ask(
        Order(
            player=who_orders(b),
            kind="order_abilities",
            prompt="These abilities happen at the same time: in which order?",
            options=tuple(Option(i, describe(b, use)) for i, (_, use) in enumerate(due)),
            rules=("w40k10.dice.sequencing",),
        )
    )
    return [due[int(i)] for i in order]


def _meddles(w: World10, occasion: Occasion, use: Use) -> bool:
    """Whether what an ability does can change what another one does."""
    effects = at_moment(w.setup.data.abilities[use.ability], occasion.at, use.branch)
    return any(isinstance(e, MortalWounds | Move | BattleShock) for _, e in effects)


def _still_there(w: World10, use: Use) -> bool:
    """Whether the bearer has not been destroyed by what came before; who falls may rise by its own ability."""
    carried = w.setup.data.abilities[use.ability]
    return use.bearer < 0 or w.is_on_table(w.unit(use.bearer)) or any(e.who == "model" for e in carried.effects)


async def _branches(b: Battle10, uses: list[Use]) -> list[Use]:
    """Which branches of an ability are used: as many as it lets its player choose."""
    carried = b.setup.data.abilities[uses[0].ability]
    chosen: list[Use] = []
    while len(chosen) < max(1, carried.choose) and len(chosen) < len(uses):
        left = [u for u in uses if u not in chosen]
        options = [Option(u.value, u.branch or carried.name) for u in left]
        value = await b.choose(
            carried.player,
            "ability_branch",
            f"{describe(b, uses[0]._replace(branch=''))}: which?",
            options,
            rules=(SOURCE,),
            unit=uses[0].bearer,
        )
        chosen.append(read_use(str(value)))
    return chosen


async def use_ability(b: Battle10, use: Use, occasion: Occasion) -> None:
    """Use an ability: remember it, tell it, carry it out."""
    carried = b.setup.data.abilities[use.ability]
    spend(b, use, occasion)
    b.tell(
        "ability",
        f"{b.player(carried.player).name} uses {describe(b, use)}.",
        SOURCE,
        units=[use.bearer] if use.bearer >= 0 else [],
        name=carried.name,
    )
    doing = Doing(use.ability, carried, use.bearer, occasion)
    await carry_out(b, doing, at_moment(carried, occasion.at, use.branch))


# --- The reactions ----------------------------------------------------------------------------------------------------


def _must(trigger: str) -> Reaction:
    def guard(b: Battle10, player: int, moment: Moment) -> bool:
        return waits(b, player, trigger)

    def uses(b: Battle10, player: int, moment: Moment) -> list[Option]:
        due = uses_now(b, player, trigger, moment, optional=False)
        if not due:
            return []
        names = ", ".join(dict.fromkeys(b.setup.data.abilities[u.ability].name for _, u in due))
        return [Option(names, names)]

    async def flow(b: Battle10, player: int, moment: Moment, value: Value) -> None:
        await _all_that_must(b, player, trigger, moment)

    return Reaction(MUST, trigger, flow, guard, uses, mandatory=trigger != PRE_BATTLE, rules=(SOURCE,))


def _may(trigger: str) -> Reaction:
    def guard(b: Battle10, player: int, moment: Moment) -> bool:
        return waits(b, player, trigger)

    def uses(b: Battle10, player: int, moment: Moment) -> list[Option]:
        found = uses_now(b, player, trigger, moment, optional=True)
        return [Option(f"{o.at}|{o.unit}|{u.value}", describe(b, u)) for o, u in found]

    async def flow(b: Battle10, player: int, moment: Moment, value: Value) -> None:
        at, use, unit = read_option(str(value))
        for occasion in READS[trigger][1](b, player, moment):
            if (occasion.at, occasion.unit) == (at, unit) and is_left(b, use, occasion):
                if trigger != PRE_BATTLE or await _wanted(b, use, occasion):
                    await use_ability(b, use, occasion)
                return

    return Reaction(MAY, trigger, flow, guard, uses, rules=(SOURCE,))


async def _wanted(b: Battle10, use: Use, occasion: Occasion) -> bool:
    """Before the battle rules are resolved one by one: what may be declined is asked about when its turn comes."""
    player = b.setup.data.abilities[use.ability].player
    wanted = await b.ask(
        Confirm(player=player, kind="use_ability", prompt=f"Use {describe(b, use)}?", default=True, rules=(SOURCE,))
    )
    if not wanted:
        spend(b, use, occasion)
    return wanted


def _bearer_falls(b: Battle10, player: int, moment: Moment) -> bool:
    numbers = abilities_at(b, player, "death_phase_end") if b.setup.data.abilities else ()
    return any(moment.data["model"] in b.setup.data.abilities[n].models for n in numbers)


def _remember(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return [Option(int(moment.data["model"]), "a bearer falls")]


async def _bearer_fell(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    b.add_effect(Effect(FALLEN, moment.unit, int(value), source=SOURCE, until="phase"))


REACTIONS: Final = (
    Reaction("A bearer falls", MODEL_DESTROYED, _bearer_fell, _bearer_falls, _remember, mandatory=True),
    *(_must(trigger) for trigger in READS),
    *(_may(trigger) for trigger in READS),
)


# --- Defaults ---------------------------------------------------------------------------------------------------------


def default_reaction(w: World10, d: Choose) -> Value | None:
    """An ability that costs nothing is used; Stratagems, and what has a price, are not."""
    for option in d.options:
        reaction, _, value = str(option.value).partition("/")
        if reaction == MAY and is_free(w, value):
            return option.value
    return None


def is_free(w: World10, value: str) -> bool:
    """Whether nothing speaks against a use: no harm, nothing given up, and it comes back before the battle ends."""
    at, use, _ = read_option(value)
    effects = [e for _, e in at_moment(w.setup.data.abilities[use.ability], at, use.branch)]
    return costs_nothing(effects) and all(e.once != "battle" for e in effects)


def read_option(value: str) -> tuple[str, Use, int]:
    """The moment, the use and the unit that acts, from the value of an option that offers an ability."""
    at, unit, text = value.split("|", 2)
    return at, read_use(text), int(unit)


def costs_nothing(effects: Sequence[AnyEffect]) -> bool:
    """Whether what an ability does harms nobody of its own side and gives nothing up."""
    harm = any(isinstance(e, Forbid) or (isinstance(e, MortalWounds) and e.who == "unit") for e in effects)
    leaves = any(getattr(e, "what", "") in ("into_reserves", "redeploy") for e in effects)
    # Without a thought nobody goes anywhere, and a move that is not made helps nobody.
    stays = any(isinstance(e, Move) and e.type == "normal" for e in effects)
    return not (harm or leaves or stays)


QUESTIONS: Final = {
    f"react.{trigger}": Question(default=default_reaction) for trigger in READS if trigger != PRE_BATTLE
}
