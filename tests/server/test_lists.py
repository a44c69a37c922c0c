"""Army lists of strangers: read in any form, told before they are played, and kept by the battle they are played in."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.armies.packs import find_list
from sandtable.brought import read_brought
from sandtable.errors import UserError
from sandtable.server import lists
from sandtable.server import thinking as thoughts
from sandtable.server.catalogue import Wish, build, settled
from sandtable.server.protocol import ListRead, ReadList
from sandtable.server.protocol.lists import MOST_TOLD
from sandtable.server.thinking import NoThought, Thinking
from server.live import Server
from server.test_playing import catch_up
from support.exports import (
    FORMS,
    HOST,
    LEGION,
    OF_TENTH,
    Unit,
    listforge_link,
    newrecruit_json,
    official,
    wtc_compact,
)

SAMPLES = Path(__file__).parents[2].parent / "shared" / "bsdata" / "lists"
READ = msgspec.json.Decoder(ListRead)
EVIL = "<img src=x onerror=alert(1)>"


def read(server: Server, text: str, **more: Any) -> ListRead:
    """What the server understands; whatever it says is what the documentation says."""
    status, told = server.post("/api/lists", {"text": text, **more})
    assert status == 200, told
    return READ.decode(json.dumps(told))


# --- What is told -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_a_list_is_read_in_any_form(server: Server, form: str) -> None:
    found = read(server, FORMS[form](LEGION))
    assert (found.system, found.name, found.faction, found.detachments) == (
        "w40k11", "Legion of Dust", "Necrons", ["Awakened Dynasty"],
    )  # fmt: skip
    assert (found.cost, found.limit, found.reported, found.measure) == (305, 1000, 305, "points")
    assert [(unit.name, unit.models) for unit in found.units] == [
        ("Overlord", 1), ("Plasmancer", 1), ("Necron Warriors", 10), ("Immortals", 5),
    ]  # fmt: skip
    assert "Warlord" in found.units[0].marks
    assert found.problems == []


def test_it_is_what_the_command_line_understands(server: Server) -> None:
    told, here = read(server, wtc_compact(HOST)), read_brought(wtc_compact(HOST), "x").list
    assert told.doubts == list(here.doubts)
    assert "did you mean Necron Warriors?" in told.doubts[0]


def test_abilities_are_counted_and_those_that_are_left_named(server: Server) -> None:
    found = read(server, official(LEGION))
    left = [line for line in found.left if line.state in ("left", "in part")]
    assert found.abilities.left + found.rules.left == len(left)
    assert found.core == 2


def test_the_system_follows_from_the_list_unless_one_is_wanted(server: Server) -> None:
    tenth = read(server, official(OF_TENTH))
    assert (tenth.system, tenth.others) == ("w40k10", ("w40k11",))
    assert read(server, official(OF_TENTH), system="w40k11").system == "w40k11"
    even = wtc_compact(LEGION._replace(units=(LEGION.units[3],)))
    assert [read(server, even, rather=id_).system for id_ in ("", "w40k10")] == ["w40k11", "w40k10"]


def test_what_keeps_an_army_from_being_played_is_told_with_the_rest(server: Server) -> None:
    found = read(server, wtc_compact(LEGION._replace(units=LEGION.units[2:])))
    assert found.problems[0].startswith("The army has no CHARACTER")
    assert len(found.units) == 2


def test_a_unit_without_a_datasheet_has_no_models(server: Server) -> None:
    found = read(server, find_list("orks-1000-horde").read_text().replace("sheet: boyz", "sheet: elves"))
    assert [unit.models for unit in found.units if unit.name == "First Mob"] == [0]
    assert any("elves" in problem for problem in found.problems)


def test_names_are_told_as_they_are_and_no_signs_that_nobody_sees(server: Server) -> None:
    text = newrecruit_json(LEGION._replace(name=f"{EVIL}\u202e\x1b[2J", units=(*LEGION.units, Unit(EVIL, 1, 5, ()))))
    found = read(server, text)
    assert found.name == f"{EVIL} [2J"
    assert any(EVIL in doubt for doubt in found.doubts)


def test_more_doubts_than_anybody_reads_are_counted() -> None:
    assert lists._some(["a"] * MOST_TOLD) == ["a"] * MOST_TOLD
    assert lists._some(["a"] * (MOST_TOLD + 2)) == [*["a"] * MOST_TOLD, "And 2 more."]


@pytest.mark.parametrize("wanted", [{"system": "w40k99"}, {"rather": "w40k99"}])
def test_systems_that_are_none_are_refused(server: Server, wanted: dict[str, str]) -> None:
    status, told = server.post("/api/lists", {"text": official(LEGION), **wanted})
    assert (status, told["error"].startswith("There is no system 'w40k99'")) == (400, True)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason=f"the sample lists are not here: {SAMPLES}")
@pytest.mark.parametrize("path", sorted(str(p.relative_to(SAMPLES)) for p in SAMPLES.glob("*/input*")))
def test_real_samples_are_read(server: Server, path: str) -> None:
    found = read(server, (SAMPLES / path).read_text("utf-8"))
    assert found.system == "w40k11"
    assert len(found.units) >= 2
    expected = {"c": "Chaos", "g": "Grey Knights", "s": "Adeptus Astartes"}[path[0]]
    assert found.faction.startswith(expected)


# --- What is played ---------------------------------------------------------------------------------------------------


def test_the_text_of_the_reply_is_what_a_battle_takes(server: Server) -> None:
    found = read(server, official(LEGION))
    battle = server.begin(system=found.system, armies=[found.text, ""], seed=1)
    assert battle.title.startswith("Legion of Dust (Necrons) against ")
    assert read(server, found.text).units == found.units


@pytest.mark.parametrize("form", [wtc_compact, listforge_link], ids=["many lines", "one line"])
def test_a_battle_takes_a_list_in_any_form(server: Server, form: Any) -> None:
    battle = server.begin(system="w40k11", armies=[form(LEGION), "orks-1000-dreads"], seed=1)
    assert battle.title.startswith("Legion of Dust (Necrons) against ")


def test_who_has_a_large_army_meets_a_large_one(server: Server) -> None:
    text = find_list("orks-2000-horde").read_text()
    for wish in (text, "orks-2000-horde"):
        title = server.begin(armies=[wish, ""], seed=5).title
        names = {a["name"] for a in offered(server, "w40k10") if a["points"] == 2000}
        assert title.partition(" against ")[2].partition(" (")[0] in names


def test_what_a_list_comes_to_counts_and_not_how_much_it_might_have(server: Server) -> None:
    title = server.begin(system="w40k11", armies=[official(LEGION._replace(limit=2000)), ""], seed=5).title
    names = {a["name"] for a in offered(server, "w40k11") if a["points"] == 1000}
    assert title.partition(" against ")[2].partition(" (")[0] in names


def test_a_small_army_that_might_be_larger_meets_the_small_one_that_somebody_chose(server: Server) -> None:
    wish = [official(LEGION._replace(limit=2000)), "orks-1000-dreads"]
    assert server.begin(system="w40k11", armies=wish, seed=5).title.startswith("Legion of Dust (Necrons) against ")


def offered(server: Server, system: str) -> list[dict[str, Any]]:
    found = json.loads(server.get("/api/systems")[2])
    return list(next(one["armies"] for one in found if one["id"] == system))


def test_a_list_that_breaks_a_rule_begins_no_battle(server: Server) -> None:
    wish = {"system": "w40k11", "armies": [wtc_compact(LEGION._replace(units=LEGION.units[2:])), ""]}
    status, told = server.post("/api/battles", wish)
    assert (status, "no CHARACTER" in told["error"]) == (400, True)


def test_a_battle_keeps_its_list_through_a_kill_and_in_its_file(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        found = read(server, official(LEGION))
        battle = server.begin(system=found.system, armies=[found.text, found.text], seed=1, seats=["mine", "mine"])
        with battle.sit(0) as red, battle.sit(1) as blue:
            for _ in range(4):
                (red if red.open else blue).go_on()
                catch_up(red, blue)
            names = [unit["name"] for unit in red.welcome["view"]["units"]]
            asked = red.now["waiting"]
        server.kill()
        server.start()
        with battle.sit(0) as red:
            assert [unit["name"] for unit in red.welcome["view"]["units"]] == names
            assert red.now["waiting"] == asked
            card = red.ask("card", unit=0)
            assert "Overlord" in json.dumps(card)
            red.ask("concede")
        status, _, data = server.get(f"/api/battles/{battle.id}/journal", authorization=f"Bearer {battle.tokens[0]}")
        assert status == 200
        status, _, page = server.fetch("/api/replay", data)
        assert (status, b"Legion of Dust" in page) == (200, True)
    file = tmp_path / "game.battle"
    file.write_bytes(data)
    # Whoever replays it elsewhere needs neither the list nor what it was exported from.
    assert sandtable.load(file).setup.armies == ("Legion of Dust (Necrons)",) * 2


# --- Who means harm ---------------------------------------------------------------------------------------------------


def test_a_list_that_takes_too_long_costs_its_process_and_nothing_else() -> None:
    async def play() -> None:
        thinking = Thinking(1, 0.01)
        with pytest.raises(NoThought):
            await thinking.run("read_list", ReadList(official(LEGION)))
        thinking._longest = 60.0
        assert (await thinking.run("read_list", ReadList(official(LEGION)))).name == "Legion of Dust"
        with pytest.raises(UserError, match="Your list: "):
            await thinking.run("read_list", ReadList("hello"))
        await thinking.close()

    asyncio.run(play())


def test_no_list_pays_for_the_time_in_which_its_process_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        thinking = Thinking(1)
        monkeypatch.setattr(thoughts, "STARTING", 0.01)
        with pytest.raises(NoThought):
            await thinking.run("rules", ())
        monkeypatch.undo()
        assert await thinking.run("rules", ()) == []
        # From then on it is there.
        monkeypatch.setattr(thoughts, "STARTING", 0.01)
        assert await thinking.run("rules", ()) == []
        await thinking.close()

    asyncio.run(play())


def test_a_server_can_be_warmed_for_lists() -> None:
    program = "from sandtable.server import lists; from sandtable.armies import imported; lists.warm()"
    told = f"{program}; print(imported.dataset.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", told], check=True, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "1"


def test_a_refusal_tells_no_folder_of_this_machine() -> None:
    with pytest.raises(UserError) as refused:
        build(settled(Wish(system="w40k11", armies=("orks-1000-horde", "orks-1000-dreads"))))
    assert "/" not in str(refused.value)
