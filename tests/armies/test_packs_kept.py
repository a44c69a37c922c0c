"""A pack that was found in order once is read from the cache, and from its own files as soon as anything changed."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from sandtable.armies import packs
from sandtable.armies.pack import Pack
from sandtable.armies.packs import find_packs, load_pack
from sandtable.errors import UserError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack of our own, and a cache that is empty."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return shutil.copytree(find_packs()["w40k10"], tmp_path / "pack")


def kept(folder: Path) -> list[Path]:
    return sorted((folder.parent / "cache" / "sandtable" / "packs").iterdir())


def content(pack: Pack) -> bytes:
    return msgspec.msgpack.encode((pack.header, pack.files, [path.name for path in pack.lists]))


def without_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on reading a pack's own files fails the test."""
    monkeypatch.setattr(packs, "load_pack", None)


def test_a_pack_from_the_cache_is_the_pack_that_was_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = packs._read_once(folder)
    without_yaml(monkeypatch)
    again = packs._read_once(folder)
    assert again.files == read.files == load_pack(folder).files
    assert content(again) == content(read)


def test_a_change_in_a_pack_is_read(folder: Path) -> None:
    packs._read_once(folder)
    orks = folder / "factions" / "orks.yaml"
    orks.write_text(orks.read_text().replace("name: Boyz", "name: Big Boyz"))
    assert "Big Boyz" in {sheet.name for sheet in packs._read_once(folder).sheets("orks")}


def test_a_mistake_in_a_pack_is_told_again_and_again(folder: Path) -> None:
    packs._read_once(folder)
    orks = folder / "factions" / "orks.yaml"
    orks.write_text(orks.read_text().replace("name: Boyz", "nom: Boyz"))
    for _ in range(2):
        with pytest.raises(UserError, match="nom"):
            packs._read_once(folder)


@pytest.mark.parametrize("spoilt", [b"", b"garbage" * 99, None], ids=["empty", "garbage", "one bit"])
def test_a_damaged_cache_is_made_again(folder: Path, spoilt: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    first = content(packs._read_once(folder))
    (file,) = kept(folder)
    raw = file.read_bytes()
    file.write_bytes(raw[:-9] + bytes([raw[-9] ^ 1]) + raw[-8:] if spoilt is None else spoilt)
    assert content(packs._read_once(folder)) == first
    without_yaml(monkeypatch)
    assert content(packs._read_once(folder)) == first


def test_a_cache_that_cannot_be_written_does_no_harm(folder: Path) -> None:
    (folder.parent / "cache").write_text("a file where a folder should be")
    assert packs._read_once(folder).sheets("orks")


def test_old_packs_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "KEPT", 2)
    header = folder / "pack.yaml"
    for number in range(4):
        header.write_text(f"{header.read_text()}# {number}\n")
        packs._read_once(folder)
    assert len(kept(folder)) == 2
