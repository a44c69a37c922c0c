"""The action phase: players take turns to nominate a formation, declare its action and test for it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

from sandtable.battle.decisions import Option
from sandtable.battle.rolls import Total
from sandtable.battle.system import AGAIN, DONE, Step
from sandtable.battle.verdict import ALLOWED, Verdict, refuse
from sandtable.kit.grammar import filled_in
from sandtable.reasons import Part
from sandtable.rules import rule
from sandtable.systems.epica import zoc
from sandtable.systems.epica.action_test import breakdown, fail, price, take_test, test_modifier
from sandtable.systems.epica.assault import engage
from sandtable.systems.epica.blast_markers import remove_markers
from sandtable.systems.epica.broken import withdraw
from sandtable.systems.epica.formation import is_coherent
from sandtable.systems.epica.movement import move
from sandtable.systems.epica.overwatch import give_up_overwatch, go_on_overwatch
from sandtable.systems.epica.phases import ACTION
from sandtable.systems.epica.shooting import shoot
from sandtable.systems.epica.state import EpicBattle, EpicWorld, Formation
from sandtable.systems.epica.terrain import may_road_march

ACTIONS: Final = {
    "advance": "Advance: move, then shoot",
    "engage": "Engage: charge and fight an assault",
    "double": "Double: two moves, then shoot at -1",
    "march": "March: three moves",
    "road-march": "Road march: three moves on the road, without a test",
    "marshal": "Marshal: shoot at -1 or move, then regroup",
    "overwatch": "Overwatch: lie in wait",
    "sustained": "Sustained fire: shoot at +1",
}


# --- Who is next -----------------------------------------------------------------------------------------------------


@rule("epica.action.alternate")
async def take_action(b: EpicBattle) -> Step:
    """One action of one formation, and then it is the enemy's turn."""
    fleeing = next((f for f in b.units() if f.flees and b.is_on_table(f)), None)
    if fleeing is not None:
        b.set_unit(fleeing, flees=False)
        await withdraw(b, fleeing)
        return AGAIN
    player = b.state.game.to_act
    ready = formations_to_act(b, player)
    if not ready:
        return pass_on(b, player)
    retaining = b.state.game.retaining and not is_alone(b, player)
    formation = await nominate(b, player, ready, retaining=retaining)
    if formation is None:
        if not retaining:
            b.set_player(b.player(player), sits_out=True)
        return pass_on(b, player)
    passed = await activate(b, formation, retaining=retaining)
    who_acts_next(b, player, passed=passed, retained=retaining)
    return AGAIN


def formations_to_act(world: EpicWorld, player: int) -> list[Formation]:
    """The formations of a player that may be activated; none once the player has chosen to stay on overwatch."""
    if world.player(player).sits_out:
        return []
    return [f for f in world.units_of(player) if may_activate(world, f)]


@rule("epica.action.once", neutral=ALLOWED)
def has_action_left(formation: Formation) -> Verdict:
    """Each formation acts once in a turn."""
    if formation.acted:
        return refuse(f"{formation.name} has acted this turn.", "epica.action.once")
    return ALLOWED


@rule("epica.broken.limits", "epica.action.once", neutral=ALLOWED)
def is_steady(formation: Formation) -> Verdict:
    """Broken formations take no actions."""
    if formation.broken:
        return refuse(f"{formation.name} is broken and has to rally first.", "epica.broken.limits")
    return ALLOWED


def may_activate(world: EpicWorld, formation: Formation) -> Verdict:
    """Whether a formation may be nominated for an action."""
    if not world.is_on_table(formation):
        return refuse(f"{formation.name} is not on the table.", "epica.action.once")
    return is_steady(formation) and has_action_left(formation)


@rule("epica.action.no_pass", neutral=True)
def may_decline(ready: list[Formation]) -> bool:
    """A player who can act must; only formations still on overwatch from the turn before may sit the turn out."""
    return all(f.overwatch for f in ready)


async def nominate(b: EpicBattle, player: int, ready: list[Formation], *, retaining: bool) -> Formation | None:
    """Let a player pick the formation that acts; to retain the initiative is never a must."""
    prompt = "Retain the initiative (-1) with" if retaining else "Take an action with"
    return await b.choose_unit(
        player,
        "retain" if retaining else "activate",
        prompt,
        ready,
        optional=retaining or may_decline(ready),
        rules=("epica.retain.attempt",) if retaining else ("epica.action.alternate",),
    )


def next_player(world: EpicWorld, player: int) -> int | None:
    """The next player of another side who can act, or one of the own side; None when nobody else can."""
    count = len(world.state.players)
    others = [(player + k) % count for k in range(1, count)]
    others.sort(key=lambda p: world.side(p) == world.side(player))
    return next((p for p in others if formations_to_act(world, p)), None)


@rule("epica.action.run_out")
def pass_on(b: EpicBattle, player: int) -> Step:
    """Hand the turn over; the phase is over when nobody can act any more."""
    following = next_player(b, player)
    if following is None:
        return DONE
    hand_over(b, following)
    return AGAIN


def hand_over(b: EpicBattle, player: int) -> None:
    b.set_clock(active=player)
    # Accounts begin anew with every player, and have to be told the phase again.
    b.set_game(to_act=player, retaining=False, phase=ACTION)


def who_acts_next(b: EpicBattle, player: int, *, passed: bool, retained: bool) -> None:
    """After an action: the same player may try to retain, or the enemy is next; alone, a player simply goes on."""
    following = next_player(b, player)
    if is_alone(b, player):
        hand_over(b, player)
    elif following is not None and not (may_retain(passed=passed, retained=retained) and formations_to_act(b, player)):
        hand_over(b, following)
    else:
        b.set_game(retaining=True)


@rule("epica.retain.exception", neutral=False)
def is_alone(world: EpicWorld, player: int) -> bool:
    """Whether the enemy has nothing left to activate, so that going on is no attempt to retain."""
    following = next_player(world, player)
    return following is None or world.side(following) == world.side(player)


def may_retain(*, passed: bool, retained: bool) -> bool:
    """Whether the player who has just acted may try to act again."""
    return succeeded(passed=passed) and not has_retained(retained=retained)


@rule("epica.retain.after_success", neutral=True)
def succeeded(*, passed: bool) -> bool:
    """Only a formation that passed its test lets its player retain."""
    return passed


@rule("epica.retain.limit", neutral=False)
def has_retained(*, retained: bool) -> bool:
    """Nobody retains twice in a row."""
    return retained


# --- One action ------------------------------------------------------------------------------------------------------


@rule("epica.action.steps", neutral=False)
async def activate(b: EpicBattle, formation: Formation, *, retaining: bool) -> bool:
    """Declare, test, and carry out the action or a hold; says whether the test was passed."""
    open_ = [a for a in ACTIONS if may_declare(b, formation, a)]
    needs = breakdown(b, formation, retaining=retaining)
    declared = await b.choose(
        formation.player,
        "action",
        f"{formation.name}: which action? ({price(b, formation)})",
        [Option(a, ACTIONS[a], "no test" if needs_no_test(a) else needs) for a in open_],
        rules=("epica.action.steps",),
        unit=formation.id,
        about={"retaining": retaining, "modifier": test_modifier(formation, retaining=retaining)},
    )
    action = str(declared)
    give_up_overwatch(b, formation)
    b.set_unit(formation, acted=True)
    passed = needs_no_test(action) or await take_test(b, formation, action, retaining=retaining)
    if not passed:
        b.set_unit(formation, action="hold")
        await fail(b, formation)
        if not formation.broken:
            await hold(b, formation)
        return False
    b.set_unit(formation, action=action)
    await CARRY_OUT[action](b, formation)
    return True


@rule("epica.terrain.road_march", neutral=False)
def needs_no_test(action: str) -> bool:
    """A road march always succeeds."""
    return action == "road-march"


def may_declare(world: EpicWorld, formation: Formation, action: str) -> Verdict:
    """Whether a formation may declare an action."""
    if action == "road-march":
        return may_road_march(world, formation)
    if action in ("overwatch", "sustained"):
        return may_stand_still(world, formation, ACTIONS[action].partition(":")[0].lower())
    if action == "engage" and not any(world.is_on_table(e) for e in world.enemies_of(formation.player)):
        return refuse("There is no enemy left to engage.", "epica.assault.target")
    return ALLOWED


def may_stand_still(world: EpicWorld, formation: Formation, what: str) -> Verdict:
    """Whether a formation may take an action, or a part of one, that does not move it."""
    return stands_together(world, formation, what) and zoc.may_stay_inside(
        formation, zoc.stands_in_zones(world, formation), what
    )


@rule(
    "epica.action.out_of_formation_limits",
    "epica.formation.close_up",
    "epica.action.overwatch",
    "epica.action.sustained_fire",
    neutral=ALLOWED,
)
def stands_together(world: EpicWorld, formation: Formation, what: str) -> Verdict:
    """A formation that was split has to close up: what does not move it is not open to it."""
    if is_coherent(world, formation):
        return ALLOWED
    return refuse(
        f"{formation.name} has units out of formation and has to move; {what} does not.",
        "epica.action.out_of_formation_limits",
    )


@rule("epica.action.advance")
async def advance(b: EpicBattle, formation: Formation) -> None:
    if await move(b, formation, "advance"):
        await shoot(b, formation, "advance")


@rule("epica.action.double", "epica.move.multiple")
async def double(b: EpicBattle, formation: Formation) -> None:
    if await move(b, formation, "double", 1) and await move(b, formation, "double", 2):
        await shoot(b, formation, "double")


@rule("epica.action.march", "epica.move.multiple")
async def march(b: EpicBattle, formation: Formation) -> None:
    for number in (1, 2, 3):
        if not await move(b, formation, formation.action, number):
            return


@rule("epica.action.marshal")
async def marshal(b: EpicBattle, formation: Formation) -> None:
    half = await choose_part(b, formation, "marshal", ("shoot", "move"), "epica.action.marshal")
    if half == "shoot":
        await shoot(b, formation, "marshal")
    elif not await move(b, formation, "marshal"):
        return
    regroup(b, formation)


async def overwatch(b: EpicBattle, formation: Formation) -> None:
    go_on_overwatch(b, formation)


@rule("epica.action.sustained_fire")
async def sustained_fire(b: EpicBattle, formation: Formation) -> None:
    await shoot(b, formation, "sustained")


@rule("epica.action.hold")
async def hold(b: EpicBattle, formation: Formation) -> None:
    """After a failed test: one move, or shooting, or regrouping."""
    parts = ("move", "shoot", "regroup", *(("engage",) if may_start_assault("hold") else ()))
    part = await choose_part(b, formation, "hold", parts, "epica.action.hold")
    if part == "move":
        await move(b, formation, "hold")
    elif part == "shoot":
        await shoot(b, formation, "hold")
    else:
        regroup(b, formation)


@rule("epica.assault.only_engage", neutral=True)
def may_start_assault(action: str) -> bool:
    """Nothing but an engage action starts an assault."""
    return action == "engage"


PARTS: Final = {"move": "Move", "shoot": "Shoot", "regroup": "Regroup", "engage": "Engage"}


def may_choose_part(world: EpicWorld, formation: Formation, part: str) -> Verdict:
    """Whether one half of a marshal, or one kind of hold, is open to a formation."""
    return ALLOWED if part == "move" else may_stand_still(world, formation, PARTS[part].lower() + "ing")


async def choose_part(b: EpicBattle, formation: Formation, action: str, parts: tuple[str, ...], rule_id: str) -> str:
    chosen = await b.choose(
        formation.player,
        action,
        filled_in(f"{{unit}} on {action}: what {{does}} {{it}} do?", formation),
        [Option(p, PARTS[p]) for p in parts if may_choose_part(b, formation, p)],
        rules=(rule_id,),
        unit=formation.id,
    )
    return str(chosen)


@rule("epica.regroup.roll")
def regroup(b: EpicBattle, formation: Formation) -> None:
    """Take off as many markers as the higher of two dice shows."""
    read = Total("blast marker(s) at most", (Part("the higher", "counts"),), highest=True)
    faces = b.roll(2, "regroup", formation.player, rules=("epica.regroup.roll",), read=read)
    gone = remove_markers(b, formation, max(faces))
    b.tell(
        "regroups",
        f"{formation.name} regroup and lose {gone} blast markers.",
        "epica.regroup.roll",
        units=[formation.id],
        removed=gone,
    )


CARRY_OUT: Final[dict[str, Callable[[EpicBattle, Formation], Coroutine[Any, Any, None]]]] = {
    "advance": advance,
    "engage": engage,
    "double": double,
    "march": march,
    "road-march": march,
    "marshal": marshal,
    "overwatch": overwatch,
    "sustained": sustained_fire,
}
