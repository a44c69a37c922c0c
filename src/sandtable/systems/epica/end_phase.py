"""The end phase: formations rally, and all is made ready for the next turn."""

from __future__ import annotations

from sandtable.battle.state import Result
from sandtable.battle.system import AGAIN, DONE, Step
from sandtable.rules import rule
from sandtable.systems.epica.action_test import passes, read_test
from sandtable.systems.epica.blast_markers import remove_markers
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.broken import withdraw
from sandtable.systems.epica.phases import END, begin_phase
from sandtable.systems.epica.standing import share
from sandtable.systems.epica.state import EpicBattle, EpicWorld, Formation, size
from sandtable.systems.epica.strategy import first_in_ties


async def begin_end_phase(b: EpicBattle) -> Step:
    """The player with the higher strategy rating rallies first."""
    begin_phase(b, END)
    b.set_game(to_rally=first_to_rally(b))
    return DONE


@rule("epica.rally.order", neutral=0)
def first_to_rally(b: EpicBattle) -> int:
    """Who rallies first: the higher strategy rating, not the strategy roll, decides."""
    best = max(p.strategy for p in b.state.players)
    tied = [p.id for p in b.state.players if p.strategy == best]
    first, *others = [p for p in tied if shaken(b, p)] or tied[:1]
    return first_in_ties(b, [first, *others]) if others else first


@rule("epica.rally.test", "epica.rally.order", "epica.turn.phases")
async def rally(b: EpicBattle) -> Step:
    """One rally test of one formation, and then the other player's turn."""
    count = len(b.state.players)
    order = [(b.state.game.to_rally + k) % count for k in range(count)]
    player = next((p for p in order if shaken(b, p)), None)
    if player is None:
        return DONE
    formation = await b.choose_unit(
        player, "rally", "Rally next", shaken(b, player), rules=("epica.rally.order", "epica.rally.test")
    )
    assert formation is not None
    b.set_unit(formation, rallied=True)
    b.set_game(to_rally=(player + 1) % count)
    await rally_formation(b, formation)
    return AGAIN


def shaken(world: EpicWorld, player: int) -> list[Formation]:
    """The formations of a player that still have to test."""
    return [f for f in world.units_of(player) if needs_rally(world, f)]


@rule("epica.rally.order", neutral=False)
def needs_rally(world: EpicWorld, formation: Formation) -> bool:
    """Whether a formation takes a rally test: once, if it is broken or has a marker."""
    return world.is_on_table(formation) and not formation.rallied and (formation.broken or formation.markers > 0)


async def rally_formation(b: EpicBattle, formation: Formation) -> None:
    modifier = rally_modifier(b, formation)
    read = read_test(formation, rally_reasons(b, formation))
    face = b.roll_one("rally", formation.player, rules=("epica.rally.test",), read=read)
    passed = passes(face, modifier, formation.initiative)
    words = f" ({modifier:+d})" if modifier else ""
    b.tell(
        "rally",
        f"{formation.name} {'rally' if passed else 'fail to rally'}: {face}{words} against {formation.initiative}+.",
        "epica.rally.test",
        units=[formation.id],
        passed=passed,
    )
    if passed:
        recover(b, formation)
    else:
        await stay_broken(b, formation)


def rally_modifier(world: EpicWorld, formation: Formation) -> int:
    """All that makes a rally test harder."""
    return sum(value for value, _ in rally_reasons(world, formation))


def rally_reasons(world: EpicWorld, formation: Formation) -> list[tuple[int, str]]:
    """What makes a rally test harder, and what it is called."""
    return [(broken_modifier(formation), "broken"), (enemy_modifier(world, formation), "enemies near")]


@rule("epica.rally.test", "epica.bm.effects", neutral=0)
def broken_modifier(formation: Formation) -> int:
    """The number of markers does not matter, only being broken."""
    return BOOK.rally_when_broken if formation.broken else 0


@rule("epica.rally.test", neutral=0)
def enemy_modifier(world: EpicWorld, formation: Formation) -> int:
    """An enemy within 30 cm is bad for the nerves."""
    near = any(world.distance(formation, e) <= BOOK.near_for_rally for e in world.enemies_of(formation.player))
    return BOOK.rally_near_enemies if near else 0


@rule("epica.dice.rounding", neutral=0)
def half(number: int) -> int:
    """Half of a number; fractions go up."""
    return (number + 1) // 2


@rule("epica.rally.pass")
def recover(b: EpicBattle, formation: Formation) -> None:
    """Half of the markers go; a broken formation first gets one for each of its units."""
    if formation.broken:
        b.set_unit(formation, broken=False, markers=size(b, formation))
    remove_markers(b, formation, half(formation.markers))


@rule("epica.rally.fail")
async def stay_broken(b: EpicBattle, formation: Formation) -> None:
    """A broken formation that fails withdraws again; any other stays as it is."""
    if formation.broken:
        await withdraw(b, formation)


@rule("epica.end.status_reset")
async def make_ready(b: EpicBattle) -> Step:
    """All actions are over; only overwatch that was not fired goes on."""
    for formation in b.units():
        if formation.acted or formation.rallied:
            b.set_unit(formation, acted=False, action="", rallied=False)
    for player in b.state.players:
        if player.sits_out:
            b.set_player(player, sits_out=False)
    return DONE


@rule("epica.turn.count", "epica.end.victory_check", neutral=False)
def is_last_turn(world: EpicWorld) -> bool:
    """Whether the battle has as many turns behind it as the scenario gives it."""
    return world.state.round >= world.setup.data.turns


def result(world: EpicWorld) -> Result:
    """Who has come out better, by the share of units left in formations that are not broken."""
    shares = [share(world, player.id) for player in world.state.players]
    best = max(shares)
    sides = {world.side(p.id) for p, s in zip(world.state.players, shares, strict=True) if s == best}
    winners = tuple(p.id for p in world.state.players if p.side in sides) if len(sides) == 1 else ()
    return Result(winners, "the last turn is over", tuple(shares))
