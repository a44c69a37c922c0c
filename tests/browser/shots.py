"""Pictures of every state of the browser table in three sizes, for somebody to look at: `make shots`.

Names after the command, such as `shots.py move odds`, take those alone. Beside the pictures stands what can be
measured: controls that are too small for a finger, and text that is cut off.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser import chromium
from browser.conftest import DESK, PHONE, TABLET
from browser.hands import SPOT
from browser.table import STEP, Table
from browser.test_lists import PASTE
from browser.test_magnets import FOES, WALL
from browser.test_plans import MOVING, WALKERS, choose
from browser.test_rulings import MOMENT
from browser.test_shapes import AGAIN, NUMBER, ROLL, asked, pretend
from server.live import Battle, Server
from server.test_falls import BRUTES, FIRED_AT
from support.exports import HOST, Exported, wtc_compact

OUT = Path(__file__).parents[2] / "out" / "shots"
SIZES = {"desk": DESK, "tablet": TABLET, "phone": PHONE}
ARMIES = ("space-marines-1000-assault", "tyranids-1000-swarm")
CROSSROADS = {"armies": ARMIES, "seed": 7, "seats": ["mine", "mine"], "layout": "crossroads"}
MADE_UP = {"system": "epica", "made_up": True, "seed": 3, "seats": ["mine", "mine"]}
LONGEST = 30_000
"""Milliseconds that anything may take."""
FINGER = 40
"""Pixels that a finger needs."""
#: What a finger would miss, and what does not fit where it stands.
MEASURE = """([finger, touch]) => {
  const found = [], inside = "p button, p select, .log button";
  const controls = "button, select, input:not([type=file]), summary";
  const box = e => (e.matches("[type=checkbox], [type=radio]") && e.closest("label") || e).getBoundingClientRect();
  const text = e => (e.getAttribute("aria-label") || e.innerText || e.value || e.tagName).trim();
  const name = e => text(e).slice(0, 40).replaceAll("\\n", " ");
  const shown = e => e.checkVisibility() && box(e).width && box(e).height;
  const note = (what, e, width, height) => found.push(`${what}: ${name(e)}, ${width} x ${height}`);
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) note("wider than the window", page, page.scrollWidth, page.scrollHeight);
  for (const e of touch ? document.querySelectorAll(controls) : []) {
    const { width, height } = box(e);
    if (shown(e) && Math.min(width, height) < finger && !e.matches(inside)) note("small", e, width | 0, height | 0);
  }
  for (const e of document.querySelectorAll("body *:not(canvas):not(.stage)")) {
    const cut = getComputedStyle(e).overflowX === "hidden" && e.scrollWidth > e.clientWidth + 1;
    if (cut && shown(e)) note("cut", e, e.clientWidth, e.scrollWidth);
  }
  return found;
}"""
#: What happened since somebody was last here is a picture of its own, and in the way of the others.
READ = """() => { const game = document.querySelector("canvas")?.game; if (game) game.recap = []; }"""
Act = Callable[[Table], None]


def nothing(table: Table) -> None:
    """As it is."""


class Studio:
    """A browser, a server, and a folder for pictures."""

    def __init__(self, browser: Any, server: Server, folder: Path, only: list[str]) -> None:
        self.browser, self.server, self.only = browser, server, only
        self._folder = folder
        self.notes: list[str] = []

    def wants(self, *names: str) -> bool:
        """Whether one of these pictures is asked for."""
        return not self.only or any(name.startswith(part) for name in names for part in self.only)

    @contextmanager
    def _taking(self, name: str, size: str, page: Any) -> Iterator[None]:
        """A picture of what came of it, even if that is not what it should be."""
        print(f"{name}-{size}", flush=True)
        try:
            yield
        except Exception as error:
            self.notes.append(f"{name}-{size}: {str(error).splitlines()[0]}")
        page.wait_for_timeout(400)
        page.screenshot(path=self._folder / f"{name}-{size}.png")
        self.notes += [f"{name}-{size}: {line}" for line in page.evaluate(MEASURE, [FINGER, size != "desk"])]

    def sit(
        self,
        name: str,
        battle: Battle | Callable[[], Battle],
        act: Act = nothing,
        *,
        player: int = 0,
        before: Callable[[Table, Battle], None] = lambda table, battle: None,
        ready: bool | None = True,
        orders: str = "",
    ) -> None:
        """Take a seat at a battle and do something there, in each size; `ready` says whether something is asked there.

        With None the table itself is out of sight.
        """
        if not self.wants(name):
            return
        for size, pixels in SIZES.items():
            at = battle() if callable(battle) else battle
            token, touch = at.tokens[player] if player >= 0 else "", size != "desk"
            table = Table(
                self.browser, self.server.address, at.id, token, pixels, touch=touch, player=player, orders=orders
            )
            table.page.set_default_timeout(LONGEST)
            before(table, at)
            with self._taking(name, size, table.page):
                match ready:
                    case None:
                        table.page.goto(table.address)
                    case False:
                        table.watch()
                    case True:
                        table.open()
                if name != "recap":
                    table.page.wait_for_timeout(150)
                    table.page.evaluate(READ)
                act(table)
            self.notes += [f"{name}-{size}: {line}" for line in table.complaints if "status of 4" not in line]
            table.close()

    def visit(self, name: str, where: str, act: Callable[[Any], None]) -> None:
        """Open a page that is no battle, as somebody who was never here, in each size."""
        if not self.wants(name):
            return
        for size, (width, height) in SIZES.items():
            touch = size != "desk"
            context = self.browser.new_context(
                viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch and width < 600
            )
            page = context.new_page()
            page.set_default_timeout(LONGEST)
            with self._taking(name, size, page):
                page.goto(f"{self.server.address}/{where}")
                act(page)
            context.close()


# --- a battle, from its first question on


class Walk:
    """Both seats of one battle, which goes on by usual answers until something is asked."""

    def __init__(self, battle: Battle, stack: ExitStack) -> None:
        self.battle = battle
        self.clients = [stack.enter_context(battle.sit(player)) for player in (0, 1)]
        self._last = self.clients[0]

    def to(self, kind: str, player: int = 0, fits: Callable[[Any], bool] = lambda asked: True) -> Battle | None:
        """Go on until a kind of question is asked; None where the battle ends without it."""
        while waiting := self._last.now["waiting"]:
            client = self.clients[waiting[0]["player"]]
            asked = client.question()
            if asked["kind"] == kind and asked["player"] == player and fits(asked):
                return self.battle
            client.go_on()
            self._last = client
        return None

    def over(self) -> Battle:
        """Go on to the end."""
        while waiting := self._last.now["waiting"]:
            self._last = self.clients[waiting[0]["player"]]
            self._last.question()
            self._last.go_on()
        return self.battle


def battle_by_its_questions(studio: Studio) -> None:
    """What a battle of 1,000 points asks, in its order."""
    with ExitStack() as stack:
        battle = studio.server.begin(**CROSSROADS)
        walk = Walk(battle, stack)
        for name, kind, player, act in QUESTIONS:
            if not studio.wants(name):
                continue
            at = walk.to(kind, player, MANY.get(name, lambda asked: True))
            if at is None:
                studio.notes.append(f"{name}: the battle ended before '{kind}' was asked")
                # The others are asked for in a battle that begins anew.
                battle = studio.server.begin(**CROSSROADS)
                walk = Walk(battle, stack)
            else:
                studio.sit(name, at, act, player=player)
        if studio.wants("conceded"):
            walk.clients[1].ask("concede")
            studio.sit("conceded", battle)


def hover(table: Table) -> None:
    """The hand rests where it points: on the first model of the unit that is asked about."""
    table.page.wait_for_function("() => document.querySelector('canvas').game.usual")


def set_up(table: Table) -> None:
    """Tap in the middle of the area; without one, where the usual answer is."""
    hover(table)
    area = table.ask("return game.decision.area") or table.ask("return game.usual.answer.map(s => [s.x, s.y])")
    xs, ys = zip(*area, strict=True)
    table.page.mouse.click(*table.on_screen(sum(xs) / len(xs), (min(ys) + max(ys)) / 2))
    table.planned()


def plan_a_move(table: Table) -> None:
    """Three inches on, as a hand drags it."""
    unit = table.ask("return game.decision.unit")
    up = table.ask("return Math.sign(game.ground.table.depth / 2 - game.middle(argument)[1]) || 1", unit)
    scale = table.ask("return camera.k") * STEP
    at = table.ask(SPOT, unit) or table.model(unit)
    table.drag(tuple(at), (0.6 * scale, -3 * up * scale))
    table.planned()


def drag_too_far(table: Table) -> None:
    """Onto the nearest enemy, without letting go."""
    unit = table.ask("return game.decision.unit")
    foe = table.ask(
        "return game.view.units.find(u => game.isEnemy(u.id, argument) && game.standing(u.id).length).id", unit
    )
    start, end = table.ask(SPOT, unit) or table.model(unit), table.model(foe)
    table.drag(tuple(start), (end[0] - start[0], end[1] - start[1]), drop=False)
    table.page.wait_for_timeout(900)


def aim(table: Table) -> None:
    """Everything at the first target."""
    table.page.wait_for_function("() => document.querySelector('canvas').game.chips.size")
    table.page.keyboard.press("1")
    table.page.wait_for_function("() => document.querySelectorAll('.dock p.good').length")


def split(table: Table) -> None:
    """Some of it at the second one."""
    aim(table)
    row = table.ask("return game.decision.rows.find(r => r.targets.length > 1)")
    label = table.ask("return game.decision.targets.find(t => t.value === argument).label", row["targets"][1])
    table.page.get_by_role("button", name=f"All {row['label']} at {label}").first.click()
    table.page.wait_for_function("() => document.querySelector('canvas').game.actor.ready")
    table.page.wait_for_timeout(800)


def look_at_a_target(table: Table) -> None:
    """The hand rests on the first target."""
    target = table.ask("return game.decision.targets[0].value")
    table.page.mouse.move(*table.model(target))
    table.page.wait_for_function("() => document.querySelector('canvas').game.sight")


def pick(table: Table) -> None:
    """The first of what is offered."""
    table.page.keyboard.press("1")


def tab(name: str, then: Callable[[Any], None] = lambda page: None) -> Act:
    """A panel of the story."""

    def act(table: Table) -> None:
        table.page.get_by_role("tab", name=name).click()
        table.page.wait_for_timeout(300)
        then(table.page)

    return act


def ideas(table: Table) -> None:
    table.page.get_by_role("button", name="Ideas").click()
    table.page.locator(".idea").first.wait_for()


def rules_behind(table: Table) -> None:
    table.page.get_by_role("button", name="The rules behind this").click()
    table.page.locator(".dock blockquote").first.wait_for()


def log_line(table: Table) -> None:
    """What the last roll rests on."""
    table.page.get_by_role("tab", name="Log").click()
    table.page.locator(".log .rolled").last.click()
    table.page.locator(".ruling blockquote").first.wait_for()


def who_falls(table: Table) -> None:
    choose(table, WALKERS)
    table.page.get_by_role("tab", name="Unit").click()
    table.page.get_by_role("button", name="Who falls first").click()
    table.page.get_by_label("Who falls first").last.get_by_role("button", name="Later").first.click()


def carried(page: Any) -> None:
    page.get_by_text("As text (for experts)").click()
    page.get_by_role("button", name="Show the link to my seat").click()
    page.get_by_label("The way to this seat").wait_for()


def tool(key: str) -> Act:
    """Tape, sight, threat or floors."""

    def act(table: Table) -> None:
        table.page.keyboard.press(key)
        if key == "m":
            table.drag(table.on_screen(10 * STEP, 20 * STEP), (120, 30), drop=False)
        if key == "v":
            foe = table.ask("return game.view.units.find(u => !game.isMine(u.id) && game.standing(u.id).length).id")
            table.page.mouse.click(*table.model(foe))
            table.page.wait_for_function("() => document.querySelector('canvas').game.sight")

    return act


def ring(table: Table) -> None:
    """What can be done with the unit."""
    table.page.mouse.click(*table.ask(SPOT, table.ask("return game.decision.unit")), button="right")
    table.page.get_by_role("menu").wait_for()


def some_models(table: Table) -> None:
    """Three of them are picked."""
    ring(table)
    table.page.get_by_role("menuitem", name="Some models").click()
    unit = table.ask("return game.decision.unit")
    for number in range(3):
        table.page.mouse.click(*table.model(unit, number))


def formation(table: Table) -> None:
    """A unit in two ranks, where fingers open the list first."""
    shown = table.page.get_by_role("button", name="two ranks")
    if not shown.is_visible():
        table.page.get_by_text("Formation:").click()
    shown.click()
    table.planned()


QUESTIONS: tuple[tuple[str, str, int, Act], ...] = (
    ("place-marker", "place_marker", 0, nothing),
    ("attach", "attach", 0, pick),
    ("reserves", "reserves", 0, nothing),
    ("deploy-with", "deploy_with", 0, nothing),
    ("deploy", "deploy", 0, nothing),
    ("deploy-planned", "deploy", 0, set_up),
    ("oath", "ability_target", 0, nothing),
    ("react-phase", "react.phase_began", 0, nothing),
    ("move-with", "move_with", 0, nothing),
    ("move", "move", 0, hover),
    ("move-planned", "move", 0, plan_a_move),
    ("move-refused", "move", 0, drag_too_far),
    ("rules-behind", "move", 0, rules_behind),
    ("ideas", "move", 0, ideas),
    ("tab-unit", "move", 0, tab("Unit")),
    ("tab-score", "move", 0, tab("Score")),
    ("tab-rules", "move", 0, tab("Rules", lambda page: page.locator("[role=tabpanel] button").nth(1).click())),
    ("tab-away", "move", 0, tab("Away", carried)),
    ("tab-help", "move", 0, tab("Help")),
    ("ring", "move", 0, ring),
    ("some-models", "move", 0, some_models),
    ("formation", "move", 0, formation),
    ("tape", "move", 0, tool("m")),
    ("sight", "move", 0, tool("v")),
    ("threat", "move", 0, tool("r")),
    ("floors", "move", 0, tool("f")),
    ("react-move", "react.unit_move_ended", 1, nothing),
    ("disembark", "disembark", 0, set_up),
    ("shoot-with", "shoot_with", 0, nothing),
    ("shoot", "shoot", 0, nothing),
    ("shoot-aimed", "shoot", 0, aim),
    ("shoot-split", "shoot", 0, split),
    ("log-opened", "shoot", 0, log_line),
    ("shoot-hovered", "shoot", 0, look_at_a_target),
    ("allocate", "allocate", 1, nothing),
    ("react-roll", "react.after_roll", 1, nothing),
    ("charge-targets", "charge_targets", 1, pick),
    ("charge-move", "charge_move", 1, nothing),
    ("fight-with", "fight_with", 1, nothing),
    ("pile-in", "pile_in", 1, nothing),
    ("strike", "strike", 1, pick),
    ("reroll", "reroll", 1, pick),
    ("confirm", "use_ability", 0, nothing),
    ("log", "move_with", 0, tab("Log")),
    ("score", "move_with", 0, tab("Score")),
)
#: What makes a question worth a picture.
MANY: dict[str, Callable[[Any], bool]] = {
    name: lambda asked: len(asked["targets"]) > 2 and sum(len(row["targets"]) > 1 for row in asked["rows"]) > 2
    for name in ("shoot", "shoot-aimed", "shoot-split", "log-opened", "shoot-hovered")
}


# --- questions that this battle does not ask


def made_up_questions(studio: Studio) -> None:
    """The shapes that are left, on a table in centimetres."""
    things = [{"value": f"o{i}", "label": label, "note": ""} for i, label in enumerate(THINGS)]
    ways = {
        "number": (asked("number", least=1, most=40), nothing),
        "number-few": (asked("number", least=0, most=6), nothing),
        "confirm-plain": (asked("confirm", default=False), nothing),
        "order": (asked("order", options=things), nothing),
        "split": (asked("split", options=things, total=5, most_each=5), pick),
        "template": (asked("template", templates=["blast", "blast"]), tap((60, 60), (72, 62))),
        "flight": (
            asked("flight_path", shortest_leg=30 * STEP, widest_turn=512, optional=True),
            tap((2, 60), (60, 60), (95, 78)),
        ),
        "plot": (asked("plot", most=2, last_turn=4, secret=True), tap((60, 50))),
    }
    for name, (question, act) in ways.items():
        question["prompt"] = PROMPTS[name]

        def before(table: Table, battle: Battle, question: dict[str, Any] = question) -> None:
            pretend(table, question, [])

        if studio.wants(name):
            studio.sit(name, studio.server.begin(**MADE_UP), act, before=before)


THINGS = ("Blast markers on the Blitz Brigade", "Crossfire", "The last of the Devastators")
PROMPTS = {
    "number": "How many dice are rolled for it?",
    "number-few": "How many markers are removed?",
    "confirm-plain": "Does it go over to hovering?",
    "order": "In which order are these resolved?",
    "split": "Who gets the hits?",
    "template": "Where does the barrage fall?",
    "flight": "How do the Fighta Bommerz approach?",
    "plot": "Where, and when, does the spacecraft fire?",
}


def tap(*places: tuple[int, int]) -> Act:
    def act(table: Table) -> None:
        for x, y in places:
            table.page.mouse.click(*table.on_screen(x * STEP, y * STEP))
        table.page.wait_for_timeout(200)

    return act


# --- moments around a battle


def ruling(table: Table) -> None:
    choose(table, WALKERS)
    table.ask(
        "game.refuse({ok: false, reasons: [{text: 'Walkers are too far from Foes.', rules: ['w40k10.move.normal']}]})"
    )
    table.page.get_by_role("button", name="why?").click()
    table.page.get_by_label("Walkers and Foes").wait_for()


def plan_first(table: Table) -> None:
    choose(table, WALKERS)
    table.page.get_by_label("Plan first, then do it all").check()
    plan_a_move(table)
    table.page.keyboard.press("Enter")
    table.page.wait_for_function("() => document.querySelector('canvas').game.intents.length === 1")


def watch_dice(table: Table) -> None:
    """A volley, step by step."""
    table.play_until("shoot")
    table.page.get_by_label("Pace of the story").select_option("every step")
    table.page.mouse.click(*table.model(BRUTES))
    table.page.wait_for_function("() => document.querySelector('canvas').game.pointed.size === 1")
    table.page.locator(".dock .main").click()
    for _ in range(2):
        table.page.get_by_role("button", name="Go on").click()
    table.page.locator(".tray").wait_for()


#: Whom a battle leaves in Reserves depends on much; here they come.
ARRIVING = """\
scenario: From above
system: w40k10
question: Where do the Divers arrive?
table: {size: [44, 30]}
sheets:
  Diver:
    move: 6
    toughness: 4
    save: 3
    wounds: 2
    leadership: 6
    oc: 2
    base: 32mm
    height: 1.5
    keywords: [INFANTRY]
    abilities: [deep strike]
units:
  - {name: Divers, player: red, sheet: Diver, models: 5, off: true, flags: {reserve: deep strike}}
  - {name: Base, player: red, sheet: Diver, positions: [[4, 4], [6, 4]]}
  - {name: Foes, player: blue, sheet: Diver, positions: [[22, 15], [24, 15], [23, 17]]}
at: {step: reinforcements, active: red, round: 2}
"""


def arrive(table: Table) -> None:
    """From above, near the enemy."""
    table.play_until("arrive")
    table.page.mouse.click(*table.on_screen(10 * STEP, 16 * STEP))
    table.planned()


def hide(table: Table) -> None:
    """A unit that is drawn out of an enemy's sight."""
    choose(table, WALKERS)
    table.ask("void game.actor.menu(argument).find(deed => deed.label === 'Hide from it').do()", FOES)
    table.page.wait_for_function("() => document.querySelector('canvas').game.shade")
    scale = table.ask("return camera.k") * STEP
    table.drag(table.model(WALKERS), (scale, -2.2 * scale), drop=False)


def _may_roll_again(table: Table, battle: Battle) -> None:
    question = asked("choose", options=AGAIN, optional=True)
    pretend(table, question | {"kind": "react.roll", "id": NUMBER, "prompt": "Walkers charge: do you react?"}, [])


def roll_again(table: Table) -> None:
    table.ask(ROLL, "default")
    table.page.locator(".tray .again").wait_for()


def around_a_battle(studio: Studio) -> None:
    begin = studio.server.begin
    studio.sit("ruling", lambda: begin(scenario=MOMENT, seats=["mine", "default"]), ruling)
    # From then on the server answers for the unit: that is a battle of its own.
    studio.sit("tab-falls", lambda: begin(scenario=MOVING, seats=["mine", "default"]), who_falls)
    studio.sit("plan-first", lambda: begin(scenario=MOVING, seats=["mine", "default"]), plan_first)
    studio.sit("dice", lambda: begin(scenario=FIRED_AT, seats=["mine", "default"], seed=3), watch_dice)
    studio.sit("arrive", lambda: begin(scenario=ARRIVING, seats=["mine", "default"]), arrive)
    studio.sit("hide", lambda: begin(scenario=WALL, seats=["mine", "default"]), hide)
    studio.sit("again", lambda: begin(scenario=MOVING, seats=["mine", "default"]), roll_again, before=_may_roll_again)
    studio.sit("waiting", lambda: begin(**MADE_UP | {"minutes": 30}), player=0, ready=False)
    studio.sit("clocks", lambda: begin(**MADE_UP | {"minutes": 30}), player=1)
    studio.sit("watching", lambda: begin(**MADE_UP), player=-1, ready=False)
    gone = "game.online = false; game.trouble = 'The connection is gone. It comes back by itself.'"
    studio.sit("no-connection", lambda: begin(**MADE_UP), lambda table: table.ask(gone), player=1, ready=False)
    studio.sit("hints", lambda: begin(**MADE_UP), before=_forget_hints, player=1)
    if studio.wants("recap"):
        studio.sit("recap", lambda: _seen_before(studio), ready=False)
    text = "marines want to take an answer back, although dice have been rolled since. Do you agree?"
    wish = f"game.asking = {{request: 1, player: 0, text: '{text}'}}"
    studio.sit("consent", lambda: begin(**MADE_UP), lambda table: table.ask(wish), player=1, ready=False)
    if studio.wants("over", "replay-end"):
        with ExitStack() as stack:
            battle = Walk(begin(**MADE_UP), stack).over()
            studio.sit("over", battle)
            studio.sit("replay-end", battle, _to_the_end)
    studio.sit("hot-seat", lambda: begin(**MADE_UP), before=_both_seats)
    if studio.wants("privacy"):
        with ExitStack() as stack:
            at = Walk(begin(**CROSSROADS), stack).to("attach") or begin(**MADE_UP)
            studio.sit("privacy", at, before=_both_seats, act=_hidden, ready=None)


def _forget_hints(table: Table, battle: Battle) -> None:
    table.page.add_init_script("localStorage.removeItem('sandtable.hints')")


def _both_seats(table: Table, battle: Battle) -> None:
    """Two who sit at one screen."""
    seats = [{"battle": battle.id, "player": i, "token": token} for i, token in enumerate(battle.tokens)]
    table.page.add_init_script(f"localStorage.setItem('sandtable.seats', {json.dumps(json.dumps(seats))})")


def _seen_before(studio: Studio) -> Battle:
    """A battle that the first player left, and that the second one, who is asked first, played on."""
    battle = studio.server.begin(**MADE_UP)
    with battle.sit(0):
        pass
    with battle.sit(1) as other:
        while other.now["waiting"] and other.now["waiting"][0]["player"] == 1:
            other.go_on()
    return battle


def _hidden(table: Table) -> None:
    table.page.get_by_role("heading", name=re.compile("^For .* alone$")).wait_for()


def _to_the_end(table: Table) -> None:
    table.page.get_by_role("button", name="Watch it again").click()
    table.page.wait_for_url("**/replays/*")
    table.page.keyboard.press("End")


# --- pages that are no battle


def first_page(studio: Studio) -> None:
    studio.visit("first", "", lambda page: page.get_by_label("Your army").wait_for())
    studio.visit("first-options", "", _options)
    studio.visit("first-wrong", "", _wrong_list)
    studio.visit("first-drop", "", _drag_over)
    studio.visit("first-list", "", lambda page: _paste(page, wtc_compact(HOST)))
    studio.visit("first-list-abilities", "", _abilities_of_a_list)
    studio.visit("first-list-problems", "", lambda page: _paste(page, wtc_compact(_without_heroes(HOST))))
    studio.visit("first-list-chosen", "", _chosen_list)
    studio.visit("first-invited", "", _invited)
    studio.visit("first-mine", "", _some_battles)
    studio.visit("first-no-seat", "#seat/nobody", lambda page: page.get_by_role("alert").wait_for())
    studio.visit("no-battle", "#battle/nothing", lambda page: page.wait_for_timeout(800))


def _options(page: Any) -> None:
    page.get_by_label("Your army").wait_for()
    page.get_by_text("Options", exact=True).click()
    page.get_by_text("Options", exact=True).scroll_into_view_if_needed()
    page.get_by_text("Options", exact=True).evaluate("e => e.scrollIntoView()")


def _wrong_list(page: Any) -> None:
    page.get_by_role("textbox", name="Paste a list").fill("name: Mine\nsystem: w40k10\nunits: [{sheet: elves}]\n")
    page.get_by_role("button", name="Read it").click()
    page.get_by_role("alert").wait_for()


def _drag_over(page: Any) -> None:
    page.get_by_label("Your army").wait_for()
    page.evaluate("window.dispatchEvent(new DragEvent('dragover', {cancelable: true}))")


def _paste(page: Any, text: str) -> None:
    page.get_by_label("Your army").wait_for()
    page.evaluate(PASTE, text)
    page.get_by_role("button", name="Play with it").wait_for()


def _without_heroes(army: Exported) -> Exported:
    return army._replace(units=tuple(unit for unit in army.units if unit.models > 1))


def _abilities_of_a_list(page: Any) -> None:
    _paste(page, wtc_compact(HOST))
    page.get_by_text("What is not played as printed").click()
    page.get_by_role("button", name="Play with it").evaluate("e => e.scrollIntoView({block: 'end'})")


def _chosen_list(page: Any) -> None:
    _paste(page, wtc_compact(HOST))
    page.get_by_role("button", name="Play with it").click()
    page.get_by_text("is your army now").wait_for()


def _invited(page: Any) -> None:
    page.get_by_label("Your army").wait_for()
    page.get_by_label("Opponent").select_option("invited")
    page.get_by_role("button", name="Begin").click()
    page.get_by_label("The link as a code").wait_for()


def _some_battles(page: Any) -> None:
    page.get_by_role("button", name="Play now").click()
    page.get_by_label("The table", exact=True).wait_for()
    page.wait_for_function("() => document.querySelector('canvas').game.decision")
    page.get_by_title("All battles").click()
    page.get_by_role("heading", name="Your battles").wait_for()


def odds_page(studio: Studio) -> None:
    studio.visit("odds", "#odds", lambda page: page.get_by_label("Question").wait_for())
    studio.visit("odds-told", "#odds", lambda page: _odds(page, "What does it do?", "5 intercessors"))
    studio.visit("odds-many", "#odds", lambda page: _odds(page, "How many does it take?", "5 intercessors"))
    studio.visit("odds-charge", "#odds", lambda page: _odds(page, "A charge", "5 intercessors"))
    studio.visit("odds-wrong", "#odds", lambda page: _odds(page, "What does it do?", "5 elves"))


def _odds(page: Any, question: str, target: str) -> None:
    page.get_by_label("Question").locator("option").nth(2).wait_for(state="attached")
    label = next(
        o for o in page.get_by_label("Question").locator("option").all_text_contents() if o.startswith(question)
    )
    page.get_by_label("Question").select_option(label=label)
    page.get_by_label("Who attacks").fill("10 boyz")
    page.get_by_label("Whom").fill(target)
    page.get_by_text("Circumstances").click() if question == "What does it do?" else None
    page.get_by_role("button", name="What are the odds?").click()
    page.locator(".headline, [role=alert]").first.wait_for()
    page.locator(".headline, [role=alert]").first.evaluate("e => e.scrollIntoView({block: 'center'})")


def terrain_editor(studio: Studio) -> None:
    studio.visit("terrain", "#terrain", lambda page: page.get_by_role("button", name="woods").wait_for())
    studio.visit("terrain-piece", "#terrain", _put_a_ruin)


def _put_a_ruin(page: Any) -> None:
    page.get_by_role("button", name="ruin").first.click()
    box = page.get_by_label("The table", exact=True).bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.35, box["y"] + box["height"] * 0.4)
    page.wait_for_timeout(300)


def take(only: list[str]) -> None:
    """All pictures, or those whose names begin so."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, chromium.running() as browser:
        studio = Studio(browser, server, OUT, only)
        for part in (
            first_page,
            odds_page,
            terrain_editor,
            made_up_questions,
            around_a_battle,
            battle_by_its_questions,
        ):
            part(studio)
    (OUT / "notes.txt").write_text("\n".join(studio.notes) + "\n")
    print(f"{OUT}: {len(studio.notes)} notes")


if __name__ == "__main__":
    take(sys.argv[1:])
