"""The rules ledger: what every rule says, which code enforces it and which tests prove it."""

from sandtable.rules.mark import Argument, rule

__all__ = ["Argument", "rule"]
