"""Where a checkout keeps its ledger, its source and its tests."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from sandtable.errors import UserError
from sandtable.rules.ledger import Ledger


def existing(folder: Path) -> Path:
    """A folder by its whole path; refuses one that is not there."""
    if not os.path.isdir(folder):
        raise UserError(f"There is no folder {folder}.")
    return folder.resolve()


class Project(msgspec.Struct, frozen=True):
    """A checkout: a package under `src/` that has a ledger in `rules/ledger`, and tests beside it."""

    root: Path
    package: Path

    @classmethod
    def here(cls) -> Project:
        """The checkout that the running Sandtable comes from."""
        package = Path(__file__).resolve().parents[1]
        return cls(root=package.parents[1], package=package)

    @classmethod
    def at(cls, root: Path) -> Project:
        """The checkout in this folder."""
        root = existing(root)
        packages = [path.parents[1] for path in sorted(root.glob("src/*/rules/ledger"))]
        if len(packages) != 1:
            raise UserError(
                f"{root} is not a checkout with a rules ledger: it has {len(packages)} folders src/*/rules/ledger."
            )
        return cls(root=root, package=packages[0])

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.package / "rules" / "ledger")

    @property
    def tests(self) -> Path:
        return self.root / "tests"

    def need_tests(self) -> None:
        """Say clearly that an installed package has no tests to look at."""
        if not self.tests.is_dir():
            raise UserError(f"There are no tests in {self.root}; this command needs a source checkout of the project.")

    def relative(self, path: Path) -> str:
        """A path as one would write it in the root of the checkout."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)

    def module_name(self, path: Path) -> str:
        """The name under which a file of the package is imported."""
        parts = path.relative_to(self.package.parent).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
