"""Reports, from outcomes that were made up so that every figure can be counted by hand."""

from __future__ import annotations

import pytest

from sandtable.sim import Game, Matchup, Outcome, Paired, UnitTale


def game(number: int, layout: str = "plain", player: str = "default") -> Game:
    lists = ("a", "b") if number % 2 == 0 else ("b", "a")
    return Game("w40k10", lists, (player, player), "only-war", layout, number // 2)


def ended(number: int, winner: int, margin: int = 0, first: int = 0, layout: str = "plain") -> Outcome:
    seat = number % 2
    tales = (
        UnitTale("Axes", seat, 100, 40.0 * (number + 1), 0.5, 0),
        UnitTale("Bows", 1 - seat, 50, 10.0, 1.0, number + 1),
    )
    return Outcome(game(number, layout), winner, (10 + margin, 10), first, 5, 300, 1.0, tales)


def report(*outcomes: Outcome) -> Matchup:
    return Matchup(("a", "b"), "w40k10", "only-war", ("default",), outcomes)


def test_the_first_list_is_followed_from_seat_to_seat() -> None:
    """It wins game 0 from the first seat and game 1 from the second; game 2 it loses, game 3 is drawn."""
    found = report(ended(0, 0), ended(1, 1), ended(2, 1), ended(3, -1))
    assert (found.share.won, found.share.games) == (2.5, 4)
    assert (found.by_seat["first seat"].won, found.by_seat["second seat"].won) == (1.0, 1.5)
    assert found.seats.won == 1.5, "the first seat won game 0, and half of game 3"


def test_the_first_turn_is_counted_for_the_list_not_for_the_seat() -> None:
    found = report(ended(0, 0, first=0), ended(1, 0, first=1))
    assert found.by_first_turn["first turn"].games == 2
    assert "second turn" not in found.by_first_turn


def test_margins_are_seen_from_the_first_list() -> None:
    assert report(ended(0, 0, 7), ended(1, 0, 5)).margins == [7, -5]


def test_tables_are_counted_apart() -> None:
    found = report(ended(0, 0, layout="hill"), ended(1, 1, layout="hill"), ended(2, 1, layout="town"))
    assert {name: (s.won, s.games) for name, s in found.by_layout.items()} == {"hill": (2.0, 2), "town": (0.0, 1)}


def test_units_are_told_with_what_they_earned_and_when_they_died() -> None:
    found = report(ended(0, 0), ended(1, 1))
    (axes,) = found.units(0)
    assert (axes.earned, axes.returned, axes.survived, axes.median_death) == (60.0, 0.6, 1.0, 0)
    (bows,) = found.units(1)
    assert (bows.survived, bows.median_death) == (0.0, 1.5)


def test_a_battle_that_failed_is_left_out_and_said() -> None:
    failed = Outcome(game(1), trouble="KeyError: 'x'")
    found = report(ended(0, 0), failed)
    assert found.share.games == 1
    assert found.troubles == ["seed 0: KeyError: 'x'"]
    assert any("1 of 2 battles" in line for line in found.assumptions)


@pytest.mark.parametrize(("wins", "words"), [(40, "a is the favourite"), (0, "b is the favourite"), (20, "no clear")])
def test_the_headline_names_a_favourite_only_when_the_interval_does(wins: int, words: str) -> None:
    outcomes = [ended(i, i % 2 if i < wins else 1 - i % 2) for i in range(40)]
    assert words in report(*outcomes).headline


def test_pairs_are_compared_game_by_game() -> None:
    """The second list turns one defeat of four into a victory: a quarter more, from one pair that changed."""
    one = report(ended(0, 0), ended(1, 1), ended(2, 1), ended(3, 0))
    two = report(ended(0, 0), ended(1, 1), ended(2, 0), ended(3, 0))
    found = Paired(("v1", "v2"), "b", one, two)
    assert found.differences == [0.0, 0.0, 1.0, 0.0]
    assert found.difference == 0.25
    assert found.interval == pytest.approx((0.25 - 0.49, 0.25 + 0.49), abs=1e-3)
    assert found.to_json()["changed"] == {"better": 1, "same": 3, "worse": 0}
    assert len(found.to_csv().splitlines()) == 9


def test_csv_has_a_line_for_each_battle() -> None:
    lines = report(ended(0, 0, 7), ended(1, 0, 5)).to_csv().splitlines()
    assert lines[1].startswith("0,plain,1,1,1,7,")
    assert lines[2].startswith("0,plain,2,1,0,-5,")


def test_reports_draw_themselves() -> None:
    found = report(ended(0, 0, 7), ended(1, 0, 5))
    assert found._repr_svg_().count("<svg") == 1
    assert Paired(("v1", "v2"), "b", found, found)._repr_svg_().count("<svg") == 1
