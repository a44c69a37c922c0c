"""Steps, the end of a battle, and what happens when the engine itself fails."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.battle import AGAIN, DONE, GONE, BrokenRule, Choose, Number, Option, Question, Refused, Result, Step
from sandtable.battle.driving import MAX_IDLE_STEPS
from sandtable.battle.events import Answered, Asked, Ended
from sandtable.battle.verdict import ALLOWED, all_reasons, first_refusal, refuse
from sandtable.errors import UserError
from support import skirmish
from support.games import BLUE, RED, AnyBattle, asked, new, play, snapshot, tiny


def go(kind: str = "go") -> Number:
    return Number(player=RED, kind=kind, prompt="Go on?", least=0, most=9)


def test_a_step_that_says_again_is_entered_again_and_one_that_is_done_is_left() -> None:
    async def count(b: AnyBattle) -> Step:
        b.set_game(fights=b.state.game.fights + 1)
        return AGAIN if b.state.game.fights < 5 else DONE

    async def ask(b: AnyBattle) -> Step:
        await b.ask(go())
        return DONE

    battle = new(system=tiny(count, ask))
    assert battle.state.game.fights == 5
    assert battle.state.step == 1
    battle.answer(battle.decisions[0], 1)
    assert battle.result == Result((), "nothing is left to do")


def test_a_segment_follows_a_segment() -> None:
    async def ask(b: AnyBattle) -> Step:
        await b.ask(go(b.state.segment))
        return DONE

    order = {"setup": "middle", "middle": "late"}
    system = tiny(ask, more={"middle": (ask,), "late": (ask,)}, after=lambda b: order.get(b.state.segment))
    battle = new(system=system)
    seen = []
    while battle.decisions:
        seen += asked(battle)
        battle.answer(battle.decisions[0], 1)
    assert seen == ["setup", "middle", "late"]


def test_a_rule_that_runs_in_circles_is_stopped() -> None:
    async def circle(b: AnyBattle) -> Step:
        return AGAIN

    with pytest.raises(RuntimeError, match="runs in circles"):
        new(system=tiny(circle))
    assert MAX_IDLE_STEPS >= 1000


def test_a_step_must_say_whether_it_is_done() -> None:
    async def mute(b: AnyBattle) -> Any:
        return None

    with pytest.raises(TypeError, match="answered None, not AGAIN or DONE"):
        new(system=tiny(mute))


def test_a_single_option_is_no_question_unless_one_may_pass() -> None:
    async def pick(b: AnyBattle) -> Step:
        assert await b.choose(RED, "none", "None", []) is None
        assert await b.choose(RED, "one", "One", [Option(7, "seven")]) == 7
        await b.choose(RED, "maybe", "Maybe", [Option(7, "seven")], optional=True)
        return AGAIN

    assert asked(new(system=tiny(pick))) == ["maybe"]


def test_asking_nobody_asks_nothing() -> None:
    async def nobody(b: AnyBattle) -> Step:
        assert await b.ask_all([]) == ()
        assert b.roll(0, "hit") == ()
        await b.ask(go())
        return AGAIN

    assert asked(new(system=tiny(nobody))) == ["go"]


def test_the_battle_can_end_deep_inside_a_flow() -> None:
    reached = []

    async def deep(b: AnyBattle, depth: int) -> None:
        if depth:
            await deep(b, depth - 1)
            reached.append(depth)
        else:
            await b.ask(go())
            b.end(Result((BLUE,), "nobody is left"))

    async def step(b: AnyBattle) -> Step:
        await b.act(b.unit(0), deep(b, 20))
        return AGAIN

    battle = new(system=tiny(step))
    battle.answer(battle.decisions[0], 1)
    assert reached == []
    assert battle.result == Result((BLUE,), "nobody is left")
    assert battle.decisions == ()
    assert [type(e) for e in battle.events[-2:]] == [Answered, Ended]


def test_finishing_lets_the_flow_say_the_rest() -> None:
    async def step(b: AnyBattle) -> Step:
        await b.ask(go())
        b.finish(Result((RED,), "won"))
        b.tell("cheer", "Red cheers.")
        return AGAIN

    battle = new(system=tiny(step))
    battle.answer(battle.decisions[0], 1)
    assert [getattr(e, "kind", "") for e in battle.events[-1:]] == ["cheer"]
    assert battle.decisions == ()


def planted(error: type[Exception]) -> AnyBattle:
    """A battle that changes much and then fails on the answer 9, two steps further on."""

    async def ask(b: AnyBattle) -> Step:
        answer = await b.ask(go())
        b.roll(3, "hit", RED)
        b.set_unit(b.unit(0), moved=True)
        b.move_models([0, 1], [(1, 2, 3), (4, 5, 6)])
        b.place_models([2], GONE)
        b.set_game(fights=answer)
        return DONE if answer == 9 else AGAIN

    async def harmless(b: AnyBattle) -> Step:
        return DONE

    async def broken(b: AnyBattle) -> Step:
        raise error("planted")

    return new(system=tiny(ask, harmless, broken))


@pytest.mark.parametrize(
    ("error", "raised"), [(ZeroDivisionError, BrokenRule), (KeyError, BrokenRule), (UserError, UserError)]
)
def test_an_exception_puts_the_battle_back_to_before_the_answer(
    error: type[Exception], raised: type[Exception]
) -> None:
    battle = planted(error)
    battle.answer(battle.decisions[0], 3)
    before, entries = snapshot(battle), list(battle.entries)
    for _ in range(2):
        with pytest.raises(raised):
            battle.answer(battle.decisions[0], 9)
        assert snapshot(battle) == before
        assert battle.entries == entries
        assert len(battle.answers) == 1
    battle.answer(battle.decisions[0], 4)
    assert battle.state.game.fights == 4


def test_a_broken_rule_names_the_question_and_the_cause() -> None:
    battle = planted(ZeroDivisionError)
    with pytest.raises(BrokenRule, match="failed on the answer to 'go'; the battle stands as before it") as caught:
        battle.answer(battle.decisions[0], 9)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_exception_in_a_fork_puts_the_fork_back() -> None:
    battle = planted(ZeroDivisionError)
    battle.answer(battle.decisions[0], 3)
    twin = battle.fork()
    before = snapshot(twin)
    with pytest.raises(BrokenRule):
        twin.answer(twin.decisions[0], 9)
    assert snapshot(twin) == before


def test_after_an_exception_the_dice_are_those_that_would_have_come() -> None:
    smooth, bumpy = planted(ZeroDivisionError), planted(ZeroDivisionError)
    with pytest.raises(BrokenRule):
        bumpy.answer(bumpy.decisions[0], 9)
    for b in (smooth, bumpy):
        b.answer(b.decisions[0], 4)
    assert snapshot(smooth) == snapshot(bumpy)


def test_a_question_that_the_rules_judge_is_refused_with_the_rule() -> None:
    battle = play(new(), Random(1), until="how-far")
    with pytest.raises(Refused, match=r"Nobody moves exactly 5\. \[skirmish\.move\.five\]") as caught:
        battle.answer(battle.decisions[0], 5)
    assert caught.value.verdict.reasons[0].facts == {"far": 5}


def test_it_is_explained_why_a_unit_is_not_among_the_options() -> None:
    battle = play(new(), Random(1), until="shoot-with")
    shooter = int(battle.decisions[0].options[0].value)
    battle.answer(battle.decisions[0], shooter)
    while asked(battle) != ["shoot-with"]:
        battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
    verdict = battle.check(battle.decisions[0], shooter)
    assert verdict.reasons[0].rules == ("skirmish.shoot.once",)
    assert battle.why_not("shoot", shooter) == verdict
    for act, unit, words in (("fly", 0, "Ask about one of these: shoot"), ("shoot", 99, "no unit 99")):
        with pytest.raises(UserError, match=words):
            battle.why_not(act, unit)


def test_questions_are_numbered_by_the_answers_before_them() -> None:
    battle = new(2)
    rng = Random(2)
    while battle.decisions:
        first = battle.decisions[0]
        assert first.id == len(battle.answers) + (0 if first.kind != "plan" else first.player)
        play(battle, rng, 1)
    questions_ = [e.decision for e in battle.events if isinstance(e, Asked)]
    answers = [e.decision for e in battle.events if isinstance(e, Answered)]
    assert answers == list(range(len(battle.answers)))
    assert questions_ == answers


def test_every_option_is_spelled_out_and_unknown_ones_are_refused() -> None:
    system = skirmish.system()
    assert system.settle_options({}) == {"windows": "matter"}
    assert system.settle_options({"windows": "all"}) == {"windows": "all"}
    with pytest.raises(UserError, match="Skirmish has no option 'wind'; it has: windows"):
        system.settle_options({"wind": "all"})
    with pytest.raises(UserError, match="can be matter or all, not 'some'"):
        system.settle_options({"windows": "some"})
    assert new(options={"windows": "all"}).option("windows") == "all"


def test_a_judge_and_a_default_of_the_system_are_used() -> None:
    async def ask(b: AnyBattle) -> Step:
        await b.ask(Choose(player=RED, kind="pick", prompt="Pick", options=(Option(1, "a"), Option(2, "b"))))
        return AGAIN

    known = Question(
        judge=lambda w, d, a: refuse("Not the first.") if a == 1 else ALLOWED,
        default=lambda w, d: 2,
        odds=lambda w, d, a: 0.5,
    )
    battle = new(system=tiny(ask, asks={"pick": known}))
    assert not battle.check(0, 1)
    assert battle.default(0) == 2


def test_verdicts_add_up() -> None:
    one, two = refuse("One.", "a.b.c"), refuse("Two.", instead=4)
    assert first_refusal(ALLOWED, one, two) == one
    assert first_refusal(ALLOWED) == ALLOWED
    both = all_reasons(one, ALLOWED, two)
    assert str(both) == "One. [a.b.c] Two."
    assert both.instead == 4
    assert all_reasons(ALLOWED, ALLOWED) == ALLOWED
    assert str(ALLOWED) == "Allowed."
