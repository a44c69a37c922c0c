"""Draw the pictures of the page about odds, write its answers, and run its notebook; a part of `make docs`."""

from __future__ import annotations

import ast
import io
import json
import re
import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from sandtable.cli.main import main as sandtable

DOCS = Path(__file__).parent
PAGE = DOCS / "odds.md"
NOTEBOOK = DOCS / "odds-tutorial.ipynb"
COMMAND = re.compile(
    r"```console\n\$ (sandtable (?:odds|compare) [^\n]*--plot (docs/odds/[^\s]+))\n(.*?)```", re.DOTALL
)


def answer(command: str) -> str:
    """The first line that a command prints."""
    out = io.StringIO()
    with redirect_stdout(out):
        status = sandtable(shlex.split(command)[1:])
    if status:
        raise SystemExit(f"{command} ended with status {status}")
    return out.getvalue().splitlines()[0]


def draw_page() -> None:
    """Run every command of the page, draw its picture, and put the headline below it."""

    def run(found: re.Match[str]) -> str:
        command, picture = found[1], DOCS.parent / found[2]
        headline = answer(command.replace(found[2], str(picture)))
        return f"```console\n$ {command}\n{headline}\n```"

    (DOCS / "odds").mkdir(exist_ok=True)
    PAGE.write_text(COMMAND.sub(run, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def run_cells(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with its code cells run, and their outputs in it."""
    names: dict[str, Any] = {}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        number += 1
        cell["execution_count"] = number
        cell["outputs"] = _run("".join(cell["source"]), names, number)
    return notebook


def _run(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    value = None
    with redirect_stdout(out):
        exec(compile(tree, "notebook", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "notebook", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if out.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(out.getvalue())})
    if value is not None:
        shown: dict[str, Any] = {"text/plain": _lines(str(value))}
        if hasattr(value, "_repr_svg_"):
            shown["image/svg+xml"] = _lines(value._repr_svg_())
        outputs.append({"data": shown, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def write_notebook() -> None:
    """Run the notebook and store what it shows."""
    notebook = run_cells(json.loads(NOTEBOOK.read_text(encoding="utf-8")))
    NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> int:
    draw_page()
    write_notebook()
    print(f"The page about odds, its pictures and its notebook are in {DOCS}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
