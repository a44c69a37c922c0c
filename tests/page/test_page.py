"""The replay page itself: one file that asks for nothing, whatever the names in it are."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.battle import journal
from sandtable.battle.dice import KeyedDice
from sandtable.battle.machine import Battle
from sandtable.cli.main import main
from sandtable.errors import UserError
from sandtable.page import page_html, write_page
from sandtable.page.story import tell
from sandtable.players import play, tactician
from support import games, playable, skirmish

Capture = pytest.CaptureFixture[str]
HOSTILE = "</script><img src=x onerror=\"document.title='owned'\">"
MARKERS = "<!-- story --><!-- title -->\u2028&lt;"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(autouse=True)
def made_up_game(monkeypatch: pytest.MonkeyPatch) -> None:
    playable.register(monkeypatch)


def fought(name: str = "") -> Battle[Any, Any, Any, Any]:
    setup, state = skirmish.start()
    if name:
        for unit in state.units:
            unit.name = f"{name}{unit.id}"
        state.players[0].name, state.players[1].name = name, MARKERS
    battle: Battle[Any, Any, Any, Any] = Battle(playable.system(), setup, state, dice=KeyedDice(3))
    return games.play(battle.start(), Random(3))


def embedded(page: str) -> Any:
    (story,) = re.findall(r'<script type="application/json" id="story">(.*?)</script>', page, re.S)
    return json.loads(story)


def test_the_page_holds_the_whole_story() -> None:
    story = tell(fought())
    page = page_html(story)
    assert embedded(page) == json.loads(msgspec.json.encode(story))
    assert "<title>Red against Blue</title>" in page


def test_hostile_names_stay_text() -> None:
    plain, page = page_html(tell(fought())), page_html(tell(fought(HOSTILE)))
    for mark in ("<script", "</script", "<img", "<!--", "\u2028"):
        assert page.count(mark) == plain.count(mark), mark
    assert "<img" in embedded(page)["units"][0][0]


def test_the_page_asks_for_nothing() -> None:
    page = page_html(tell(fought()))
    assert not re.search(r"https?:|[\"'(]//", page)
    assert "default-src 'none'" in page
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", page)
    assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|import)\s*\(", page)
    assert set(re.findall(r'(?:src|href)="([^"]*)"', page)) == {"data:,"}


def test_a_page_is_small(tmp_path: Path) -> None:
    write_page(fought(), tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size < 150_000


def test_a_journal_makes_the_same_page(tmp_path: Path) -> None:
    battle = fought()
    battle.save(tmp_path / "g.battle")
    write_page(battle, tmp_path / "one.html")
    write_page(journal.read_file(tmp_path / "g.battle"), tmp_path / "other.html")
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "other.html").read_bytes()


def test_a_page_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("old")
    with pytest.raises(UserError):
        write_page(games.new().fork(), tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


# --- The commands -----------------------------------------------------------------------------------------------------


def test_battle_and_replay_write_the_page(tmp_path: Path, capsys: Capture) -> None:
    file, page, again = tmp_path / "g.battle", tmp_path / "one.html", tmp_path / "other.html"
    assert main(["battle", "--players", "random,random", "--seed", "3", "--save", str(file), "--html", str(page)]) == 0
    assert capsys.readouterr().out.endswith(f"Wrote {file}.\nWrote {page}.\n")
    assert main(["replay", str(file), "--verify", "--html", str(again)]) == 0
    assert capsys.readouterr().out.endswith(f"Wrote {again}.\n")
    assert page.read_bytes() == again.read_bytes()
    assert embedded(page.read_text())["seed"] == 3


def test_replay_until_writes_the_page_of_that_moment(tmp_path: Path) -> None:
    file, page = tmp_path / "g.battle", tmp_path / "page.html"
    main(["battle", "--seed", "3", "--save", str(file)])
    assert main(["replay", str(file), "--until", "9", "--html", str(page)]) == 0
    assert embedded(page.read_text())["result"] is None


def test_with_json_nothing_else_is_printed(tmp_path: Path, capsys: Capture) -> None:
    assert main(["battle", "--seed", "3", "--json", "--html", str(tmp_path / "page.html")]) == 0
    assert json.loads(capsys.readouterr().out)["seed"] == 3
    assert (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["battle", "--html", "{tmp}"], "{tmp} is a folder; name a file to write."),
        (["battle", "--html", "{tmp}/no/x.html"], "Cannot write {tmp}/no/x.html: there is no folder {tmp}/no."),
        (["battle", "--html", "/dev/null"], "/dev/null is not a plain file; name another."),
        (["battle", "--save", "{tmp}/x", "--html", "{tmp}/x"], "{tmp}/x cannot be written twice; name two files."),
        (["replay", "{tmp}/g", "--html", "{tmp}"], "{tmp} is a folder; name a file to write."),
        (
            ["replay", "{tmp}/g", "--html", "{tmp}/g"],
            "{tmp}/g is read here and would be lost; name another",
        ),
        (["replay", "{tmp}/bad", "--html", "{tmp}/x.html"], "{tmp}/bad is not a battle file"),
    ],
)
def test_a_bad_path_is_refused_before_anything_is_played(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: Capture
) -> None:
    sandtable.new("skirmish", seed=1).save(tmp_path / "g")
    (tmp_path / "bad").write_text("nonsense")
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    assert main([a.format(tmp=tmp_path) for a in arguments]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"Error: {sentence.format(tmp=tmp_path)}")
    assert (said.err.count("\n"), said.out) == (1, "")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


# --- In a browser -----------------------------------------------------------------------------------------------------


def opened(page: Path, fragment: str, profile: Path, *, width: int = 1200) -> tuple[str, list[str]]:
    """The page's DOM after its script has run, and what it wrote to the console."""
    if BROWSER is None:
        pytest.skip("no Chromium is installed, so the page cannot be opened")
    ran = subprocess.run(
        [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", f"--user-data-dir={profile}", "--enable-logging=stderr",
            "--virtual-time-budget=2000", f"--window-size={width},800", "--dump-dom", f"{page.as_uri()}#{fragment}",
        ],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return ran.stdout, [line for line in ran.stderr.splitlines() if "CONSOLE" in line]


def shown(dom: str, name: str) -> str:
    """The text of an element by its id, as far as the next element of the page."""
    found = re.search(rf'id="{name}"[^>]*>(.*?)</(?:section|p|h1|div)>', dom, re.S)
    assert found, name
    return " ".join(re.sub(r"<[^>]*>", " ", found[1]).split())


@pytest.mark.parametrize("name", ["", HOSTILE], ids=["plain", "hostile"])
def test_a_browser_plays_the_page_to_its_end(name: str, tmp_path: Path) -> None:
    battle = fought(name)
    write_page(battle, tmp_path / "page.html")
    dom, console = opened(tmp_path / "page.html", "end", tmp_path / "profile")
    assert console == []
    assert 'data-ready="yes"' in dom
    assert battle.result is not None
    frames = len(embedded((tmp_path / "page.html").read_text())["frames"]) - 1
    assert f"{frames} / {frames}" in shown(dom, "crumb")
    assert f"{battle.result.reason.capitalize()}." in shown(dom, "result")
    assert not re.search(r'id="result"[^>]*hidden', dom)
    assert "<title>owned" not in dom and "<img" not in dom


def test_a_browser_opens_where_the_armies_are_set_up(tmp_path: Path) -> None:
    write_page(fought(), tmp_path / "page.html")
    dom, console = opened(tmp_path / "page.html", "", tmp_path / "profile")
    assert console == []
    start = embedded((tmp_path / "page.html").read_text())["start"]
    assert start > 0
    assert f" {start} / " in shown(dom, "crumb")
    assert "The armies stand ready." in shown(dom, "now")
    assert re.search(r'id="result"[^>]*hidden', dom) and not re.search(r'id="begin"[^>]*hidden', dom)


def acted(page: Path, script: str, profile: Path, *, width: int = 1200) -> str:
    """What a script finds on the page after it has run, as text; the page itself is not changed."""
    if BROWSER is None:
        pytest.skip("no Chromium is installed, so the page cannot be opened")
    tried = page.with_name("tried.html")
    tail = f"<script>document.documentElement.dataset.found = (() => {{ {script} }})();</script></body>"
    tried.write_text(page.read_text().replace("</body>", tail))
    dom, console = opened(tried, "", profile, width=width)
    assert console == []
    found = re.search(r'data-found="([^"]*)"', dom)
    assert found
    return html.unescape(found[1])


STEP_ON = "document.querySelector('[data-do=on]').click();"


def test_the_address_names_the_frame_as_one_steps_through(tmp_path: Path) -> None:
    write_page(fought(), tmp_path / "page.html")
    start = embedded((tmp_path / "page.html").read_text())["start"]
    page, profile = tmp_path / "page.html", tmp_path / "profile"
    assert acted(page, f"{STEP_ON}{STEP_ON} return location.hash;", profile) == f"#frame={start + 2}"
    back = "document.querySelector('[data-do=back]').click();"
    assert acted(page, f"{STEP_ON}{back} return location.hash;", profile) == ""


def test_a_click_on_a_unit_shows_its_datasheet(tmp_path: Path) -> None:
    battle = sandtable.new("w40k10", seed=4)
    games.play(battle, Random(4), 60)
    write_page(battle, tmp_path / "page.html")
    name = embedded((tmp_path / "page.html").read_text())["units"][0][0]
    script = """document.getElementById('tab-armies').click(); document.querySelector('.unit').click();
        return document.getElementById('unit').innerText;"""
    sheet = acted(tmp_path / "page.html", script, tmp_path / "profile")
    assert sheet.startswith(name)
    for word in ("wounds left", "Sv", "OC", "Range", "AP", "KEYWORDS", "INFANTRY"):
        assert word in sheet, word


def test_the_score_is_drawn_turn_by_turn(tmp_path: Path) -> None:
    battle = sandtable.new("w40k10", armies={"red": "orks-1000-horde", "blue": "necrons-1000-legion"}, seed=7)
    play(battle, {0: tactician(), 1: tactician()})
    write_page(battle, tmp_path / "page.html")
    assert battle.result is not None and max(battle.result.scores) > 0
    script = """document.getElementById('tab-score').click(); const pane = document.getElementById('score');
        const rows = [...pane.querySelectorAll('tr')].map(r => r.lastChild.textContent);
        return pane.querySelectorAll('path').length + ' ' + rows.join();"""
    scores = ",".join(map(str, battle.result.scores))
    assert acted(tmp_path / "page.html", script, tmp_path / "profile") == f"2 all,{scores}"


def test_the_score_is_drawn_of_what_a_system_counts_and_its_marks_are_told_in_full(tmp_path: Path) -> None:
    battle = sandtable.new("epica", seed=3)
    games.play(battle, Random(3))
    write_page(battle, tmp_path / "page.html")
    script = """document.getElementById('tab-armies').click();
        const marks = [...document.querySelectorAll('.unit .mark')].map(m => m.innerText + '=' + m.title);
        document.getElementById('tab-score').click(); const pane = document.getElementById('score');
        const label = pane.querySelector('svg').ariaLabel, paths = pane.querySelectorAll('path').length;
        return label + ': ' + paths + ' ' + marks.join();"""
    found = acted(tmp_path / "page.html", f"{STEP_ON * 40} {script}", tmp_path / "profile")
    assert found.startswith("% standing turn by turn: 2 ")
    assert "blast=" in found


def test_the_result_is_told_in_the_words_of_the_battle(tmp_path: Path) -> None:
    battle = sandtable.new("epica", seed=3)
    games.play(battle, Random(3))
    write_page(battle, tmp_path / "page.html")
    script = """const table = document.querySelector('#result table');
        const heads = [...table.querySelectorAll('th')].map(th => th.textContent);
        const cell = table.rows[1].cells[1].textContent;
        return heads.join() + ' ' + cell.endsWith(' %') + ' ' + document.getElementById('subtitle').textContent;"""
    found = acted(tmp_path / "page.html", script, tmp_path / "profile")
    assert found.startswith(",standing,formations left,units left true ")
    assert "seed" not in found


def test_without_points_there_is_no_graph(tmp_path: Path) -> None:
    write_page(fought(), tmp_path / "page.html")
    script = "return document.getElementById('tab-score').hidden;"
    assert acted(tmp_path / "page.html", script, tmp_path / "profile") == "true"


def test_a_phone_shows_the_whole_title(tmp_path: Path) -> None:
    write_page(fought("A rather long name for an army of the far side "), tmp_path / "page.html")
    script = """const h = document.getElementById('title');
        return innerWidth + ' ' + (h.scrollWidth <= h.clientWidth) + ' ' + (document.body.scrollWidth <= innerWidth);"""
    assert acted(tmp_path / "page.html", script, tmp_path / "profile", width=500) == "500 true true"


def test_a_page_saves_the_table_as_a_picture(tmp_path: Path) -> None:
    write_page(fought(), tmp_path / "page.html")
    keep = "document.documentElement.dataset.found = this.download + ' ' + this.href.slice(0, 5);"
    script = f"HTMLAnchorElement.prototype.click = function () {{ {keep} }}; {STEP_ON} {{}}"
    press = "document.querySelector('[aria-label=\"Save a picture\"]').click(); return 'nothing';"
    found = acted(tmp_path / "page.html", f"{script} {press}", tmp_path / "profile")
    start = embedded((tmp_path / "page.html").read_text())["start"]
    assert re.fullmatch(rf"round-1-\S+-{start + 1}\.png blob:", found)


def test_a_page_that_stands_alone_says_how_its_moment_becomes_a_scenario_file(tmp_path: Path) -> None:
    write_page(fought(), tmp_path / "page.html")
    start = embedded((tmp_path / "page.html").read_text())["start"]
    press = "document.querySelector('[aria-label=\"Save a scenario\"]').click();"
    read = "return document.querySelector('#rule').hidden ? '' : document.querySelector('#rule code').textContent;"
    said = acted(tmp_path / "page.html", f"{STEP_ON} {press} {read}", tmp_path / "profile")
    assert re.fullmatch(rf"sandtable scenario moment FILE\.battle --at {start + 1} -o round-1-\S+\.yaml", said)
    over = "document.querySelector('[data-do=last]').click();"
    said = acted(tmp_path / "page.html", f"{over} {press} {read}", tmp_path / "profile")
    assert said.endswith("-after-the-battle.yaml")


def test_a_page_of_a_battle_that_cannot_be_played_again_says_that_no_file_is_written(tmp_path: Path) -> None:
    story = tell(fought())
    story.again = False
    (tmp_path / "page.html").write_text(page_html(story))
    press = "document.querySelector('[aria-label=\"Save a scenario\"]').click();"
    said = acted(tmp_path / "page.html", f"{press} return document.querySelector('#rule').textContent;", tmp_path / "p")
    assert said.startswith("No scenario file of this battle")
