"""Packs: where datasheets come from. A pack is a folder of YAML files, or a Python package that holds one.

```
pack.yaml             what the pack is (format.Header)
factions/ID.yaml      a faction and its datasheets (format.FactionFile)
lists/*.yaml          ready army lists (lists.ArmyList)
```
A header may name an installed package of data: factions are then read from that (`kdc`), each when it is asked for.
A wheel of ours brings packs along in `sandtable/packs`. Others that are installed announce the package that holds the
folder in the entry point group "sandtable.packs".
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from sandtable import cachefiles
from sandtable.armies.characteristics import TABLE, printed
from sandtable.armies.checks import check_faction, complete
from sandtable.armies.format import Faction, FactionFile, Header, Sheet, Weapon
from sandtable.armies.kdc.pack import DataPack
from sandtable.armies.pack import Pack
from sandtable.documents import convert, parse_yaml, read_document
from sandtable.errors import UserError, short
from sandtable.files import read_text
from sandtable.sources import fingerprint

GROUP: Final = "sandtable.packs"
HEADER: Final = "pack.yaml"
MAX_FACTIONS: Final = 60
MAX_LISTS: Final = 500
LONGEST_SHOWN: Final = 200
"""Letters of a file name that are told"""
KEPT: Final = 20
"""Packs that are kept on disk as they were read."""
SHOWN: Final = 20
"""Problems that one error tells; more would help nobody."""

T = TypeVar("T")


# --- Finding ----------------------------------------------------------------------------------------------------------


def find_packs() -> dict[str, Path]:
    """The folder of each pack by its name: those in this checkout, those that came with us, those installed beside."""
    found = {folder.parent.name: folder for folder in _checkout()}
    found |= {header.parent.name: header.parent for header in Path(__file__).parents[1].glob(f"packs/*/{HEADER}")}
    for entry in entry_points(group=GROUP):
        try:
            file = import_module(entry.module).__file__
        except ImportError as error:
            raise UserError(f"The installed pack '{entry.name}' cannot be opened: {error}.") from None
        if file is not None and (Path(file).parent / HEADER).is_file():
            found[entry.name] = Path(file).parent
    return dict(sorted(found.items()))


def _checkout() -> list[Path]:
    root = Path(__file__).parents[3]
    if not (root / "pyproject.toml").is_file():
        return []
    return sorted(header.parent for header in root.glob(f"packs/*/*/{HEADER}"))


def open_pack(name: str, faction: str = "") -> Pack:
    """A pack by the name under which `find_packs` knows it, or by the path of its folder.

    With the id of a faction only that much of it is read, where factions are packs of their own.
    """
    known = find_packs()
    folder = known.get(name) or Path(name)
    if os.path.isdir(folder):
        pack = _loaded(folder)
        return pack.parts.get(faction, pack) if pack.parts is not None else pack
    raise UserError(f"No pack '{name}'; packs are {', '.join(known) or 'none'}, or name a folder.")


_packs: dict[Path, tuple[tuple[tuple[str, int, int], ...], Pack]] = {}


def _loaded(folder: Path) -> Pack:
    """The pack in a folder; read anew only when one of its files changed, for reading takes as long as a battle."""
    # Only where a pack has its files: whoever names "/" as a pack does not mean all that lies below it.
    files = [file for part in (HEADER, "factions/*.yaml", "lists/*.yaml") for file in sorted(folder.glob(part))]
    stamp = tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    known = _packs.get(folder)
    if known is None or known[0] != stamp:
        known = _packs[folder] = (stamp, _read_once(folder))
    return known[1]


def _read_once(folder: Path) -> Pack:
    """The pack in a folder, read and checked, unless this very content was in order before."""
    sources = [
        Path(__file__).with_name(TABLE),
        folder / HEADER,
        *sorted(folder.glob("factions/*.yaml")),
    ]
    try:
        parts = [read_text(source).encode() for source in sources]
    except UserError:
        return load_pack(folder)
    name = hashlib.blake2b(b"\0".join([fingerprint(__file__).encode(), *parts]), digest_size=12).hexdigest()
    path = cachefiles.cache_folder() / "packs" / name
    raw = cachefiles.read(path)
    if raw is not None:
        with suppress(msgspec.DecodeError):
            header, files = msgspec.msgpack.decode(raw, type=tuple[Header, tuple[FactionFile, ...]])
            return Pack(header, files, _lists(folder))
    pack = load_pack(folder)
    if not pack.header.data:
        cachefiles.keep(path, msgspec.msgpack.encode((pack.header, pack.files)), KEPT)
    return pack


# --- Loading ----------------------------------------------------------------------------------------------------------


def is_file(name: str | Path) -> bool:
    """Whether an army list is named by its file."""
    return Path(name).suffix in (".yaml", ".yml")


def find_list(name: str | Path, system: str = "") -> Path:
    """An army list: a file, or by its name the one that a pack brings; a refusal names near ones of the system."""
    if is_file(name):
        return Path(name)
    known = {found.stem: found for folder in find_packs().values() for found in _lists_in(folder)}
    if str(name) not in known:
        names = ready_lists(system)
        meant = did_you_mean(str(name), names)
        wanted = short(str(name), LONGEST_SHOWN)
        listed = f"sandtable army lists{f' --system {system}' if system else ''}"
        if Path(name).suffix and not meant:
            ready = f"or one of the {len(names)} ready ones, which '{listed}' shows"
            raise UserError(f"There is no file '{wanted}'. Name a list of yours, exported text or YAML, {ready}.")
        raise UserError(
            f"There is no army list '{wanted}', and no such file.{meant} '{listed}' shows all {len(names)}."
        )
    return known[str(name)]


def packs_by_system() -> dict[str, list[str]]:
    """The names of the packs that are written for each system."""
    found: dict[str, list[str]] = {}
    for name, folder in find_packs().items():
        found.setdefault(read_document(folder / HEADER, Header).system, []).append(name)
    return found


def ready_lists(system: str = "") -> list[str]:
    """The names of the army lists that packs bring for a system, or for all."""
    known = find_packs()
    folders = [known[name] for name in (packs_by_system().get(system, ()) if system else known)]
    return sorted(found.stem for folder in folders for found in _lists_in(folder))


def did_you_mean(wanted: str, names: Sequence[str]) -> str:
    """The question whether one of the near names was meant, with a space before it; empty where none is near."""
    close = near_names(wanted, names)
    return f" Did you mean {' or '.join(repr(one) for one in close)}?" if close else ""


def faction_ids(system: str) -> list[str]:
    """The factions of all packs for a system, by their ids."""
    headers = [read_document(folder / HEADER, Header) for folder in find_packs().values()]
    return sorted({id_ for header in headers if header.system == system for id_ in header.factions})


def near_names(wanted: str, names: Sequence[str]) -> list[str]:
    """Up to three names that begin with the same word, or else look alike; the nearest first."""
    first = wanted.lower().partition("-")[0]
    same = [name for name in names if len(first) > 1 and name.startswith(first)]
    return get_close_matches(wanted.lower(), same or names, n=3, cutoff=0.0 if same else 0.5)


def _lists_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("lists/*.yaml"))


def load_pack(folder: Path) -> Pack:
    """Read and check the pack in a folder; an error names the pack, the datasheet and the field."""
    path = folder / HEADER
    header = read_document(path, Header)
    try:
        printed(header.system)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    if header.data:
        return DataPack(header, _lists(folder))
    if not header.factions:
        raise UserError(f"{path}: a pack has at least one faction.")
    if len(header.factions) > MAX_FACTIONS:
        raise UserError(f"{path}: a pack has at most {MAX_FACTIONS} factions.")
    files = tuple(_load_faction(folder, header, id_) for id_ in header.factions)
    ids = [sheet.id for file in files for sheet in file.sheets]
    if twice := sorted({id_ for id_ in ids if ids.count(id_) > 1}):
        raise UserError(f"{path}: two factions have a datasheet '{twice[0]}'.")
    return Pack(header, files, _lists(folder))


def _lists(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted((folder / "lists").glob("*.yaml"))[:MAX_LISTS])


def _load_faction(folder: Path, header: Header, id_: str) -> FactionFile:
    path = folder / "factions" / f"{id_}.yaml"
    where = f"{header.id}/{id_}"
    raw = parse_yaml(read_text(path), str(path))
    if not isinstance(raw, dict) or set(raw) - {"faction", "weapons", "sheets"} or "faction" not in raw:
        raise UserError(f"{where}: a faction file has 'faction', 'weapons' and 'sheets', and nothing else.")
    file = complete(
        FactionFile(
            convert(raw["faction"], Faction, f"{where}, faction"),
            _each(raw.get("sheets"), Sheet, f"{where}, sheets"),
            _each(raw.get("weapons"), Weapon, f"{where}, weapons"),
        )
    )
    problems = check_faction(file, header.system)
    if file.faction.id != id_:
        problems.insert(0, f"the faction is called '{file.faction.id}' inside.")
    if problems:
        more = f"\n...and {len(problems) - SHOWN} more." if len(problems) > SHOWN else ""
        raise UserError("\n".join(f"{where}, {problem}" for problem in problems[:SHOWN]) + more)
    return file


def _each(raw: Any, kind: type[T], where: str) -> tuple[T, ...]:
    """Convert one by one, so that an error can name which one it is in."""
    if not isinstance(raw, list | None):
        raise UserError(f"{where}: a list is wanted.")
    items = []
    for number, item in enumerate(raw or (), 1):
        name = (item.get("id") or item.get("name")) if isinstance(item, dict) else None
        items.append(convert(item, kind, f"{where}, {str(name)[:80] if name else f'number {number}'}"))
    return tuple(items)
