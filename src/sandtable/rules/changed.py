"""Which functions a checkout changed, as its git history tells."""

from __future__ import annotations

import ast
import subprocess

import msgspec

from sandtable.errors import UserError
from sandtable.rules.mutants import Marked, MarkedFact
from sandtable.rules.project import Project
from sandtable.rules.scan import definitions, facts

#: Where the state that all agree on may be found; the first that exists counts.
SHARED = ("origin/HEAD", "origin/main", "origin/master", "main", "master")


class Base(msgspec.Struct, frozen=True):
    """The commit that the working tree is held against, and what it is called."""

    commit: str
    name: str


def base_of(project: Project, since: str | None = None) -> Base | None:
    """What the working tree is compared with: a commit that is named, or else

    - where HEAD left the shared branch (origin/HEAD, origin/main, main), if it has left it;
    - HEAD itself, if files of the package are not committed yet;
    - the commit before HEAD, so that a clone without changes of its own tries the latest change.

    None if there is no such commit, as in a repository with a single one.
    """
    if since is not None:
        return Base(_git(project, "rev-parse", "--verify", f"{since}^{{commit}}"), since)
    head = _git(project, "rev-parse", "--verify", "HEAD")
    for branch in SHARED:
        if _try(project, "rev-parse", "--verify", "--quiet", f"{branch}^{{commit}}") is None:
            continue
        fork = _try(project, "merge-base", "HEAD", branch)
        if fork is not None and fork != head:
            return Base(fork, f"the commit where HEAD left {branch}")
        break
    if _git(project, "status", "--porcelain", "--", str(project.package)):
        return Base(head, "HEAD")
    before = _try(project, "rev-parse", "--verify", "--quiet", "HEAD~1")
    return None if before is None else Base(before, "the commit before HEAD")


def changed(project: Project, functions: list[Marked | MarkedFact], base: Base) -> list[Marked | MarkedFact]:
    """The functions and facts that are not to be found as they are in the base; one that only moved has not changed."""
    tracked = _git(project, "diff", "--name-only", "--no-renames", base.commit, "--", str(project.package)).splitlines()
    new = _git(project, "ls-files", "--others", "--exclude-standard", "--", str(project.package)).splitlines()
    top = _git(project, "rev-parse", "--show-toplevel")
    before = {
        (name, ast.dump(node))
        for file in tracked
        if file.endswith(".py") and (text := _try(project, "show", f"{base.commit}:{file}")) is not None
        for tree in [ast.parse(text)]
        for name, node in (*definitions(tree), *((stated.name, stated.node) for stated in facts(tree)))
    }
    touched = {f"{top}/{file}" for file in tracked} | {str(project.root / file) for file in new}
    return [
        function
        for function in functions
        if str(function.path.resolve()) in touched and (function.name, ast.dump(function.node)) not in before
    ]


def _git(project: Project, *arguments: str) -> str:
    done = _run(project, arguments)
    if done.returncode:
        raise UserError(f"What changed is read from git, which says: {done.stderr.strip() or 'nothing'}")
    return done.stdout.strip()


def _try(project: Project, *arguments: str) -> str | None:
    done = _run(project, arguments)
    return None if done.returncode else done.stdout.strip()


def _run(project: Project, arguments: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    try:
        command = ["git", "-C", str(project.root), *arguments]
        return subprocess.run(command, check=False, capture_output=True, encoding="utf-8")
    except FileNotFoundError:
        raise UserError("What changed is read from git, which is not installed.") from None
