"""What becomes of each ability: a correction of ours, what the gate lets through, or a reason why it is left."""

from __future__ import annotations

from sandtable.armies.kdc.corrections import Corrections
from sandtable.armies.kdc.gate import reasons
from sandtable.armies.kdc.kinds import Unmapped
from sandtable.armies.kdc.mapping import mapped
from sandtable.armies.kdc.source import Json
from sandtable.armies.kdc.timing import due_of
from sandtable.armies.kdc.verdicts import Verdict, left

NOTHING: Verdict = left("the data has nothing about it but its name")


def judged(ability: Json | None, name: str, ours: Corrections, unit: str | None) -> Verdict:
    """An ability of the dataset as a rule of ours, with its moment; `None` where the dataset has the name alone."""
    found = _verdict(ability, name, ours, unit)
    if found.enforced and not found.left_out:
        return found
    return found._replace(due=found.due or (due_of(ability) if ability else ()))


def _verdict(ability: Json | None, name: str, ours: Corrections, unit: str | None) -> Verdict:
    found = ours.of(ability, name, unit)
    if found is not None:
        return found
    if ability is None:
        return NOTHING
    failed = reasons(ability)
    if failed:
        return left(failed[0].text)
    try:
        effects = mapped(ability)
    except Unmapped as error:
        return left(str(error))
    return Verdict(
        "Not reviewed: compiled from data, and not yet checked against the printed rule.", unreviewed=effects
    )
