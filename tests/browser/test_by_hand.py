"""What nothing enforces, in the browser: in the dock and the log at its phase, and all of it in the Rules tab."""

from __future__ import annotations

from typing import Any

from browser.table import STEP

WISH = {"system": "w40k11", "armies": ["orks-1000-dreads", "necrons-1000-silver-tide"]}


def test_what_is_left_to_a_player_stands_in_the_dock_the_log_and_the_rules(sit: Any) -> None:
    table = sit(**WISH).open()
    table.play_until("shoot_with")
    mine = "Not enforced here, play by hand in this phase: Killa Kans - Spiteful Power Trip"
    assert mine in table.page.locator(".dock").inner_text()
    assert (
        "Not enforced here, for red to play by hand in this phase: Killa Kans"
        in table.page.get_by_role("log").inner_text()
    )
    table.page.get_by_role("button", name=mine).click()
    panel = table.page.get_by_role("tabpanel")
    panel.get_by_role("heading", name="Not enforced here, for blue to play by hand in this phase").wait_for()
    assert "Gretchin" not in panel.inner_text()
    panel.get_by_text("All rules that you play by hand").click()
    assert "Gretchin Downtrodden" in panel.inner_text()


def test_what_is_applied_by_hand_is_corrected_on_a_units_card(sit: Any) -> None:
    table = sit(made_up=True).open()
    table.play_until("move_with")
    unit = table.ask("return game.view.units.find(u => game.isMine(u.id) && game.standing(u.id).length > 1).id")
    model = table.ask("return game.view.units[argument].models[0]", unit)
    table.ask("return game.show(argument)", unit)
    table.page.get_by_role("tab", name="Unit").click()
    table.page.get_by_role("button", name="Correct by agreement").click()
    table.page.get_by_label("Wounds").fill("0")
    table.page.get_by_role("button", name="Set").click()
    table.page.wait_for_function("m => document.querySelector('canvas').game.view.models[m][4] === 0", arg=model)
    table.page.get_by_role("button", name="For the phase").click()
    table.page.wait_for_function("() => document.querySelector('canvas').game.view.effects.length")
    # Who stands on a floor stays up there, and the sentence that is agreed to says so.
    models = table.ask("return game.view.units[argument].models", unit)
    last = models[-1]
    table.ask("game.view.models[argument][2] = 3 * 1024 + 100; game.turn++", last)
    table.page.locator("label", has_text="Model").get_by_role("combobox").select_option(label=str(len(models)))
    table.page.get_by_role("button", name="Put", exact=True).click()
    table.page.wait_for_function(
        "() => document.querySelector('canvas').game.log.at(-1).text.startsWith('Agreed: Mod')"
    )
    assert table.ask("return game.view.models[argument][2]", last) == 3 * STEP + 100
    assert "3.10 above the ground" in table.ask("return game.log.at(-1).text")
    # What is gone does not react, but all may agree that it comes back.
    table.page.get_by_role("button", name="Armed to react").wait_for()
    table.ask("for (const m of argument) game.view.models[m][5] = 3; game.turn++", models)
    table.page.get_by_role("button", name="Armed to react").wait_for(state="detached")
    assert table.page.get_by_role("button", name="Correct by agreement").count() == 1
    table.page.get_by_role("tab", name="Log").click()
    assert "Agreed: Granted to" in table.page.get_by_role("log").inner_text()


def test_a_long_line_of_the_log_is_folded_and_nothing_of_it_is_lost(sit: Any) -> None:
    table = sit().open()
    long = (
        "Not enforced here, for red to play by hand in this phase: "
        + ", ".join(f"Squad {i} - Ability {i}" for i in range(80))
        + "."
    )
    plain = "{player: -1, rules: [], faces: [], sides: 6, units: [], needed: 0, facts: []}"
    table.ask(f"game.log = [...game.log, {{...{plain}, id: 1e6, kind: 'left', text: argument}}]", long)
    line = table.page.locator("button.left").filter(has_text="Squad 79")
    folded = line.bounding_box()["height"]
    line.click()
    assert line.bounding_box()["height"] > 2 * folded
    assert line.inner_text().startswith(long)
