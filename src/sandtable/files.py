"""Files from and for the outside: read within bounds, and written whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from sandtable.errors import UserError

MAX_TEXT: Final = 1 << 20


def read_bytes(path: Path, limit: int) -> bytes:
    """The bytes of a plain file of bounded size; neither a pipe nor a device is waited for."""
    try:
        # A pipe that nobody writes to would block the opening, too.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            kind = os.fstat(descriptor).st_mode
            if stat.S_ISDIR(kind):
                raise UserError(f"{path} is a folder; name a file to read.")
            if not stat.S_ISREG(kind):
                raise UserError(f"{path} is not a plain file; copy what it holds to one and name that.")
            with open(descriptor, "rb", closefd=False) as file:
                # What the system says of a file's size need not be true.
                data = file.read(limit + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise UserError(f"Cannot read {path}: {error.strerror}.") from None
    except ValueError:
        raise UserError(f"Cannot read {path}: no file can have that name.") from None
    if len(data) > limit:
        raise UserError(f"{path}: at most {limit >> 20} MB can be read.")
    return data


def read_text(path: Path, limit: int = MAX_TEXT) -> str:
    """The text of a file of bounded size."""
    try:
        return read_bytes(path, limit).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text: see its byte {error.start + 1}.") from None


def claim(*outputs: Path | None, beside: Iterable[str | Path] = ()) -> None:
    """Refuse, before long work, files that cannot be written, are one and the same, or would replace one that is read.

    `beside` names what is read; names that are no files are passed over.
    """
    claimed: list[Path] = []
    read = [Path(name) for name in beside if name and Path(name).is_file()]
    for path in outputs:
        if path is None:
            continue
        writable(path)
        for source in read:
            if same_file(path, source):
                raise UserError(f"{path} is read here and would be lost; name another file to write.")
        for other in claimed:
            if same_file(path, other):
                raise UserError(f"{path} cannot be written twice; name two files.")
        claimed.append(path)


def writable(path: Path) -> Path:
    """The path, if a file can be written there; refuses before long work instead of after it."""
    if path.is_dir():
        raise UserError(f"{path} is a folder; name a file to write.")
    if not path.parent.is_dir():
        raise UserError(f"Cannot write {path}: there is no folder {path.parent}.")
    if path.exists() and not path.is_file():
        raise UserError(f"{path} is not a plain file; name another.")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise UserError(f"Cannot write {path}: nothing may be written into the folder {path.parent}.")
    return path


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths are one file, or would be."""
    try:
        return one.samefile(other)
    except OSError:
        return one.resolve() == other.resolve()


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
