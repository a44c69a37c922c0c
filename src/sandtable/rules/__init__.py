"""The rules ledger: what every rule says, which code enforces it and which tests prove it."""

from sandtable.rules.mark import rule

__all__ = ["rule"]
