"""Mutants: a rule's code with one thing changed, of which the tests of the rule should take notice."""

from __future__ import annotations
import __future__

import ast
import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import Final, cast

import msgspec

from sandtable.errors import UserError
from sandtable.rules.facts import STATED, Fact
from sandtable.rules.mark import MARKED
from sandtable.rules.operators import Change, Function, changes
from sandtable.rules.project import Project
from sandtable.rules.scan import Stated, definitions, facts, marked_ids, names_of_the_mark

_FUTURE: Final = {getattr(__future__, name).compiler_flag for name in __future__.all_feature_names}


class Mutant(msgspec.Struct, frozen=True):
    """A change with what one needs to know of it. `apply` makes it in the running process, which is best a child."""

    rules: tuple[str, ...]
    file: str
    line: int
    function: str
    what: str
    apply: Callable[[], None]

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from all others, whatever line it moves to."""
        return self.file, self.function, self.what


class Marked(msgspec.Struct, frozen=True):
    """A function with a mark, as its file has it."""

    rules: tuple[str, ...]
    path: Path
    file: str
    name: str
    node: Function
    owners: tuple[str, ...]

    @property
    def first_line(self) -> int:
        return min(self.node.lineno, *(decorator.lineno for decorator in self.node.decorator_list))

    def running(self) -> FunctionType:
        """The function in this process."""
        for function, _ in MARKED.get(self.rules[0], ()):
            code = function.__code__
            if (code.co_name, code.co_firstlineno) == (self.node.name, self.first_line) and Path(
                code.co_filename
            ).resolve() == self.path.resolve():
                return function
        raise UserError(
            f"{self.file}:{self.node.lineno}: {self.name} was imported, but is not marked as its file says."
        )

    def compiled(self, change: Change | None = None) -> CodeType:
        """The function's code, compiled anew from its file; with a change, or, as a control, without one."""
        original = self.running().__code__
        with change.made() if change else nullcontext():
            body: list[ast.stmt] = [_bare(self.node)]
            # Names with two underscores mean something else inside a class.
            for owner in reversed(self.owners):
                body = [ast.ClassDef(owner, bases=[], keywords=[], body=body, decorator_list=[])]
            module = ast.fix_missing_locations(ast.Module(body=body, type_ignores=[]))
            flags = sum(flag for flag in _FUTURE if original.co_flags & flag)
            whole = compile(module, original.co_filename, "exec", flags=flags, dont_inherit=True)
        code = next(code for code in _codes(whole) if code.co_name == original.co_name)
        return code.replace(co_qualname=original.co_qualname, co_firstlineno=original.co_firstlineno)

    def become(self, change: Change | None = None) -> None:
        """Everybody who holds the function sees the change."""
        self.running().__code__ = self.compiled(change)

    def mutants(self) -> list[Mutant]:
        return [
            Mutant(self.rules, self.file, change.line, self.name, change.what, lambda c=change: self.become(c))  # type: ignore[misc]
            for change in changes(self.node)
        ]


class MarkedFact(msgspec.Struct, frozen=True):
    """A fact, as its file states it."""

    rules: tuple[str, ...]
    path: Path
    file: str
    name: str
    node: ast.Assign
    value: Function
    """A function that returns the value, for what changes functions."""

    def running(self) -> Fact:
        """The fact in this process."""
        book, _, name = self.name.partition(".")
        for stated in STATED.get(self.rules[0], ()):
            module = sys.modules[stated.owner.__module__]
            if (stated.owner.__name__, stated.name) == (book, name) and Path(
                str(module.__file__)
            ).resolve() == self.path.resolve():
                return stated
        raise UserError(
            f"{self.file}:{self.node.lineno}: {self.name} was imported, but is not stated as its file says."
        )

    def become(self, change: Change | None = None) -> None:
        """Everybody who reads the fact sees the change."""
        stated = self.running()
        with change.made() if change else nullcontext():
            value = ast.Expression(cast(ast.Return, self.value.body[0]).value)  # type: ignore[arg-type]
            code = compile(ast.fix_missing_locations(value), str(self.path), "eval")
        stated.become(eval(code, vars(sys.modules[stated.owner.__module__]), dict(vars(stated.owner))))

    def mutants(self) -> list[Mutant]:
        found = []
        for change in changes(self.value):
            what = change.what.replace("`return ", "`")
            found.append(Mutant(self.rules, self.file, change.line, self.name, what, partial(self.become, change)))
        return found


def marked_fact(project: Project, path: Path, stated: Stated) -> MarkedFact:
    answer = ast.copy_location(ast.Return(stated.value), stated.value)
    wrapped = ast.parse("def value(): pass").body[0]
    assert isinstance(wrapped, ast.FunctionDef)
    wrapped.body = [answer]
    return MarkedFact(stated.ids, path, project.relative(path), stated.name, stated.node, wrapped)


def marked_code(project: Project) -> list[Marked | MarkedFact]:
    """All functions of a checkout that carry `@rule`, and all facts, in the order of files."""
    found: list[Marked | MarkedFact] = []
    for path in sorted(project.package.rglob("*.py")):
        text = path.read_text("utf-8")
        if "rule" not in text:
            continue
        tree = ast.parse(text, str(path))
        marks = names_of_the_mark(tree)
        for name, node in definitions(tree):
            ids = tuple(rule_id for _, rule_id in marked_ids(node, marks) if isinstance(rule_id, str))
            if ids:
                owners = tuple(name.split(".")[:-1])
                found.append(Marked(ids, path, project.relative(path), name, node, owners))
        found += [marked_fact(project, path, stated) for stated in facts(tree) if stated.ids]
    return found


def sampled(mutants: Sequence[Mutant], size: int | None, seed: int) -> list[Mutant]:
    """A part of the mutants in their own order: the same for the same seed, and nearly so when a few come or go."""
    if size is None or size >= len(mutants):
        return list(mutants)

    def draw(mutant: Mutant) -> bytes:
        return hashlib.sha256("\n".join((str(seed), *mutant.key)).encode()).digest()

    picked = {mutant.key for mutant in sorted(mutants, key=draw)[:size]}
    return [mutant for mutant in mutants if mutant.key in picked]


def _bare(node: Function) -> Function:
    """The definition without what is run when the file is read: decorators and annotations."""
    fields = {name: getattr(node, name) for name in node._fields}
    bare = type(node)(**{**fields, "decorator_list": [], "returns": None})
    return ast.copy_location(bare, node)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
