"""A system that nobody knew brings its own words: the server passes on what it says, and knows none of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import msgspec

from sandtable.battle import Battle, System, questions
from sandtable.battle.cards import Card
from sandtable.battle.dice import KeyedDice
from sandtable.battle.system import Mark
from sandtable.page.story import tell
from sandtable.server.playing import Gained, Playing
from sandtable.server.seats import PERSON, Seat
from server.live import HEARD
from support import games, skirmish

WET = Mark("wet", "wet to the bone", "pond.water")


class Game(skirmish.Game):
    """What a battle at a pond keeps."""

    phase: str = ""


def marks(world: Any, unit: skirmish.Unit) -> Iterator[Mark]:
    if unit.moved:
        yield WET
    if unit.shot:
        yield Mark("out of frogs")


def card(world: Any, unit: skirmish.Unit) -> Card:
    return Card(unit.name, keywords=("NEWT",), status=("still green",))


def pond() -> System:
    """The skirmish as a game about newts."""
    system = skirmish.system()
    begin, *others = system.segments["turn"]

    async def wade(b: Any) -> Any:
        b.set_game(phase="wading")
        return await begin(b)

    return replace(
        system,
        id="pond",
        name="Battle of the pond",
        game_type=Game,
        segments={**system.segments, "turn": (wade, *others)},
        marks=marks,
        card=card,
        numbers=lambda world, player: [("frogs", player.ammo)],
        score=lambda world: ["It is still raining."],
    )


def begun() -> Playing:
    system = pond()
    setup, state = skirmish.start()
    state = msgspec.structs.replace(state, game=Game())
    setup = msgspec.structs.replace(setup, system="pond", options=system.settle_options({}))
    battle: Battle[Any, Any, Any, Any] = Battle(system, setup, state, dice=KeyedDice(3))
    return Playing(battle.start())


def test_the_table_is_told_in_the_words_of_the_system() -> None:
    playing = begun()
    seats = [Seat("b", p, PERSON, True) for p in range(2)]
    welcome = json.loads(playing.welcome(0, "b", "Newts", seats, "free", [], 0, 1))
    HEARD.decode(json.dumps(welcome))
    assert (welcome["ground"]["system"], welcome["ground"]["name"]) == ("pond", "Battle of the pond")
    assert welcome["board"]["marks"] == [[]] * 6
    assert welcome["board"]["numbers"] == [[["frogs", 2]]] * 2
    assert (welcome["board"]["score"], welcome["board"]["phase"]) == (["It is still raining."], "")
    assert msgspec.to_builtins(playing.card(0, 2)) == msgspec.to_builtins(card(None, playing.battle.unit(2)))

    rng, board = Random(1), welcome["board"]
    while not any(board["marks"]):
        asked = playing.battle.decisions[0]
        answer = next(questions.suggest(playing.battle, asked, rng))
        gained = playing.answer(asked.player, asked.id, msgspec.to_builtins(answer), [0])
        assert isinstance(gained, Gained)
        board = json.loads(gained.told[0])["board"] or board
    (unit,) = (u.id for u in playing.battle.state.units if u.moved)
    assert board["marks"][unit] == [{"text": "wet", "name": "wet to the bone", "rule": "pond.water"}]
    assert (board["phase"], board["rounds"]) == ("wading", [[[["frogs", 2]]] * 2])


def test_the_replay_is_told_in_them_too() -> None:
    playing = begun()
    games.play(playing.battle, Random(2))
    story = tell(playing.battle)
    said = {mark for frame in story.frames for _, now in frame.marks for mark in now}
    assert said == {("wet", "wet to the bone"), ("out of frogs", "out of frogs")}
    assert "Wading phase" in {heading.phase for heading in story.headings}
    assert story.numbers == [(("frogs", 2),)] * 2
    found = story.cards[0]
    assert found is not None
    assert found.keywords == ("NEWT",)
