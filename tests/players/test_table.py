"""The loop that seats players at a battle."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Decision, Refused, journal
from sandtable.battle.events import AnyEvent, Ended, Ruled
from sandtable.battle.replaying import replay
from sandtable.battle.rulings import SetWounds
from sandtable.errors import UserError
from sandtable.players import Concede, DefaultPlayer, Leave, RandomPlayer, TakeBack, play, seat
from sandtable.players.base import AnyView, Correct
from sandtable.players.table import Takebacks, stays
from support import games


class Scripted:
    """Does what it is told, in turn, then accepts defaults; exceptions are raised."""

    def __init__(self, *script: Any) -> None:
        self.script = list(script)
        self.heard: list[str] = []
        self.asked: list[str] = []

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        self.asked.append(decision.kind)
        step = self.script.pop(0) if self.script else None
        if isinstance(step, Exception):
            raise step
        return step if step is not None else DefaultPlayer().choose(view, decision)


class Patient(Scripted):
    def hear(self, message: str) -> None:
        self.heard.append(message)


def test_everything_that_happens_is_told_once_and_in_order() -> None:
    battle = games.new(1)
    told: list[AnyEvent] = []
    play(battle, {0: DefaultPlayer(), 1: DefaultPlayer()}, on_event=told.append)
    assert told == battle.events
    assert isinstance(told[-1], Ended)


def test_a_question_is_heard_of_before_it_is_answered() -> None:
    battle = games.new(1)
    asked: list[int] = []
    play(battle, {0: DefaultPlayer(), 1: DefaultPlayer()}, on_ask=lambda d: asked.append(d.id))
    assert asked == list(range(len(battle.answers)))


def test_nobody_may_be_missing() -> None:
    with pytest.raises(UserError, match="Nobody plays for Blue"):
        play(games.new(1), {0: DefaultPlayer()})


def test_who_leaves_leaves_the_battle_open() -> None:
    battle = games.new(1)
    assert not play(battle, {0: Scripted(1, Leave()), 1: DefaultPlayer()})
    assert battle.result is None
    assert battle.decisions[0].kind == "move-with"


def test_who_concedes_loses() -> None:
    battle = games.new(1)
    assert play(battle, {0: Scripted(1, Concede()), 1: DefaultPlayer()})
    assert battle.result is not None
    assert battle.result.winners == (1,)


def test_what_is_taken_back_is_asked_again_and_the_story_goes_on() -> None:
    battle = games.new(1)
    red = Patient(1, 0, TakeBack(), 1)
    told: list[AnyEvent] = []
    play(battle, {0: red, 1: DefaultPlayer()}, on_event=told.append)
    assert red.asked[:4] == ["plan", "move-with", "how-far", "move-with"]
    assert battle.answers[2].answer == 1
    assert battle.result is not None


class Agreeing(Scripted):
    """One who is asked whether others may take something back."""

    def __init__(self, yes: bool) -> None:
        super().__init__()
        self.yes = yes
        self.requests: list[str] = []

    def agrees(self, view: AnyView, request: str) -> bool:
        self.requests.append(request)
        return self.yes


# --- Corrections ------------------------------------------------------------------------------------------------------


def test_a_correction_that_all_agree_on_holds_and_is_told() -> None:
    battle, blue = games.new(1), Agreeing(True)
    told: list[AnyEvent] = []
    play(battle, {0: Patient(1, Correct(SetWounds(3, 1))), 1: blue}, on_event=told.append)
    assert blue.requests == ["Red wants a correction. Model 4 of red 0 has 1 wounds. Do you agree?"]
    assert [event.text for event in told if isinstance(event, Ruled)] == ["Model 4 of red 0 has 1 wounds."]
    assert battle.result is not None
    assert battle.result.rulings == 1


def test_who_does_not_agree_to_a_correction_keeps_things_as_they_are() -> None:
    battle, red = games.new(1), Patient(1, Correct(SetWounds(3, 1)), Leave())
    play(battle, {0: red, 1: Agreeing(False)})
    assert red.heard == ["Blue does not agree."]
    assert battle.state.models.wounds[3] == 2


def test_a_computer_leaves_corrections_to_people() -> None:
    battle, red = games.new(1), Patient(1, Correct(SetWounds(3, 1)), Leave())
    play(battle, {0: red, 1: DefaultPlayer()})
    assert red.heard == []
    assert battle.state.models.wounds[3] == 1


def test_a_correction_that_makes_no_sense_is_refused_before_anybody_is_asked() -> None:
    battle, red, blue = games.new(1), Patient(1, Correct(SetWounds(999, 1)), Leave()), Agreeing(True)
    play(battle, {0: red, 1: blue})
    assert (red.heard, blue.requests) == (["There is no model 999."], [])


def test_in_the_middle_of_a_move_a_correction_waits() -> None:
    battle, red = games.new(1), Patient(1, 0, Correct(SetWounds(3, 1)), Leave())
    play(battle, {0: red, 1: DefaultPlayer()})
    assert red.heard == ["It holds as soon as what is being done is over."]
    assert battle.state.models.wounds[3] == 2


class Sorry(Patient):
    """Wants the first own answer back that dice followed."""

    def __init__(self, battle: games.AnyBattle) -> None:
        super().__init__()
        self.battle = battle
        self.wanted = 0
        self.chance = RandomPlayer(1)

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        mine = [g.player for g in self.battle.answers[-1:]] == [0]
        if not self.wanted and mine and self.battle.learnt_since() == "dice have been rolled":
            self.wanted += 1
            raise TakeBack
        return self.chance.choose(view, decision)


def after_dice(takebacks: Takebacks, blue: Any) -> tuple[games.AnyBattle, Sorry]:
    """Red wants an answer back that dice followed."""
    battle = games.new(1)
    red = Sorry(battle)
    play(battle, {0: red, 1: blue}, takebacks=takebacks)
    assert red.wanted == 1
    return battle, red


def test_what_taught_nothing_is_taken_back_freely_and_not_counted() -> None:
    battle = games.new(1)
    red = Patient(1, 0, TakeBack(), 1)
    play(battle, {0: red, 1: DefaultPlayer()}, takebacks="until-dice")
    assert red.heard == []
    assert battle.result is not None
    assert battle.result.takebacks == 0


def test_a_computer_does_not_agree_once_dice_were_rolled() -> None:
    battle, red = after_dice("agreed", DefaultPlayer())
    assert red.heard == ["Blue does not agree: dice have been rolled since."]
    assert battle.result is not None
    assert battle.result.takebacks == 0


def test_with_until_dice_nobody_is_even_asked() -> None:
    blue = Agreeing(True)
    _, red = after_dice("until-dice", blue)
    assert red.heard == ["That cannot be taken back: dice have been rolled since."]
    assert blue.requests == []


def test_with_never_dice_are_never_taken_back() -> None:
    blue = Agreeing(True)
    _, red = after_dice("never", blue)
    assert red.heard == ["That cannot be taken back: dice have been rolled since."]
    assert blue.requests == []


@pytest.mark.parametrize(
    ("learnt", "placed", "takebacks", "stay"),
    [
        ("", True, "never", True),
        ("", False, "never", False),
        ("", True, "until-dice", False),
        ("dice have been rolled", True, "agreed", False),
    ],
)
def test_only_purists_leave_what_was_placed(learnt: str, placed: bool, takebacks: Takebacks, stay: bool) -> None:
    assert bool(stays(learnt, placed, takebacks)) is stay


def test_who_is_asked_may_refuse() -> None:
    blue = Agreeing(False)
    _, red = after_dice("agreed", blue)
    assert blue.requests == ["Red wants to take an answer back, although dice have been rolled since. Do you agree?"]
    assert red.heard == ["Blue does not agree: dice have been rolled since."]


def test_what_was_agreed_on_is_counted_in_the_result() -> None:
    battle, red = after_dice("agreed", Agreeing(True))
    assert red.heard == []
    assert battle.result is not None
    assert battle.result.takebacks == 1


def test_in_practice_everything_is_taken_back_and_counted() -> None:
    battle, red = after_dice("free", DefaultPlayer())
    assert red.heard == []
    assert battle.result is not None
    assert battle.result.takebacks == 1
    written = journal.read(journal.write(battle), "it")
    again, agreement = replay(written, battle.system)
    assert agreement.whole
    assert again.result == battle.result


def test_what_another_has_answered_since_is_not_free_either() -> None:
    battle = games.new(1)
    red = Patient(1, TakeBack())
    play(battle, {0: red, 1: DefaultPlayer()})
    assert red.heard == ["Blue does not agree: Blue has answered since."]


def test_of_answers_given_together_all_are_asked_again() -> None:
    battle = games.new(1)
    red, blue = Patient(1, TakeBack(), 2), Scripted(0, 2)
    play(battle, {0: red, 1: blue}, takebacks="free")
    assert red.asked[:4] == ["plan", "move-with", "plan", "move-with"]
    assert blue.asked[:2] == ["plan", "plan"]
    assert [g.answer for g in battle.answers[:2]] == [2, 2]


def test_before_the_first_answer_there_is_nothing_to_take_back() -> None:
    battle = games.new(1)
    red = Patient(TakeBack(), 1)
    play(battle, {0: red, 1: DefaultPlayer()})
    assert "not answered anything" in red.heard[0]


def test_a_refusal_is_told_to_who_can_listen_and_asked_again() -> None:
    battle = games.new(1)
    red = Patient("nonsense", 1)
    play(battle, {0: red, 1: DefaultPlayer()})
    assert len(red.heard) == 1
    assert red.asked[:2] == ["plan", "plan"]


def test_a_refusal_of_who_cannot_listen_is_an_error() -> None:
    with pytest.raises(Refused):
        play(games.new(1), {0: Scripted("nonsense"), 1: DefaultPlayer()})


def test_seats_are_named() -> None:
    players = seat(["random", "person"], 1, Scripted)
    assert isinstance(players[1], Scripted)
    with pytest.raises(UserError, match="no player 'wizard'; there are person, random, default"):
        seat(["wizard"], 1, lambda number: Scripted())
