"""What is worked out about a battle is kept exactly as long as it holds."""

from __future__ import annotations

from sandtable.battle import GONE, TABLE
from sandtable.battle.kept import PLACES_OF_THESE, kept
from sandtable.battle.pages import VERSIONS, carry_on, new_page, page_since
from sandtable.battle.state import AnyUnit, new_version
from support.games import AnyBattle, new

found: list[int] = []


@kept(PLACES_OF_THESE)
def look(w: AnyBattle, one: AnyUnit, other: AnyUnit) -> int:
    found.append(1)
    return 1


def looked(battle: AnyBattle, one: int, other: int | None = None) -> bool:
    """Whether a value about some units has to be worked out anew."""
    found.clear()
    look(battle, battle.unit(one), battle.unit(one if other is None else other))
    return bool(found)


def test_what_is_about_a_unit_is_kept_while_others_move() -> None:
    battle = new()
    mine, other = battle.units()[:2]
    assert looked(battle, mine.id) and not looked(battle, mine.id)
    battle.move_models(other.models, [(1024, 1024, 0)] * len(other.models))
    assert not looked(battle, mine.id)
    battle.move_models(mine.models[:1], [(2048, 2048, 0)])
    assert looked(battle, mine.id) and not looked(battle, mine.id)


def test_what_is_about_two_units_is_kept_until_either_moves() -> None:
    battle = new()
    one, other, third = battle.units()[:3]
    assert looked(battle, one.id, other.id)
    battle.move_models(third.models, [(1024, 1024, 0)] * len(third.models))
    assert not looked(battle, one.id, other.id)
    for unit in (one, other):
        battle.move_models(unit.models[:1], [(4096, 1024, 0)])
        assert looked(battle, one.id, other.id)


def test_who_is_lost_or_joins_another_unit_counts_as_moved() -> None:
    battle = new()
    one, other = battle.units()[:2]
    looked(battle, one.id)
    battle.place_models(one.models[-1:], GONE)
    assert looked(battle, one.id)
    looked(battle, other.id)
    battle.join(other.models[:1], one)
    assert looked(battle, one.id) and looked(battle, other.id)


def test_distances_and_who_is_on_the_table_follow_every_move() -> None:
    battle = new()
    one, other, third = battle.units()[:3]
    for unit in (one, other, third):
        battle.place_models(unit.models, TABLE)
    for k in range(1, 6):
        mover = (one, other, third)[k % 3]
        battle.move_models(mover.models, [(700 * k + 5000 * mover.id, 300 * k, 0)] * len(mover.models))
        before = battle.distance(one, other), battle.distances(one, third).tolist(), battle.on_table(other).tolist()
        battle.state.version = new_version()
        assert before == (
            battle.distance(one, other),
            battle.distances(one, third).tolist(),
            battle.on_table(other).tolist(),
        )


def test_only_so_many_versions_have_a_page() -> None:
    first = new_version()
    new_page(first)["kept"] = 1
    last = first
    for _ in range(VERSIONS):
        after = new_version()
        carry_on(last, after, (0, 1), (1,), lost=False)
        last = after
    assert "kept" not in page_since(first, 0, 0)
