"""Abilities at their moments: what has to happen happens, what may be used is offered.

For each trigger there are two reactions: one for all that is mandatory, in an order that the active player chooses
where it can matter, and one that offers each optional use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.armies.effects import AnyEffect, BattleShock, Forbid, MortalWounds, Move
from sandtable.battle import Choose, Confirm, Effect, Moment, Option, Order, Question, Reaction, Value
from sandtable.battle.kept import SETUP, kept
from sandtable.battle.windows import ReactionUse
from sandtable.forty.effects.deeds import carry_out
from sandtable.forty.effects.gists import gist
from sandtable.forty.effects.limits import is_left, spend
from sandtable.forty.effects.moments import FALLEN
from sandtable.forty.effects.occasions import (
    Cause,
    Occasion,
    Offer,
    Use,
    abilities_at,
    at_moment,
    describe,
    read_offer,
    read_use,
)
from sandtable.forty.effects.targets import can_matter, uses_at
from sandtable.forty.effects.words import Deeds
from sandtable.forty.moments import MODEL_DESTROYED, PRE_BATTLE
from sandtable.forty.state import Battle40, World40

MUST: Final = "Abilities"
MAY: Final = "Ability"


def waits(w: World40, player: int, trigger: str) -> bool:
    """Whether a player has any ability for a trigger; looked up once for the whole battle."""
    if not w.setup.data.abilities:
        return False
    return _by_trigger(w)[player, trigger]


@kept(SETUP)
def _by_trigger(w: World40) -> dict[tuple[int, str], bool]:
    return {
        (p.id, trigger): any(abilities_at(w, p.id, at) for at in moments)
        for p in w.state.players
        for trigger, (moments, _) in w.system.seam(Deeds).moments.items()
    }


def uses_now(w: World40, player: int, trigger: str, moment: Moment, *, optional: bool) -> list[tuple[Occasion, Use]]:
    """What a player can, or must, use when a trigger fires."""
    occasions = list(w.system.seam(Deeds).moments[trigger].read(w, player, moment))
    return [(o, use) for o in occasions for use in uses_at(w, player, o, optional=optional)]


# --- What has to happen -----------------------------------------------------------------------------------------------


async def _all_that_must(b: Battle40, player: int, trigger: str, moment: Moment) -> None:
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
            if is_left(b, chosen, occasion) and can_matter(b, chosen, occasion):
                await use_ability(b, chosen, occasion)


async def _in_order(b: Battle40, due: list[tuple[Occasion, Use]]) -> list[tuple[Occasion, Use]]:
    """The active player orders what happens at the same time, where that can make a difference."""
    if len(due) < 2 or not (any(_meddles(b, o, u) for o, u in due) or b.option("windows") == "all"):
        return due
    deeds = b.system.seam(Deeds)
    order = await b.ask(
        Order(
            player=deeds.orders(b),
            kind="order_abilities",
            prompt="These abilities happen at the same time: in which order?",
            options=tuple(Option(i, describe(b, use)) for i, (_, use) in enumerate(due)),
            rules=(deeds.sequencing,),
        )
    )
    return [due[int(i)] for i in order]


def _meddles(w: World40, occasion: Occasion, use: Use) -> bool:
    """Whether what an ability does can change what another one does; what several bearers do once can not."""
    effects = at_moment(w.setup.data.abilities[use.ability], occasion.at, use.branch)
    return any(isinstance(e, MortalWounds | Move | BattleShock) and not e.fresh for _, e in effects)


def _still_there(w: World40, use: Use) -> bool:
    """Whether the bearer has not been destroyed by what came before; who falls may rise by its own ability."""
    ability = w.setup.data.abilities[use.ability]
    return use.bearer < 0 or w.is_on_table(w.unit(use.bearer)) or any(e.who == "model" for e in ability.effects)


async def _branches(b: Battle40, uses: list[Use]) -> list[Use]:
    """Which branches of an ability are used: as many as it lets its player choose."""
    ability = b.setup.data.abilities[uses[0].ability]
    chosen: list[Use] = []
    while len(chosen) < max(1, ability.choose) and len(chosen) < len(uses):
        left = [u for u in uses if u not in chosen]
        options = [Option(u.value, u.branch or ability.name) for u in left]
        value = await b.choose(
            ability.player,
            "ability_branch",
            f"{describe(b, uses[0]._replace(branch=''))}: which?",
            options,
            rules=(b.system.seam(Deeds).source,),
            unit=uses[0].bearer,
        )
        chosen.append(read_use(str(value)))
    return chosen


async def use_ability(b: Battle40, use: Use, occasion: Occasion) -> None:
    """Use an ability: remember it, tell it, carry it out."""
    ability = b.setup.data.abilities[use.ability]
    spend(b, use, occasion)
    named = describe(b, use)
    b.tell(
        "ability",
        f"{b.player(ability.player).name} uses {named}{'' if named.endswith('!') else '.'}",
        b.system.seam(Deeds).source,
        units=[use.bearer] if use.bearer >= 0 else [],
        name=ability.name,
    )
    cause = Cause(use.ability, ability, use.bearer, occasion)
    await carry_out(b, cause, at_moment(ability, occasion.at, use.branch))


# --- The reactions ----------------------------------------------------------------------------------------------------


def _must(trigger: str, deeds: Deeds) -> Reaction:
    def guard(b: Battle40, player: int, moment: Moment) -> bool:
        return waits(b, player, trigger)

    def uses(b: Battle40, player: int, moment: Moment) -> list[Option]:
        due = uses_now(b, player, trigger, moment, optional=False)
        if not due:
            return []
        names = ", ".join(dict.fromkeys(b.setup.data.abilities[u.ability].name for _, u in due))
        return [Option(names, names)]

    async def flow(b: Battle40, player: int, moment: Moment, value: Value) -> None:
        await _all_that_must(b, player, trigger, moment)

    return Reaction(MUST, trigger, flow, guard, uses, mandatory=trigger != PRE_BATTLE, rules=(deeds.source,))


def _may(trigger: str, deeds: Deeds) -> Reaction:
    def guard(b: Battle40, player: int, moment: Moment) -> bool:
        return waits(b, player, trigger)

    def uses(b: Battle40, player: int, moment: Moment) -> list[Option]:
        found = uses_now(b, player, trigger, moment, optional=True)
        abilities = b.setup.data.abilities
        notes = [gist(abilities[u.ability], u, o.at) for o, u in found]
        return [
            Option(Offer(o.at, o.unit, u).value, describe(b, u), note, unit=u.bearer)
            for (o, u), note in zip(found, notes, strict=True)
        ]

    async def flow(b: Battle40, player: int, moment: Moment, value: Value) -> None:
        at, unit, use = read_offer(str(value))
        for occasion in deeds.moments[trigger].read(b, player, moment):
            if (occasion.at, occasion.unit) == (at, unit) and is_left(b, use, occasion):
                if trigger != PRE_BATTLE or await _wanted(b, use, occasion):
                    await use_ability(b, use, occasion)
                return

    return Reaction(MAY, trigger, flow, guard, uses, rules=(deeds.source,))


async def _wanted(b: Battle40, use: Use, occasion: Occasion) -> bool:
    """Before the battle rules are resolved one by one: what may be declined is asked about when its turn comes."""
    player = b.setup.data.abilities[use.ability].player
    wanted = await b.ask(
        Confirm(
            player=player,
            kind="use_ability",
            prompt=f"Use {describe(b, use)}?",
            default=True,
            rules=(b.system.seam(Deeds).source,),
        )
    )
    if not wanted:
        spend(b, use, occasion)
    return wanted


def _bearer_falls(b: Battle40, player: int, moment: Moment) -> bool:
    numbers = abilities_at(b, player, "death_phase_end") if b.setup.data.abilities else ()
    return any(moment.data["model"] in b.setup.data.abilities[n].models for n in numbers)


def _remember(b: Battle40, player: int, moment: Moment) -> list[Option]:
    return [Option(int(moment.data["model"]), "a bearer falls")]


async def _bearer_fell(b: Battle40, player: int, moment: Moment, value: Value) -> None:
    b.add_effect(Effect(FALLEN, moment.unit, int(value), source=b.system.seam(Deeds).source, until="phase"))


def reactions(deeds: Deeds) -> tuple[Reaction, ...]:
    """What abilities do when a trigger fires that an edition knows."""
    return (
        Reaction("A bearer falls", MODEL_DESTROYED, _bearer_fell, _bearer_falls, _remember, mandatory=True),
        *(_must(trigger, deeds) for trigger in deeds.moments),
        *(_may(trigger, deeds) for trigger in deeds.moments),
    )


# --- Defaults ---------------------------------------------------------------------------------------------------------


def default_reaction(w: World40, d: Choose) -> Value | None:
    """An ability that costs nothing is used; Stratagems, and what has a price, are not."""
    for option in d.options:
        offered = ReactionUse.of(option.value)
        if offered.reaction == MAY and is_free(w, offered.use):
            return option.value
    return None


def is_free(w: World40, value: str) -> bool:
    """Whether nothing speaks against a use: no harm, nothing given up, and it comes back before the battle ends."""
    at, _, use = read_offer(value)
    effects = [e for _, e in at_moment(w.setup.data.abilities[use.ability], at, use.branch)]
    return costs_nothing(effects) and all(e.once != "battle" for e in effects)


def costs_nothing(effects: Sequence[AnyEffect]) -> bool:
    """Whether what an ability does harms nobody of its own side and gives nothing up."""
    harm = any(isinstance(e, Forbid) or (isinstance(e, MortalWounds) and e.who in ("unit", "led")) for e in effects)
    leaves = any(getattr(e, "what", "") in ("into_reserves", "redeploy") for e in effects)
    # Without a thought nobody goes anywhere, and a move that is not made helps nobody.
    stays = any(isinstance(e, Move) and e.type == "normal" for e in effects)
    return not (harm or leaves or stays)


def questions(deeds: Deeds) -> dict[str, Question]:
    """What the windows of these triggers are answered with by default."""
    return {f"react.{t}": Question(default=default_reaction) for t in deeds.moments if t != PRE_BATTLE}
