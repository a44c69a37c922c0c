"""Kernels give the same answers plain and compiled; they begin plain, and are exchanged when machine code is there."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kernels import toy

SLOWER = "Kernels are being compiled beside this, which takes some minutes; until then it runs slower.\n"
BESIDE = f"""
kernels.engage()
print({toy.ASKED}); print(compiled())
print(wait())
print({toy.ASKED}); print(compiled())
"""
COMPILED = f"""
kernels.engage(kernels.COMPILED)
print({toy.ASKED}); print(compiled())
"""
READY = f"""
kernels.engage()
from sandtable.kernels import compiler
compiler.Compiled._make_entry = None
print({toy.ASKED}); print(compiled()); print(kernels.is_waiting())
"""
ALL = "['both', 'norm', 'scaled']"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A place where nothing is compiled yet."""
    toy.make(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    place = tmp_path_factory.mktemp("first")
    toy.make(place)
    return place, toy.run(place, BESIDE)


@pytest.fixture
def ready(tmp_path: Path, first_start: tuple[Path, object]) -> Path:
    """Another place, with what the first start compiled."""
    return shutil.copytree(first_start[0], tmp_path / "ready")


def test_a_first_start_begins_plain_and_goes_over_to_machine_code_compiled_beside_it(
    first_start: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    done = first_start[1]
    assert toy.answers(done) == [toy.ANSWER, "[]", "True", toy.ANSWER, ALL]
    assert done.stderr == SLOWER


def test_the_next_start_finds_all_on_disk_compiles_nothing_and_says_nothing(ready: Path) -> None:
    done = toy.run(ready, READY)
    assert toy.answers(done) == [toy.ANSWER, ALL, "False"]
    assert done.stderr == ""


def test_kernels_are_exchanged_one_by_one(ready: Path) -> None:
    for path in toy.files(ready, "entry"):
        if not path.name.startswith("norm"):
            path.unlink()
    code = f"kernels._compile_beside = lambda store: None\nkernels.engage(); print({toy.ASKED}); print(compiled())"
    assert toy.answers(toy.run(ready, code)) == [toy.ANSWER, "['norm']"]


def test_a_kernel_that_is_called_with_other_types_meanwhile_becomes_plain_again_until_all_is_there(ready: Path) -> None:
    entry = next(path for path in toy.files(ready, "entry") if path.name.startswith("scaled"))
    kept = entry.rename(ready / "scaled")
    code = f"""
kernels._compile_beside = lambda store: None
def settle():
    kernels._settle(kernels._switch.waiting); print(type(sums.norm).__name__)
def count():
    print(*{{float(sums.norm(np.arange(1, 4))) for _ in range(50)}}, type(sums.norm).__name__)
kernels.engage(); print(type(sums.norm).__name__)
count(); settle()
import os; os.rename({str(kept)!r}, {str(entry)!r})
settle(); count(); print(len(sums.norm.entries), kernels.is_waiting())
"""
    answers = toy.answers(toy.run(ready, code))
    assert answers[:3] == ["Compiled", "14.0 function", "function"]
    assert answers[3:] == ["Compiled", "14.0 Compiled", "1 False"]


SHORT = "use(0); use(kernels.FEW_STEPS)"
HEAVY = "use(kernels.FEW_STEPS + 1)"
LATER = """
use(); until = time.process_time() + kernels.ONE_QUESTION
while time.process_time() <= until:
    pass
use()"""


@pytest.mark.parametrize(("asked", "known"), [(SHORT, "False []"), (HEAVY, f"True {ALL}"), (LATER, f"True {ALL}")])
def test_outside_a_battle_machine_code_is_loaded_for_much_work_alone(ready: Path, asked: str, known: str) -> None:
    code = f"""
def use(steps=0):
    kernels.use(steps); return [{toy.ASKED}]
{asked}; print('numba' in sys.modules, compiled())
"""
    assert toy.answers(toy.run(ready, code)) == [known]


def test_where_machine_code_is_demanded_a_short_question_has_it_too(ready: Path) -> None:
    code = f"kernels.use(); print({toy.ASKED}); print(compiled())"
    assert toy.answers(toy.run(ready, code, SANDTABLE_KERNELS="compiled")) == [toy.ANSWER, ALL]


def test_where_machine_code_is_demanded_it_is_made_before_it_runs(folder: Path) -> None:
    done = toy.run(folder, COMPILED)
    assert toy.answers(done) == [toy.ANSWER, ALL]
    assert done.stderr == ""


@pytest.mark.parametrize("switch", [{"SANDTABLE_KERNELS": "plain"}, {"NUMBA_DISABLE_JIT": "1"}])
def test_compiling_can_be_switched_off(folder: Path, switch: dict[str, str]) -> None:
    code = f"kernels.engage(); print({toy.ASKED}); print(compiled()); print('numba' in sys.modules)"
    assert toy.answers(toy.run(folder, code, **switch)) == [toy.ANSWER, "[]", "False"]
    assert not (folder / "cache").exists()


def test_another_type_of_argument_is_compiled_when_it_is_met(ready: Path) -> None:
    code = "kernels.engage(); print(float(sums.norm(np.arange(1, 4)))); print(compiled())"
    assert toy.answers(toy.run(ready, code)) == ["14.0", "['norm']"]


def test_changed_sources_are_compiled_anew(ready: Path) -> None:
    source = ready / "toy" / "sums.py"
    source.write_text(source.read_text().replace("return x * x", "return x * x * x"))
    assert toy.answers(toy.run(ready, "kernels.engage(kernels.COMPILED); print(float(sums.norm(a)))")) == ["36.0"]


LATE = """
from toy import sums
from sandtable.kernels import kernel

@kernel
def most(a):
    return sums.scaled(a, 2.0).max()
"""


def test_a_kernel_that_is_met_inside_another_first_is_called_with_all_that_its_own_machine_code_needs(
    ready: Path,
) -> None:
    (ready / "toy" / "late.py").write_text(LATE)
    code = f"""
kernels.engage(kernels.COMPILED)
from sandtable.kernels import compiler
from toy import late
print(float(late.most(a)))
assert sums.scaled.overloads and not sums.scaled.entries
compiler.Compiled._make_entry = None
print({toy.ASKED})
"""
    assert toy.answers(toy.run(ready, code)) == ["0.42857142857142855", toy.ANSWER]


# --- What can be wrong with the files ---------------------------------------------------------------------------------


def damage(paths: list[Path]) -> None:
    """Spoil each file in another way: nothing in it, cut off, one bit wrong, something else."""
    for number, path in enumerate(paths):
        raw = path.read_bytes()
        spoilt = (b"", raw[: len(raw) // 2], raw[:-100] + bytes([raw[-100] ^ 1]) + raw[-99:], b"\x80\x04garbage" * 50)
        path.write_bytes(spoilt[number % len(spoilt)])


def test_damaged_machine_code_is_made_again_beside(ready: Path) -> None:
    damage(toy.files(ready, "entry"))
    done = toy.run(ready, BESIDE)
    assert toy.answers(done) == [toy.ANSWER, "[]", "True", toy.ANSWER, ALL]
    assert done.stderr == SLOWER
    assert toy.answers(toy.run(ready, READY)) == [toy.ANSWER, ALL, "False"]


def test_damaged_parts_are_made_again_where_they_are_needed(ready: Path) -> None:
    for path in toy.files(ready, "entry"):
        path.unlink()
    assert len(toy.files(ready, "part")) == 4
    damage(toy.files(ready, "part"))
    assert toy.answers(toy.run(ready, COMPILED)) == [toy.ANSWER, ALL]


def test_parts_on_disk_are_joined_with_parts_that_are_made_anew(ready: Path) -> None:
    for path in [*toy.files(ready, "entry"), *(p for p in toy.files(ready, "part") if p.name.startswith("norm"))]:
        path.unlink()
    assert toy.answers(toy.run(ready, COMPILED)) == [toy.ANSWER, ALL]


def test_a_file_that_is_missing_is_made_again(ready: Path) -> None:
    toy.files(ready, "entry")[0].unlink()
    assert toy.answers(toy.run(ready, BESIDE))[2:] == ["True", toy.ANSWER, ALL]


def test_a_folder_that_cannot_be_written_is_told_once_and_does_no_harm(folder: Path) -> None:
    (folder / "cache").write_text("a file where a folder should be")
    done = toy.run(folder, BESIDE, TMPDIR=str(folder))
    assert toy.answers(done) == [toy.ANSWER, "[]", "True", toy.ANSWER, ALL]
    where = folder / "cache" / "sandtable" / "kernels"
    assert done.stderr == f"Compiled kernels cannot be kept in {where}: Not a directory.\n{SLOWER}"
    assert sorted(path.name for path in folder.iterdir()) == ["cache", "toy"]


def test_machine_code_that_is_demanded_stays_in_memory_where_it_cannot_be_kept(folder: Path) -> None:
    (folder / "cache").write_text("a file where a folder should be")
    done = toy.run(folder, COMPILED)
    assert toy.answers(done) == [toy.ANSWER, ALL]
    assert done.stderr.count("\n") == 1


# --- Several processes ------------------------------------------------------------------------------------------------


def test_two_processes_may_compile_at_once(folder: Path) -> None:
    both = [toy.start(folder, COMPILED) for _ in range(2)]
    assert [process.communicate(timeout=120)[0].splitlines() for process in both] == [[toy.ANSWER, ALL]] * 2
    assert toy.answers(toy.run(folder, COMPILED)) == [toy.ANSWER, ALL]


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two places in which two processes compiled the same at the same time; the names in their code differ."""
    places = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("two")
    for place in places:
        toy.make(place)
    for process in [toy.start(place, COMPILED) for place in places]:
        assert process.communicate(timeout=120)[0].splitlines() == [toy.ANSWER, ALL]
    return places


@pytest.mark.parametrize("later", [0, 1])
@pytest.mark.parametrize("gone", ["entry", "nothing"])
def test_files_that_two_processes_wrote_at_once_go_together(
    twins: tuple[Path, Path], tmp_path: Path, later: int, gone: str
) -> None:
    mixed = shutil.copytree(twins[0], tmp_path / "mixed")
    first, second = ([*toy.files(place, "entry"), *toy.files(place, "part")] for place in (mixed, twins[1]))
    assert [path.name for path in first] == [path.name for path in second]
    for mine, other in list(zip(first, second, strict=True))[later::2]:
        shutil.copyfile(other, mine)
    for path in toy.files(mixed, gone):
        path.unlink()
    (mixed / "toy" / "late.py").write_text(LATE)
    code = "\nfrom toy import late; print(float(late.most(a)))"
    assert toy.answers(toy.run(mixed, COMPILED + code)) == [toy.ANSWER, ALL, "0.42857142857142855"]


def test_only_one_process_compiles_beside_for_all(folder: Path) -> None:
    code = """
from sandtable.kernels import beside
store = kernels.use_folder()
held = beside.take_lock(store.root)
kernels.engage(); print(kernels._switch.helper._process)
held.close()
kernels._switch.look_again = 0.0
kernels.catch_up(); print(kernels._switch.helper._process is not None); print(wait())
"""
    assert toy.answers(toy.run(folder, code)) == ["None", "True", "True"]


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_compiling_beside_ends_with_who_wanted_it_and_leaves_nothing_half_done(folder: Path) -> None:
    more = folder / "toy" / "more.py"
    more.write_text(more.read_text().replace("    import numpy as np\n", "    import time; time.sleep(60)\n"))
    process = toy.start(folder, "kernels.engage(); print(kernels._switch.helper._process.pid); time.sleep(60)")
    assert process.stdout is not None
    helper = int(process.stdout.readline())
    assert is_running(helper)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    until = time.monotonic() + 20
    while is_running(helper) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_running(helper)
    assert [path.name for path in (folder / "cache").rglob("*") if path.is_file()] == [".lock"]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_who_cannot_be_compiled_stays_plain(folder: Path) -> None:
    more = folder / "toy" / "more.py"
    more.write_text(more.read_text().replace("def warm_up():", "def warm_up():\n    raise ValueError"))
    code = f"""
kernels.engage()
for _ in range(200):
    time.sleep(0.05); kernels._switch.look_again = 0.0; kernels.catch_up()
    if kernels._switch.helper._broken:
        break
print(kernels._switch.helper._starts); print({toy.ASKED}); print(compiled())
"""
    assert toy.answers(toy.run(folder, code)) == ["2", toy.ANSWER, "[]"]


# --- All of ours ------------------------------------------------------------------------------------------------------

HELD = """
import gc
from sandtable import kernels
from sandtable.kernels import warm
warm.modules()
kernels.engage(kernels.COMPILED)
plain = {id(k.py_func): k for k in kernels.KERNELS}
known = {id(x) for k in kernels.KERNELS for x in (k, vars(k.compiled), vars(k.compiled._compiler))}
everybody = gc.get_referrers(*(k.py_func for k in kernels.KERNELS))
names = [name for who in everybody if id(who) not in known and isinstance(who, dict) for name in who
         if id(who[name]) in plain]
print(names, [type(who) for who in everybody if id(who) not in known and not isinstance(who, (dict, tuple))])
"""


def test_nobody_holds_on_to_a_plain_kernel_after_the_exchange() -> None:
    done = subprocess.run([sys.executable, "-c", HELD], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[] []"
