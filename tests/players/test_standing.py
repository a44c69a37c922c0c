"""Standing orders: they answer as told, note it, and end by themselves."""

from __future__ import annotations

import fnmatch
import re
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable import systems
from sandtable.battle import Battle, Choose, Confirm, Decision, Number, Option, Question
from sandtable.battle.dice import KeyedDice
from sandtable.battle.system import Stake
from sandtable.battle.vocabulary import vocabulary
from sandtable.errors import UserError
from sandtable.players import (
    DEFAULT_ORDERS,
    DefaultPlayer,
    Note,
    Orders,
    RandomPlayer,
    StandingOrders,
    default_orders,
    play,
    read_orders,
)
from sandtable.players.base import AnyView
from sandtable.players.standing import Order, Remembered, awaits, check_kinds
from support import playable, skirmish

ASKED = object()


class Inner:
    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        return ASKED


def orders(text: str) -> Orders:
    return read_orders(f"orders:\n  - {text}\n", "orders.yaml")


def view(odds: float | None = None, **player: Any) -> AnyView:
    from dataclasses import replace

    system = playable.system()
    system = replace(system, questions={**system.questions, "reroll": Question(odds=lambda w, d, a: odds)})
    setup, state = skirmish.start()
    for name, value in player.items():
        setattr(state.players[0], name, value)
    battle: Battle[Any, Any, Any, Any] = Battle(system, setup, state, dice=KeyedDice(1))
    return battle.start().view(0)


def reroll(**more: Any) -> Confirm:
    return Confirm(player=0, kind="reroll", prompt="Re-roll?", id=7, **more)


REACT = Choose(
    player=0, kind="react.unit_moved", prompt="React?", options=(Option("a", "A"), Option("b", "B")), optional=True
)


@pytest.mark.parametrize(
    ("text", "decision", "answer"),
    [
        ("{for: 'react.*', do: pass}", REACT, None),
        ("{for: react.unit_moved, do: answer, answer: B}", REACT, "b"),
        ("{for: '*', do: default}", REACT, None),
        ("{for: reroll, do: answer, answer: yes}", reroll(), True),
        ("{for: reroll, do: pass}", reroll(), False),
        ("{for: reroll, do: ask}", reroll(), ASKED),
        ("{for: shoot, do: pass}", reroll(), ASKED),
        # What cannot be passed, and an answer that would be refused, goes to the player.
        ("{for: far, do: pass}", Number(player=0, kind="far", prompt="Far", least=1, most=3), ASKED),
        ("{for: far, do: answer, answer: 9}", Number(player=0, kind="far", prompt="Far", least=1, most=3), ASKED),
        ("{for: far, do: answer, answer: [x]}", Number(player=0, kind="far", prompt="Far", least=1, most=3), ASKED),
        ("{for: reroll, do: pass, unit: 'red*'}", reroll(unit=0), False),
        ("{for: reroll, do: pass, unit: 'red*'}", reroll(unit=3), ASKED),
        ("{for: reroll, do: pass, unit: 'red*'}", reroll(), ASKED),
    ],
)
def test_an_order_answers_its_kind_of_decision(text: str, decision: Decision[Any], answer: Any) -> None:
    assert StandingOrders(orders(text), Inner()).choose(view(), decision) == answer


@pytest.mark.parametrize(("chance", "answer"), [(0.2, False), (0.25, ASKED), (0.9, ASKED), (None, ASKED)])
def test_ask_if_the_odds_are_good_enough_or_unknown(chance: float | None, answer: Any) -> None:
    player = StandingOrders(orders("{for: reroll, do: ask, odds: 0.25, else: pass}"), Inner())
    assert player.choose(view(odds=chance), reroll()) == answer


ONCE = "{for: reroll, do: ask, odds: 0.25, better: 0.1, else: pass}"


def at_stake(chance: float | None, worth: float, among: str = "", phase: str = "movement") -> AnyView:
    """A view of a game in which a re-roll has this chance, and is about so much."""
    from dataclasses import replace

    known = Question(
        odds=lambda w, d, a: chance, stake=lambda w, d: Stake(among, worth), matters=lambda w, d, a: ("a marker",)
    )
    found = view()
    found.system = replace(found.system, questions={**found.system.questions, "reroll": known})
    found.state.segment = phase
    return found


@pytest.mark.parametrize(
    ("later", "answer"),
    [
        (at_stake(0.5, 100), False),
        (at_stake(0.59, 100), False),
        (at_stake(0.61, 100), ASKED),
        (at_stake(0.5, 110), False),
        (at_stake(0.5, 111), ASKED),
        (at_stake(0.3, 40), False),
        (at_stake(0.3, 40, among="others"), ASKED),
        (at_stake(0.5, 100, phase="charge"), ASKED),
    ],
    ids=["same", "hardly better", "better", "hardly more", "more", "less", "of another sort", "another phase"],
)
def test_who_was_asked_is_asked_again_in_a_phase_only_about_something_better(later: AnyView, answer: Any) -> None:
    player = StandingOrders(orders(ONCE), Inner())
    assert player.choose(at_stake(0.5, 100), reroll(unit=0)) is ASKED
    assert player.choose(later, reroll(unit=3)) == answer


def weighed(against: dict[Any, tuple[str, ...]], odds: float | None = None) -> AnyView:
    """A view of a game in which this speaks against answers to a re-roll."""
    from dataclasses import replace

    known = Question(odds=lambda w, d, a: odds, matters=lambda w, d, a: against.get(a, ()))
    found = view()
    found.system = replace(found.system, questions={**found.system.questions, "reroll": known})
    return found


@pytest.mark.parametrize(
    ("said", "against", "answer"),
    [
        ("if: ['*'], else: pass", {False: ("a marker",)}, ASKED),
        ("if: ['*'], else: pass", {True: ("a marker",)}, False),
        ("if: ['*'], else: pass", {}, False),
        ("if: ['*'], else: default", {True: ("a marker",)}, False),
        ("if: [a melee, 'a mark*'], else: pass", {False: ("coherency", "a marker")}, ASKED),
        ("if: [a melee], else: pass", {False: ("coherency", "a marker")}, False),
    ],
)
def test_ask_if_something_speaks_against_the_other_answer(said: str, against: Any, answer: Any) -> None:
    player = StandingOrders(orders(f"{{for: reroll, do: ask, {said}}}"), Inner())
    assert player.choose(weighed(against), reroll()) == answer


@pytest.mark.parametrize(
    ("odds", "against", "answer"), [(0.1, (), False), (0.3, (), ASKED), (0.1, ("a marker",), ASKED)]
)
def test_of_odds_and_reasons_one_is_enough(odds: float, against: tuple[str, ...], answer: Any) -> None:
    player = StandingOrders(orders("{for: reroll, do: ask, odds: 0.25, if: ['*'], else: pass}"), Inner())
    assert player.choose(weighed({False: against}, odds), reroll()) == answer


@pytest.mark.parametrize(("worth", "answer"), [(100, False), (110, False), (111, ASKED)])
def test_where_nobody_knows_a_chance_what_is_at_stake_says_who_is_asked_again(worth: float, answer: Any) -> None:
    text = "{for: reroll, do: ask, if: ['*'], better: 0.1, else: pass}"
    player = StandingOrders(orders(text), Inner())
    assert player.choose(at_stake(None, 100), reroll(unit=0)) is ASKED
    written = msgspec.json.decode(msgspec.json.encode(player.remembered), type=tuple[Remembered, ...])
    again = StandingOrders(orders(text), Inner(), so_far=written)
    assert again.choose(at_stake(None, worth), reroll(unit=3)) == answer


def test_what_an_order_asked_it_remembers_elsewhere() -> None:
    player = StandingOrders(orders(ONCE), Inner())
    player.choose(at_stake(0.5, 100), reroll(unit=0))
    written = msgspec.json.decode(msgspec.json.encode(player.remembered), type=tuple[Remembered, ...])
    assert StandingOrders(orders(ONCE), Inner(), so_far=written).choose(at_stake(0.5, 100), reroll(unit=3)) is False


def test_who_took_an_answer_back_is_asked_the_same_again() -> None:
    player = StandingOrders(orders(ONCE), Inner())
    player.choose(at_stake(0.5, 100), reroll(unit=0))
    player.choose(at_stake(0.9, 100), reroll(unit=3))
    assert player.choose(at_stake(0.5, 100), reroll(unit=0)) is ASKED
    assert player.choose(at_stake(0.9, 100), reroll(unit=3)) is ASKED


def test_without_that_word_every_chance_is_asked_about() -> None:
    player = StandingOrders(orders("{for: reroll, do: ask, odds: 0.25, else: pass}"), Inner())
    assert [player.choose(at_stake(0.5, 100), reroll(unit=unit)) for unit in (0, 3)] == [ASKED, ASKED]


def advised(answer: Any) -> AnyView:
    """A view of a game that advises this answer to "reroll", for the aim "kills" alone."""
    from dataclasses import replace

    known = Question(advise=lambda w, d, aim: answer if aim == "kills" else None)
    found = view()
    found.system = replace(found.system, questions={**found.system.questions, "reroll": known})
    return found


@pytest.mark.parametrize(
    ("aim", "advice", "answer"),
    [("kills", True, True), ("kills", False, False), ("damage", True, ASKED), ("kills", "no such answer", ASKED)],
)
def test_the_best_answer_for_an_aim_is_what_the_game_advises(aim: str, advice: Any, answer: Any) -> None:
    player = StandingOrders(orders(f"{{for: reroll, do: best, aim: {aim}}}"), Inner())
    assert player.choose(advised(advice), reroll()) == answer
    assert [n.text for n in player.log] == (
        [] if answer is ASKED else [f"'Re-roll?': {'yes' if answer else 'no'} (order for 'reroll')"]
    )


def test_where_the_game_has_no_advice_the_player_is_asked() -> None:
    assert StandingOrders(orders("{for: '*', do: best, aim: kills}"), Inner()).choose(view(), reroll()) is ASKED


def test_the_first_order_that_fits_counts() -> None:
    both = read_orders("orders: [{for: reroll, do: ask}, {for: '*', do: default}]", "x")
    assert StandingOrders(both, Inner()).choose(view(), reroll()) is ASKED


def test_every_automatic_answer_is_noted() -> None:
    noted: list[Note] = []
    player = StandingOrders(orders("{for: reroll, do: answer, answer: yes}"), Inner(), noted.append)
    player.choose(view(), reroll())
    (note,) = noted
    assert (note.player, note.decision, note.kind, note.answered) == (0, 7, "reroll", True)
    assert note.text == "'Re-roll?': yes (order for 'reroll')"
    assert player.log == noted


@pytest.mark.parametrize(
    ("stop", "decision", "player", "reason"),
    [
        ("{resource: {name: ammo, to: 0}}", reroll(), {"ammo": 1}, "ammo would drop from 1 to 0"),
        ("{resource: {name: cp, to: 0}}", reroll(), {}, "this game has no 'cp'"),
        ("{target: [leader]}", reroll(unit=3), {}, "the target is blue 0, LEADER"),
        ("{target: ['blue 1']}", reroll(about={"target": 4}), {}, "the target is blue 1"),
    ],
)
def test_an_order_ends_by_itself(stop: str, decision: Confirm, player: dict[str, int], reason: str) -> None:
    standing = StandingOrders(orders(f"{{for: reroll, do: pass, stop: {stop}}}"), Inner())
    assert standing.choose(view(**player), decision) is ASKED
    assert standing.log == [Note(0, 7, "reroll", f"The order for 'reroll' ends: {reason}.", answered=False)]
    assert standing.choose(view(ammo=5), reroll()) is ASKED, "what has ended stays so"


@pytest.mark.parametrize(
    ("stop", "decision", "player"),
    [
        ("{resource: {name: ammo, to: 0}}", reroll(), {"ammo": 2}),
        ("{target: [leader]}", reroll(unit=0), {}),
        ("{target: [leader]}", reroll(unit=4), {}),
        ("{near: 9}", reroll(), {}),
    ],
)
def test_an_order_goes_on_where_its_stop_does_not_hold(stop: str, decision: Confirm, player: dict[str, int]) -> None:
    standing = StandingOrders(orders(f"{{for: reroll, do: pass, stop: {stop}}}"), Inner())
    assert standing.choose(view(**player), decision) is False


def test_an_order_ends_after_so_many_uses() -> None:
    standing = StandingOrders(orders("{for: reroll, do: pass, stop: {uses: 2}}"), Inner())
    assert [standing.choose(view(), reroll()) for _ in range(3)] == [False, False, ASKED]


def test_an_order_ends_when_an_enemy_comes_near() -> None:
    standing = StandingOrders(orders("{for: reroll, do: pass, stop: {near: 9}}"), Inner())
    before, after = view(), view()
    after.state.models.pos[list(after.unit(3).models), 1] -= 3 * 1024
    assert standing.choose(before, reroll()) is False
    assert standing.choose(after, reroll()) is ASKED
    assert "blue 0 came within 9 of red 0" in standing.log[-1].text


def test_the_default_orders_leave_the_game_itself_to_the_player() -> None:
    setup, state = skirmish.start()
    battle: Battle[Any, Any, Any, Any] = Battle(playable.system(), setup, state, dice=KeyedDice(3)).start()
    standing = StandingOrders(DEFAULT_ORDERS, RandomPlayer(1))
    play(battle, {0: standing, 1: DefaultPlayer()})
    answered = {n.kind for n in standing.log}
    assert answered
    assert answered <= {"allocate", "order.turn_began", "react.unit_moved", "react.unit_fought"}


def test_orders_go_to_yaml_and_back() -> None:
    for written in (DEFAULT_ORDERS, orders("{for: a, do: ask, odds: 0.5, else: pass, stop: {uses: 1, target: [X]}}")):
        assert read_orders(written.dump(), "x") == written
    assert read_orders("", "x") == Orders()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("orders: [a: b: c", "o.yaml, line 1: not valid YAML"),
        ("orders: 3", "o.yaml: this is no list of orders"),
        ("orders: [{for: a}]", r"o.yaml, line 1: orders\[0\]: the field 'do' is missing"),
        (
            "orders: [{for: a, do: dance}]",
            r"o.yaml, line 1: orders\[0\].do: Invalid enum value 'dance'; it is one of answer, ask, best",
        ),
        (
            "orders: [{for: a, do: pass, odd: 1}]",
            "unknown field `odd`; its fields are for, do",
        ),
        ("orders: [{for: a, do: pass, odds: 0.1}]", r"o.yaml: orders\[0\] \(a\): odds belong to 'do: ask'"),
        ("orders: [{for: a, do: ask, odds: 7}]", "a number from 0 to 1, not 7"),
        ("orders: [{for: a, do: ask, better: 0.1}]", "'better' belongs to odds, or to 'if'"),
        ("orders: [{for: a, do: pass, if: [b]}]", "'if' belongs to 'do: ask'"),
        ("orders: [{for: a, do: ask, if: ['']}]", "a pattern has 1 to 200 characters"),
        ("orders: [{for: a, do: ask, odds: 0.1, better: 7}]", "'better' is a number from 0 to 1, not 7"),
        ("orders: [{for: a, do: pass, answer: 1}]", "an answer belongs to 'do: answer'"),
        ("orders: [{for: a, do: answer}]", "an answer belongs to 'do: answer'"),
        ("orders: [{for: a, do: best}]", "'do: best' needs an aim: destroy, kills, damage, points"),
        ("orders: [{for: a, do: pass, aim: kills}]", "an aim belongs to 'do: best'"),
        ("orders: [{for: a, do: best, aim: glory}]", "Invalid enum value 'glory'"),
        ("orders: [{for: '', do: pass}]", "a pattern has 1 to 200 characters"),
        ("orders: [{for: a, do: pass, stop: {uses: 0}}]", "used at least once"),
        ("orders: [{for: a, do: pass, stop: {near: -1}}]", "'near' is a distance"),
        ("a: &x 1\norders: [*x]", "YAML aliases"),
        ("[" * 5000, "nested too deeply"),
        ("orders: [" + "{for: a, do: pass}, " * 201 + "]", "at most 200 orders"),
    ],
)
def test_orders_that_make_no_sense_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        read_orders(text, "o.yaml")


def test_orders_for_a_question_that_is_never_asked_are_refused_with_the_nearest() -> None:
    system = systems.get("w40k8")
    check_kinds(orders("{for: test_morale, do: default}"), system, "mine.yaml")
    check_kinds(orders("{for: 'tst_*', do: default}"), system, "mine.yaml")
    with pytest.raises(UserError, match=r"orders\[0\]: .* asks no question 'tst_morale'; did you mean 'test_morale'"):
        check_kinds(orders("{for: tst_morale, do: default}"), system, "mine.yaml")


def test_what_costs_nothing_is_taken_and_the_rest_is_asked() -> None:
    free = orders("{for: reroll, do: free}")
    standing = StandingOrders(free, Inner())
    assert standing.choose(view(), reroll()) is ASKED, "to pass is the plain answer"
    number = Number(player=0, kind="reroll", prompt="How many?", least=2, most=4)
    assert standing.choose(view(), number) == 2


def test_an_order_may_be_for_certain_offers_only() -> None:
    shots = orders("{for: react, options: ['Fire*'], do: pass}")
    standing = StandingOrders(shots, Inner())
    fire = (Option(1, "Fire Overwatch: Boyz"), Option(2, "Fire Overwatch: Nobz"))
    only = Choose(player=0, kind="react", prompt="React?", options=fire, optional=True)
    mixed = Choose(player=0, kind="react", prompt="React?", options=(*fire, Option(3, "Hide")), optional=True)
    assert standing.choose(view(), only) is None
    assert standing.choose(view(), mixed) is ASKED


def test_an_order_may_arm_a_unit_by_what_is_offered() -> None:
    standing = StandingOrders(orders("{for: react, offers: ['*Boyz*'], do: ask}\n  - {for: react, do: pass}"), Inner())
    boyz, nobz = Option(1, "Fire Overwatch: Boyz"), Option(2, "Fire Overwatch: Nobz")
    armed = Choose(player=0, kind="react", prompt="React?", options=(nobz, boyz), optional=True)
    other = Choose(player=0, kind="react", prompt="React?", options=(nobz,), optional=True)
    assert standing.choose(view(), armed) is ASKED
    assert standing.choose(view(), other) is None


def test_an_order_may_ask_about_every_reaction_to_something() -> None:
    given = orders("{for: 'react.after_*', do: ask, every: true}\n  - {for: react.unit_set_up, do: ask}")
    assert awaits(given, systems.get("w40k10")) == ["after_roll"]


@pytest.mark.parametrize(
    ("line", "fits"),
    [
        ("{for: react.after_roll, do: ask, every: true}", True),
        ("{for: react.after_roll, do: pass, every: true}", False),
        ("{for: react.after_roll, do: ask, odds: 0.5, every: true}", False),
        ("{for: shoot, do: ask, every: true}", False),
    ],
)
def test_every_belongs_to_asking_about_reactions(line: str, fits: bool) -> None:
    with nullcontext() if fits else pytest.raises(UserError, match="'every' belongs to 'do: ask'"):
        orders(line)


def test_the_orders_in_the_documentation_can_be_read() -> None:
    text = (Path(__file__).parents[2] / "docs" / "orders.md").read_text()
    examples = [read_orders(found, "docs/orders.md") for found in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)]
    assert [len(example.orders) for example in examples] == [6, 5]
    explained = " ".join(line.split("|")[1] for line in text.splitlines() if line.startswith("| `"))
    assert all(f"`{field.encode_name}`" in explained for field in msgspec.structs.fields(Order))


def test_those_for_11th_edition_are_for_questions_that_it_asks() -> None:
    text = (Path(__file__).parents[2] / "docs" / "orders.md").read_text()
    example = read_orders(re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)[1], "docs/orders.md")
    words = vocabulary(systems.get("w40k11"))
    asked = [*(question.kind for question in words.questions), *words.reactions]
    assert [order.kinds for order in example.orders if not fnmatch.filter(asked, order.kinds)] == []


def test_a_system_brings_default_orders_of_its_own() -> None:
    from sandtable import systems

    first, *rest = default_orders(systems.get("w40k10")).orders
    assert first.options == ("Fire Overwatch*",)
    assert tuple(rest) == (Order("reroll", "ask", matters=("*",)), *DEFAULT_ORDERS.orders)


@pytest.mark.parametrize("text", ["please pass everything", "- {for: '*', do: pass}", "orders: pass", "orders: [pass]"])
def test_what_is_no_list_of_orders_is_told_how_one_looks(text: str) -> None:
    with pytest.raises(UserError, match=r"this is no list of orders.*such as - {for"):
        read_orders(text, "Your orders")
