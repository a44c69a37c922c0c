"""Where files of a user are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable import cachefiles
from sandtable.cli.main import main
from sandtable.folders import user_folder


def test_a_variable_counts_that_names_a_whole_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_DATA_HOME", "/there")
    assert user_folder("XDG_DATA_HOME", ".local", "share") == Path("/there/sandtable")
    for ignored in ("", "here", "./here"):
        monkeypatch.setenv("XDG_DATA_HOME", ignored)
        assert user_folder("XDG_DATA_HOME", ".local", "share") == Path("/home/me/.local/share/sandtable")


@pytest.mark.parametrize("home", ["", "here"])
def test_a_home_that_is_none_is_not_used(
    home: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", home)
    assert user_folder("XDG_DATA_HOME", ".local", "share") is None
    with pytest.raises(NotADirectoryError):
        cachefiles.write(cachefiles.cache_folder() / "file", b"")
    assert main(["serve"]) == 2
    assert (
        capsys.readouterr().err == "Error: You have no home here in which battles could be kept; name a --database.\n"
    )
