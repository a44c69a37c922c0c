"""The strategy phase, and the course of the turns."""

from __future__ import annotations

import pytest

from epica.table import account, act, asked, formation, give, named, pass_all, rolls, row, situation, stay, told

rule = pytest.mark.rule


def start(dice: dict[str, list[int]], red: int = 2, blue: int = 3, **more: object):  # type: ignore[no-untyped-def]
    return situation(
        [formation("Reds", "red", at=row(3, 10, 10)), formation("Blues", "blue", at=row(3, 10, 80))],
        step="strategy_roll",
        dice=dice,
        state={"red": {"strategy": red}, "blue": {"strategy": blue}},
        **more,  # type: ignore[arg-type]
    )


@rule("epica.strategy.roll", check=(2, 3, 4))
def test_guard_with_a_6_and_rating_2_beat_orks_with_a_3_and_rating_3() -> None:
    b = start({"strategy": [6, 3]})
    assert b.state.game.strategy_winner == 0
    assert "red 8, blue 6" in account(b)
    assert asked(b, "first").player == 0


@rule("epica.strategy.choice", check=(1, 2))
def test_the_winner_may_let_the_other_go_first() -> None:
    b = start({"strategy": [6, 1]})
    give(b, "first", "blue")
    assert b.state.game.to_act == 1
    assert asked(b, "action").player == 1


@rule("epica.strategy.roll", check=1)
@rule("epica.strategy.choice", check=2)
@rule("epica.strategy.tie", check=(1, 2, 3))
@rule("epica.concept.ties", check=2)
@rule("epica.turn.count", check=1)
def test_ties_go_to_whoever_did_not_win_the_last_roll() -> None:
    b = start({"strategy": [6, 1, 3, 2, 2, 1]}, turns=3)
    winners = []
    for _ in range(3):
        winners.append(b.state.game.strategy_winner)
        give(b, "first", "red")
        for name in ("Reds", "Blues"):
            act(b, name, "advance")
            stay(b, "move")
    assert winners == [0, 1, 0]
    assert rolls(b, "strategy") == [(6,), (1,), (3,), (2,), (2,), (1,)]
    assert "tie priority" not in dict(rolls(b))
    assert b.state.round == 3
    assert b.result is not None


@rule("epica.concept.ties", check=(1, 2))
@pytest.mark.parametrize(("face", "winner"), [(1, 0), (2, 1)])
def test_a_tie_in_the_first_turn_is_settled_by_a_priority_drawn_once(face: int, winner: int) -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(4, 10, 10), markers=1),
            formation("Blues", "blue", at=row(4, 10, 80), markers=1),
        ],
        step="strategy_roll",
        dice={"strategy": [3, 3], "tie priority": [face, 3 - face], "rally": [6, 6]},
        state={"red": {"strategy": 2}, "blue": {"strategy": 2}},
    )
    assert b.state.game.strategy_winner == winner
    name = b.player(winner).name
    assert f"{name} wins the strategy roll (red 5, blue 5; the tie goes to {name})." in account(b)
    give(b, "first", "red")
    act(b, "Reds", "overwatch")
    act(b, "Blues", "overwatch")
    assert rolls(b, "tie priority") == [(face,)], "the tie of who rallies first is settled by the same priority"
    assert rolls(b, "rally") == [(6,), (6,)]


@rule("epica.concept.ties", check=1)
@pytest.mark.parametrize(("face", "winner"), [(1, 0), (2, 1), (3, 2)])
def test_a_tie_between_three_goes_to_whoever_has_priority(face: int, winner: int) -> None:
    names = ("red", "blue", "green")
    b = situation(
        [formation(n, n, at=row(3, 10, 10 + 30 * k)) for k, n in enumerate(names)],
        step="strategy_roll",
        dice={"strategy": [3, 3, 3], "tie priority": [face]},
        state={n: {"strategy": 2} for n in names},
        players=names,
    )
    assert b.state.game.strategy_winner == winner


@rule("epica.turn.phases", check=(1, 2, 3))
def test_a_turn_goes_from_strategy_to_actions_to_rallying() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(4, 10, 10), markers=1),
            formation("Blues", "blue", at=row(4, 10, 80), markers=1),
        ],
        step="strategy_roll",
        dice={"strategy": [6, 1], "rally": [6, 6], "regroup": [1, 1, 1, 1]},
    )
    give(b, "first", "red")
    for name in ("Reds", "Blues"):
        act(b, name, "overwatch")
    assert not b.decisions
    assert [t for t in told(b) if t in ("strategy", "on overwatch", "rally")] == [
        "strategy", "on overwatch", "on overwatch", "rally", "rally",
    ]  # fmt: skip
    assert named(b, "Reds").markers == named(b, "Blues").markers == 0
    assert b.result is not None


@rule("epica.end.victory_check", check=1)
def test_the_result_counts_what_rallying_has_left() -> None:
    b = situation(
        [
            formation("Reds", "red", at=row(4, 10, 10), broken=True, acted=True),
            formation("Blues", "blue", at=row(4, 10, 80), acted=True),
        ],
        step="begin_end_phase",
        dice={"rally": [6], "tie priority": [1]},
    )
    pass_all(b)
    assert b.result is not None
    assert b.result.scores == (100, 100)
    assert b.result.winners == ()
