"""The wheel, installed where nothing else of ours is: it brings the armies along and plays a battle at once."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import distribution
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from sandtable import cachefiles
from sandtable.server import pages

ROOT = Path(__file__).parents[1]
ARMIES = {
    "The Silent Few": (
        "necrons",
        "awakened-dynasty",
        {"technomancer": 1, "necron-warriors": 10, "lokhust-destroyers": 3},
    ),
    "The First Few": (
        "space-marines",
        "gladius-task-force",
        {"captain": 1, "intercessor-squad": 5, "eradicator-squad": 3},
    ),
}


def requirements() -> list[str]:
    """What a user's pip would install with the wheel."""
    return re.findall(r"^([a-z][\w-]*)==", (ROOT / "requirements" / "base.txt").read_text(), re.MULTILINE)


def lend(site: Path) -> None:
    """Put the packages that the wheel requires into an environment, and nothing else: no compiler, no test tools."""
    for name in requirements():
        found = distribution(name)
        assert found.files is not None
        for top in {file.parts[0] for file in found.files} - {".."}:
            if top != "__pycache__" and not (site / top).exists():
                (site / top).symlink_to(Path(str(found.locate_file(top))))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment outside the checkout with the wheel in it; gives its folder."""
    place = tmp_path_factory.mktemp("bare")
    subprocess.check_output([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)], cwd=ROOT)
    (wheel,) = place.glob("*.whl")
    venv.create(place / "venv", symlinks=True)
    (site,) = (place / "venv" / "lib").glob("python*/site-packages")
    lend(site)
    install = ["--python", str(place / "venv" / "bin" / "python"), "install", "--no-index", "--no-deps", str(wheel)]
    subprocess.check_output([sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *install])
    return place


@pytest.fixture(scope="module")
def lists(installed: Path) -> list[str]:
    """Two small armies of datasheets that the wheel brings."""
    made = []
    for name, (faction, detachment, units) in ARMIES.items():
        head = {"name": name, "system": "w40k10", "pack": "w40k10", "faction": faction, "detachment": detachment}
        army = {**head, "limit": 1000, "units": [{"sheet": sheet, "size": size} for sheet, size in units.items()]}
        army["units"][0]["warlord"] = True
        made.append(installed / f"{faction}.yaml")
        made[-1].write_text(json.dumps(army))
    return [str(path) for path in made]


def run(place: Path, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the environment as a new user would: a home without a cache, a folder of its own."""
    (place / "home").mkdir(exist_ok=True)
    kept = {"PATH": os.environ["PATH"], "HOME": str(place / "home"), "LANG": "C.UTF-8", **more}
    program, *rest = command
    return subprocess.run(
        [str(place / "venv" / "bin" / program), *rest],
        cwd=place / "home",
        env=kept,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )


def test_the_wheel_does_not_see_the_checkout(installed: Path) -> None:
    code = "import sandtable, sys; print(sandtable.__file__, *sys.path[1:], sep='\\n')"
    where, *path = run(installed, "python", "-c", code).stdout.splitlines()
    assert Path(where).is_relative_to(installed / "venv")
    assert not [place for place in path if Path(place).resolve().is_relative_to(ROOT)]


def test_the_wheel_brings_the_packs_of_three_editions(installed: Path) -> None:
    code = "from sandtable.armies import *; print(*(open_pack(name).header.name for name in find_packs()))"
    packs = "Four armies for 10th edition The armies of 11th edition Five armies for 8th edition\n"
    assert run(installed, "python", "-c", code).stdout == packs


def test_the_wheel_brings_the_built_table_along_so_that_nobody_needs_node(installed: Path) -> None:
    built = {str(path.relative_to(ROOT / "src")) for path in pages.STATIC.rglob("*") if path.is_file()}
    if not built:
        pytest.skip("The browser table is not built; say `make page`.")
    (wheel,) = installed.glob("*.whl")
    assert built <= {*zipfile.ZipFile(wheel).namelist()}
    code = "from sandtable.server import pages; print(pages.first_page([]).path)"
    assert Path(run(installed, "python", "-c", code).stdout).is_relative_to(installed / "venv")


def test_the_table_of_the_wheel_is_served_and_a_battle_begins_there(installed: Path) -> None:
    if not (pages.STATIC / pages.FIRST).is_file():
        pytest.skip("The browser table is not built; say `make page`.")
    with serving(installed) as address:
        with urlopen(address) as reply:
            page = reply.read().decode()
        named = re.findall(r'(?:src|href)="(/[^"]+)"', page)
        assert {Path(name).suffix for name in named} >= {".js", ".css"}
        for name in named:
            with urlopen(address + name) as reply:
                assert reply.read() == (pages.STATIC / name[1:]).read_bytes()
        wish = Request(f"{address}/api/battles", b'{"seats": ["mine", "mine"]}', {"content-type": "application/json"})
        with urlopen(wish) as reply:
            begun = json.load(reply)
        assert [seat["plays"] for seat in begun["seats"]] == ["person", "person"]
        with urlopen(f"{address}/battles/{begun['battle']}/replay") as reply:
            assert reply.status == 200
        # What proves a rule can be tried out where no checkout is.
        with urlopen(f"{address}/api/scenarios/epica/crossfire") as reply:
            assert "Caught between two fires" in json.load(reply)["text"]


def test_without_the_table_no_wheel_is_built_unless_it_is_wanted_so() -> None:
    nothing = ["make", "-s", "-n", "-o", ".venv/.installed", "wheel", "NODE=", "TABLE=missing"]
    for more, fails in ([], True), (["WITHOUT_PAGE=1"], False):
        # What would be done is told only: nothing but the question itself is asked.
        asks = subprocess.run([*nothing, *more], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        asked = asks[: asks.index("exit 1; }") + len("exit 1; }")]
        assert (
            subprocess.run(["bash", "-c", asked], cwd=ROOT, capture_output=True, check=False).returncode != 0
        ) == fails


@contextmanager
def serving(place: Path) -> Iterator[str]:
    """The server of the environment, with kernels that the checkout compiled; gives its address."""
    home = place / "served"
    home.mkdir()
    kept = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_CACHE_HOME": str(cachefiles.cache_folder().parent)}
    command = [str(place / "venv" / "bin" / "sandtable"), "serve", "--port", "0", "--workers", "1", "--cold"]
    with (
        (home / "log").open("w") as log,
        subprocess.Popen(command, cwd=home, env=kept, stdout=subprocess.PIPE, stderr=log, text=True) as server,
    ):
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            assert line.startswith("Sandtable is at "), (home / "log").read_text()
            yield line.split()[3].rstrip("/")
        finally:
            server.terminate()


def test_the_wheel_asks_for_nothing_that_is_not_pinned(installed: Path) -> None:
    code = "from importlib.metadata import requires; print(*requires('sandtable'), sep='\\n')"
    asked = run(installed, "python", "-c", code).stdout.splitlines()
    plain = {re.split(r"[^\w-]", line)[0].lower() for line in asked if "extra ==" not in line}
    assert "numba" in plain
    assert plain <= {*requirements()}


def test_a_first_battle_from_the_wheel_begins_at_once_while_kernels_are_compiled(
    installed: Path, lists: list[str]
) -> None:
    red, blue = lists
    done = run(installed, "sandtable", "battle", "--red", red, "--blue", blue, "--seed", "7", "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == (
        "Kernels are being compiled beside this, which takes some minutes; until then it runs slower.\n"
    )
    told = json.loads(done.stdout)
    assert told["armies"] == ["The Silent Few (Necrons)", "The First Few (Space Marines)"]
    assert told["result"]["scores"]
    assert (installed / "home" / ".cache" / "sandtable" / "kernels").is_dir()


def test_without_lists_the_wheel_plays_armies_that_it_brings_with_kernels_that_the_checkout_compiled(
    installed: Path,
) -> None:
    subprocess.run([sys.executable, "-m", "sandtable.kernels.warm"], check=True)
    cache = str(cachefiles.cache_folder().parent)
    done = run(installed, "sandtable", "battle", "--seed", "7", XDG_CACHE_HOME=cache)
    assert (done.returncode, done.stderr) == (0, "")
    told = done.stdout.splitlines()
    assert told[1].startswith("red plays Endless Hunger (Tyranids), blue plays Red Harvest (Necrons); Only War on ")
    assert [line for line in told if re.match(r"(red won|blue won|A draw): ", line)]


def test_the_wheel_answers_questions_about_the_armies_that_it_brings(installed: Path) -> None:
    done = run(installed, "sandtable", "odds", "into", "10 intercessors", "10 boyz", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["target"] == "10 Boyz"
