"""Files of compiled kernels are whole or missing, and those of old sources go."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from sandtable import sources
from sandtable.kernels import store
from sandtable.kernels.store import DAY, KEPT_DAYS, Store


@pytest.fixture
def kept(tmp_path: Path) -> Store:
    return Store(tmp_path / "kernels", "m1")


def test_what_was_written_is_read(kept: Store) -> None:
    kept.write("aa", "f.m1.1.entry", b"code")
    assert kept.read("aa", "f.m1.1.entry") == b"code"


def test_a_file_without_its_sum_counts_as_missing_and_goes(kept: Store) -> None:
    kept.write("aa", "f.m1.1.entry", b"code")
    kept.complete("aa")
    path = kept.root / "aa" / "f.m1.1.entry"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert kept.is_complete("aa")
    assert kept.read("aa", "f.m1.1.entry") is None
    assert not path.exists()
    assert not kept.is_complete("aa")


def test_asking_for_what_was_never_there_changes_nothing(kept: Store) -> None:
    kept.write("aa", "f.m1.1.entry", b"code")
    kept.complete("aa")
    assert kept.read("aa", "f.m1.2.entry") is None
    assert kept.is_complete("aa")


def test_a_source_is_complete_as_long_as_all_its_entries_are_there(kept: Store) -> None:
    assert not kept.is_complete("aa")
    kept.write("aa", "f.m1.1.entry", b"code")
    assert not kept.is_complete("aa")
    kept.complete("aa")
    assert kept.is_complete("aa")
    (kept.root / "aa" / "f.m1.1.entry").unlink()
    assert not kept.is_complete("aa")


def test_another_kind_of_machine_has_files_of_its_own(kept: Store) -> None:
    kept.write("aa", "f.m1.1.entry", b"code")
    kept.complete("aa")
    other = Store(kept.root, "m2")
    assert not other.is_complete("aa")
    assert other.entries("aa") == set()


AA, BB, CC = "aa" * 8, "bb" * 8, "cc" * 8
"""Fingerprints as sources have them."""


def folder(kept: Store, name: str, days: float, size: int = 10) -> Path:
    kept.write(name, "f.m1.1.entry", b"x" * size)
    then = time.time() - days * DAY
    for path in (kept.root / name).iterdir():
        os.utime(path, (then, then))
    return kept.root / name


def test_folders_that_nobody_used_for_long_go(kept: Store) -> None:
    old, older = folder(kept, AA, KEPT_DAYS - 1), folder(kept, BB, KEPT_DAYS + 1)
    kept.tidy(())
    assert old.exists()
    assert not older.exists()


def test_the_folders_in_use_stay_however_old(kept: Store) -> None:
    mine = folder(kept, AA, KEPT_DAYS + 1)
    kept.tidy({AA})
    assert mine.exists()


def test_the_longest_unused_go_when_all_take_too_much_room(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "KEPT_BYTES", 2500)
    mine, new, old = folder(kept, AA, 9, 1000), folder(kept, BB, 1, 1000), folder(kept, CC, 2, 1000)
    kept.tidy({AA})
    assert mine.exists()
    assert new.exists()
    assert not old.exists()


def test_using_a_folder_keeps_it(kept: Store) -> None:
    kept.write(AA, "f.m1.1.entry", b"code")
    kept.complete(AA)
    path = folder(kept, AA, KEPT_DAYS + 1)
    assert kept.is_complete(AA)
    kept.tidy(())
    assert path.exists()


def test_folders_of_other_programs_stay_however_old_and_large(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "KEPT_BYTES", 0)
    names = ("project_0123456789abcdef", "__pycache__", "0123456789abcde", "0123456789ABCDEF", "0123456789abcdef0")
    others = [folder(kept, name, KEPT_DAYS + 1) for name in names]
    mine = folder(kept, "0123456789abcdef", KEPT_DAYS + 1)
    kept.tidy(())
    assert not mine.exists()
    assert all(other.exists() for other in others)


def test_our_folders_are_named_as_tidying_expects() -> None:
    assert store.FINGERPRINT.fullmatch(sources.fingerprint(sources.__file__))


def test_in_the_folder_of_all_programs_with_numba_we_have_one_of_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert store.usual_folder() == tmp_path / "sandtable"


def test_without_a_home_or_with_a_name_too_long_nothing_is_kept_and_nothing_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/" + "x" * 300)
    assert Store(store.usual_folder(), "m1").read(AA, "f.m1.1.entry") is None
    monkeypatch.delenv("XDG_CACHE_HOME")

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    nowhere = Store(store.usual_folder(), "m1")
    assert nowhere.can_write() == "Not a directory"
    assert nowhere.read(AA, "f.m1.1.entry") is None


def test_a_folder_for_such_files_that_is_no_whole_path_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert store.usual_folder() == Path.home() / ".cache" / "sandtable" / "kernels"
    monkeypatch.setenv("XDG_CACHE_HOME", "/there")
    assert store.usual_folder() == Path("/there/sandtable/kernels")


# --- The fingerprint of sources ---------------------------------------------------------------------------------------


def test_a_fingerprint_depends_on_all_that_a_source_imports() -> None:
    here = sources.closure(str(Path(sources.__file__).parent / "table" / "arrange.py"))
    names = {Path(path).name for path in here}
    assert {"arrange.py", "arrange_room.py", "coherency.py", "cores.py", "grid.py"} <= names
    assert "store.py" not in names


def test_a_fingerprint_does_not_depend_on_where_the_source_lies(tmp_path: Path) -> None:
    text = "from sandtable.table import grid, shapes\n"
    first, second, third = (tmp_path / name / "a.py" for name in ("one", "two", "three"))
    for path, content in ((first, text), (second, text), (third, text + "\n")):
        path.parent.mkdir()
        path.write_text(content)
    assert sources.fingerprint(str(first)) == sources.fingerprint(str(second))
    assert sources.fingerprint(str(first)) != sources.fingerprint(str(third))


def test_every_name_of_an_import_counts(tmp_path: Path) -> None:
    source = tmp_path / "a.py"
    source.write_text("from sandtable.table import (\n    grid,\n    shapes as s,\n)\nimport sandtable.errors\n")
    assert {Path(path).name for path in sources.closure(str(source))} >= {"grid.py", "shapes.py", "errors.py"}
