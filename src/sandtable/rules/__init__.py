"""The rules ledger: what every rule says, which code enforces it and which tests prove it."""

from sandtable.rules.facts import Facts, fact
from sandtable.rules.mark import Argument, rule

__all__ = ["Argument", "Facts", "fact", "rule"]
