"""What is drawn when somebody looks: floors, threats, rings, what is in the way, areas; and what is told beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from browser.conftest import DESK, TABLET
from browser.table import STEP, Table
from browser.test_plans import choose
from sandtable import systems
from sandtable.forty.sheets import Sheet, shape_of
from sandtable.table import measure
from sandtable.table.shapes import Bodies, pack

#: Keeps lines with their colours and words that were drawn, until somebody says `drawn.length = 0`.
PEN = """
const pen = CanvasRenderingContext2D.prototype, { beginPath, moveTo, lineTo, stroke, fillText } = pen;
let points = [];
window.drawn = [];
Object.assign(pen, {
  beginPath() { points = []; beginPath.call(this); },
  moveTo(x, y) { points.push([x, y]); moveTo.call(this, x, y); },
  lineTo(x, y) { points.push([x, y]); lineTo.call(this, x, y); },
  stroke(...path) { drawn.push({ ink: this.strokeStyle, points }); stroke.apply(this, path); },
  fillText(text, ...at) { drawn.push({ text }); fillText.call(this, text, ...at); },
});
"""
BLOCKED = "#b3261e"
HOUSE = """\
scenario: A house
system: w40k10
question: What is to be seen?
table:
  size: [44, 30]
  terrain:
    - kind: ruins
      rect: [20, 10, 4, 10]
      height: 6
      floors: [{z: 3}]
      walls: [{from: [22, 10], to: [22, 20], top: 6}]
sheets:
  Gunner:
    move: 6
    toughness: 4
    save: 3
    wounds: 2
    leadership: 6
    oc: 2
    base: 32mm
    height: 1.5
    keywords: [INFANTRY]
    weapons: [{name: rifle, range: 15, attacks: "1", skill: 3, strength: 4, ap: 0, damage: "1"}]
  Oval:
    {move: 6, toughness: 5, save: 4, wounds: 2, leadership: 7, oc: 2, base: 60x35mm, height: 1.5, keywords: [INFANTRY]}
  Wagon:
    {move: 9, toughness: 9, save: 3, wounds: 10, leadership: 6, oc: 2, base: hull 4x3, height: 2.5, keywords: [VEHICLE]}
units:
  - {name: Gunners, player: red, sheet: Gunner, positions: [[14, 15], [14, 17]]}
  - {name: Guards, player: red, sheet: Gunner, positions: [[23, 12, 3]]}
  - {name: Wagon, player: red, sheet: Wagon, positions: [[5, 5]]}
  - {name: Foes, player: blue, sheet: Oval, positions: [[30, 15]]}
at: {step: move_units, active: red}
"""
GUNNERS, GUARDS, WAGON, FOES = range(4)
ROUND, UPSTAIRS, HULL, OVAL = 0, 2, 3, 4
"""A model of each base, and one on a floor."""


def redraw(table: Table, deed: str, argument: Any = None) -> None:
    """Do something, and keep what is drawn from then on."""
    table.ask(f"drawn.length = 0; {deed}", argument)


def until_drawn(table: Table, what: str) -> None:
    table.page.wait_for_function(f"() => drawn.some(d => {what})")


def begin(sit: Any) -> Table:
    table: Table = sit(scenario=HOUSE)
    table.page.add_init_script(PEN)
    table.open()
    choose(table, GUNNERS)
    return table


def test_what_is_looked_at_is_drawn(sit: Any) -> None:
    table = begin(sit)
    page = table.page
    # Rings around enemies, while somebody moves.
    x, y = table.model(GUNNERS)
    redraw(table, "game.turn++")
    table.drag((x, y), (20, 0))
    until_drawn(table, f"d.ink === '{BLOCKED}' && d.points.length > 8")
    # Who does not stand on the floor that is looked at steps back.
    page.keyboard.press("f")
    page.wait_for_function("() => document.querySelector('canvas').game.level === 1")
    assert table.ask(
        "return argument.map(m => canvas.away(m))", [table.ask("return game.standing(1)[0]"), ROUND, HULL]
    ) == [False, True, True]
    table.ask("game.view.models[argument][2] = 0; game.turn++", UPSTAIRS)
    assert table.ask("return canvas.away(argument)", UPSTAIRS), "below the floor"
    table.ask("game.view.models[argument][2] = 3072; game.turn++", UPSTAIRS)
    # Terrain that came up is built as high as any other, and can be in the way.
    table.ask("""
      const box = [[28, 2], [30, 2], [30, 4], [28, 4]].map(p => p.map(v => v * 1024));
      game.view.features = [{kind: "ruins", outline: box, floors: [3, 6].map(z => ({z: z * 1024, outline: box}))}];
      game.turn++;
    """)
    page.keyboard.press("f")
    page.wait_for_function("() => document.querySelector('canvas').game.level === 2")
    redraw(table, "game.sight = {unit: 0, target: 3, seen: [], blocked: [1], text: ''}")
    corner = "Math.hypot(d.points[0][0] - x, d.points[0][1] - y) < 1"
    at = "const { camera } = document.querySelector('canvas'), [x, y] = [camera.px(28 * 1024), camera.py(2 * 1024)]"
    until_drawn(table, f"d.ink === '{BLOCKED}' && d.points.length && (() => {{ {at}; return {corner}; }})()")
    # How far its weapons carry, as its card has it.
    page.keyboard.press("f")
    redraw(table, "void game.show(0)")
    page.keyboard.press("r")
    until_drawn(table, "d.text === 'weapons 15″'")
    until_drawn(table, "d.text === 'after a move of 6″'")


def test_another_area_is_drawn_as_such_wherever_it_differs(sit: Any) -> None:
    table = begin(sit)
    table.page.wait_for_function("() => document.querySelector('canvas').game.areas.length")
    table.ask("""
      const square = w => [[2, 20], [2 + w, 20], [2 + w, 28], [2, 28]].map(p => p.map(v => v * 1024));
      window.paint = w => { game.areas = [{far: 6144, chance: 1, outlines: [square(w)], models: []}]; };
      window.shade = () => {
        const dpr = canvas.width / camera.wide, c = canvas.getContext("2d");
        const [x, y] = [camera.px(8.3 * 1024) * dpr, camera.py(24.7 * 1024) * dpr];
        return [...c.getImageData(x, y, 1, 1).data].join();
      };
      game.actor = null;
      paint(3);
    """)
    table.page.wait_for_function("() => new Promise(d => requestAnimationFrame(() => requestAnimationFrame(d)))")
    before = table.page.evaluate("shade()")
    table.page.evaluate("paint(9)")
    table.page.wait_for_function("before => shade() !== before", arg=before)


FIGURES = {"name": "", "toughness": 4, "save": 3, "wounds": 1, "leadership": 6, "keywords": ()}
SHAPES = [
    shape_of(Sheet(**FIGURES, move=6, base=base, height=height))
    for base, height in (("32mm", 1.5), ("hull 4x3", 2.5), ("60x35mm", 1.5))
]
MODELS = [ROUND, HULL, OVAL]


def test_distances_are_those_of_the_rules(sit: Any) -> None:
    """On floors, of ovals and of turned hulls."""
    table = begin(sit)
    rng = np.random.default_rng(4)
    places = np.column_stack([rng.integers(0, 9 * STEP, (60, 2)), rng.integers(0, 4, 60) * 1500]).astype(np.int64)
    facings = rng.integers(0, 4096, 60)
    which = np.arange(60) % 3
    bodies, shapes = Bodies(places, facings, which), pack(SHAPES)
    wanted = [
        float(measure.distances(bodies, shapes, np.array([i]), np.array([j]))[0, 0])
        for i, j in zip(range(59), range(1, 60), strict=True)
    ]
    stood = [[int(m), *map(int, place), int(f)] for m, place, f in zip(which, places, facings, strict=True)]
    found = table.ask(
        """
        const [stood, models] = argument;
        const body = i => {
          const [which, x, y, z, facing] = stood[i];
          return {base: game.baseOf(models[which]), at: {x, y, z, facing}};
        };
        return stood.slice(1).map((_, i) => canvas.closest([i], [i + 1], body).far);
        """,
        [stood, MODELS],
    )
    assert np.abs(np.array(found) - wanted).max() < 0.01
    assert sum(far > 0 for far in wanted) > 20

    # The tape says what of it is height, and what is a hair too much.
    table.ask(
        "const rows = game.view.models; rows[argument[1]].splice(0, 4, 10240, 10240, 3072, 0);"
        " rows[argument[0]].splice(0, 4, 10240 + 2 * 645 + 4096, 10240, 0, 0); game.turn++",
        [ROUND, UPSTAIRS],
    )
    radius = table.ask("return game.baseOf(argument).radius", ROUND)
    assert (
        tape(table) == f"{round(np.hypot((1290 + 4096 - 2 * radius) / STEP, 3), 2):g}″ (4″ across, 3″ up) base to base"
    )
    table.ask(
        "const rows = game.view.models, r = game.baseOf(0).radius; rows[argument[1]][2] = 0;"
        " rows[argument[0]][0] = 10240 + 2 * r + 1025; game.turn++",
        [ROUND, UPSTAIRS],
    )
    assert tape(table) == "just over 1″ base to base"


def tape(table: Table) -> str:
    """Measure from the one on the floor to the other."""
    if not table.ask("return game.tool"):
        table.page.keyboard.press("m")
    start, end = table.model(GUARDS), table.model(GUNNERS)
    table.drag(start, (end[0] - start[0], end[1] - start[1]), drop=False)
    found = str(table.ask("return game.pointers[0].text"))
    table.page.mouse.up()
    return found


def test_a_ruling_is_told_in_the_order_of_an_argument(sit: Any) -> None:
    table = begin(sit)
    reading = systems.get("w40k10").readings[0]
    reason = {
        "text": "Gunners are too far from Foes.",
        "rules": [reading.rule],
        "facts": {"distance": 1.04, "model": 1, "player": 1, "attacks": 3},
    }
    table.ask("game.refuse({ok: false, reasons: [argument]})", reason)
    table.page.get_by_role("button", name="why?").click()
    ruling = table.page.locator(".ruling")
    ruling.locator("figcaption").get_by_text("as they stand now").wait_for()
    rule = table.ask("return game.rules([argument]).then(found => found[0])", reading.rule)
    told = ruling.inner_text()
    parts = [
        "distance 1.04″",
        "model Gunners, number 2",
        "player blue",
        "attacks 3",
        rule["name"],
        rule["where"],
        f"{rule['edition']} ({rule['dated']})",
        rule["text"],
        f"Reading: {rule['note']}",
        f"{reading.text} This battle is played with {reading.values[0]}.",
        f"--option {reading.name}={reading.values[1]}",
        "Gunners and Foes are",
        "Builds on",
        "Try it out: ",
        rule["id"],
    ]
    assert [told.find(part) for part in parts] == sorted(told.find(part) for part in parts), told
    assert told.find(parts[0]) >= 0


def test_late_replies_do_not_take_the_place_of_newer_ones(sit: Any) -> None:
    """Rules in the quick reference and in a ruling, and a picture that was put away meanwhile."""
    table = begin(sit)
    page = table.page
    table.ask("""
      window.asked = [];
      game.rules = ids => new Promise(done => asked.push({ids, done}));
      window.tell = i => asked[i].done([{id: asked[i].ids[0], name: asked[i].ids[0], where: "", text: "", note: ""}]);
      window.ask = rules => { game.open = [{...game.decision, rules}]; };
      game.sightOf = () => new Promise(done => { window.see = done; });
      ask(["x.first"]);
    """)
    page.get_by_role("tab", name="Rules").click()
    page.wait_for_function("() => asked.length === 1")
    page.evaluate("ask(['x.second'])")
    page.wait_for_function("() => asked.length === 2")
    page.evaluate("tell(1)")
    page.get_by_role("button", name="x.second").wait_for()
    page.evaluate("tell(0)")
    page.evaluate("new Promise(done => setTimeout(done))")
    assert page.get_by_role("button", name="x.first").count() == 0
    # A refusal with a picture, which is gone before anybody has looked.
    reasons = "({ok: false, reasons: [{text: 'Gunners are too far from Foes.', rules: [argument]}]})"
    table.ask(f"asked.length = 0; game.refuse{reasons}", "x.first")
    page.get_by_role("button", name="why?").click()
    page.wait_for_function("() => asked.length === 1")
    table.ask("game.noteRules = [argument]", "x.second")
    page.wait_for_function("() => asked.length === 2")
    page.evaluate("tell(1)")
    page.locator(".ruling b", has_text="x.second").wait_for()
    page.evaluate("tell(0)")
    page.evaluate("new Promise(done => setTimeout(done))")
    assert page.locator(".ruling b", has_text="x.first").count() == 0
    page.wait_for_function("() => window.see")
    table.ask("game.clear()")
    page.locator("figure").wait_for(state="detached")
    page.evaluate("see({unit: 0, target: 3, seen: [], blocked: [], text: ''})")
    page.evaluate("new Promise(done => setTimeout(done))")


def test_early_lines_of_the_log_come_back_and_what_is_read_stays_where_it_is(sit: Any) -> None:
    table = begin(sit)
    page = table.page
    table.ask("""
      const plain = {player: -1, rules: [], faces: [], sides: 6, units: [], needed: 0, facts: [], kind: "told"};
      game.log = Array.from({length: 900}, (_, i) => ({...plain, id: 1e6 + i, text: `Line ${i}.`}));
    """)
    log = page.get_by_role("log")
    log.get_by_text("Line 500.", exact=True).wait_for()
    assert log.get_by_text("Line 499.", exact=True).count() == 0
    log.hover()
    # Who goes on scrolling would be drawn back to where the wheel leads.
    page.evaluate("log => { window.still = new Promise(done => { log.onscrollend = done; }); }", log.element_handle())
    page.mouse.wheel(0, -90_000)
    page.evaluate("async () => { await window.still; }")
    assert page.evaluate("document.querySelector('.log').scrollTop") == 0
    first = log.get_by_text("Line 500.", exact=True)
    before = first.bounding_box()["y"]
    log.get_by_role("button", name="Earlier").click()
    log.get_by_text("Line 100.", exact=True).wait_for(state="attached")
    # The button that was above it may have gone.
    page.wait_for_function(
        "before => Math.abs([...document.querySelectorAll('.log .line')].find(l => l.innerText === 'Line 500.')"
        ".getBoundingClientRect().top - before) < 50",
        arg=before,
    )
    log.get_by_role("button", name="Earlier").click()
    log.get_by_text("Line 0.", exact=True).wait_for(state="attached")
    assert log.get_by_role("button", name="Earlier").count() == 0


TELL = """
const stay = {say: "events", line: 0, next: 0, open: game.open, waiting: [], result: null, board: null, said: []};
const first = window.next ?? 2e6;
window.next = first + argument.length;
game.playback.add({...stay, first, events: argument});
return game.chain.links.map(l => l.text);
"""


def test_the_line_of_an_attack_fills_in_by_what_events_say(sit: Any) -> None:
    """Also where a system has other stages, and tells in the end only what was lost."""
    table = begin(sit)

    def told(*units: int, **data: Any) -> dict[str, Any]:
        return {"event": "told", "kind": "tried", "text": "", "units": units, "rules": [], "data": data}

    def rolled(reason: str, noun: str, *faces: int) -> dict[str, Any]:
        read = {"read": "each", "noun": noun, "needed": 4}
        return {"event": "rolled", "player": 0, "reason": reason, "faces": faces, "rules": [], "read": read}

    first = [told(0, 3), rolled("aim", "on target", 4, 4, 1), rolled("aim", "on target", 5)]
    assert table.ask(TELL, first) == ["4 attacks", "3 on target"]
    again = [told(0, 3), rolled("aim", "on target", 1, 5)]
    assert table.ask(TELL, again) == ["2 attacks", "1 on target"], "another attack"
    pierced = [rolled("pierce", "through", 6), told(3, lost=1)]
    assert table.ask(TELL, pierced) == ["2 attacks", "1 on target", "1 through", "1 lost"]
    usual = [rolled("hit", "hit(s)", 6, 4), rolled("wound", "wound(s)", 5, 5), rolled("luck", "ignored", 1, 4)]
    assert table.ask(TELL, usual) == ["2 attacks", "2 hits (1 six)", "2 wounds", "1 ignored"]
    figures = {"attacks": 2, "hits": 3, "criticals": 1, "wounds": 2, "unsaved": 2, "damage": 1, "destroyed": [5]}
    assert table.ask(TELL, [told(0, 3, **figures)]) == [
        "2 attacks",
        "3 hits (1 six)",
        "2 wounds",
        "2 failed",
        "1 ignored",
        "1 dead",
    ]
    blows = [rolled("close", "hit(s)", 6, 4), rolled("far", "hit(s)", 1, 6), told(0, attacks=4, hits=3)]
    assert table.ask(TELL, blows) == ["4 attacks", "3 hits (2 sixes)"], "in two ways, one side after the other"
    assert table.ask(TELL, [rolled("save", "saved", 4, 1, 2)]) == ["3 saves", "2 failed"]
    assert table.ask(TELL, [told(0, lost=1), told(3, lost=1)]) == ["3 saves", "2 failed", "2 lost"], "on both sides"
    assert table.ask(TELL, [told(0), told(0, lost=5)]) == ["3 saves", "2 failed", "2 lost"], "something else"
    far_off = {**rolled("hit", "to be rolled again", 6), "read": {"read": "each", "noun": "to be rolled again"}}
    assert table.ask(TELL, [rolled("hit", "hit(s)", 4, 1), far_off]) == ["3 attacks", "1 hit (1 six)"]
    assert table.ask(TELL, [told(3, attacks=3, hits=2, lost=0)]) == ["3 attacks", "2 hits (1 six)", "0 lost"]
    added = {**rolled("advance", "", 3), "read": {"read": "sum"}}
    assert table.ask(TELL, [added]) == [], "a roll of something else ends what was shown"


def test_the_score_is_told_by_round_with_a_line_of_who_is_ahead(sit: Any) -> None:
    table = begin(sit)
    table.ask("""
      const round = (...values) => values.map(v => [["points", v]]);
      game.board = {...game.board, numbers: round(8, 3), rounds: [round(0, 0), round(5, 1)]};
    """)
    table.page.get_by_role("tab", name="Score").click()
    title = table.ask("return game.title")
    assert title
    assert title in table.page.get_by_role("tabpanel").inner_text(), "who is on the table"
    rows = [row.inner_text().split() for row in table.page.locator("section table tr").all()]
    assert rows == [["points", "start", "after", "1", "now"], ["red", "0", "5", "8"], ["blue", "0", "1", "3"]]
    lines = table.page.get_by_label("Who is ahead").locator("path")
    ends = [float(line.get_attribute("d").rpartition(",")[2]) for line in lines.all()]
    assert ends[0] < ends[1], "who has more ends higher"


LABELS = """
const cover = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3], told = canvas.told();
const others = i => [...canvas.laid(), ...told.slice(0, i)];
return told.length === 2 && !told.some((t, i) => others(i).some(o => cover(t.box, o.box)));
"""


@pytest.mark.parametrize("size", [DESK, TABLET])
def test_how_far_weapons_carry_is_written_on_no_label(sit: Any, size: tuple[int, int]) -> None:
    # Others stand where the words would begin.
    crowd = HOUSE.replace("positions: [[5, 5]]", "positions: [[14.5, 27]]").replace("[[30, 15]]", "[[17.5, 27]]")
    table = sit(size, touch=size != DESK, scenario=crowd).open()
    table.ask("void game.show(argument); game.showThreat = true", GUNNERS)
    table.page.wait_for_function("() => document.querySelector('canvas').told().length")
    assert table.ask(LABELS)
