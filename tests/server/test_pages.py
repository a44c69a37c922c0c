"""What browsers get: strict headers, names as text, replays of battles and of files."""

from __future__ import annotations

import json
import re
import webbrowser
from html import escape
from pathlib import Path
from threading import Event

import pytest

import sandtable
from sandtable.cli.serve import _show
from sandtable.server import pages
from sandtable.server.hall import Hall
from sandtable.server.store.records import Listed, Status
from server.live import Server
from server.test_hostile import fetch, serve

EVIL = "<script>alert('red')</script> & \"more\""


@pytest.mark.parametrize("path", ["/", "/health", "/api/battles", "/api/systems", "/nothing", "/api/battles/x/journal"])
def test_every_response_keeps_browsers_strict(server: Server, path: str) -> None:
    _, headers, _ = server.get(path)
    assert headers["content-security-policy"].startswith("default-src 'none'; ")
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_the_first_page_is_there_whether_the_table_is_built_or_not(server: Server) -> None:
    status, headers, page = server.get("/")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"<title>Sandtable</title>" in page


def test_who_has_the_table_waits_for_no_list(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    (tmp_path / pages.FIRST).write_text("the table")

    async def play(hall: Hall, host: str, port: int) -> None:
        monkeypatch.setattr(hall, "listed", None)
        told = await fetch(host, port, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert told.startswith(b"HTTP/1.1 200")
        assert told.endswith(b"the table")

    serve(tmp_path, play)


def test_a_request_of_the_wrong_kind_is_refused_in_a_sentence(server: Server) -> None:
    for path in ("/api/battles/x/journal", "/nowhere"):
        status, told = server.post(path, {})
        assert (status, list(told)) == (405, ["error"])
        assert told["error"].endswith(".")


def test_a_browser_that_does_not_return_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    closed, opened = Event(), Event()

    def read(address: str) -> None:
        opened.set()
        closed.wait()

    monkeypatch.setattr(webbrowser, "open", read)
    _show("http://127.0.0.1:8000")
    assert opened.wait(60)
    closed.set()


def test_without_the_table_battles_are_listed_and_lead_to_their_replays() -> None:
    listed = Listed("si1I", "Red against Blue", "w40k10", 0.0, 0.0, Status(1, (), None), ["person", "person"])
    page = bytes(pages.plain_list([listed]).body).decode()
    assert '<a href="/battles/si1I/replay">Red against Blue</a>' in page


def test_a_battle_can_be_replayed_while_it_is_played(server: Server) -> None:
    battle = server.begin(made_up=True, seed=3, seats=["mine", "mine"])
    status, headers, replay = server.get(f"/battles/{battle.id}/replay")
    assert (status, b'id="story"' in replay) == (200, True)
    assert "script-src 'sha256-" in headers["content-security-policy"]
    assert "unsafe-inline" not in headers["content-security-policy"].split("style-src")[0]


def test_names_from_files_are_text_and_never_markup() -> None:
    status = Status(1, (), None)
    listed = Listed("id", EVIL, "w40k10", 0.0, 0.0, status, [EVIL])
    page = bytes(pages.plain_list([listed]).body).decode()
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_the_script_of_the_replay_is_the_one_that_the_policy_allows() -> None:
    policy = pages.replay(b"").headers["content-security-policy"]
    template = (Path(sandtable.__file__).parent / "page" / "template.html").read_text()
    assert len(re.findall(r"<script>", template)) == policy.count("'sha256-")
    # Inline handlers would be refused by the policy.
    assert not re.findall(r"<[^>]+\son\w+=", template.split("<script>")[0])


def test_the_built_page_is_served_from_its_folder_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # A folder on the way there may be called anything.
    root = tmp_path / "assets" / "static"
    (root / "assets").mkdir(parents=True)
    (root / "index.html").write_text("the table")
    (root / "assets" / "table-1a2b.js").write_text("1")
    (root.parent / "secret").write_text("hidden")
    monkeypatch.setattr(pages, "STATIC", root)
    assert pages.first_page([]).headers["content-security-policy"] == pages.POLICY
    found = pages.static_file("assets/table-1a2b.js")
    assert found is not None
    assert "immutable" in found.headers["cache-control"]
    first = pages.static_file("index.html")
    assert first is not None
    assert first.headers["cache-control"] == "no-cache"
    for name in ("../secret", "assets/../../secret", "/etc/passwd", "assets", ""):
        assert pages.static_file(name) is None


def test_a_battle_file_is_replayed_without_being_kept(server: Server, tmp_path: Path) -> None:
    battle = sandtable.new("epica", seed=3)
    battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
    battle.save(tmp_path / "game.battle")
    data = (tmp_path / "game.battle").read_bytes()
    status, _, page = server.fetch("/api/replay", data)
    assert (status, b'id="story"' in page) == (200, True)
    broken = json.loads(data)
    broken["entries"][0]["digest"] = "0" * 16
    status, _, told = server.fetch("/api/replay", json.dumps(broken).encode())
    assert (status, "plays the same only up to step" in told.decode()) == (400, True)


def test_what_can_be_played_is_listed(server: Server) -> None:
    offered = json.loads(server.get("/api/systems")[2])
    assert {"w40k10", "epica"} <= {system["id"] for system in offered}
    assert all(system["opponents"] and system["name"] for system in offered)
    lacks = {system["id"]: system["lacks"] for system in offered}
    assert lacks["w40k10"] == ""
    assert lacks["epica"].startswith("In the making: ")
    first = next(system for system in offered if system["id"] == "w40k10")
    wish = {"armies": [first["armies"][0]["id"], first["armies"][1]["id"]], "mission": first["missions"][0]}
    assert server.begin(layout=first["layouts"][0], **wish).title


def test_an_army_list_is_taken_as_text(server: Server) -> None:
    from sandtable.armies.packs import find_list

    text = find_list("orks-1000-horde").read_text()
    assert server.begin(armies=[text, "orks-1000-speed"]).title
    status, told = server.post("/api/battles", {"armies": [text.replace("sheet: boyz", "sheet: elves"), text]})
    assert (status, "elves" in told["error"]) == (400, True)


def test_a_list_is_read_before_anybody_plays_it(server: Server) -> None:
    from sandtable.armies.packs import find_list

    text = find_list("orks-1000-horde").read_text()
    status, told = server.post("/api/lists", {"text": text})
    named = [told[field] for field in ("system", "name", "faction", "cost", "limit", "source", "problems")]
    assert (status, named) == (200, ["w40k10", "Green Tide", "Orks", 990, 1000, "", []])
    status, told = server.post("/api/lists", {"text": text.replace("limit: 1000", "limit: elves")})
    assert (status, told["error"].startswith("Your list, line 6: limit"), "/tmp" in told["error"]) == (400, True, False)
    status, told = server.post("/api/lists", {"text": "forty orks, please"})
    assert (status, told["error"].startswith("Your list: this is no army list that we can read")) == (400, True)


def test_who_names_one_army_gets_another_drawn(server: Server) -> None:
    assert "(Necrons) against Fast and Loud (Orks)" in server.begin(seed=8).title
    assert "Green Tide (Orks) against" in server.begin(armies=["orks-1000-horde", ""], seed=3).title
    assert "against Green Tide" in server.begin(armies=["", "orks-1000-horde"], seed=3).title


def test_a_scenario_is_played_on_from_its_moment_by_whose_turn_it_is(server: Server) -> None:
    text = (Path(__file__).parents[2] / "docs" / "scenarios" / "epica" / "cover.yaml").read_text()
    status, begun = server.post("/api/battles", {"scenario": text})
    assert status == 201
    assert sorted(seat["plays"] for seat in begun["seats"]) == ["person", "tactician"]
    status, told = server.post("/api/battles", {"scenario": "system: epica\nquestion: who knows?\n"})
    assert (status, told["error"].startswith("The scenario")) == (400, True)


def test_the_replay_of_a_file_has_an_address_of_its_own(server: Server, tmp_path: Path) -> None:
    battle = sandtable.new("epica", seed=3)
    battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
    battle.save(tmp_path / "game.battle")
    status, told = server.post("/api/replays", (tmp_path / "game.battle").read_bytes())
    assert status == 201
    status, headers, page = server.get(f"/replays/{told['replay']}")
    assert (status, b'id="story"' in page, "sha256-" in headers["content-security-policy"]) == (200, True, True)
    assert server.get("/replays/another")[0] == 404


def test_replays_of_files_make_room_for_others_from_the_same_address_first(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(pages.time, "monotonic", lambda: now[0])
    shelf = pages.Shelf()
    modest = shelf.put(b"page", b"file", "modest")
    first, *others = (shelf.put(b"page", b"file", "greedy") for _ in range(pages.SHELF_SHARE + 1))
    assert shelf.get(first) is None
    assert {shelf.get(name) for name in (modest, *others)} == {b"page"}
    crowd = [shelf.put(b"page", b"file", str(host)) for host in range(pages.SHELF_ROOM - 2)]
    assert [shelf.get(name) for name in others[:-1]] == [None] * len(others[:-1])
    assert {shelf.file(name) for name in (modest, *crowd)} == {b"file"}
    now[0] = pages.SHELF_LIFE + 1
    late = shelf.put(b"late")
    assert list(shelf._pages) == [late]


@pytest.mark.parametrize("path", ["/battles/nothing/replay", "/replays/nothing", "/rules/nothing", "/nothing"])
def test_who_comes_by_an_address_that_leads_nowhere_gets_a_page_with_a_way_home(server: Server, path: str) -> None:
    status, headers, found = server.get(path, accept="text/html,application/xhtml+xml,*/*;q=0.8")
    page = found.decode()
    assert status in (400, 404)
    assert headers["content-type"].startswith("text/html")
    assert ('<a href="/">Sandtable</a>' in page, "unsafe" in headers["content-security-policy"]) == (True, False)
    again, _, told = server.get(path, accept="*/*")
    sentence = json.loads(told)["error"]
    assert (again, escape(sentence) in page) == (status, True)


def test_the_page_of_a_rule_leads_home_to_what_it_builds_on_and_to_what_proves_it(server: Server) -> None:
    status, headers, found = server.get("/rules/w40k10.move.advance")
    page = found.decode()
    assert status == 200
    assert '<a href="/">Sandtable</a>' in page
    assert '<a href="/rules/w40k10.move.distance">Measuring a move</a>' in page
    assert '<a href="/#scenario/' in page
    style = re.search("<style>(.*?)</style>", page, re.DOTALL)
    assert style is not None
    assert pages._print_of(style[1]) in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
