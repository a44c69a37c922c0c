"""A hand at a table whose every press, click, drag and key is counted: with mouse and keyboard, or with one finger."""

from __future__ import annotations

from collections import Counter
from typing import Any

from browser.table import DRAWN, STEP, Table

STEPS = 8
"""Moves of a pointer in a drag."""
REST = 100
"""Milliseconds that a finger rests before it is lifted."""
SPOT = """
const b = canvas.getBoundingClientRect();
const free = ([x, y]) => game.unitUnder(x, y) === argument && document.elementFromPoint(x, y) === canvas;
const at = m => [b.left + camera.px(game.view.models[m][0]), b.top + camera.py(game.view.models[m][1])];
return game.standing(argument).map(at).find(free) ?? null;
"""
IN_SIGHT = """async button => {
  const at = () => { const b = button.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; };
  const before = at();
  await new Promise(done => setTimeout(done, 80));
  const after = at(), hit = document.elementFromPoint(...after);
  return before.join() === after.join() && !button.disabled && button.contains(hit) ? after : null;
}"""


def in_sight(button: Any) -> tuple[float, float] | None:
    """Where a button can be pressed without scrolling, once it stands still; None where it never comes into sight."""
    for _ in range(200):
        at = button.evaluate(IN_SIGHT)
        if at:
            return at[0], at[1]
        button.page.wait_for_timeout(50)
    return None


class Hand:
    """Whoever sits at a table. Only what would change something is done, and everything that is done is counted."""

    def __init__(self, table: Table, *, finger: bool = False) -> None:
        self.table, self.finger = table, finger
        self.inputs: Counter[str] = Counter()
        self._touch: Any = table.page.context.new_cdp_session(table.page) if finger else None

    @property
    def count(self) -> int:
        return sum(self.inputs.values())

    def _done(self, what: str) -> None:
        self.inputs[what] += 1

    def spot(self, unit: int) -> tuple[float, float]:
        """Where a unit can be pointed at, as badges lie now."""
        self.table.ask(DRAWN)
        found = self.table.ask(SPOT, unit)
        assert found is not None, f"unit {unit} cannot be pointed at"
        return found[0], found[1]

    def point_at(self, unit: int, why: str) -> None:
        """Click or tap on a unit."""
        self._tap(*self.spot(unit), why)

    def point(self, x: float, y: float, why: str) -> None:
        """Click or tap on a place of the table, in inches."""
        self._tap(*self.table.on_screen(x * STEP, y * STEP), why)

    def _tap(self, x: float, y: float, why: str) -> None:
        self._done(why)
        if self.finger:
            self.table.page.touchscreen.tap(x, y)
        else:
            self.table.page.mouse.click(x, y)

    def drag(self, unit: int, by: tuple[float, float], why: str) -> None:
        """Drag a unit so many inches to the right and up."""
        x, y = self.spot(unit)
        scale = self.table.ask("return camera.k") * STEP
        to = (x + by[0] * scale, y - by[1] * scale)
        self._done(why)
        if not self.finger:
            self.table.drag((x, y), (to[0] - x, to[1] - y))
            return
        self.sweep((x, y), to)

    def move(self, start: tuple[float, float], to: tuple[float, float], why: str) -> None:
        """Drag what lies at one place of the table to another one, in inches."""
        (ax, ay), (bx, by) = (self.table.on_screen(x * STEP, y * STEP) for x, y in (start, to))
        self._done(why)
        if self.finger:
            self.sweep((ax, ay), (bx, by))
        else:
            self.table.drag((ax, ay), (bx - ax, by - ay))

    def sweep(self, start: tuple[float, float], to: tuple[float, float]) -> None:
        """A finger goes from one place of the window to another."""
        x, y = start
        self._send("touchStart", x, y)
        for part in range(1, STEPS + 1):
            self._send("touchMove", x + (to[0] - x) * part / STEPS, y + (to[1] - y) * part / STEPS)
            self.table.page.wait_for_timeout(25)
        # A finger that is lifted while it moves flings, and the next tap does nothing but stop that.
        self.table.page.wait_for_timeout(REST)
        self._send("touchEnd")

    def _send(self, kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        self._touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def press(self, key: str, button: Any, why: str) -> None:
        """A key, or by finger the button in the dock that does the same."""
        if self.finger:
            self.push(button, why)
        else:
            self._done(why)
            self.table.page.keyboard.press(key)

    def push(self, button: Any, why: str) -> None:
        """A button, which must be in sight: who has to scroll to it does one thing more."""
        at = in_sight(button)
        assert at, f"the button for '{why}' is out of sight"
        self._tap(*at, why)

    def accept(self, why: str) -> None:
        """The usual answer, or what is planned."""
        self.press(" ", self.table.page.locator(".dock .space"), why)

    def commit(self, why: str) -> None:
        """What was put together in the dock."""
        self.press("Enter", self.table.page.locator(".dock .main"), why)
