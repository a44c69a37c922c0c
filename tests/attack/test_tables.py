"""From needed rolls to tables by face."""

from __future__ import annotations

import pytest

from sandtable.attack.tables import capped, faces_rerolled, hit_table, save_needed, sum_rerolled, wound_table
from sandtable.attack.volley import FACES, NEVER, Choices, HitRoll, WoundRoll, dice


def successes(roll: HitRoll | WoundRoll) -> list[int]:
    return [f for f in FACES if roll.face(f).success]


def criticals(roll: HitRoll | WoundRoll) -> list[int]:
    return [f for f in FACES if roll.face(f).critical]


@pytest.mark.parametrize(
    ("needed", "modifier", "hits"),
    [(4, 0, [4, 5, 6]), (4, 1, [3, 4, 5, 6]), (4, -1, [5, 6]), (6, -1, [6]), (2, 1, [2, 3, 4, 5, 6]), (NEVER, 0, [6])],
)
def test_a_six_always_hits_and_a_one_never(needed: int, modifier: int, hits: list[int]) -> None:
    table = hit_table(needed, modifier)
    assert successes(table) == hits
    assert criticals(table) == [6]


def test_an_edition_without_natural_sixes_and_ones() -> None:
    assert successes(hit_table(7, 0, crit=NEVER, always=NEVER)) == []
    assert successes(hit_table(1, 0, crit=NEVER, always=NEVER, never=0)) == [1, 2, 3, 4, 5, 6]


def test_modifiers_are_added_up_before_the_cap() -> None:
    assert capped([1, -1, -1]) == -1
    assert capped([-1, -1, -1]) == -1
    assert capped([2, 1], most=3) == 3


def test_lethal_and_sustained_hits_on_one_face() -> None:
    face = hit_table(3, lethal=True, sustained=2).face(6)
    assert (face.hits, face.wounds, face.extra) == (2, 1, None)
    assert hit_table(3, sustained=1).face(6).hits == 2
    random = hit_table(3, sustained=dice("D3")).face(6)
    assert (random.hits, random.extra) == (1, dice("D3"))


def test_an_automatic_hit_is_never_critical() -> None:
    table = hit_table(3, auto=True, lethal=True, sustained=2)
    assert not table.rolled
    assert criticals(table) == []
    assert {(f.hits, f.wounds) for f in table.faces} == {(1, 0)}


def test_a_wider_critical_wounds_whatever_is_needed_but_not_on_a_one() -> None:
    assert successes(wound_table(6, -1, crit=4)) == [4, 5, 6]
    assert criticals(wound_table(3, crit=1)) == [2, 3, 4, 5, 6]


def test_critical_wounds_can_be_of_another_kind() -> None:
    table = wound_table(4, 1, crit=6, crit_kind=1)
    assert [table.face(f).kind for f in FACES] == [-1, -1, 0, 0, 0, 1]


def test_each_face_cites_its_rules() -> None:
    table = hit_table(3, cites=("roll",), crit_cites=("crit",), never_cites=("one",), reroll_cites=("again",))
    assert table.face(1).cites == ("roll", "one")
    assert table.face(2).cites == ("roll",)
    assert table.face(6).cites == ("roll", "crit")
    assert table.cites == ("roll", "again")


@pytest.mark.parametrize(
    ("kind", "policy", "again"),
    [
        ("none", "failures", ()),
        ("ones", "failures", (1,)),
        ("failures", "failures", (1, 2, 3)),
        ("all", "failures", (1, 2, 3)),
        ("all", "criticals", (1, 2, 3, 4, 5)),
        ("failures", "criticals", (1, 2, 3)),
        ("all", "none", ()),
    ],
)
def test_which_faces_a_policy_rerolls(kind: str, policy: str, again: tuple[int, ...]) -> None:
    assert faces_rerolled(wound_table(4, reroll=kind), policy) == again  # type: ignore[arg-type]


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="policy"):
        faces_rerolled(hit_table(3), "hope")


def test_a_low_sum_is_rerolled_where_it_may_be() -> None:
    number = dice("D6", reroll=(1, 2, 6))
    assert [t for t in range(1, 7) if sum_rerolled(number, t, Choices())] == [1, 2]
    assert not sum_rerolled(number, 1, Choices(sums="none"))


@pytest.mark.parametrize(
    ("save", "ap", "bonus", "invulnerable", "needed"),
    [
        (3, 0, 0, NEVER, 3),
        (3, -1, 0, NEVER, 4),
        (4, -3, 0, NEVER, NEVER),
        (4, 0, 1, NEVER, 3),
        (2, 0, 1, NEVER, 2),
        (4, 0, 2, NEVER, 3),
        (4, -2, 2, NEVER, 4),
        (2, -1, 0, 4, 3),
        (2, -5, 0, 4, 4),
        (6, -4, 1, 1, 2),
    ],
)
def test_the_better_of_armour_and_invulnerable_save(
    save: int, ap: int, bonus: int, invulnerable: int, needed: int
) -> None:
    assert save_needed(save, ap, bonus, invulnerable=invulnerable) == needed


@pytest.mark.parametrize(("modifier", "faces"), [(0, (1, 2, 3)), (-1, (1, 2, 3)), (1, (1, 2, 3))])
def test_what_failed_is_judged_before_modifiers(modifier: int, faces: tuple[int, ...]) -> None:
    assert hit_table(4, modifier, reroll="failures").reroll == faces
    assert wound_table(4, modifier, reroll="failures").reroll == faces


def test_what_a_critical_makes_good_has_not_failed() -> None:
    assert wound_table(6, crit=4, reroll="failures").reroll == (1, 2, 3)


def test_without_a_limit_bonuses_of_a_save_add_up() -> None:
    assert save_needed(5, 0, 2, best=NEVER) == 3
