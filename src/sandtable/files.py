"""Files from and for the outside: YAML read within bounds, and files written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from sandtable.errors import UserError

MAX_YAML: Final = 1 << 20
MAX_DEPTH: Final = 40
"""The YAML loader is recursive in C, and a file nested deeply enough would end the process."""


def parse_yaml(text: str, where: str) -> Any:
    """Plain data from YAML; refuses, with the place, what is no YAML or could blow up."""
    import yaml

    if len(text) > MAX_YAML:
        raise UserError(f"{where}: at most {MAX_YAML >> 20} MB can be read.")
    depth = 0
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            if isinstance(event, yaml.AliasEvent):
                # An alias could blow a small file up into a huge one.
                raise UserError(f"{where}: YAML aliases (*name) are not allowed here.")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                raise UserError(f"{where}, line {event.start_mark.line + 1}: nested too deeply.")
        return yaml.load(text, Loader=_loader())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "it holds characters that YAML does not allow"
        raise UserError(f"{where}{line}: not valid YAML: {problem}.") from None
    except ValueError as error:  # a date such as 2023-99-99, a number with too many digits
        raise UserError(f"{where}: not valid YAML: {error}.") from None


@cache
def _loader() -> Any:
    """The safe loader, to which `on` and `off` are words: a unit of a scenario may be `off` the table."""
    import yaml

    class Loader(yaml.CSafeLoader):
        pass

    Loader.yaml_implicit_resolvers = {
        first: found if first not in ("o", "O") else [r for r in found if not r[0].endswith(":bool")]
        for first, found in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }
    return Loader


def read_text(path: Path, limit: int = MAX_YAML) -> str:
    """The text of a file of bounded size."""
    try:
        if path.stat().st_size > limit:
            raise UserError(f"{path}: at most {limit >> 20} MB can be read.")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"Cannot read {path}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is not UTF-8 text.") from None


def writable(path: Path) -> Path:
    """The path, if a file can be written there; refuses before long work instead of after it."""
    if path.is_dir():
        raise UserError(f"{path} is a folder; name a file to write.")
    if not path.parent.is_dir():
        raise UserError(f"Cannot write {path}: there is no folder {path.parent}.")
    if path.exists() and not path.is_file():
        raise UserError(f"{path} is not a plain file; name another.")
    return path


def write_whole(path: Path, fill: bytes | str | Callable[[Path], object]) -> None:
    """Write a file so that it is there whole or, if anything fails, as it was before.

    `fill` is the content, or a function that writes it to the path it is given.
    """
    writable(path)
    # The ending stays, because libraries choose a format by it.
    draft = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        if callable(fill):
            fill(draft)
        else:
            draft.write_bytes(fill.encode() if isinstance(fill, str) else fill)
        draft.replace(path)
    except OSError as error:
        raise UserError(f"Cannot write {path}: {error.strerror}.") from None
    finally:
        draft.unlink(missing_ok=True)
