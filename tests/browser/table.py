"""The browser table as a test handles it: by keys, by mouse or by finger, as a person would."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

PATIENCE = 90_000
"""Milliseconds after which something that should happen will not: other tests may have the machine to themselves."""
STEP = 1024

#: A connection that is slow both ways, as over the internet, and may become slower.
SLOW = """
const Quick = WebSocket;
window.delay = DELAY;
window.WebSocket = class extends Quick {
  send(data) { setTimeout(() => { if (this.readyState === 1) super.send(data); }, window.delay); }
  set onmessage(hear) { super.onmessage = event => setTimeout(() => hear(event), window.delay); }
};
"""
READY = """() => {
  const game = document.querySelector("canvas")?.game;
  return game && ((game.decision && !game.telling && game.actor && !game.busy && !game.automatic) || game.result);
}"""
NEXT = """before => {
  const game = document.querySelector("canvas").game;
  return game.result || (game.decision && game.decision.id !== before && !game.telling && game.actor);
}"""

#: The open question once it can be answered; "over" when the battle is.
ASKED = """() => {
  const game = document.querySelector("canvas")?.game;
  if (game?.result) return "over";
  const free = game?.decision && !game.telling && game.actor && !game.busy && !game.automatic;
  return free ? {...game.decision} : null;
}"""
#: What was sent before this has arrived when it is answered.
ROUND_TRIP = "() => document.querySelector('canvas').game.default().then(() => true)"
#: Until the table is drawn as it is looked at now.
DRAWN = "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
#: The middle of a unit's badge in the window.
BADGE = """const { box } = canvas.laid().find(l => l.unit === argument), b = canvas.getBoundingClientRect();
return [b.left + (box[0] + box[2]) / 2, b.top + (box[1] + box[3]) / 2];"""
#: What is planned, once the server has judged it: whatever a hand does is planned, and not yet judged, at once.
PLANNED = """() => {
  const { plan, decision, settling, busy } = document.querySelector("canvas").game;
  return plan?.verdict && plan.decision === decision?.id && !settling && !busy ? {...plan} : null;
}"""


def seeded(page: Any, seed: int) -> None:
    """Battles of this page begin with a seed: one click leaves it to chance, and a test does not."""

    def begin(route: Any) -> None:
        wish = route.request.post_data
        route.continue_(post_data=json.dumps({**json.loads(wish), "seed": seed}) if wish else None)

    page.route("**/api/battles", begin)


def complaints(page: Any) -> list[str]:
    """What a page writes to its console as an error, and what it does not catch; the list grows."""
    found: list[str] = []
    page.on("console", lambda said: found.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


class Table:
    """A window with one seat of a battle; without a token, with nobody's."""

    def __init__(
        self,
        browser: Any,
        address: str,
        battle: str,
        token: str,
        size: tuple[int, int],
        *,
        touch: bool = False,
        delay: int = 0,
        player: int = 0,
        orders: str = "",
        scale: float = 1,
    ) -> None:
        width, height = size
        self._context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=touch,
            is_mobile=touch and width < 600,
            device_scale_factor=scale,
        )
        self._context.set_default_timeout(PATIENCE)
        self.page = self._context.new_page()
        self.complaints = complaints(self.page)
        self.heard: list[str] = []
        """What came over the wire."""
        self.page.on("websocket", lambda wire: wire.on("framereceived", lambda text: self.heard.append(str(text))))
        if delay:
            self.page.add_init_script(SLOW.replace("DELAY", str(delay // 2)))
        seats = json.dumps([{"battle": battle, "player": player, "token": token, "orders": orders}] if token else [])
        kept = {"sandtable.seats": seats, "sandtable.pace": "at once", "sandtable.hints": "[0, 1, 2, 3, 4]"}
        self.page.add_init_script(f"Object.assign(localStorage, {json.dumps(kept)})")
        self.address = f"{address}/#battle/{battle}"

    def open(self) -> Table:
        """Open the page, and wait for the first question."""
        self.page.goto(self.address)
        self.wait()
        return self

    def watch(self) -> Table:
        """Open the page as somebody who is asked nothing."""
        self.page.goto(self.address)
        self.page.get_by_label("The table", exact=True).wait_for()
        return self

    def close(self) -> None:
        self._context.close()

    def wait(self) -> None:
        """Until something is asked, or the battle is over."""
        self.page.wait_for_function(READY)

    def ask(self, script: str, argument: Any = None) -> Any:
        """What the page knows: `game`, `camera` and the `canvas` are at hand."""
        head = "const canvas = document.querySelector('canvas'), { game, camera } = canvas;"
        return self.page.evaluate(f"argument => {{ {head} {script} }}", argument)

    @property
    def decision(self) -> dict[str, Any] | None:
        """The open question, once it can be answered; None when the battle is over."""
        found = self.page.wait_for_function(ASKED).json_value()
        return None if found == "over" else dict(found)

    def answer_by(self, deed: Callable[[], Any]) -> None:
        """Do what answers the open question, until another one is: an answer is accepted before anybody hears more."""
        asked = self.decision
        assert asked is not None
        deed()
        self.page.wait_for_function(NEXT, arg=asked["id"])

    def go_on(self, key: str = " ") -> None:
        """Answer by one key."""
        self.answer_by(lambda: self.page.keyboard.press(key))

    def pick(self, unit: int) -> None:
        """Answer by a click on a unit."""
        self.answer_by(lambda: self.page.mouse.click(*self.model(unit)))

    def asked_now(self) -> dict[str, Any] | None:
        """What can be answered at this moment; its kind is "over" when the battle is."""
        found = self.page.evaluate(ASKED)
        return {"id": -1, "kind": "over"} if found == "over" else found

    def press(self, asked: dict[str, Any], key: str = " ") -> None:
        """Answer by one key, whoever is asked next."""
        self.page.keyboard.press(key)
        self.page.wait_for_function(
            "before => document.querySelector('canvas').game.decision?.id !== before", arg=asked["id"]
        )

    def play_until(self, kind: str, most: int = 300) -> dict[str, Any]:
        """Take usual answers until a kind of question is asked."""
        for _ in range(most):
            asked = self.decision
            assert asked is not None, f"the battle ended before '{kind}' was asked"
            if asked["kind"] == kind:
                return asked
            self.go_on()
        raise AssertionError(f"'{kind}' was not asked within {most} answers")

    def on_screen(self, x: float, y: float) -> tuple[float, float]:
        """Where a place of the table is in the window."""
        px, py = self.ask(
            "const b = canvas.getBoundingClientRect();"
            " return [b.left + camera.px(argument[0]), b.top + camera.py(argument[1])]",
            [x, y],
        )
        return px, py

    def model(self, unit: int, number: int = 0) -> tuple[float, float]:
        """Where a model of a unit is in the window."""
        x, y = self.ask(
            "const r = game.view.models[game.standing(argument[0])[argument[1]]]; return [r[0], r[1]]", [unit, number]
        )
        return self.on_screen(x, y)

    def badge(self, unit: int) -> tuple[float, float]:
        """Where the badge of a unit is in the window."""
        self.ask(DRAWN)
        x, y = self.ask(BADGE, unit)
        return x, y

    def drag(
        self, start: tuple[float, float], by: tuple[float, float], *, drop: bool = True, button: str = "left"
    ) -> None:
        """A drag in a few steps, as a hand does it."""
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down(button=button)
        for part in range(1, 9):
            mouse.move(start[0] + by[0] * part / 8, start[1] + by[1] * part / 8)
            self.page.wait_for_timeout(25)
        if drop:
            mouse.up(button=button)

    def told_at(self) -> list[float]:
        """The place of the table, in inches, beside which stands what is wrong."""
        return [way / STEP for way in self.ask("return game.notes.at")]

    def planned(self) -> dict[str, Any]:
        """What is planned, once the server has judged it."""
        return dict(self.page.wait_for_function(PLANNED).json_value())

    def slow_down(self, milliseconds: int) -> None:
        """Whatever is sent or heard from now on is that late; the connection was slow already."""
        self.page.evaluate("late => { window.delay = late; }", milliseconds)
