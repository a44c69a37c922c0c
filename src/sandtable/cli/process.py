"""The process of a command: streams that may be closed or full, and signals that ask it to end."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

from sandtable.cli.frame import complain

BROKEN_PIPE: Final = 1
"""The exit status when whoever read has heard enough."""
ENDINGS: Final = ("SIGTERM", "SIGHUP")
"""Signals that end a command as Ctrl-C does: what was to be saved is saved."""
SIZES: Final = ("COLUMNS", "LINES")
"""What the environment says of the terminal; what cannot be true is not believed."""


def run(command: Callable[[], int]) -> int:
    """Run a command and give the exit status of the process."""
    if trouble := _open_streams():
        return complain(trouble)
    # Names come in every script; a terminal that cannot write one shows a question mark, and the battle goes on.
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="replace")
    for name in SIZES:
        # Some libraries take every sign that counts as a digit for a number.
        if not re.fullmatch("[0-9]{1,4}", os.environ.get(name, "0")):
            del os.environ[name]
    ending = _Ending()
    try:
        status = _shown(command)
    except KeyboardInterrupt:
        status = 128 + signal.SIGINT
    return 128 + ending.number if ending.number else status


class _Ending:
    """Takes the first signal that asks for an end as Ctrl-C is taken; those that follow it disturb nobody who saves."""

    def __init__(self) -> None:
        self.number = 0
        for name in ENDINGS:
            number = getattr(signal, name, None)
            # Who starts us so that a signal is ignored, as nohup does, wants it ignored.
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, self._hear)

    def _hear(self, number: int, _: FrameType | None) -> None:
        if not self.number:
            self.number = number
            raise KeyboardInterrupt


def _open_streams() -> str:
    """Stand in for streams that are closed; what is wrong where nothing can stand in, or nothing."""
    # In this order each takes the number of the one that is missing, and no file of ours is taken for it.
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    closed = sys.stdout is None
    if closed:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    return "Nothing can be shown, because the standard output is closed; >/dev/null makes a command quiet." * closed


class _Output(io.FileIO):
    """A stream that remembers why it could not be written."""

    trouble: OSError | None = None

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            self.trouble = error
            raise


def _shown(command: Callable[[], int]) -> int:
    """Run a command; if what it shows cannot be written, say so in a sentence."""
    output = _watched(sys.stdout)
    try:
        status = command()
        sys.stdout.flush()
    except OSError as error:
        if output is None or error is not output.trouble:
            raise
        # What is left in the buffer would fail once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())
        if isinstance(error, BrokenPipeError):
            return BROKEN_PIPE
        return complain(f"Not everything could be shown: {error.strerror}.")
    return status


def _watched(stream: Any) -> _Output | None:
    """Write from now on through a stream that remembers its trouble; `None` where output is no file."""
    if not isinstance(stream, io.TextIOWrapper):
        return None
    output = _Output(stream.fileno(), "w", closefd=False)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(output),
        encoding=stream.encoding,
        errors="replace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    return output
