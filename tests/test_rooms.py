"""Every line of code stands in its room: shared code names no edition, and no import is hidden to close a circle.

What stands above all systems, the table in the browser among it, names none of them and knows nobody's statuses.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from sandtable.systems import IDS

SOURCE = Path(__file__).parents[1] / "src"
SHARED = ("kit", "forty", "table", "attack", "battle", "armies")
ABOVE = ("server", "page", "players", "sim", "web")
"""What plays and shows the battles of any system."""
TABLE = Path(__file__).parents[1] / "web"
"""The table in the browser."""
ORDINAL = "(?:4th|8th|10th|11th|fourth|eighth|tenth|eleventh)"
EDITION = re.compile(
    rf"(?<![a-z0-9])(?:{'|'.join(IDS)})(?![a-z0-9])"  # also as a part of a name
    rf"|\b{ORDINAL}(?:[ -]ed(?:ition)?\b|'s\b|[,)])"
    r"|\b(?:World|Battle|State|Setup)(?:4|8|10|11)\b"
    r"|(?-i:\bEpic\b)",
    re.IGNORECASE,
)
STATUS = re.compile(
    r"battle[-_ ]?shock|\bshocked\b|\bf[ae]ll(?:s|ing|en)?[-_ ]back\b|\bgone[-_ ]to[-_ ]ground\b|\bpinned\b"
    r"|overwatch|\broad[-_ ]march|\bmarshal|\bblast[-_ ]markers?\b|\bsustained[-_ ]fire\b",
    re.IGNORECASE,
)
"""Words of single systems for what befell a unit, or what it did."""
NAMING = {
    "src/sandtable/armies/characteristics.py",  # documents say which edition they are written for,
    "src/sandtable/armies/packs.py",  # and these read them
    "src/sandtable/odds/links.py",  # what codes of questions often hold is a part of their format
}


@cache
def modules() -> dict[str, Path]:
    found = {}
    for path in sorted((SOURCE / "sandtable").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """All imports of a file, wherever they stand, without those that only a type checker looks at."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif not (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            yield from imports(node)


def imported(module: str, node: ast.Import | ast.ImportFrom, known: Collection[str]) -> set[str]:
    """The modules of ours that a statement in a module imports."""
    if isinstance(node, ast.Import):
        return {a.name for a in node.names} & set(known)
    above = module.split(".")[: -node.level] if node.level else []
    origin = ".".join([*above, *([node.module] if node.module else [])])
    whole = {f"{origin}.{a.name}" for a in node.names}
    return {name if name in known else origin for name in whole} & set(known)


@cache
def trees() -> dict[str, ast.Module]:
    return {name: ast.parse(path.read_text()) for name, path in modules().items()}


def late(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    """Imports inside functions."""
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return list({id(n): n for f in functions for n in imports(f)}.values())


def arrows(files: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    """For each module all that it imports, at once or later."""
    return {name: {o for n in imports(tree) for o in imported(name, n, files)} for name, tree in files.items()}


def reached(module: str, known: Mapping[str, set[str]]) -> set[str]:
    """Everything that a module imports, directly or by others."""
    found, todo = set[str](), [module]
    while todo:
        new = known[todo.pop()] - found
        found |= new
        todo += new
    return found


def hidden(files: Mapping[str, ast.Module]) -> list[str]:
    """Imports inside functions that stand there because at the top of the file they would close a circle."""
    known = arrows(files)
    behind = cache(lambda module: reached(module, known))
    return [
        f"{name}:{node.lineno}: {other} imports this module"
        for name, tree in files.items()
        for node in late(tree)
        for other in sorted(imported(name, node, files))
        if name == other or name in behind(other)
    ]


@cache
def hidden_here() -> list[str]:
    return hidden(trees())


def written(room: str) -> list[Path]:
    """The sources of a room, or those of the table in the browser."""
    folder = TABLE / "src" if room == "web" else SOURCE / "sandtable" / room
    paths = [p for p in sorted(folder.rglob("*")) if p.suffix in (".py", ".ts", ".svelte", ".html", ".js")]
    built = SOURCE / "sandtable" / "server" / "static"
    return [p for p in paths if not p.is_relative_to(built)]


def lines_with(room: str, wanted: re.Pattern[str]) -> list[str]:
    """The lines of a room in which something stands."""
    lines = [
        (path.relative_to(SOURCE.parent).as_posix(), n, line.strip())
        for path in written(room)
        for n, line in enumerate(path.read_text().splitlines(), 1)
    ]
    assert lines
    return [f"{place}:{n}: {line}" for place, n, line in lines if place not in NAMING and wanted.search(line)]


@pytest.mark.parametrize("room", [*SHARED, *ABOVE, "odds"])
def test_no_shared_code_names_an_edition(room: str) -> None:
    named = lines_with(room, EDITION)
    assert not named, "\n".join(named)


@pytest.mark.parametrize("room", ABOVE)
def test_what_is_played_and_watched_by_any_system_knows_nobodys_statuses(room: str) -> None:
    named = lines_with(room, STATUS)
    assert not named, "\n".join(named)


@pytest.mark.parametrize("room", [*SHARED, "systems"])
def test_no_import_is_hidden_in_a_function_because_it_would_close_a_circle(room: str) -> None:
    found = [line for line in hidden_here() if line.startswith(f"sandtable.{room}.")]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("room", ["kit", "forty", "table", "attack"])
def test_no_shared_code_imports_what_import_rules_cannot_see(room: str) -> None:
    folder = SOURCE / "sandtable" / room
    found = [p.name for p in sorted(folder.rglob("*.py")) if re.search(r"import_module|__import__", p.read_text())]
    assert found == []


AT_ONCE = "from sandtable.kit.b import y"
LATER = "def f():\n    from sandtable.kit.a import x"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (AT_ONCE, LATER),
        ("def g():\n    from sandtable.kit.b import y", LATER),
        ("if True:\n    from sandtable.kit.b import y", LATER),
        (AT_ONCE, "def f():\n    from .a import x"),
        (AT_ONCE, "def f():\n    from . import a"),
        (AT_ONCE, "class C:\n    async def f(self):\n        import sandtable.kit.a"),
        ("from sandtable.kit import b", "def f():\n    if True:\n        from sandtable.kit import a"),
    ],
)
def test_a_circle_is_found_however_it_is_hidden(one: str, other: str) -> None:
    files = {"sandtable.kit.a": ast.parse(one), "sandtable.kit.b": ast.parse(other)}
    assert "sandtable.kit.b" in "".join(hidden(files))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (AT_ONCE, "def f():\n    from sandtable.kit.c import z"),
        (f"if TYPE_CHECKING:\n    {AT_ONCE}", LATER),
        ("", LATER),
    ],
)
def test_what_closes_no_circle_may_be_imported_later(one: str, other: str) -> None:
    files = {"sandtable.kit.a": ast.parse(one), "sandtable.kit.b": ast.parse(other), "sandtable.kit.c": ast.parse("")}
    assert hidden(files) == []


@pytest.mark.parametrize(
    "text",
    [
        'if edition == "w40k10":', "# as in 8th edition", "epica_zone = 5", '"w40k11.gap.x"', "for_w40k8 = 1",
        "# by the tenth edition", "in turn (8th, 10th)", "# 10th's reading", "w: World10", "Epic's war engines",
    ],
)  # fmt: skip
def test_an_edition_is_found_wherever_it_stands(text: str) -> None:
    assert EDITION.search(text)


@pytest.mark.parametrize(
    "text",
    [
        '"battle_shocked": "shocked"', "fall_back", "they fell back", "gone_to_ground", "on Overwatch", "road-march",
        "marshalled", "3 blast markers",
    ],
)  # fmt: skip
def test_a_status_is_found_wherever_it_stands(text: str) -> None:
    assert STATUS.search(text)


@pytest.mark.parametrize("text", ["it falls to red", "hellblasters", "came back", "a marshy wood"])
def test_what_only_looks_like_a_status_is_none(text: str) -> None:
    assert not STATUS.search(text)


@pytest.mark.parametrize("text", ["editions differ here", "the 10th model", "epicanthic", "an EPIC HERO"])
def test_what_only_looks_like_an_edition_is_none(text: str) -> None:
    assert not EDITION.search(text)
