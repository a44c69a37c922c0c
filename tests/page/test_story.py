"""The story behind a replay page: complete, compact, and without secrets."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

import sandtable
from sandtable.battle import journal
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.events import Changed, Joined, Placed, Told
from sandtable.battle.machine import Battle
from sandtable.battle.rulings import PutModel, Settle, SetWounds
from sandtable.battle.state import GONE, TABLE, from_bytes
from sandtable.battle.world import World
from sandtable.errors import UserError
from sandtable.page import wording
from sandtable.page.frames import MAX_FRAMES, Teller
from sandtable.page.story import ANSWER, ENDED, ROLLED, TOLD, Line, Story, tell
from sandtable.page.story import _opening as story_of
from sandtable.page.story import marks as told_marks
from sandtable.players import RandomPlayer
from sandtable.players import play as play_with
from support import games, playable

AnyBattle = Battle[Any, Any, Any, Any]


@cache
def fought(system: str, seed: int = 4) -> AnyBattle:
    battle = sandtable.new(system, seed=seed)
    play_with(battle, {p.id: RandomPlayer(seed + p.id) for p in battle.state.players})
    return battle


def skirmish(seed: int = 3) -> AnyBattle:
    return games.play(games.new(seed, system=playable.system()), Random(seed))


def last(story: Story) -> dict[str, np.ndarray[Any, Any]]:
    """Where everything is after the last frame, from the story alone."""
    _, unit, x, y, z, facing, wounds, place = np.array(story.models, dtype=np.int64).T.copy()
    for frame in story.frames:
        for m, *where in frame.moved:
            x[m], y[m], z[m], facing[m] = where[:4]
        for m, value in frame.placed:
            place[m] = value
        for m, value in frame.wounds:
            wounds[m] = value
        for m, value in frame.joined:
            unit[m] = value
    return {"x": x, "y": y, "z": z, "facing": facing, "wounds": wounds, "place": place, "unit": unit}


def assert_ends_as(story: Story, battle: AnyBattle) -> None:
    end, models = last(story), battle.state.models
    for k, axis in enumerate("xyz"):
        assert end[axis].tolist() == models.pos[:, k].tolist()
    for name in ("facing", "wounds", "place", "unit"):
        assert end[name].tolist() == getattr(models, name).tolist(), name
    marks, numbers = list(story.marks), list(story.numbers)
    for frame in story.frames:
        for unit, now in frame.marks:
            marks[unit] = now
        for player, figures in frame.numbers:
            numbers[player] = figures
    assert marks == [told_marks(battle, u) for u in battle.state.units]
    assert numbers == [wording.numbers(battle, p) for p in battle.state.players]


def lines(story: Story, kind: int) -> list[Line]:
    return [line for frame in story.frames for line in frame.lines if line.kind == kind]


@pytest.mark.parametrize("system", ["w40k10", "epica"])
def test_the_story_comes_to_the_end_of_the_battle(system: str) -> None:
    battle = fought(system)
    story = tell(battle)
    assert_ends_as(story, battle)
    assert battle.result is not None and story.result is not None
    assert story.result["winners"] == list(battle.result.winners)
    assert [line.text for line in lines(story, ENDED)] == [battle.result.reason]
    assert story.headings[0].frame == 1
    assert [h.frame for h in story.headings] == sorted({h.frame for h in story.headings})
    rolled = [face for e in battle.events if hasattr(e, "faces") for face in e.faces]
    assert "".join(line.faces for line in lines(story, ROLLED)) == "".join(map(str, rolled))


@pytest.mark.parametrize(
    ("system", "winners", "verdict"),
    [("w40k10", (0,), "Red wins"), ("epica", (1,), "orks win"), ("epica", (0, 1), "marines and orks win"),
     ("w40k10", (), "A draw")],
)  # fmt: skip
def test_the_end_is_told_as_its_winners_are_called(system: str, winners: tuple[int, ...], verdict: str) -> None:
    battle = sandtable.new(system, seed=1)
    battle.rule(Settle(winners))
    story = tell(battle)
    assert story.result is not None and story.result["verdict"] == verdict


def test_a_battle_with_undo_and_rulings_comes_to_its_end_too() -> None:
    battle = games.play(games.new(5, system=playable.system()), Random(1), 12)
    battle.undo(3)
    games.play(battle, Random(2), 6)
    battle.rule(SetWounds(0, 1))
    battle.rule(PutModel(1, 5000, 6000))
    games.play(battle, Random(3))
    story = tell(battle)
    assert_ends_as(story, battle)
    assert story.result is not None and story.result["rulings"] == 2


def test_a_running_battle_can_be_told_and_keeps_its_seed_to_itself() -> None:
    battle = games.play(games.new(987654321, system=playable.system()), Random(3), 20)
    assert battle.result is None
    story = tell(battle)
    assert story.result is None and story.seed is None
    assert b"987654321" not in msgspec.json.encode(story)
    assert_ends_as(story, battle)


def test_a_spectator_learns_no_secrets() -> None:
    battle = skirmish()
    planned = [line for line in lines(tell(battle), ANSWER) if line.text.startswith("Secret plan")]
    assert [line.said for line in planned] == ["decided in secret"] * 2


def test_the_same_battle_gives_the_same_story() -> None:
    one, other = skirmish(), skirmish()
    assert msgspec.json.encode(tell(one)) == msgspec.json.encode(tell(other))


def test_telling_changes_nothing() -> None:
    battle = games.play(games.new(3, system=playable.system()), Random(3), 25)
    before = games.snapshot(battle), journal.write(battle)
    tell(battle)
    assert (games.snapshot(battle), journal.write(battle)) == before


def test_answers_go_with_what_comes_of_them() -> None:
    story = tell(fought("w40k10"))
    # Overwatch may come between the answer and the move.
    frame = next(f for f in story.frames if f.moved and f.lines[0].kind == ANSWER)
    assert [line.kind for line in frame.lines] == [*[ANSWER] * (len(frame.lines) - 1), TOLD]
    assert frame.lines[0].text == "Which unit moves next?"
    assert frame.lines[1].said.startswith("Normal move, ")


def test_rolls_of_a_kind_that_follow_each_other_are_one_throw() -> None:
    story = tell(listed())
    for frame in story.frames[story.start + 1 :]:
        assert len([line for line in frame.lines if line.kind == ROLLED]) <= 1


@cache
def listed() -> AnyBattle:
    """A battle of two army lists, with all of its set-up."""
    battle = sandtable.new("w40k10", armies={"red": "orks-1000-horde", "blue": "necrons-1000-legion"}, seed=3)
    play_with(battle, {0: RandomPlayer(1), 1: RandomPlayer(2)})
    return battle


def test_each_step_of_the_set_up_is_one_frame_and_the_page_opens_after_them() -> None:
    battle = listed()
    story = tell(battle)
    before = [h for h in story.headings if h.round == "Setup"]
    assert story.start == before[-1].frame == len(before) < 15
    assert story.headings[len(before)].frame == story.start + 1
    placed = {m for frame in story.frames[: story.start + 1] for m, place in frame.placed if place == TABLE}
    assert len(placed) > len(battle.state.models.unit) / 2
    opening = [line for frame in story.frames[: story.start + 1] for line in frame.lines]
    assert len(opening) > 2 * len(before), "nothing that was told is lost"


def test_a_battle_that_begins_at_once_opens_with_its_first_frame() -> None:
    story = tell(fought("epica"))
    assert story.start == 0


def test_zones_and_datasheets_come_with_the_story() -> None:
    battle = sandtable.new("w40k10", armies={"red": "orks-1000-horde", "blue": "necrons-1000-legion"}, seed=3)
    story = tell(battle)
    assert [len(outline) for outline, _ in story.zones] == [8, 8]
    assert {player for _, player in story.zones} == {-1}, "nobody is the Attacker yet"
    assert sorted(player for _, player in tell(listed()).zones) == [0, 1]
    cards = [card for card in story.cards if card is not None]
    assert [card.name for card in cards] == [u.name for u in battle.state.units]
    assert all(card.models and card.weapons and card.keywords for card in cards)


def test_what_a_unit_is_called_later_is_told_with_its_fallen() -> None:
    battle = sandtable.new("w40k10", armies={"red": "tyranids-1000-swarm", "blue": "necrons-1000-legion"}, seed=7)
    leaders = [u for u in battle.state.units if u.player == 0]
    first, second = leaders[0], leaders[1]
    teller, story = telling(battle)
    teller.hear(Joined(first.models, second.id))
    teller.hear(Changed("unit", second.id, {"models": (*second.models, *first.models)}))
    teller.hear(Changed("unit", first.id, {"models": ()}))
    teller.hear(Placed(second.models, GONE))
    teller.hear(Changed("unit", first.id, {"name": second.name}))
    teller.hear(Changed("unit", second.id, {"name": first.name}))
    teller.hear(Told("anything", "It happened."))
    teller.close()
    named = next(frame for frame in story.frames if frame.names)
    assert [(u, name) for u, name, _ in named.names] == [(first.id, second.name), (second.id, first.name)]
    assert {m for m, unit in named.joined if unit == first.id} == set(second.models)


def telling(battle: AnyBattle) -> tuple[Teller, Story]:
    """A teller who has heard nothing yet."""
    system = battle.system
    start = from_bytes(battle.start_bytes, system.unit_type, system.player_type, system.game_type)
    world: World[Any, Any, Any, Any] = World(system, battle.setup, start, battle.ground)
    story = story_of(battle, world)
    return Teller(story, world, {}, {}), story


def test_rules_are_explained_once_by_the_ledger() -> None:
    story = tell(fought("w40k10"))
    ids = [rule[0] for rule in story.rules]
    assert len(ids) == len(set(ids)) > 5
    assert all(name and where and text for _, name, where, text in story.rules)
    used = {r for frame in story.frames for line in frame.lines for r in line.rules}
    assert used == set(range(len(ids)))


def test_a_long_battle_stays_small() -> None:
    battle = fought("w40k10")
    story = msgspec.json.encode(tell(battle))
    # A battle of 2,000 points over five rounds has about thirty times the events of the sample.
    assert len(story) / len(battle.events) * 30_000 < 4 << 20
    assert len(story) < 100_000


def test_a_battle_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_FRAMES <= 20_000
    monkeypatch.setattr("sandtable.page.frames.MAX_FRAMES", 10)
    with pytest.raises(UserError, match="at most 10 moments"):
        tell(skirmish())


def test_a_fork_has_no_beginning_to_tell() -> None:
    with pytest.raises(UserError, match="cannot be told from its beginning"):
        tell(games.new().fork())


def test_a_battle_with_written_dice_is_told_without_its_questions() -> None:
    battle = games.new(dice=ScriptedDice([6] * 500), system=playable.system())
    story = tell(games.play(battle, Random(1), 20))
    assert not lines(story, ANSWER)
    assert lines(story, TOLD)
    assert not story.again


def test_short_labels_differ() -> None:
    names = ["Tactical Squad", "Tactical Squad", "Terminators", "Term", "", "<>", "9th Foot 12"]
    made = wording.labels(names)
    assert made == ["TS", "TS2", "Termi.", "Term", "?", "<>", "9F12"]
    assert len(set(made)) == len(names)


def test_markers_that_players_place_come_up_when_they_are_placed() -> None:
    """In Only War the players place the markers: the opening shows none, a later frame all."""
    battle = sandtable.new(
        "w40k10", armies={"red": "space-marines-1000-gunline", "blue": "orks-1000-horde"}, mission="only-war", seed=4
    )
    while battle.state.segment == "setup":
        decision = battle.decisions[0]
        battle.answer(decision, battle.default(decision))
    story = tell(battle)
    assert story.title == "Hold the Line (Space Marines) against Green Tide (Orks)"
    counts = [len(frame.objectives) for frame in story.frames if frame.objectives is not None]
    assert story.objectives == []
    assert counts == sorted(counts)
    assert counts[-1] == len(battle.state.game.markers) > 1


def test_every_frame_says_how_many_events_have_happened_by_then() -> None:
    battle = skirmish()
    story = tell(battle)
    heard = [frame.heard for frame in story.frames]
    assert story.again
    assert heard[0] == 0
    assert heard == sorted(heard)
    assert heard[-1] == len(battle.events)
