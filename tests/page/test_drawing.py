"""The code that draws a table: one file, which the browser table imports and every replay page holds."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest

import sandtable
from page.test_page import acted
from sandtable import systems
from sandtable.page import empty_page, page_html, write_page
from sandtable.page.story import tell
from sandtable.server import pages

ROOT = Path(sandtable.__file__).parents[2]
DRAWING = (Path(sandtable.__file__).parent / "page" / "drawing.js").read_text(encoding="utf-8")
BODY, _, EXPORTED = DRAWING.partition("\nexport {")
#: Every colour that is on the canvas, once it was drawn for a picture that nobody saves.
COLOURS = """HTMLAnchorElement.prototype.click = () => {}; document.querySelector('#picture').click();
const c = document.querySelector('#table'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
const found = new Set();
for (let i = 0; i < d.length; i += 4) found.add((d[i] << 16 | d[i + 1] << 8 | d[i + 2]).toString(16));
return [...found].join(' ');"""


def test_what_the_file_exports_stands_in_one_list_at_its_end() -> None:
    assert re.fullmatch(r"[\w,\s]+};\n", EXPORTED)


def test_the_page_holds_the_file_and_exports_nothing() -> None:
    assert BODY in empty_page()
    assert "\nexport " not in empty_page()


def test_the_browser_table_imports_the_same_file() -> None:
    camera = (ROOT / "web" / "src" / "board" / "camera.ts").read_text(encoding="utf-8")
    assert 'from "../../../src/sandtable/page/drawing.js"' in camera


def test_the_browser_table_is_built_again_when_the_file_changes() -> None:
    (rule,) = re.findall(r"^\$\(TABLE\):.*$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert "src/sandtable/page/drawing.js" in rule.split()


def test_the_file_names_no_system() -> None:
    assert [name for name in systems.IDS if name in DRAWING.casefold()] == []


def test_a_browser_that_minds_the_policy_of_the_server_runs_the_script_of_a_page() -> None:
    (script,) = re.findall(r"<script>(.*?)</script>", page_html(tell(sandtable.new("epica", seed=3))), re.DOTALL)
    seal = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"'sha256-{seal}'" in pages.replay(b"").headers["content-security-policy"]


@pytest.mark.parametrize("colour", ["f1e9d8", "c8502b", "8a3216"], ids=["ground", "models", "badges"])
def test_a_browser_draws_the_table_of_a_page(colour: str, tmp_path: Path) -> None:
    write_page(sandtable.new("epica", seed=3), tmp_path / "page.html")
    found = acted(tmp_path / "page.html", COLOURS, tmp_path / "profile")
    assert colour in found.split()
