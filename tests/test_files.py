"""Files of strangers: what the system says about them need not be true, and what they say must not reach a terminal."""

from __future__ import annotations

import io
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from sandtable.errors import MOST_LINE, MOST_TOLD, UserError, plain, short
from sandtable.files import claim, read_bytes, read_text, writable, writable_folder, write_whole


def test_a_file_is_read_up_to_its_limit_and_no_further(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * (1 << 20))
    assert len(read_bytes(path, 1 << 20)) == 1 << 20
    with path.open("ab") as file:
        file.write(b"x")
    with pytest.raises(UserError, match=r"file: at most 1 MB can be read\.$"):
        read_bytes(path, 1 << 20)


def test_what_is_no_plain_file_is_refused_at_once(tmp_path: Path) -> None:
    """A pipe that nobody writes to would be waited for, and a device never ends."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    told: list[str] = []

    def read() -> None:
        for path in (pipe, Path("/dev/zero"), Path("/dev/tty"), tmp_path, tmp_path / "none", Path("a\0b")):
            with pytest.raises(UserError) as caught:
                read_text(path)
            told.append(str(caught.value).replace(str(tmp_path), "T"))

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(5)
    assert told[:2] == [
        "T/pipe is not a plain file; copy what it holds to one and name that.",
        "/dev/zero is not a plain file; copy what it holds to one and name that.",
    ]
    assert "/dev/tty" in told[2]
    assert told[3:] == [
        "T is a folder; name a file to read.",
        "Cannot read T/none: No such file or directory.",
        "Cannot read a b: no file can have that name.",
    ]


def test_a_size_that_the_system_does_not_know_is_no_limit() -> None:
    """Files of the kernel say that they are empty."""
    path = Path("/proc/self/status")
    assert path.stat().st_size == 0
    assert read_bytes(path, 1 << 20).startswith(b"Name:")
    with pytest.raises(UserError, match="at most 0 MB"):
        read_bytes(path, 10)


def test_a_text_that_is_no_utf_8_is_refused_with_the_byte(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    with pytest.raises(UserError, match=r"latin is not UTF-8 text: see its byte 4\."):
        read_text(tmp_path / "latin")


def test_what_is_read_is_not_written_over(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.yaml", tmp_path / "other.yaml"
    mine.write_text("x")
    (tmp_path / "link.yaml").symlink_to(mine)
    (tmp_path / "hard.yaml").hardlink_to(mine)
    for name in ("mine.yaml", "link.yaml", "hard.yaml", "../" + tmp_path.name + "/mine.yaml"):
        with pytest.raises(UserError, match=r"is read here and would be lost; name another file to write\.$"):
            claim(None, tmp_path / name, beside=("", "only-war", other, str(mine)))
    claim(other, None, beside=[mine, ""])
    claim(mine)
    assert mine.read_text() == "x"


def test_two_things_are_not_written_to_one_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"one cannot be written twice; name two files\.$"):
        claim(tmp_path / "two", tmp_path / "one", tmp_path / "." / "one")
    claim(tmp_path / "two", tmp_path / "one")
    with pytest.raises(UserError, match=r"is a folder; name a file to write"):
        claim(tmp_path / "two", tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to the superuser")
def test_a_folder_that_nothing_may_be_written_into_is_noticed_beforehand(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    with pytest.raises(UserError, match="nothing may be written into the folder"):
        writable(closed / "battle")


def test_a_folder_that_says_no_is_noticed_beforehand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    with pytest.raises(UserError, match=f"Cannot write .*battle: nothing may be written into the folder {tmp_path}"):
        writable(tmp_path / "battle")


def test_a_folder_that_says_yes_and_means_no_is_noticed_beforehand() -> None:
    """The kernel's folders let the superuser write, and then make no file."""
    with pytest.raises(UserError, match="Cannot write /proc/battle: "):
        claim(Path("/proc/battle"))
    with pytest.raises(UserError, match=r"Nothing (can|may) be written into /proc"):
        writable_folder(Path("/proc"))


def test_a_full_disk_is_noticed_beforehand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without content can still be made there."""
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        write(path, b"")
        if data:
            raise OSError(28, "No space left on device")
        return 0

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UserError, match=r"Cannot write .*battle: No space left on device\.$"):
        claim(tmp_path / "battle")
    with pytest.raises(UserError, match=r"Nothing can be written into .*: No space left on device\.$"):
        writable_folder(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_trying_whether_a_file_can_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("as it was")
    writable(tmp_path / "old")
    writable(tmp_path / "new")
    writable_folder(tmp_path)
    writable_folder(tmp_path / "album")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_text() == "as it was"


def test_a_name_that_no_file_can_have_is_refused_and_the_longest_that_one_can_is_written(tmp_path: Path) -> None:
    longest = tmp_path / ("\u00e9" * 125 + ".html")
    assert len(longest.name.encode()) == 255
    write_whole(longest, "text")
    assert longest.read_text() == "text"
    for name, trouble in (("x" * 256, "the name is too long for a file"), ("a\0b", "no file can have that name")):
        with pytest.raises(UserError, match=trouble):
            write_whole(tmp_path / name, "text")
        with pytest.raises(UserError, match=trouble):
            claim(tmp_path / name)
        claim(tmp_path / "other", beside=[name])


def test_a_link_that_leads_back_to_itself_is_not_replaced(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)
    with pytest.raises(UserError, match="Too many levels of symbolic links"):
        write_whole(link, "text")
    assert link.is_symlink()


def test_a_file_that_would_have_to_be_waited_for_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some files of the kernel are plain by their own account, and give nothing until something happens."""

    class Waiting(io.BytesIO):
        def read(self, size: int | None = -1) -> Any:
            return None

    path = tmp_path / "kmsg"
    path.write_text("")
    monkeypatch.setattr("builtins.open", lambda *_, **__: Waiting())
    with pytest.raises(UserError, match="kmsg is not a plain file; copy what it holds to one and name that"):
        read_bytes(path, 10)


def test_a_file_is_there_whole_or_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    write_whole(path, "old")

    def fail(draft: Path) -> None:
        draft.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(UserError, match="No space left"):
        write_whole(path, fail)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


# --- What errors say --------------------------------------------------------------------------------------------------


def test_an_error_has_no_codes_that_a_terminal_would_obey() -> None:
    nasty = "\x1b[31mred\x07 \x9b2J \u202eright to left\u200b\rback\ttab"
    assert str(UserError(f"No unit '{nasty}'.")) == "No unit ' [31mred   2J  right to left  back tab'."
    assert plain(nasty).isprintable()


def test_an_error_of_several_lines_keeps_them() -> None:
    assert str(UserError("one\ntwo")) == "one\ntwo"


def test_an_error_echoes_only_so_much_and_keeps_both_ends() -> None:
    said = str(UserError(f"There is no '{'x' * 100_000}'; there are a and b."))
    assert said.startswith("There is no 'xxx")
    assert said.endswith("xxx'; there are a and b.")
    assert len(said) < MOST_LINE + 10
    many = str(UserError("\n".join(f"line {i}" for i in range(100_000))))
    assert len(many) < MOST_TOLD + 10


def test_a_text_that_is_short_enough_stays_whole() -> None:
    assert short("x" * 60, 60) == "x" * 60
    assert short("a" * 30 + "b" * 31, 60) == "a" * 30 + "b" * 10 + " [...] " + "b" * 20
