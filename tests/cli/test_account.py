"""The account of a battle: a short one by default, all of it with --verbose."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.battle.events import AnyEvent, Changed, Told
from sandtable.cli.account import say_result
from sandtable.cli.main import main
from sandtable.cli.short_account import ShortAccount, account_of
from sandtable.players import play, tactician
from support import playable

Capture = pytest.CaptureFixture[str]


@cache
def fought(seed: int) -> Any:
    """A battle of two drawn lists between computer players."""
    from sandtable.armies.lists import draw_lists

    red, blue = draw_lists("w40k10", seed)
    battle = sandtable.new("w40k10", armies={"red": red, "blue": blue}, seed=seed)
    play(battle, {0: tactician(), 1: tactician()})
    return battle


def told(battle: Any, events: list[AnyEvent] | None = None, **how: Any) -> list[str]:
    lines: list[str] = []
    account = account_of(battle, lambda line: lines.append(line.plain), **how)
    for event in battle.events if events is None else events:
        account.tell(event)
    account.finish()
    return lines


# --- Whole battles ----------------------------------------------------------------------------------------------------


def test_a_battle_is_told_in_about_150_lines_and_in_full_with_verbose() -> None:
    short, full = told(fought(7)), told(fought(7), verbose=True)
    assert 110 <= len(short) <= 190
    assert len(full) > 400
    assert not any("(The usual answer.)" in line for line in short)
    assert not any("[w40k10." in line for line in short)


def test_the_short_account_has_every_loss() -> None:
    battle = fought(7)
    dead = sum(len(e.data["destroyed"]) for e in battle.events if isinstance(e, Told) and "destroyed" in e.data)
    named = [word for line in told(battle) for word in line.replace(";", ".").replace(":", ".").split(".")]
    counted = sum(int(word.strip().removesuffix(" dead")) for word in named if word.strip().endswith(" dead"))
    assert counted == dead > 20


def test_the_headings_tell_the_score_and_the_result_names_the_winner_first() -> None:
    battle = fought(11)
    lines = told(battle)
    names = [p.name for p in battle.state.players]
    assert "Round 1, turn of" in "".join(lines)
    assert any(line.startswith("Round 5, turn of ") and all(name in line for name in names) for line in lines)
    winner = battle.player(battle.result.winners[0]).name
    assert say_result(battle, battle.result).split("(")[1].startswith(f"{winner} ")
    victor = next(e for e in battle.events if isinstance(e, Told) and e.kind == "victor")
    assert victor.text.startswith(f"{winner} wins: {winner} ")


# --- Line by line -----------------------------------------------------------------------------------------------------


def attack(unit: int, against: int, attacks: int, hits: int, wounds: int, unsaved: int, *dead: int) -> Told:
    figures = {"attacks": attacks, "hits": hits, "wounds": wounds, "unsaved": unsaved, "damage": unsaved}
    return Told("attack", "...", (), (unit, against), {**figures, "destroyed": list(dead)})


def lines_of(*events: AnyEvent) -> list[str]:
    """What the short account makes of some events at the start of a battle, without headings."""
    found = told(fought(7), list(events))
    return [line.strip() for line in found if line.startswith("  ")]


def names(*units: int) -> list[str]:
    start = sandtable.new("w40k10", armies=dict(zip(("red", "blue"), lists(), strict=True)), seed=7)
    return [start.unit(u).name for u in units]


def lists() -> tuple[str, str]:
    from sandtable.armies.lists import draw_lists

    return draw_lists("w40k10", 7)


def test_all_attacks_of_a_unit_are_one_line_target_by_target() -> None:
    one, two, three = names(0, 12, 13)
    shooting = Told("shoots", "...", (), (0, 12, 13))
    found = lines_of(shooting, attack(0, 12, 6, 4, 3, 2, 40, 41), attack(0, 12, 4, 3, 2, 1), attack(0, 13, 2, 0, 0, 0))
    verb = "shoots" if found[0].startswith(f"{one} shoots") else "shoot"
    said = f"{one} {verb} {two}: 10 attacks, 7 hits, 5 wounds, 3 unsaved: 2 dead; {three}: 2 attacks, no hits."
    assert found == [said]


def test_what_becomes_of_the_target_ends_the_line() -> None:
    gone = Told("unit_destroyed", "They are destroyed.", (), (12,), {"part": "unit"})
    found = lines_of(Told("shoots", "...", (), (0, 12)), gone, attack(0, 12, 6, 4, 3, 2, 40, 41))
    assert len(found) == 1
    assert found[0].endswith(": 2 dead. They are destroyed.")


def test_the_end_of_a_unit_is_told_with_the_attack_that_brought_it() -> None:
    gone = Told("unit_destroyed", "They are destroyed.", (), (12,), {"part": "unit"})
    shooting = [Told("shoots", "...", (), (unit, 12)) for unit in (0, 1)]
    first, last = lines_of(shooting[0], attack(0, 12, 6, 4, 3, 0), shooting[1], gone, attack(1, 12, 6, 4, 3, 2, 40, 41))
    assert first.endswith("0 unsaved.")
    assert last.endswith(": 2 dead. They are destroyed.")


def test_mortal_wounds_without_an_attack_are_inflicted() -> None:
    mortal = Told("mortal-wounds", "...", (), (0, 12), {"points": 3, "damage": 3, "destroyed": []})
    two = names(12)[0]
    assert lines_of(mortal)[0].endswith(f" 3 mortal wounds on {two}: 3 wounds lost.")


def test_moves_are_listed_and_what_is_of_no_account_is_left_out() -> None:
    moves = [Told("moved", "...", (f"w40k10.move.{how}",), (unit,)) for unit, how in ((0, "normal"), (1, "advance"))]
    found = lines_of(moves[0], Told("phase", "Movement phase."), moves[1], Told("stationary", "...", (), (2,)))
    one, two, three = names(0, 1, 2)
    assert found == [f"move: {one}; Advance: {two}; stay: {three}"]


def test_of_a_marker_only_the_last_holder_is_told_when_the_turn_ends() -> None:
    from sandtable.battle.events import Changed

    holds = [Told("control", "...", (), (), {"marker": m, "player": p}) for m, p in ((1, 0), (0, -1), (1, 1))]
    assert lines_of(*holds) == []
    red, blue = (p.name for p in fought(7).state.players)
    assert lines_of(*holds, Changed("clock", -1, {"active": 1})) == [f"objectives: 1 nobody, 2 {blue}"]
    assert red != blue


def test_mortal_wounds_of_an_attack_are_told_with_it() -> None:
    mortal = Told("mortal-wounds", "...", (), (0, 12), {"points": 3, "damage": 3, "destroyed": [42]})
    found = lines_of(Told("shoots", "...", (), (0, 12)), attack(0, 12, 6, 4, 3, 2, 40), mortal)
    assert found[0].endswith("6 attacks, 4 hits, 3 wounds, 2 unsaved, 3 mortal wounds: 2 dead.")


# --- With a person at the table ---------------------------------------------------------------------------------------


def test_a_person_sees_the_dice_and_others_do_not(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    playable.register(monkeypatch)
    battle = sandtable.new("skirmish", seed=3)
    from sandtable.players import RandomPlayer

    play(battle, {0: RandomPlayer(1), 1: RandomPlayer(2)})
    assert any(" rolls hit: " in line for line in told(battle, people=[0]))
    assert not any(" rolls hit: " in line for line in told(battle))


def test_what_was_held_back_is_told_before_a_person_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    playable.register(monkeypatch)
    battle = sandtable.new("skirmish", seed=3)
    lines: list[str] = []
    account = ShortAccount(battle, lambda line: lines.append(line.plain), people=[0])
    account.tell(Told("anything", "Something happened."))
    assert lines == []
    account.asked(next(d for d in battle.decisions if d.player == 0))
    assert lines[-1].endswith("Something happened.")


def test_a_person_is_asked_under_the_heading_of_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    playable.register(monkeypatch)
    battle = sandtable.new("skirmish", seed=3)
    lines: list[str] = []
    account = ShortAccount(battle, lambda line: lines.append(line.plain), people=[0])
    account.asked(next(d for d in battle.decisions if d.player == 0))
    assert [bool(line) for line in lines] == [False, True]


def test_a_round_begins_under_the_heading_of_its_first_turn() -> None:
    lines = told(fought(11), verbose=True)
    begun = [i for i, line in enumerate(lines) if line.strip().startswith("Battle round 2.")]
    heads = [line for line in lines if line.startswith("Round 2, turn of")]
    assert (len(begun), lines[begun[0] - 1] == heads[0], len(heads)) == (1, True, 2)


def test_replay_tells_the_short_account_and_verbose_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    playable.register(monkeypatch)
    file = tmp_path / "g.battle"
    assert main(["battle", "--seed", "6", "--players", "random,random", "--save", str(file)]) == 0
    first = capsys.readouterr().out.splitlines()[2:-1]  # without what the battle is, and who plays
    assert main(["replay", str(file)]) == 0
    assert capsys.readouterr().out.splitlines()[:-1] == first
    assert main(["replay", str(file), "--verbose"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > len(first) + 20


def test_the_end_of_a_unit_is_told_after_the_mortal_wounds_that_bring_it_about() -> None:
    gone = Told("unit_destroyed", "They are destroyed.", (), (12,), {"part": "unit"})
    suffered = Told("mortal-wounds", "They suffer 1 mortal wound.", (), (12,), {"points": 1})
    others = Told("mortal-wounds", "Others suffer 1 mortal wound.", (), (13,), {"points": 1})
    short, full = lines_of(gone, suffered, others), told(fought(7), [gone, suffered, others], verbose=True)
    wanted = ["They suffer 1 mortal wound.", "They are destroyed.", "Others suffer 1 mortal wound."]
    assert (short, [line.strip() for line in full][-3:]) == (wanted, wanted)


def test_the_heading_of_a_turn_has_the_score_of_its_beginning() -> None:
    turns = [Changed("clock", -1, {"round": 2, "active": 0}), Changed("clock", -1, {"active": 1})]
    scored = Told("scored", "They score 6VP.", (), (), {"player": 0, "vp": 6})
    found = told(fought(7), [turns[0], scored, turns[1], Told("destroyed", "Somebody is gone.", (), (12,))])
    first, second = (line for line in found if line.startswith("Round 2"))
    assert ("6" in first.removeprefix("Round 2"), "6" in second.removeprefix("Round 2")) == (False, True)
