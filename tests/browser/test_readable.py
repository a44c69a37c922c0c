"""What is written can be read: paper under words, badges that step back, lines behind names, chances, all dice."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import DESK, PHONE, TABLET
from browser.table import DRAWN, STEP
from browser.test_in_reach import arriving
from browser.test_lists import OF_TENTH, report
from browser.test_pace import volley
from browser.test_plans import BANDS, MOVING, OTHERS, WALKERS, choose
from browser.test_shapes import asked, pretend
from server.test_falls import FIRED_AT
from support.exports import official

STYLES = Path(__file__).parents[2] / "web" / "src" / "app.css"
ENOUGH = 4.5
"""Contrast that small text needs."""
CONTRAST = """
const linear = v => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
"""
#: Of each badge that steps back, the contrast of its ground and the ink that stands out most from that.
PALE = f"""{CONTRAST}
const dpr = canvas.width / canvas.clientWidth;
return canvas.laid().filter(l => l.badge.dim || l.badge.faded).map(l => {{
  const [x, y, right, bottom] = l.box.map(v => Math.round(v * dpr)), wide = Math.round(l.first * dpr);
  const {{ data }} = canvas.getContext("2d").getImageData(x + 6, y + 4, wide - 8, bottom - y - 8), seen = new Map();
  for (let i = 0; i < data.length; i += 4) {{
    const ink = data.slice(i, i + 3).join();
    seen.set(ink, (seen.get(ink) ?? 0) + 1);
  }}
  const inks = [...seen].sort((a, b) => b[1] - a[1]).map(([ink]) => ink.split(",").map(Number));
  return Math.max(...inks.map(ink => contrast(ink, inks[0])));
}});
"""
#: Keeps words and lines of the picture that is drawn, in their order.
PEN = """
const pen = CanvasRenderingContext2D.prototype, { beginPath, moveTo, lineTo, stroke, fillText, clearRect } = pen;
let points = [];
window.drawn = [];
Object.assign(pen, {
  clearRect(...box) { if (this.canvas.game) drawn.length = 0; clearRect.apply(this, box); },
  beginPath() { points = []; beginPath.call(this); },
  moveTo(x, y) { points.push([x, y]); moveTo.call(this, x, y); },
  lineTo(x, y) { points.push([x, y]); lineTo.call(this, x, y); },
  stroke(...path) {
    drawn.push({ ink: this.strokeStyle, wide: this.lineWidth, alpha: this.globalAlpha, points });
    stroke.apply(this, path);
  },
  fillText(text, ...at) { drawn.push({ text }); fillText.call(this, text, ...at); },
});
"""
#: Lines from badges to models, and names on badges, by their numbers in the picture; and how strong lines are.
LEADERS = """
const names = new Set(canvas.laid().map(l => l.text));
const lines = drawn.flatMap((d, i) => d.points?.length === 2 && Math.abs(d.wide - 2.6) < 0.01 ? [[i, d.alpha]] : []);
return { lines, names: drawn.flatMap((d, i) => names.has(d.text) ? [i] : []) };
"""
#: The ground between an enemy and the rim of what one keeps out of, near and far from it, and beyond.
TINTS = """
const dpr = canvas.width / canvas.clientWidth, c = canvas.getContext("2d");
return argument.map(([x, y]) => [...c.getImageData(camera.px(x) * dpr, camera.py(y) * dpr, 1, 1).data].join());
"""
#: How far chances are from each other and from markers, at least.
APART = """
const bands = canvas.bands().map(b => [b.x + 8, b.y]), far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
const markers = game.board.objectives.map(([x, y]) => [camera.px(x), camera.py(y)]);
return [bands.length, Math.min(...bands.flatMap((b, i) => [...markers, ...bands.slice(0, i)].map(o => far(b, o))))];
"""
#: Whether a unit in ranks stands across the way to the nearest enemy: how wide it is there, and how deep.
RANKS = """
const { ghosts } = game.plan, [x, y] = game.middle(argument);
const foes = game.view.units.flatMap((u, i) => game.isEnemy(i, argument) ? game.standing(i) : []).map(m => game.at(m));
const foe = foes.reduce((a, b) => Math.hypot(a.x - x, a.y - y) < Math.hypot(b.x - x, b.y - y) ? a : b);
const far = Math.hypot(foe.x - x, foe.y - y), dx = (foe.x - x) / far, dy = (foe.y - y) / far;
const size = all => Math.max(...all) - Math.min(...all);
return [size(ghosts.map(g => g.x * dy - g.y * dx)), size(ghosts.map(g => g.x * dx + g.y * dy))];
"""
#: Whether what stands in the list has room beside the arrow.
WRITTEN = """list => {
  const c = document.createElement("canvas").getContext("2d"), style = getComputedStyle(list);
  c.font = style.font;
  const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return room - c.measureText(list.selectedOptions[0].text).width;
}"""
ARROW = 16
SAID = "() => drawn.some(d => /^wanted [0-9.]+″, at most [0-9.]+″$/.test(d.text))"


#: So many units beside each other that not all of their badges lie beside them.
CROWD = MOVING.replace(
    "units:\n",
    "units:\n"
    + "".join(
        f"  - {{name: Squad {n}, player: red, sheet: Brute, positions: [[{6 + n % 4 * 1.5}, {22 + n // 4 * 1.5}]]}}\n"
        for n in range(12)
    ),
)


def light(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("ground", ["paper", "panel", "soft"])
@pytest.mark.parametrize("dark", [False, True], ids=["by day", "by night"])
def test_quiet_words_can_be_read_on_every_paper(ground: str, dark: bool) -> None:
    roots = re.findall(r":root \{(.*?)\}", STYLES.read_text(encoding="utf-8"), re.DOTALL)
    colours = dict(re.findall(r"--(\w+): (#\w{6});", roots[dark]))
    less, more = sorted((light(colours["quiet"]), light(colours[ground])))
    assert (more + 0.05) / (less + 0.05) >= ENOUGH


def test_keys_on_a_dark_button_can_be_read(sit: Any) -> None:
    table, answers = sit(made_up=True), list[Any]()
    pretend(table, asked("confirm"), answers)
    table.open()
    inks = """e => [getComputedStyle(e).color, getComputedStyle(e.closest("button")).backgroundColor]
      .map(ink => ink.match(/\\d+/g).map(Number))"""
    key = table.page.evaluate_handle("""() => {
      const b = document.createElement("button");
      b.className = "main";
      b.innerHTML = "Do it <kbd>Enter</kbd>";
      document.querySelector(".dock").append(b);
      return b.firstElementChild;
    }""")
    assert table.ask(f"{CONTRAST} return contrast(...argument)", key.evaluate(inks)) >= ENOUGH


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_names_of_units_that_step_back_can_be_read(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=size != DESK, at="move_with").open()
    table.ask(DRAWN)
    found = table.ask(PALE)
    assert len(found) > 3
    assert min(found) >= ENOUGH


def test_lines_to_models_lie_behind_all_names_and_step_back_with_them(sit: Any) -> None:
    table = sit(PHONE, touch=True, scenario=CROWD)
    table.page.add_init_script(PEN)
    table.open()
    table.go_on("1")
    table.ask(f"game.turn++; {DRAWN}")
    found = table.ask(LEADERS)
    assert found["lines"]
    assert max(i for i, _ in found["lines"]) < min(found["names"])
    assert min(alpha for _, alpha in found["lines"]) <= 0.5


def test_ground_that_is_too_near_has_no_holes(sit: Any) -> None:
    table = arriving(sit)
    start, to = table.on_screen(12 * STEP, 15 * STEP), table.on_screen(14 * STEP, 15 * STEP)
    table.drag(start, (to[0] - start[0], 0))
    table.planned()
    table.ask(DRAWN)
    # The enemy stands at 30", 15"; 9" and its base are out of bounds.
    near, far, beyond = table.ask(TINTS, [[x * STEP, 16.3 * STEP] for x in (33.4, 38.6, 41)])
    assert near == far != beyond


def test_chances_to_get_somewhere_stand_apart_from_each_other_and_from_markers(sit: Any) -> None:
    table = sit(at="move_with").open()
    table.go_on("1")
    table.page.keyboard.press("a")
    table.page.wait_for_function(BANDS)
    count, least = table.ask(APART)
    assert count > 3
    assert least >= 30


def test_ranks_of_a_unit_that_stays_look_at_the_nearest_enemy(sit: Any) -> None:
    table = sit(
        scenario=MOVING.replace(
            "[14, 16], [12.5, 15]", "[14, 16], [12.5, 15], [12.5, 17], [15.5, 15], [11, 15]"
        ).replace("[[40, 15], [40, 17]]", "[[14, 28], [16, 28]]")
    )
    table.open()
    choose(table, WALKERS)
    table.page.get_by_role("button", name="two ranks").click()
    table.planned()
    across, deep = table.ask(RANKS, WALKERS)
    assert across > 1.4 * deep


def test_of_a_place_that_nobody_gets_to_it_is_told_how_far_it_was_wanted(sit: Any) -> None:
    table = sit(scenario=MOVING)
    table.page.add_init_script(PEN)
    table.open()
    choose(table, OTHERS)
    table.page.keyboard.press("a")
    table.page.wait_for_function("() => document.querySelector('canvas').game.areas.some(a => a.chance < 1)")
    table.page.mouse.click(*table.on_screen(34 * STEP, 5 * STEP))
    table.page.get_by_role("alert").get_by_text("Advance: too far, even with the best roll.").wait_for()
    table.page.wait_for_function(SAID)


def test_nothing_draws_to_a_place_that_is_refused(sit: Any) -> None:
    table = arriving(sit)
    start, near = table.on_screen(12 * STEP, 15 * STEP), table.on_screen(19.3 * STEP, 15 * STEP)
    table.drag(start, (near[0] - start[0], 0), drop=False)
    said = table.page.locator(".dock").get_by_text("Magnet: just outside")
    said.wait_for()
    table.ask("game.plan = { ...game.plan, verdict: { ok: false, reasons: [{ text: 'No.' }] } }")
    said.wait_for(state="detached")
    table.page.mouse.up()


@pytest.mark.parametrize("size", [DESK, TABLET, PHONE])
def test_all_dice_of_many_are_seen_the_failed_ones_too(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=size != DESK, scenario=FIRED_AT).open()
    volley(table)
    for _ in range(2):
        table.page.get_by_role("button", name="Go on").click()
    tray = table.page.locator(".tray")
    tray.wait_for()
    line = table.ask("return { faces: game.dice.faces, needed: game.dice.needed }")
    counts = [int(t.removeprefix("×")) for t in tray.locator(".dice small").all_inner_texts()]
    assert len(line["faces"]) > 30
    assert sum(counts) == len(line["faces"])
    failed = {face for face in line["faces"] if face < line["needed"]}
    assert tray.locator(".die.dull").count() == len(failed) > 0
    beside = "all => all.every(p => Math.abs(p.firstElementChild.offsetTop - p.lastElementChild.offsetTop) < 12)"
    assert tray.locator(".pile").evaluate_all(beside), "how many there are stands beside each"


@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_the_pace_of_the_story_is_named_and_not_cut_where_nothing_hovers(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=True, made_up=True).open()
    pace = table.page.get_by_label("Pace of the story")
    pace.select_option("every step")
    assert pace.evaluate(WRITTEN) >= ARROW
    assert table.page.locator(".pace").get_by_text("Story", exact=True).is_visible()


def test_models_to_choose_from_stand_in_the_order_of_their_numbers_and_have_them_on_the_table(sit: Any) -> None:
    table, answers = sit(scenario=MOVING), list[Any]()
    table.page.add_init_script(PEN)
    models, numbers = [1, 2, 3], [5, 12, 3]
    options = [{"value": m, "label": f"One of them {n}"} for m, n in zip(models, numbers, strict=True)]
    pretend(table, asked("choose", unit=WALKERS, options=options), answers)
    table.open()
    listed = table.page.locator(".options button").all_inner_texts()
    assert [int(re.findall(r"One of them (\d+)", one)[0]) for one in listed] == sorted(numbers)
    table.page.get_by_text("Click a model on the table, or choose it here by its number.").wait_for()
    table.ask(f"game.turn++; {DRAWN}")
    # Numbers of markers and rulers are drawn, too.
    assert {"5", "12"} <= set(table.ask("return drawn.filter(d => d.text).map(d => d.text)"))
    table.page.locator(".options button").nth(1).focus()
    (circle,) = table.ask("return game.sketch.circles")
    there = table.ask("return game.at(argument)", models[0])
    assert (circle["x"], circle["y"]) == (there["x"], there["y"])


def test_what_is_wrong_with_a_pasted_list_stands_beneath_it(first: Any) -> None:
    box = first.get_by_role("textbox", name="Paste a list")
    box.fill("name: Mine\nsystem: w40k10\nunits: []\n")
    first.get_by_role("button", name="Read it").click()
    told = first.get_by_role("alert")
    told.get_by_text("Your list").wait_for()
    written, said = box.bounding_box(), told.bounding_box()
    assert 0 <= said["y"] - written["y"] - written["height"] < 30
    assert box.get_attribute("aria-invalid") == "true"


def test_of_a_list_nothing_is_said_that_there_is_none_of(first: Any) -> None:
    box = first.get_by_role("textbox", name="Paste a list")
    box.fill(official(OF_TENTH))
    first.get_by_role("button", name="Read it").click()
    text = report(first, "Legion of Dust").inner_text()
    assert " played" in text
    assert not re.search(r"\b0 (not reviewed|left to you)", text)


def test_a_tick_can_be_hit_by_a_finger(window: Any, hall: Any) -> None:
    page = window(PHONE, touch=True, is_mobile=True)
    page.goto(hall.address)
    page.get_by_text("Options", exact=True).click()
    box = page.get_by_label("Everybody may watch").bounding_box()
    assert min(box["width"], box["height"]) >= 20
