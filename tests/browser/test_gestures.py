"""A battle by mouse and keys: units flow, fronts are drawn, targets are aimed at, reactions are passed."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from typing import Any

import pytest

from browser.conftest import DESK, PHONE, TABLET
from browser.hands import REST
from browser.table import DRAWN, STEP
from browser.test_in_reach import watching
from browser.test_shapes import asked, given, pretend
from server.live import Server
from server.test_falls import FIRED_AT


def test_who_drags_a_model_picks_its_unit_and_the_whole_unit_flows(sit: Any) -> None:
    table = sit(at="move_with").open()
    table.play_until("move_with")
    unit = table.ask("return [...game.pointable].find(u => game.standing(u).length > 2)")
    table.drag(table.model(unit), (0, 26), drop=False)
    table.page.wait_for_function("() => document.querySelector('canvas').game.plan?.ghosts.length > 2")
    table.page.mouse.up()
    plan = table.planned()
    assert table.decision["unit"] == unit
    assert {g["model"] for g in plan["ghosts"]} <= set(table.ask("return game.standing(argument)", unit))


def test_a_staged_move_is_committed_by_enter_and_stands_where_the_ghosts_were(sit: Any) -> None:
    table = sit(at="move_with").open()
    move = table.play_until("move")
    table.drag(table.model(move["unit"]), (0, 20))
    plan = table.planned()
    assert plan["verdict"]["ok"], plan["verdict"]
    table.go_on("Enter")
    ends = {g["model"]: (g["x"], g["y"]) for g in plan["ghosts"]}
    now = table.ask("return argument.map(m => [m, ...game.view.models[m].slice(0, 2)])", list(ends))
    assert {m: (x, y) for m, x, y in now} == ends


def test_with_a_slow_connection_ghosts_follow_the_hand_and_hardly_move_on_release(sit: Any) -> None:
    armies = ["orks-1000-horde", "space-marines-1000-gunline"]
    table = sit(delay=150, at="move_with", armies=armies, layout="crossroads").open()
    sizes = dict(table.ask("return [...game.pointable].map(u => [u, game.standing(u).length]).filter(([, n]) => n)"))
    where = "return game.plan.ghosts.map(g => [g.model, g.x, g.y])"
    inch = table.ask("return camera.k") * STEP
    for models in (1, 5, 10, 20):
        table.play_until("move_with")
        unit = min(sizes, key=lambda u: (abs(sizes[u] - models), u))
        del sizes[unit]
        table.pick(unit)
        table.play_until("move")
        table.page.wait_for_function("() => document.querySelector('canvas').game.areas.length")
        for far, turn in ((1.5, 0), (3, 1), (4.5, 3), (5, 6)):
            x, y = far * inch * cos(turn * pi / 4), far * inch * sin(turn * pi / 4)
            start = table.model(unit)
            table.drag(start, (x * 0.8, y * 0.8), drop=False)
            before = table.ask(where)
            table.page.mouse.move(start[0] + x, start[1] + y)
            assert table.ask(where) != before, "the ghosts wait for the server"
            table.page.wait_for_function("() => document.querySelector('canvas').game.plan?.verdict?.ok")
            held = table.ask(where)
            table.page.mouse.up()
            after = {g["model"]: (g["x"], g["y"]) for g in table.planned()["ghosts"]}
            assert max(hypot(x - after[m][0], y - after[m][1]) for m, x, y in held) <= STEP / 10
            table.page.keyboard.press("Escape")
        table.go_on("s")


def test_a_place_that_is_not_legal_says_why_with_the_rule(sit: Any) -> None:
    table = sit().open()
    place = table.play_until("deploy")
    xs, ys = zip(*place["area"], strict=True)
    width, depth = table.ask("return [game.ground.table.width, game.ground.table.depth]")
    table.page.mouse.click(*table.on_screen(width - sum(xs) / len(xs), depth - (min(ys) + max(ys)) / 2))
    table.page.get_by_role("alert").get_by_text("outside the area where the unit may be set up").wait_for()
    ghosts = table.planned()["ghosts"]
    assert all(min(xs) < g["x"] < max(xs) and min(ys) < g["y"] < max(ys) for g in ghosts), "nearest to it, but within"
    table.page.get_by_role("button", name="why?").click()
    table.page.locator(".ruling blockquote").first.wait_for()


POINTERS = "return game.pointers"
#: The mouse is taken away in the middle of a gesture.
CANCEL = "canvas.dispatchEvent(new PointerEvent('pointercancel', { pointerId: 1, bubbles: true }))"


def test_a_front_is_drawn_with_the_right_button(sit: Any) -> None:
    table = sit().open()
    move = table.play_until("deploy")
    xs, ys = zip(*move["area"], strict=True)
    left = table.on_screen(sum(xs) / len(xs) - 6 * STEP, (min(ys) + max(ys)) / 2)
    table.drag(left, (150, 0), button="right")
    drawn = table.planned()["ghosts"]
    assert len(drawn) == len(move["models"])
    table.page.keyboard.press("Escape")
    table.drag(left, (150, 0), button="right", drop=False)
    assert [p["kind"] for p in table.ask(POINTERS)] == ["front"]
    table.ask(CANCEL)
    assert table.ask(POINTERS) == []
    assert table.planned()["ghosts"] == drawn, "what was drawn so far is planned"
    table.page.mouse.up(button="right")


def test_the_first_click_on_an_enemy_aims_everything_and_chips_tell_what_it_would_do(sit: Any) -> None:
    table = sit(at="shoot_with").open()
    shoot = table.play_until("shoot")
    table.page.wait_for_function("() => document.querySelector('canvas').game.chips.size > 0")
    target = shoot["targets"][0]["value"]
    table.page.mouse.click(*table.model(target))
    table.page.wait_for_function("() => document.querySelector('canvas').game.pointed.size === 1")
    # Who shoots whom is drawn in the colours of both.
    (line,) = table.ask("return game.pointers")
    assert line["sides"] == [0, 1]
    able = [row for row in shoot["rows"] if target in row["targets"]]
    table.page.wait_for_function("count => document.querySelectorAll('.step.on').length === count", arg=len(able))
    table.go_on("Enter")
    assert any("shoot" in line for line in table.ask("return game.log.slice(-30).map(l => l.text.toLowerCase())"))


#: The table goes on to where a unit would lie below a place of the window.
BEYOND = """
const [unit, x, y] = argument, row = game.view.models[game.standing(unit)[0]], b = canvas.getBoundingClientRect();
camera.x += (camera.px(row[0]) - (x - b.left)) / camera.k;
camera.y -= (camera.py(row[1]) - (y - b.top)) / camera.k;
camera.free = true;
"""


def test_a_weapon_is_dragged_onto_a_target_and_the_best_split_has_a_key(sit: Any) -> None:
    table = sit(scenario=FIRED_AT).open()
    shoot = table.play_until("shoot")
    # Targets that tell what would come of it are taller, and the weapons lie below them.
    table.page.wait_for_function("() => document.querySelector('canvas').game.chips.size")
    row = table.page.locator(".dock .name").first
    brutes, others = (target["value"] for target in shoot["targets"])
    pointed = "return [...game.pointed]"
    for target in (others, brutes):
        box = row.bounding_box()
        at = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        to = table.model(target)
        table.drag(at, (to[0] - at[0], to[1] - at[1]))
        assert table.ask(pointed) == [target]
    table.page.keyboard.press("Escape")
    assert table.ask(pointed) == []
    box = row.bounding_box()
    table.drag((box["x"] + 9, box["y"] + 9), (-300, 0), drop=False)
    table.ask(CANCEL)
    table.page.mouse.move(*table.model(others))
    table.page.mouse.up()
    assert table.ask(pointed) == [], "who was taken away from the mouse put it nowhere"
    # Beside the table nothing is hit, whatever would lie there if it went on.
    box = row.bounding_box()
    at = (box["x"] + 9, box["y"] + 9)
    table.ask(BEYOND, [brutes, *at])
    assert table.model(brutes) == pytest.approx(at)
    table.page.mouse.click(*at)
    table.drag(at, (7, 0))
    assert table.ask(pointed) == []
    table.page.keyboard.press("0")
    table.page.keyboard.press("b")
    table.page.wait_for_function("() => document.querySelector('canvas').game.actor.ready")
    assert table.ask(pointed) == [brutes], "three models are more than one"


def test_who_may_not_be_shot_at_says_why_by_the_weapon_that_reaches_farthest(sit: Any) -> None:
    rifle = '{name: rifle, range: 20, attacks: "1", skill: 2, strength: 4, ap: 0, damage: "1"}'
    scenario = FIRED_AT.replace(
        "{name: rifle, range: 36,",
        f"{rifle.replace('rifle', 'pistol').replace('20', '16')}, {rifle}, {{name: sling, range: 18,",
    )
    table = sit(scenario=scenario).open()
    shoot = table.play_until("shoot")
    (brutes,) = (target["value"] for target in shoot["targets"])
    table.page.mouse.click(*table.model(brutes + 1))
    table.page.get_by_role("alert").get_by_text("Others are out of range of rifle.").wait_for()
    assert table.ask("return game.noteRules") == ["w40k10.shoot.range"]
    table.page.get_by_role("button", name="why?").click()
    table.page.locator(".ruling code").get_by_text("w40k10.shoot.range", exact=True).wait_for()


def test_a_template_that_lies_moves_onto_the_unit_that_is_pointed_at(sit: Any) -> None:
    table, answers = sit(scenario=FIRED_AT), list[Any]()
    pretend(table, asked("template", templates=["blast"]), answers)
    table.open()
    table.page.mouse.click(*table.on_screen(30 * STEP, 20 * STEP))
    table.page.mouse.click(*table.model(0))
    table.page.keyboard.press("Enter")
    assert [(t["x"], t["y"]) for t in given(table, answers)] == [(8 * STEP, 15 * STEP)]


#: Goes on step by step until all of an attack is told.
STEP_ON = """() => {
  const { game } = document.querySelector("canvas");
  if (game.chain.links.length < 5) game.playback.step();
  return game.chain.links.length === 5;
}"""
LINKS = "return game.chain.links.map(l => l.text)"


def test_the_dice_of_an_attack_fill_in_one_line_and_each_step_shows_its_own(sit: Any) -> None:
    table = sit(scenario=FIRED_AT).open()
    table.play_until("shoot")
    table.ask("game.playback.setPace('slow')")
    table.page.keyboard.press("1")
    table.page.keyboard.press("Enter")
    line = table.page.get_by_role("group", name="The attack")
    table.page.wait_for_function(STEP_ON)
    line.wait_for()
    steps = table.ask(LINKS)
    attacks, hits, wounds, failed, dead = (int(step.split()[0]) for step in steps)
    assert attacks == 40
    assert attacks >= hits >= wounds >= failed >= dead == 3
    assert [step.split()[1] for step in steps] == ["attacks", "hits", "wounds", "failed", "dead"]
    assert "sixes)" in steps[1]
    line.get_by_role("button", name="wounds").click()
    table.page.locator(".tray .dice").get_by_text("wound").first.wait_for()


#: What a button keeps quiet, and what is recalled when the page is there again.
HUSH = """button => {
  button.click();
  return document.querySelector("canvas").game.hushed.map(h => [h.kind, h.until]);
}"""
RECALLED = """() => {
  const game = document.querySelector("canvas")?.game;
  return game?.ready && game.hushed.map(h => [h.kind, h.until]);
}"""


@pytest.mark.parametrize("until", ["turn", "battle"])
def test_a_reaction_is_a_card_that_can_be_told_not_to_come_again(hall: Server, join: Any, until: str) -> None:
    # Nobody goes on with the turn meanwhile: in another one nothing of it is recalled.
    table = watching(hall, join)
    asked = table.decision
    assert asked is not None
    button = table.page.get_by_role("group", name="Do not ask again").get_by_role("button", name=until)
    hushed = button.evaluate(HUSH)
    table.page.wait_for_function("id => document.querySelector('canvas').game.decision?.id !== id", arg=asked["id"])
    table.page.wait_for_function(
        "([order, given]) => document.querySelector('canvas').game.orders.includes(order) === given",
        arg=[f'for: "{asked["kind"]}", do: pass', until == "battle"],
    )
    assert hushed == ([[asked["kind"], until]] if until == "turn" else [])
    table.page.reload()
    assert table.page.wait_for_function(RECALLED).json_value() == hushed


def test_an_answer_is_taken_back_with_z(sit: Any) -> None:
    table = sit(at="move_with").open()
    first = table.play_until("move_with")
    table.go_on("1")
    table.go_on("z")
    assert table.decision["kind"] == first["kind"]


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_what_a_tool_says_covers_nothing_of_the_table(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=size == PHONE, at="move_with").open()
    table.page.get_by_role("button", name="Tape measure").click()
    said = table.page.get_by_text("Drag to measure").bounding_box()
    edge = table.on_screen(0, table.ask("return game.ground.table.depth"))[1]
    assert said["y"] + said["height"] < edge + 4


def test_the_tape_measures_and_lines_of_sight_are_drawn(sit: Any) -> None:
    table = sit(at="move_with").open()
    table.play_until("move_with")
    table.page.keyboard.press("m")
    table.drag(table.on_screen(10 * STEP, 20 * STEP), (100, 0), drop=False)
    assert "″" in table.ask("return game.pointers[0].text")
    table.page.mouse.up()
    table.page.keyboard.press("v")
    standing = "game.view.units.filter(u => game.standing(u.id).length)"
    mine = table.ask(f"return {standing}.find(u => game.isMine(u.id)).id")
    theirs = table.ask(f"return {standing}.find(u => !game.isMine(u.id)).id")
    table.ask("return game.show(argument)", mine)
    table.page.mouse.click(*table.model(theirs))
    table.page.wait_for_function("() => document.querySelector('canvas').game.sight")


def test_the_story_opens_its_rulings_and_the_phase_has_a_quick_reference(sit: Any) -> None:
    table = sit().open()
    table.play_until("move_with")
    table.page.locator(".log .rolled").last.click()
    table.page.locator(".ruling blockquote, .ruling p").first.wait_for()
    table.page.get_by_role("tab", name="Rules").click()
    table.page.get_by_role("tabpanel").get_by_role("button").nth(2).wait_for()
    table.page.get_by_role("tab", name="Score").click()
    table.page.get_by_role("tabpanel").get_by_text("VP").first.wait_for()


def test_a_moment_is_saved_as_a_picture(sit: Any) -> None:
    table = sit().open()
    with table.page.expect_download() as found:
        table.page.get_by_role("button", name="Save a picture").click()
    assert found.value.suggested_filename.endswith(".png")


#: A place of the window where nothing stands.
BARE = """const b = canvas.getBoundingClientRect();
for (let y = b.y + 60; y < b.y + b.height - 60; y += 12)
  for (let x = b.x + 40; x < b.x + b.width - 90; x += 12)
    if (game.unitUnder(x, y) < 0 && document.elementFromPoint(x, y) === canvas) return [x, y];"""


@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_fingers_pan_pinch_and_tap(sit: Any, size: tuple[int, int]) -> None:
    table = sit(size, touch=True, at="move_with").open()
    move = table.play_until("move")
    touch = table.page.context.new_cdp_session(table.page)

    def fingers(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(at)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = table.ask("const b = canvas.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]")
    look = "return [camera.x, camera.k]"
    before = table.ask(look)[1]
    fingers("touchStart", (x - 20, y), (x + 20, y))
    for part in (30, 45, 60):
        fingers("touchMove", (x - part, y), (x + part, y))
    fingers("touchEnd")
    table.page.wait_for_function("k => document.querySelector('canvas').camera.k > 2 * k", arg=before)
    middle, scale = table.ask(look)
    table.ask(DRAWN)
    bare = table.ask(BARE)
    fingers("touchStart", tuple(bare))
    for part in (10, 20, 30):
        fingers("touchMove", (bare[0] + part, bare[1]))
    # A finger that is lifted while it moves flings, and the next tap does nothing but stop that.
    table.page.wait_for_timeout(REST)
    fingers("touchEnd")
    table.page.wait_for_function("x => document.querySelector('canvas').camera.x < x - 100", arg=middle)
    assert table.ask(look)[1] == scale, "one finger only looks around"
    table.page.get_by_role("button", name="The whole table").tap()
    table.page.wait_for_function("() => !document.querySelector('canvas').camera.free")
    table.page.touchscreen.tap(*table.badge(move["unit"]))
    table.page.wait_for_function("k => document.querySelector('canvas').camera.k > k", arg=before)
    assert table.ask(look)[0] == pytest.approx(table.ask("return game.middle(argument)[0]", move["unit"]))
    table.page.get_by_role("group", name="Nudge").get_by_role("button", name="Nudge up").tap()
    assert table.planned()["longest"] == pytest.approx(STEP / 10, abs=2)


def test_nothing_is_asked_of_anybody_else(sit: Any, hall: Any) -> None:
    table = sit()
    asked: list[str] = []
    table.page.on("request", lambda request: asked.append(request.url))
    table.open()
    table.go_on()
    assert [url for url in asked if not url.startswith((hall.address, "data:", "blob:"))] == []
    assert sum(len(hall.get(url.removeprefix(hall.address))[2]) for url in asked if "/assets/" in url) < 1_500_000


def test_a_battle_is_given_up_by_two_clicks_and_by_no_double_click(sit: Any) -> None:
    table = sit().open()
    flag = table.page.get_by_role("button", name="Concede")
    places = [flag, table.page.get_by_role("button", name="Help"), table.page.get_by_role("banner")]
    before = [place.bounding_box() for place in places]
    flag.dblclick()
    assert "up" in flag.inner_text()
    assert [place.bounding_box() for place in places] == before, "nothing makes room for the question"
    assert table.ask("return game.result") is None
    flag.get_by_text("Press again").click()
    table.page.wait_for_function("() => document.querySelector('canvas').game.result")


def test_an_advance_may_be_picked_before_its_rings_are_there(sit: Any) -> None:
    table = sit(at="move_with").open()
    table.play_until("move_with")
    table.page.keyboard.press("1")
    table.page.wait_for_function("() => document.querySelector('canvas').game.decision?.kind === 'move'")
    table.page.keyboard.press("a")
    assert table.planned()["answer"]["mode"] == "advance"


def test_who_comes_back_knows_how_many_wounds_models_have_when_they_are_whole(sit: Any) -> None:
    table = sit(at="move_with").open()
    whole = "return game.view.models.map((_, m) => game.wounds(m)[1])"
    before = table.ask(whole)
    table.play_until("move_with")
    table.ask("game.view.models[0][4] = 0")
    table.page.reload()
    table.wait()
    assert table.ask(whole) == before


def test_among_ideas_the_one_that_space_gives_is_marked_and_each_says_what_it_does(sit: Any) -> None:
    table = sit(at="move_with").open()
    table.play_until("move_with")
    table.page.wait_for_function("() => document.querySelector('canvas').game.usual")
    table.page.get_by_role("button", name="Ideas").click()
    ideas = table.page.locator(".dock .idea")
    ideas.first.wait_for()
    marked = ideas.filter(has=table.page.locator("kbd")).locator("b").all_inner_texts()
    assert marked == [table.ask("return game.usual.said")]
    assert ideas.filter(has_text="Another way").count() == 0
    called_usual = ideas.filter(has_text="The usual answer.").locator("b").all_inner_texts()
    assert [said for said in called_usual if said not in marked] == []
