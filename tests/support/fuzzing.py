"""Damaged files of every kind through the real command line: each must be played, or refused in one sentence.

The cases of a kind run in forked children, with bounds on time and memory, so that one that ends the process is found
as well. A finding is anything but: exit status 0; or exit status 2, one short line on stderr, and nothing written.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import traceback
import zlib
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, NamedTuple, NoReturn

import msgspec
import yaml

from sandtable.cli.main import main
from support.exports import FORMS, LEGION, OF_TENTH
from support.mutations import damage, damage_tree, twist_tree

ROOT = Path(__file__).parents[2]
MOST_SECONDS = 8.0
"""Of processor time: far more than any file takes even on a busy machine, and far less than what hangs."""
KILLED_AFTER = 30.0
"""Seconds of processor time after which a child is ended: what hangs in a kernel hears no signal handler."""
MOST_MEMORY = 1 << 30
MOST_SAID = 5000
SAMPLE = (ROOT / "docs/scenarios/w40k10/split-fire.yaml").read_bytes()

Change = Callable[[Random, Any], Any]


class Kind(NamedTuple):
    """A kind of file: intact ones, the command that reads one, and how to damage one without making nonsense of it."""

    seeds: Callable[[], Sequence[bytes]]
    command: Callable[[Path, bytes], list[str]]
    """(an empty folder, the file): puts the file into the folder and says what to call."""
    deep: Callable[[Random, bytes, Change], bytes]
    statuses: tuple[int, ...] = (0, 2)
    places: tuple[str, ...] = ()
    """What names the place where a refusal does not name the file itself."""


class Finding(msgspec.Struct):
    """A case that went wrong; the same kind, seed and number give it again."""

    kind: str
    number: int
    what: str


# --- Kinds of files ---------------------------------------------------------------------------------------------------


def _files(pattern: str, most: int = 40) -> Callable[[], Sequence[bytes]]:
    return cache(lambda: [path.read_bytes() for path in sorted(ROOT.glob(pattern))[:most]])


def _yaml(rng: Random, data: bytes, change: Change) -> bytes:
    """YAML with values of its tree changed."""
    return yaml.dump(change(rng, yaml.safe_load(data)), Dumper=_Plainly, sort_keys=False, allow_unicode=True).encode()


class _Plainly(yaml.SafeDumper):
    """Writes out twice what stands twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _written(folder: Path, name: str, data: bytes) -> str:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
    return str(folder / name)


def _scenario(folder: Path, data: bytes) -> list[str]:
    return ["scenario", "check", "--explain", _written(folder, "s.yaml", data)]


def _shown(folder: Path, data: bytes) -> list[str]:
    return ["scenario", "show", _written(folder, "s.yaml", data), "--svg", str(folder / "out.svg")]


@cache
def _lists() -> tuple[str, str]:
    from sandtable.armies.lists import draw_lists

    return draw_lists("w40k10", 5)


def _battle(folder: Path, **options: str) -> list[str]:
    """Two people at a table who leave at the first question, because nobody types anything."""
    red, blue = _lists()
    given = {"red": red, "blue": blue, "layout": "random-3", "players": "person,person", "seed": "1", **options}
    out = ["--html", str(folder / "out.html"), "--save", str(folder / "out.battle")]
    return ["battle", *(word for name, value in given.items() for word in (f"--{name}", value)), *out]


def _pack(name: str) -> Callable[[Path, bytes], list[str]]:
    def command(folder: Path, data: bytes) -> list[str]:
        shutil.copytree(ROOT / "tests/odds/pack", folder / "pack")
        _written(folder, f"pack/{name}", data)
        return ["odds", "into", "rifle squad", "dummies", "--pack", str(folder / "pack")]

    return command


ORDERS = [
    b"orders:\n- {for: 'move*', do: pass, unit: Boyz, stop: {uses: 2, near: 12}}\n- {for: shoot, do: best, aim: kills}",
    b"orders:\n- {for: 'react.*', do: ask, odds: 0.5, else: pass}\n- {for: '*', do: default, stop: {target: [GROTS]}}",
    b"orders:\n- for: shoot_with\n  do: answer\n  answer: pass\n  stop: {resource: {name: cp, to: 1}}\n",
]


def _orders(folder: Path, data: bytes) -> list[str]:
    file = _written(folder, "o.yaml", data)
    _written(folder, "s.yaml", SAMPLE)
    return ["scenario", "play", str(folder / "s.yaml"), "--orders", file, "--save", str(folder / "out.battle")]


@cache
def _journals() -> Sequence[bytes]:
    import sandtable
    from sandtable.battle import journal

    red, blue = _lists()
    begun = [sandtable.new("w40k10", seed=4), sandtable.new("epica", seed=4)]
    begun.append(sandtable.new("w40k10", armies={"red": red, "blue": blue}, layout="random-3", seed=4))
    for battle in begun:
        for number in range(8):
            battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
            if number == 5:
                battle.undo()
    return [journal.write(battle) for battle in begun]


def _replay(folder: Path, data: bytes) -> list[str]:
    return ["replay", "--verify", _written(folder, "b.battle", data)]


def _journal(rng: Random, data: bytes, change: Change) -> bytes:
    """A journal with its tree changed, or that of the state it begins with."""
    import base64

    tree = msgspec.json.decode(data)
    if rng.random() < 0.4:
        state = change(rng, msgspec.msgpack.decode(base64.b64decode(tree["start"])))
        tree["start"] = base64.b64encode(msgspec.msgpack.encode(_small(state))).decode()
        return msgspec.json.encode(tree)
    part = rng.choice(("setup", "entries", ""))
    if part:
        tree[part] = change(rng, tree[part])
        return msgspec.json.encode(tree)
    return msgspec.json.encode(change(rng, tree))


def _small(tree: Any) -> Any:
    """The same without numbers that MessagePack cannot hold."""
    if isinstance(tree, dict):
        return {key: _small(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_small(value) for value in tree]
    return tree if not isinstance(tree, int) or -(1 << 63) <= tree < 1 << 63 else 1 << 62


@cache
def _links() -> Sequence[bytes]:
    from sandtable import odds

    asked = [
        odds.into("5 hellblasters", "5 terminators"),
        odds.charge("10 boyz", 7) if hasattr(odds, "charge") else odds.into("10 boyz", "5 terminators"),
        odds.into("profile: 5 x A2 BS3+ S4 AP-1 D1", "10 boyz"),
    ]
    return [answer.link.encode() for answer in asked if answer.link]


def _open(folder: Path, data: bytes) -> list[str]:
    return ["odds", "open", "--", data.decode("utf-8", "surrogateescape").replace("\0", "")]


def _link(rng: Random, data: bytes, change: Change) -> bytes:
    """A link whose check sum is right, with values of its question changed."""
    from sandtable.odds.links import COMMON, FORMAT, RAW, SCHEME, SUM, read_link

    tree = change(rng, msgspec.to_builtins(read_link(data.decode())))
    packer = zlib.compressobj(9, wbits=RAW, zdict=COMMON)
    packed = packer.compress(msgspec.json.encode(tree)) + packer.flush()
    code = urlsafe_b64encode(zlib.crc32(packed).to_bytes(SUM) + packed).rstrip(b"=")
    return f"{SCHEME}{FORMAT}.".encode() + code


PROFILES = [
    b"profile: 10 x T4 Sv3+ W2 4++ A2 BS3+ S4 AP-1 D1 [lethal hits, rapid fire 1] INFANTRY",
    b"profile: 3 x T10 Sv2+ W12 5+++ A2D6 BS3+ S12 AP-4 DD6+2 [devastating wounds, melta 2] 240 points",
    b"5 hellblasters with supercharge",
    b"10 boyz led by warboss",
    b"panel: knight",
]


def _into(folder: Path, data: bytes) -> list[str]:
    # A shell hands over no zeros.
    word = data.decode("utf-8", "surrogateescape").replace("\0", "")
    return [
        "odds",
        "into",
        "--distance",
        "10",
        "--plot",
        str(folder / "out.svg"),
        "--",
        word,
        "profile: 5 x T4 Sv3+ W2",
    ]


ODD = [
    b"999999", b"0", b"-1", b"A99999999D6", b"T0", b"Sv99+", b"W1000000", b"1000000 x", b"[", b"]", b"[x 9]", b"++",
    b"A60", b"[sustained hits 99999]", b"[rapid fire 99D6]", b"\x1b[2J", b"led by", b"profile:", b"9" * 5000, b"D0",
    b"60 x", b"D6", b"W100", b"A12D6", b"[sustained hits D6]", b"panel:", b"5 x 5 hellblasters", b"2 x", b"with",
]  # fmt: skip


def _words(rng: Random, data: bytes, change: Change) -> bytes:
    """Words and numbers of a line in another order, or changed."""
    words = data.split()
    rng.shuffle(words) if rng.random() < 0.3 else None
    for _ in range(rng.choice((1, 1, 2))):
        i = rng.randrange(len(words))
        new = [
            b"999999",
            b"0",
            b"-1",
            b"A99999999D6",
            b"T0",
            b"Sv99+",
            b"W1000000",
            b"1000000 x",
            b"[",
            b"]",
            b"[x 9]",
            b"++",
        ]
        new += [
            b"[sustained hits 99999]",
            b"[rapid fire 99D6]",
            b"\x1b[2J",
            b"led by",
            b"profile:",
            b"9" * 5000,
            b"D0",
            b"A60",
        ]
        words[i : i + 1] = rng.choice(([], [words[i]] * 2, [rng.choice(new)], [words[i] + rng.choice(new)]))
        if not words:
            return b""
    return b" ".join(words)


@cache
def _exports() -> Sequence[bytes]:
    from sandtable.armies.imported import dataset

    # Once, before children are made: it takes a second.
    dataset()
    return [form(army).encode() for form in FORMS.values() for army in (LEGION, OF_TENTH)]


def _reported(folder: Path, data: bytes) -> list[str]:
    return ["army", "report", _written(folder, "list.txt", data)]


def _export(rng: Random, data: bytes, change: Change) -> bytes:
    """An export in JSON with its tree changed, or one as text with its lines."""
    if data.startswith(b"{"):
        return json.dumps(change(rng, json.loads(data))).encode()
    if data.startswith(b"http"):
        head, mark, packed = data.rpartition(b"/listforge/")
        tree = change(rng, json.loads(gzip.decompress(b64decode(packed + b"=" * (-len(packed) % 4)))))
        return head + mark + b64encode(gzip.compress(json.dumps(tree).encode(), mtime=0)).rstrip(b"=")
    lines = data.split(b"\n")
    for _ in range(rng.choice((1, 2, 4))):
        i = rng.randrange(len(lines))
        odd = rng.choice(
            (b"", lines[i] * 2, b"+ " + lines[i], b"  \xe2\x80\xa2 " + lines[i], b"99999999999x Boyz (9 pts)")
        )
        lines[i : i + 1] = rng.choice(([], [lines[i]] * 3, [odd], [odd, rng.choice(lines)]))
    return b"\n".join(lines)


DISARMED = "Rifle Squad has no ranged weapon"
"""A faction may be like that: then it is the question that is refused."""
BLUES = _pack("factions/blues.yaml")
MISSIONS = _files("src/sandtable/systems/w40k10/missions/*.yaml")
LAYOUTS = _files("src/sandtable/kit/layouts/*.yaml")
ARMIES = _files("packs/*/*/lists/*-1000-*.yaml")

KINDS: dict[str, Kind] = {
    "scenario": Kind(_files("docs/scenarios/w40k10/*.yaml", 60), _scenario, _yaml, (0, 1, 2)),
    "scenario of Epic": Kind(_files("docs/scenarios/epica/*.yaml"), _scenario, _yaml, (0, 1, 2)),
    "scenario shown": Kind(_files("docs/scenarios/*/*.yaml"), _shown, _yaml),
    "army list": Kind(ARMIES, lambda f, d: _battle(f, red=_written(f, "a.yaml", d)), _yaml),
    "exported list": Kind(_exports, _reported, _export),
    "pack": Kind(_files("tests/odds/pack/pack.yaml"), _pack("pack.yaml"), _yaml, places=("practice", "The pack ")),
    "faction": Kind(_files("tests/odds/pack/factions/*.yaml"), BLUES, _yaml, places=("practice", DISARMED)),
    "mission": Kind(MISSIONS, lambda f, d: _battle(f, mission=_written(f, "m.yaml", d)), _yaml, places=(" points",)),
    "layout": Kind(LAYOUTS, lambda f, d: _battle(f, layout=_written(f, "l.yaml", d)), _yaml),
    "standing orders": Kind(lambda: ORDERS, _orders, _yaml),
    "battle": Kind(_journals, _replay, _journal),
    "link": Kind(_links, _open, _link, places=("",)),
    "profile": Kind(lambda: PROFILES, _into, _words, places=("",)),
}


# --- Running ----------------------------------------------------------------------------------------------------------


def case(kind: str, seed: int, number: int) -> bytes:
    """The damaged file of a case."""
    rng = Random(f"{kind}/{seed}/{number}")
    seeds = KINDS[kind].seeds()
    data = rng.choice(seeds)
    way = rng.random()
    if way < 0.3:
        return damage(rng, data, rng.choice(seeds))
    return KINDS[kind].deep(rng, data, damage_tree if way < 0.5 else twist_tree)


def intact(kind: str) -> list[Finding]:
    """What is wrong when nothing is damaged; it also loads what the children then need not load."""
    with tempfile.TemporaryDirectory() as scratch:
        found = []
        for number, data in enumerate(KINDS[kind].seeds()[:3]):
            folder = Path(scratch, str(number))
            folder.mkdir()
            status, said, told, _ = _call(KINDS[kind].command(folder, data))
            if status != 0:
                found.append(Finding(kind, -1 - number, f"an intact file ends with status {status}: {told or said}"))
        return found


def fuzz(kind: str, seed: int, count: int) -> list[Finding]:
    """The findings in so many damaged files of a kind."""
    found: list[Finding] = []
    done = 0
    with tempfile.TemporaryDirectory(prefix="sandtable-fuzz-") as scratch:
        while done < count:
            told, status = _child(kind, seed, done, count, scratch)
            for line in told.splitlines():
                heard = msgspec.json.decode(line)
                done = heard["number"] + 1
                found += [Finding(kind, heard["number"], what) for what in heard["found"]]
            if status != 0:
                found.append(Finding(kind, done, f"ended the process ({status})"))
                done += 1
    return found


def _child(kind: str, seed: int, first: int, count: int, scratch: str) -> tuple[bytes, int]:
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _be_child(kind, seed, range(first, count), scratch, writing)
    os.close(writing)
    with open(reading, "rb") as pipe:
        told = pipe.read()
    return told[: told.rfind(b"\n") + 1], os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _be_child(kind: str, seed: int, numbers: range, scratch: str, writing: int) -> NoReturn:
    """The life of a child; it ends here, whatever happens."""
    status = 1
    try:
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        for number in numbers:
            # To write a file of megabytes takes long as well, and is not what is timed.
            signal.setitimer(signal.ITIMER_PROF, 0)
            data = case(kind, seed, number)
            signal.setitimer(signal.ITIMER_PROF, KILLED_AFTER)
            folder = Path(scratch, f"{number}")
            folder.mkdir()
            found = _try(kind, data, folder)
            shutil.rmtree(folder)
            os.write(writing, msgspec.json.encode({"number": number, "found": found}) + b"\n")
        status = 0
    finally:
        os._exit(status)


def _try(kind: str, data: bytes, folder: Path) -> list[str]:
    """What is wrong with how one damaged file was taken."""
    command = KINDS[kind].command(folder, data)
    before = {path.name for path in folder.iterdir()}
    status, said, told, seconds = _call(command)
    new = sorted({path.name for path in folder.iterdir()} - before)
    found = []
    if status is None:
        found.append(told)
    elif status not in KINDS[kind].statuses or "The rules failed" in said or "BrokenRule" in said + told:
        found.append(f"status {status}: {told[-600:] or said[-600:]}")
    elif status == 2 and new:
        found.append(f"wrote {new} although it refused: {told[-300:]}")
    elif status == 2 and (not told.startswith("Error: ") or len(told) > MOST_SAID):
        found.append(f"is refused with {len(told)} characters: {told[:300]}")
    elif status == 2 and not any(name in told for name in (str(folder), *KINDS[kind].places)):
        found.append(f"is refused without its name: {told[:300]}")
    if any(not (c.isprintable() or c == "\n") for c in told + said):
        found.append(f"prints control characters: {told[-300:]!r} {said[-300:]!r}")
    if seconds > MOST_SECONDS:
        found.append(f"took {seconds:.1f} s: {told[-300:] or said[-300:]}")
    return found


def _call(command: list[str]) -> tuple[int | None, str, str, float]:
    """Exit status, stdout, stderr and seconds of a command; without a status, stderr holds the exception."""
    out, err = io.StringIO(), io.StringIO()
    stdin, sys.stdin = sys.stdin, io.StringIO("")
    began = process_time()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status: int | None = main(command)
    except BaseException:
        return None, out.getvalue(), "".join(traceback.format_exc()[-1500:]), process_time() - began
    finally:
        sys.stdin = stdin
    return status, out.getvalue(), err.getvalue(), process_time() - began
