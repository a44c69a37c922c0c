"""Battles that are really played."""

from __future__ import annotations

import pytest

from sandtable.errors import UserError
from sandtable.sim import Game, matchup, paired, play_game, run

RED, BLUE = "space-marines-1000-gunline", "orks-1000-horde"
DEFAULTS = ("default", "default")


@pytest.fixture(scope="module")
def played() -> Game:
    return Game("w40k10", (RED, BLUE), DEFAULTS, "only-war", "crossroads", 5)


def test_a_game_gives_the_same_outcome_twice_and_in_another_process(played: Game) -> None:
    first = play_game(played)
    (again,) = run([played], processes=1)
    both = run([played, played], processes=2)
    assert not first.trouble
    for other in (again, *both):
        assert (other.winner, other.scores, other.units) == (first.winner, first.scores, first.units)


def test_what_units_earn_is_what_their_enemies_lose(played: Game) -> None:
    """Points are taken by attacks, and by what no unit is credited with: never more than was lost."""
    outcome = play_game(played)
    for seat in (0, 1):
        earned = sum(t.earned for t in outcome.units if t.seat == seat)
        lost = sum(t.points * t.lost for t in outcome.units if t.seat != seat)
        assert 0 <= earned <= lost + 1e-9
    assert any(t.earned for t in outcome.units)
    assert all((t.lost == 1.0) == (t.died > 0) for t in outcome.units)


def test_a_matchup_plays_both_seats_on_each_seed_with_its_controls() -> None:
    told: list[tuple[str, int, int]] = []
    found = matchup(
        RED,
        BLUE,
        games=2,
        players=("default", "random"),
        layouts=("crossroads",),
        processes=1,
        progress=lambda *step: told.append(step),
    )
    assert [o.game.lists for o in found.outcomes] == [(RED, BLUE), (BLUE, RED)]
    assert len({o.game.seed for o in found.outcomes}) == 1
    assert [len(m) for m in found.mirrors] == [2, 2]
    assert len({o.game.seed for o in found.mirrors[0]}) == 2, "a mirror match has no seats to change"
    assert [(name, len(done)) for name, done in found.others] == [("random", 2)]
    assert told[0] == ("the matchup", 0, 2)
    assert told[-1] == ("the matchup by random", 2, 2)


def test_pairs_share_seeds_and_tables() -> None:
    found = paired(
        RED, "space-marines-1000-assault", BLUE, games=2, players=("default",), layouts=("quarry",), processes=1
    )
    one, two = ([(o.game.seed, o.game.layout) for o in m.outcomes] for m in (found.first, found.second))
    assert one == two


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"games": 1}, "2 to 20000 games"),
        ({"games": 10**9}, "2 to 20000 games"),
        ({"players": ("person",)}, "computer players"),
        ({"players": ("nobody",)}, "no player 'nobody'"),
        ({"players": ()}, "at least one"),
        ({"layouts": ("nowhere",)}, "nowhere"),
        ({"mission": "sleep"}, "sleep"),
    ],
)
def test_what_cannot_be_played_is_refused_before_it_starts(how: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        matchup(RED, BLUE, **how)  # type: ignore[arg-type]
