"""The command `sandtable serve`: what it says when it cannot begin."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from sandtable.cli.main import main


def test_a_port_that_is_taken_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--database", f"sqlite:///{tmp_path}/x.db"]) == 2
    assert f"port {port}: Address already in use" in capsys.readouterr().err


@pytest.mark.parametrize(
    "url", ["here.db", "sqlite:////no/such/folder/x.db", "postgresql://nobody:secret@127.0.0.1:1/x"]
)
def test_a_database_that_cannot_be_opened_is_named_without_its_password(
    capsys: pytest.CaptureFixture[str], url: str
) -> None:
    assert main(["serve", "--port", "0", "--database", url]) == 2
    said = capsys.readouterr().err
    assert "database" in said
    assert "secret" not in said


def test_a_folder_that_cannot_be_made_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert main(["serve", "--port", "0"]) == 2
    assert "name a --database" in capsys.readouterr().err
