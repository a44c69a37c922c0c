"""The ledger: every rule of every system as a row with an id, and ways to find the row one needs.

The rows stand in the YAML files of the folder `ledger` beside this module. A system may be spread over several files,
`epica.yaml` and `epica-special.yaml`; a file without `rules:` is something else and is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.errors import UserError

if TYPE_CHECKING:
    from sandtable.rules.search import Hit

FOLDER = Path(__file__).with_name("ledger")


class LedgerError(UserError):
    """A ledger file does not hold what a ledger file must hold."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One rule. `checks` are its atomic facts; tests name them by number, counted from 1."""

    id: str
    name: str
    where: str
    text: str
    checks: tuple[str, ...]
    system: str
    choice: str | None = None
    needs: tuple[str, ...] = ()
    note: str | None = None
    table: Any = None


class Text(msgspec.Struct, frozen=True):
    """The text that the rows of a system were written from, so that players can open their own copy of it."""

    edition: str = ""
    dated: str = ""
    """When it was published, or last changed; that it bears no date, where it bears none."""


class Ledger:
    """The ledger files of one folder, read when they are asked for."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = folder

    def systems(self) -> list[str]:
        """The ids of all systems, in order."""
        return sorted(_files(self.folder))

    def load(self, system: str) -> dict[str, Row]:
        """The rows of one system by id, in the order of the files. Reads only that system's files."""
        if system not in _files(self.folder):
            raise UserError(f"There is no rules system '{system}'; the ledger has {', '.join(self.systems())}.")
        return _load(self.folder, system)

    def text(self, system: str) -> Text:
        """What the rows of a system were written from."""
        self.load(system)
        return _text(self.folder, system)

    def rows(self, system: str | None = None) -> list[Row]:
        """All rows, or those of one system."""
        wanted = self.systems() if system is None else [system]
        return [row for name in wanted for row in self.load(name).values()]

    def find(self, rule_id: str) -> Row:
        """The row with this id; if there is none, the error suggests ids that look like it."""
        system = rule_id.partition(".")[0]
        if system in _files(self.folder):
            row = self.load(system).get(rule_id)
            if row is not None:
                return row
            pool = list(self.load(system))
        else:
            pool = [row.id for row in self.rows()]
        raise UserError(f"There is no rule '{rule_id}'{_perhaps(rule_id, pool)}")

    def search(self, words: str | Sequence[str], system: str | None = None) -> list[Hit]:
        """The rows that speak of these words, best first."""
        from sandtable.rules.search import search as ranked

        return ranked(self.rows(system), words)

    def check(self) -> None:
        """Read everything and raise a LedgerError at the first thing that is wrong."""
        known = {row.id for row in self.rows()}
        for row in self.rows():
            for need in row.needs:
                if need not in known:
                    raise LedgerError(f"{row.id} needs '{need}', which no ledger file has{_perhaps(need, known)}")


def find(rule_id: str) -> Row:
    """The row of the built-in ledger with this id."""
    return Ledger().find(rule_id)


def search(words: str | Sequence[str], system: str | None = None) -> list[Hit]:
    """The rows of the built-in ledger that speak of these words, best first."""
    return Ledger().search(words, system)


def load(system: str) -> dict[str, Row]:
    """The rows of one system of the built-in ledger, by id."""
    return Ledger().load(system)


def text(system: str) -> Text:
    """What the rows of a system of the built-in ledger were written from."""
    return Ledger().text(system)


def systems() -> list[str]:
    """The systems of the built-in ledger."""
    return Ledger().systems()


@lru_cache
def _files(folder: Path) -> dict[str, list[Path]]:
    """The ledger files of each system. The name of a file is its system, with a part after a dash or without."""
    files: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*.yaml"), key=lambda path: path.stem):
        # Only the top level has `rules:` at the start of a line, so other files can be told apart without parsing.
        if b"\nrules:" in b"\n" + path.read_bytes():
            files.setdefault(path.stem.partition("-")[0], []).append(path)
    if not files:
        raise LedgerError(f"There are no ledger files in {folder}.")
    return files


@lru_cache
def _text(folder: Path, system: str) -> Text:
    """The head of a system's files, which stands in the first of them that has one."""
    import yaml

    for path in _files(folder)[system]:
        head = yaml.safe_load(path.read_text("utf-8").partition("\nrules:")[0]) or {}
        if "edition" in head:
            return Text(str(head["edition"]), str(head.get("dated", "")))
    return Text()


@lru_cache
def _load(folder: Path, system: str) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    came_from: dict[str, Path] = {}
    for path in _files(folder)[system]:
        for row in _read(path, system):
            if row.id in rows:
                raise LedgerError(f"{row.id} stands twice: in {came_from[row.id].name} and in {path.name}.")
            rows[row.id] = row
            came_from[row.id] = path
    for row in rows.values():
        for need in row.needs:
            if need.startswith(f"{system}.") and need not in rows:
                raise LedgerError(
                    f"{came_from[row.id].name}: {row.id} needs '{need}', which does not exist{_perhaps(need, rows)}"
                )
    return rows


def _read(path: Path, system: str) -> list[Row]:
    import yaml

    try:
        content = yaml.load(path.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise LedgerError(f"{path.name} is not YAML: {' '.join(str(error).split())}") from None
    if content.get("system") != system:
        raise LedgerError(f"{path.name} says 'system: {content.get('system')}'; by its name it must be '{system}'.")
    if not isinstance(content["rules"], list):
        raise LedgerError(f"{path.name}: 'rules' must be a list of rows.")
    return [_row(path, number, raw, system) for number, raw in enumerate(content["rules"], 1)]


def _row(path: Path, number: int, raw: Any, system: str) -> Row:
    name = raw.get("id", f"row {number}") if isinstance(raw, dict) else f"row {number}"
    try:
        row = msgspec.convert({**raw, "system": system} if isinstance(raw, dict) else raw, Row)
    except msgspec.ValidationError as error:
        raise LedgerError(f"{path.name}: {name}: {error}.") from None
    if not row.id.startswith(f"{system}.") or row.id.count(".") < 2:
        raise LedgerError(f"{path.name}: {name} must be named '{system}.area.rule'.")
    if not row.checks:
        raise LedgerError(f"{path.name}: {name} has no checks; a row needs at least one fact that can be tested.")
    return msgspec.structs.replace(row, text=row.text.strip(), note=row.note.strip() if row.note else None)


def _perhaps(wanted: str, pool: Sequence[str] | set[str] | dict[str, Row]) -> str:
    """The end of a sentence about something that does not exist: a suggestion, or just the full stop."""
    from difflib import SequenceMatcher, get_close_matches

    last = wanted.rpartition(".")[2]
    same_ending = sorted(
        (name for name in sorted(pool) if last and name.rpartition(".")[2] == last),
        key=lambda name: -SequenceMatcher(None, name, wanted).ratio(),
    )
    close = get_close_matches(wanted, sorted(pool), n=3, cutoff=0.6)
    inside = sorted(name for name in pool if len(last) > 2 and last in name)
    names = list(dict.fromkeys([*same_ending, *close, *inside]))[:3]
    return f". Did you mean {' or '.join(names)}?" if names else "."
