"""A small package with kernels of its own, in a folder of its own, and processes that use it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

SUMS = """
import numpy as np
from sandtable.kernels import bare, kernel, leaf

@leaf
def square(x):
    return x * x

@bare
def norm(a):
    total = 0.0
    for i in range(a.shape[0]):
        total += square(a[i])
    return total

@kernel
def scaled(a, by):
    out = np.empty(a.shape[0])
    for i in range(a.shape[0]):
        out[i] = a[i] / norm(a) * by
    return out
"""
MORE = """
from toy import sums
from sandtable.kernels import kernel

@kernel
def both(a):
    return sums.norm(a) + sums.square(a[0])

def warm_up():
    import numpy as np
    a = np.arange(1.0, 4.0)
    sums.norm(a)
    sums.scaled(a, 2.0)
    both(a)
"""
ASKED = "*map(float, (sums.norm(a), *sums.scaled(a, 2.0), more.both(a)))"
ANSWER = "14.0 0.14285714285714285 0.2857142857142857 0.42857142857142855 15.0"

BEGIN = """
import sys, time
import numpy as np
from sandtable import kernels
kernels.PACKAGES = ("toy",)
from toy import sums, more
a = np.arange(1.0, 4.0)
def compiled():
    return sorted(k.py_func.__name__ for k in kernels.KERNELS if k.signatures)
def wait():
    until = time.monotonic() + 60
    while kernels.is_waiting() and time.monotonic() < until:
        time.sleep(0.05)
        kernels.catch_up()
    return not kernels.is_waiting()
"""


def make(folder: Path) -> Path:
    """Write the package into a folder, and give the folder for its compiled kernels."""
    package = folder / "toy"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "sums.py").write_text(SUMS)
    (package / "more.py").write_text(MORE)
    return folder / "cache"


def environment(folder: Path, **more: str) -> dict[str, str]:
    known = {name: value for name, value in os.environ.items() if name not in ("SANDTABLE_KERNELS", "NUMBA_CACHE_DIR")}
    return {**known, "PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / "cache"), **more}


def run(folder: Path, code: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run code that knows the package, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", BEGIN + code],
        env=environment(folder, **more),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )


def start(folder: Path, code: str) -> subprocess.Popen[str]:
    """The same, while the test goes on; what it prints can be read line by line."""
    return subprocess.Popen(
        [sys.executable, "-u", "-c", BEGIN + code], env=environment(folder), stdout=subprocess.PIPE, text=True
    )


def files(folder: Path, ending: str) -> list[Path]:
    """The files of compiled kernels, by name."""
    return sorted((folder / "cache").rglob(f"*.{ending}"), key=lambda path: path.name)


def answers(done: subprocess.CompletedProcess[str]) -> list[Any]:
    return done.stdout.splitlines()
