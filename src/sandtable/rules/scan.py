"""Finds the marks in source, tests and scenario files by reading them, without running anything.

Ids and check numbers must therefore be written out where they stand; a mark that is computed is a problem.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import msgspec

from sandtable.errors import UserError
from sandtable.rules.ledger import Row
from sandtable.rules.project import Project

#: Where scenario files may stand, under these folders of a checkout.
SCENARIO_FOLDERS = ("tests", "docs")
SCENARIO_FILES = "**/scenarios/**/*.yaml"
#: A class of facts, as its file begins it.
_BOOK = re.compile(r"^class (\w+)\((?:\w+\.)*Facts\):", re.M)
#: What a file writes down that looks like the id of a row, and an id that is put together from parts.
_CITED = re.compile(r'"([a-z][a-z0-9]*(?:\.[a-z0-9_]+){2})"')
_NAMED = re.compile(r'"([a-z][a-z0-9]*(?:\.[a-z0-9_]+)+)"')
_PUT_TOGETHER = re.compile(r'\bf"([a-z][a-z0-9]*)\.[a-z0-9_.]*\{')
#: What keeps what a function answers as long as the process lasts.
_CACHES = frozenset({"cache", "lru_cache"})
#: What a file of tests that name rows writes somewhere.
RULE_MARK = "mark.rule"
#: The fixture by which a test takes each scenario file in turn.
SCENARIO_FIXTURE = "scenario_file"


class CodeMark(msgspec.Struct, frozen=True):
    """A function that carries `@rule(...)` for one row, or a fact that is stated under it."""

    rule: str
    path: Path
    line: int
    function: str
    doc: str


class ProofMark(msgspec.Struct, frozen=True):
    """A test, or a scenario file, that names one row and the checks it proves. `test` is empty for a whole file."""

    rule: str
    checks: tuple[int, ...]
    path: Path
    line: int
    test: str


class Problem(msgspec.Struct, frozen=True):
    """A mark that cannot be right."""

    path: Path
    line: int
    message: str


class Marks(msgspec.Struct, frozen=True):
    """Everything that a checkout's files say about rules."""

    code: list[CodeMark]
    tests: list[ProofMark]
    problems: list[Problem]


def scan(project: Project, only: str | None = None) -> Marks:
    """Read all marks of a checkout, or of one rule only, and hold them against its ledger."""
    marks = Marks([], [], [])
    sources = {path: path.read_text("utf-8") for path in sorted(project.package.rglob("*.py"))}
    books = {name for text in sources.values() for name in _BOOK.findall(text)}
    for path, text in sources.items():
        _scan_source(path, text, marks, only or "")
        _scan_copies(path, text, marks, books)
    if only is None:
        _scan_cited(project, sources, marks)
    # Other files, such as a conftest.py that makes tests of scenario files, may compute marks; only tests carry them.
    for path in sorted(project.tests.rglob("test_*.py")):
        _scan_test(path, marks, only or "")
    for folder in SCENARIO_FOLDERS:
        for path in sorted((project.root / folder).glob(SCENARIO_FILES)):
            _scan_scenario(path, marks, only or "")
    return _hold_against_ledger(project, marks)


def files_of_tests(project: Project) -> dict[str, list[Path]]:
    """The files of tests that write down what looks like the id of a row, by the id; none of them is parsed."""
    found: dict[str, list[Path]] = {}
    for path in sorted(project.tests.rglob("test_*.py")):
        text = path.read_text("utf-8")
        for id_ in dict.fromkeys(_NAMED.findall(text)) if RULE_MARK in text else ():
            found.setdefault(id_, []).append(path)
    return found


def tests_in(path: Path) -> list[ProofMark]:
    """The tests of a file that name rows of the ledger."""
    marks = Marks([], [], [])
    _scan_test(path, marks, "")
    return marks.tests


def _hold_against_ledger(project: Project, marks: Marks) -> Marks:
    """Keep the marks that name a row of the ledger; the others, and wrong check numbers, become problems."""
    problems = list(marks.problems)
    rows: dict[str, Row | None] = {}
    reasons: dict[str, str] = {}

    def row_of(mark: CodeMark | ProofMark) -> Row | None:
        if mark.rule not in rows:
            try:
                rows[mark.rule] = project.ledger.find(mark.rule)
            except UserError as error:
                rows[mark.rule], reasons[mark.rule] = None, str(error)
        if rows[mark.rule] is None:
            problems.append(Problem(mark.path, mark.line, reasons[mark.rule]))
        return rows[mark.rule]

    code = [mark for mark in marks.code if row_of(mark)]
    tests = []
    for mark in marks.tests:
        if row := row_of(mark):
            tests.append(mark)
            has = "1 check" if len(row.checks) == 1 else f"{len(row.checks)} checks, counted from 1"
            problems.extend(
                Problem(mark.path, mark.line, f"{mark.rule} has no check {check}; it has {has}.")
                for check in mark.checks
                if not 1 <= check <= len(row.checks)
            )
    problems.sort(key=lambda problem: (problem.path, problem.line))
    return Marks(code, tests, problems)


# ---------------------------------------------------------------------------------------------------- Python files


def _scan_source(path: Path, text: str, marks: Marks, having: str) -> None:
    if "rule" not in text or having not in text:
        return
    tree = _parse(path, text, marks)
    names = names_of_the_mark(tree)
    for stated in facts(tree):
        marks.code.extend(CodeMark(i, path, stated.node.lineno, stated.name, stated.doc) for i in stated.ids)
        if not stated.ids:
            message = "fact(value, ...) takes ids written out as strings, because they are read without running them."
            marks.problems.append(Problem(path, stated.node.lineno, message))
    for name, node in definitions(tree):
        doc = (ast.get_docstring(node) or "").partition("\n")[0]
        for line, rule_id in marked_ids(node, names):
            if isinstance(rule_id, str):
                marks.code.append(CodeMark(rule_id, path, node.lineno, name, doc))
            else:
                message = "@rule takes ids written out as strings, because marks are read without running them."
                marks.problems.append(Problem(path, line, message))


class Stated(NamedTuple):
    """A fact as its file states it."""

    name: str
    ids: tuple[str, ...]
    node: ast.Assign
    value: ast.expr
    doc: str


def facts(tree: ast.Module) -> Iterator[Stated]:
    """All facts of a file, with the first line of what is written below each."""
    for book in tree.body:
        if not isinstance(book, ast.ClassDef) or "Facts" not in [_last_name(base) for base in book.bases]:
            continue
        for node, after in zip(book.body, [*book.body[1:], None], strict=True):
            call = node.value if isinstance(node, ast.Assign) else None
            if not isinstance(node, ast.Assign) or not isinstance(call, ast.Call) or _last_name(call.func) != "fact":
                continue
            ids = [_literal(argument) for argument in call.args[1:]]
            said = _literal(after.value) if isinstance(after, ast.Expr) else None
            yield Stated(
                f"{book.name}.{_last_name(node.targets[0])}",
                tuple(ids) if all(isinstance(i, str) for i in ids) else (),
                node,
                call.args[0],
                said.partition("\n")[0] if isinstance(said, str) else "",
            )


def _scan_copies(path: Path, text: str, marks: Marks, books: set[str]) -> None:
    """Report facts that are read when a file is imported, or for a cache that lasts as long as the process.

    Who keeps a copy does not notice that the fact is gone.
    """
    if not any(f"{book}." in text or f"{book} as " in text for book in books):
        return
    tree = _parse(path, text, marks)
    names = books | _other_names(tree, books)
    for node in _at_import(tree):
        if _is_fact(node, names):
            message = f"{ast.unparse(node)} is copied when this is imported; read it where and when it is needed."
            marks.problems.append(Problem(path, node.lineno, message))
    for _, function in definitions(tree):
        if not any(_last_name(d.func if isinstance(d, ast.Call) else d) in _CACHES for d in function.decorator_list):
            continue
        for node in ast.walk(ast.Module(function.body, [])):
            if _is_fact(node, names):
                message = f"{ast.unparse(node)} is kept in a cache that nobody empties; let it be an argument."
                marks.problems.append(Problem(path, node.lineno, message))


def _is_fact(node: ast.AST, names: set[str]) -> TypeGuard[ast.Attribute]:
    """Whether this reads a fact of a class that goes by one of these names."""
    return isinstance(node, ast.Attribute) and _last_name(node.value) in names


def _other_names(tree: ast.Module, books: set[str]) -> set[str]:
    """What a file calls classes of facts that it imports by another name."""
    imported = [alias for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]
    return {alias.asname for alias in imported if alias.name in books and alias.asname}


def _scan_cited(project: Project, sources: dict[Path, str], marks: Marks) -> None:
    """Report ids in sentences, events and questions that are no rows, or that are put together from parts."""
    ledger = project.ledger
    systems = set(ledger.systems())
    marked = {(mark.path, mark.rule) for mark in marks.code}
    for path, text in sources.items():
        for found in _PUT_TOGETHER.finditer(text):
            if found[1] in systems:
                message = "The id of a rule is written out where it is cited, so that it can be looked up."
                marks.problems.append(Problem(path, text.count("\n", 0, found.start()) + 1, message))
        for found in _CITED.finditer(text):
            if found[1].partition(".")[0] not in systems or (path, found[1]) in marked:
                continue
            try:
                ledger.find(found[1])
            except UserError as error:
                marks.problems.append(Problem(path, text.count("\n", 0, found.start()) + 1, str(error)))


def _at_import(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes that are worked out when a file is imported: all but the bodies of functions."""
    for field, value in ast.iter_fields(node):
        lazy = isinstance(node, ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef) and field == "body"
        # Annotations are not worked out: every file of ours says `from __future__ import annotations`.
        if lazy or field in {"annotation", "returns"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
                yield from _at_import(child)


def names_of_the_mark(tree: ast.Module) -> set[str]:
    """What a file calls `@rule`."""
    return {"rule"} | {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1] in {"rules", "mark"}
        for alias in node.names
        if alias.name == "rule" and alias.asname
    }


def marked_ids(node: ast.FunctionDef | ast.AsyncFunctionDef, names: set[str]) -> Iterator[tuple[int, Any]]:
    """What the marks of a function hold, with the lines where it stands: ids, or None for what is no plain string."""
    for call in node.decorator_list:
        if isinstance(call, ast.Call) and _last_name(call.func) in names:
            for argument in call.args:
                yield argument.lineno, _literal(argument)


def _scan_test(path: Path, marks: Marks, having: str) -> None:
    text = path.read_text("utf-8")
    if RULE_MARK not in text or having not in text:
        return
    tree = _parse(path, text, marks)
    # Some tests shorten the mark: rule = pytest.mark.rule
    names = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and _is_rule_mark(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for owner, call in _calls(tree):
        if _is_rule_mark(call.func) or (isinstance(call.func, ast.Name) and call.func.id in names):
            _read_test_mark(path, owner, call, marks)


def _read_test_mark(path: Path, owner: str, call: ast.Call, marks: Marks) -> None:
    rule_id = _literal(call.args[0]) if len(call.args) == 1 else None
    if not isinstance(rule_id, str) or any(keyword.arg != "check" for keyword in call.keywords):
        message = 'A rule mark is written pytest.mark.rule("system.area.rule", check=1), the id as a plain string.'
        marks.problems.append(Problem(path, call.lineno, message))
        return
    checks = _check_numbers(_literal(call.keywords[0].value)) if call.keywords else ()
    if checks is None:
        message = f"The check of {rule_id} must be a number or a tuple of numbers, written out."
        marks.problems.append(Problem(path, call.lineno, message))
        return
    marks.tests.append(ProofMark(rule_id, checks, path, call.lineno, owner))


def _check_numbers(value: object) -> tuple[int, ...] | None:
    """The numbers of a `check`, or None if it is neither a number nor several."""
    numbers = value if isinstance(value, (tuple, list)) else (value,)
    if all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
        return tuple(numbers)
    return None


def _parse(path: Path, text: str, marks: Marks) -> ast.Module:
    try:
        return ast.parse(text, str(path))
    except SyntaxError as error:
        marks.problems.append(Problem(path, error.lineno or 1, f"This file is not Python: {error.msg}."))
        return ast.Module(body=[], type_ignores=[])


def definitions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """All functions with their full names."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + child.name, child
        inner = f"{prefix}{child.name}." if isinstance(child, ast.ClassDef) else prefix
        yield from definitions(child, inner)


def _calls(node: ast.AST, owner: str = "") -> Iterator[tuple[str, ast.Call]]:
    """All calls with the name of the function or class they stand in or decorate."""
    for child in ast.iter_child_nodes(node):
        name = owner
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{owner}.{child.name}" if owner else child.name
        elif isinstance(child, ast.Call):
            yield name, child
        yield from _calls(child, name)


def _is_rule_mark(node: ast.AST) -> bool:
    """Whether this is `pytest.mark.rule` or `mark.rule`."""
    return isinstance(node, ast.Attribute) and node.attr == "rule" and _last_name(node.value) == "mark"


def _last_name(node: ast.AST) -> str | None:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def _literal(node: ast.AST) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        return None


# -------------------------------------------------------------------------------------------------- scenario files


def _scan_scenario(path: Path, marks: Marks, having: str) -> None:
    data = path.read_bytes()
    if b"proves" not in data or having.encode() not in data:
        return
    import yaml

    try:
        root = yaml.compose(data, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        marks.problems.append(Problem(path, mark.line + 1 if mark else 1, "This file is not YAML."))
        return
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if key.value != "proves":
            continue
        entries = value.value if isinstance(value, yaml.SequenceNode) else [value]
        for entry in entries:
            line = entry.start_mark.line + 1
            plain = yaml.SafeLoader("").construct_document(entry)
            if not isinstance(plain, dict) or set(plain) - {"rule", "check"} or not isinstance(plain.get("rule"), str):
                message = "An entry of 'proves' is written {rule: system.area.rule, check: 1}."
                marks.problems.append(Problem(path, line, message))
                continue
            checks = _check_numbers(plain["check"]) if "check" in plain else ()
            if checks is None:
                message = f"The check of {plain['rule']} must be a number or a list of numbers."
                marks.problems.append(Problem(path, line, message))
                continue
            marks.tests.append(ProofMark(plain["rule"], checks, path, line, ""))
