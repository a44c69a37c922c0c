"""Files from and for the outside: read within bounds, and written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from sandtable.errors import UserError

MAX_TEXT: Final = 1 << 20
TRIED: Final = 1 << 16
"""So many bytes must fit where something is to be written."""
KEPT_OF_NAME: Final = 40
LONGEST_ENDING: Final = 10
"""Of the name of a file, in that of its draft: a letter may take four of the 255 bytes of a name."""


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
                data: bytes | None = file.read(limit + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise UserError(f"Cannot read {path}: {error.strerror}.") from None
    except ValueError:
        raise UserError(f"Cannot read {path}: no file can have that name.") from None
    if data is None:  # the system would have us wait
        raise UserError(f"{path} is not a plain file; copy what it holds to one and name that.")
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
    read = [Path(name) for name in beside if name and os.path.isfile(name)]
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
    _check(path)
    _try(_draft(path), f"Cannot write {path}")
    return path


def writable_folder(folder: Path) -> Path:
    """The path of a folder, if files can be written into it, or if it can be made; it is not made yet."""
    if not _is_there(folder):
        return _can_be_made(folder)
    if not folder.is_dir():
        raise UserError(f"{folder} is a file; name a folder.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UserError(f"Nothing may be written into {folder}; name another folder.")
    _try(_draft(folder / "file"), f"Nothing can be written into {folder}")
    return folder


def _can_be_made(folder: Path) -> Path:
    if not os.path.isdir(folder.parent):
        raise UserError(f"Cannot make the folder {folder}: there is no folder {folder.parent}.")
    try:
        folder.mkdir()
        folder.rmdir()
    except OSError as error:
        raise UserError(f"Cannot make the folder {folder}: {error.strerror}.") from None
    return folder


def _check(path: Path) -> None:
    """Refuse a path at which the system would make no file."""
    if _is_there(path):
        if path.is_dir():
            raise UserError(f"{path} is a folder; name a file to write.")
        if not path.is_file():
            raise UserError(f"{path} is not a plain file; name another.")
    if not path.name:
        raise UserError(f"{path} is a folder; name a file to write.")
    if not os.path.isdir(path.parent):
        raise UserError(f"Cannot write {path}: there is no folder {path.parent}.")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise UserError(f"Cannot write {path}: nothing may be written into the folder {path.parent}.")


def _is_there(path: Path) -> bool:
    """Whether something bears that name; refuses names that nothing can bear and links in a circle."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise UserError(f"Cannot write {path}: the name is too long for a file.") from None
        raise UserError(f"Cannot write {path}: {error.strerror}.") from None
    except ValueError:
        raise UserError(f"Cannot write {path}: no file can have that name.") from None
    return True


def _draft(path: Path) -> Path:
    """Where a file is written before it takes its place."""
    # The ending stays, because libraries choose a format by it; a long name must not become too long.
    ending = path.suffix if len(path.suffix) <= LONGEST_ENDING else ""
    return path.with_name(f".{path.stem[:KEPT_OF_NAME]}.{os.getpid()}{ending}")


def _try(draft: Path, trouble: str) -> None:
    """Make a file and remove it: what a folder says of itself need not be true, and a disk may be full."""
    try:
        draft.write_bytes(bytes(TRIED))
    except OSError as error:
        raise UserError(f"{trouble}: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths are one file, or would be."""
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def write_whole(path: Path, fill: bytes | str | Callable[[Path], object]) -> None:
    """Write a file so that it is there whole or, if anything fails, as it was before.

    `fill` is the content, or a function that writes it to the path it is given.
    """
    _check(path)
    draft = _draft(path)
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
