"""Mission cards of the 40kdc dataset in our words: each award as a way of scoring, and each action.

What a card needs and we lack is named: nothing stands in for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from sandtable.armies.kdc.source import Json
from sandtable.kit.missions import Action, Score

WHEN: Final = {"end-of-turn": "turn", "end-of-battle": "battle", "end-of-phase": "command"}
TURNS: Final = {"your-turn": "own", "opponent-turn": "enemy", "either": "either"}
LAST: Final = 5
"""The last battle round."""
LATE: Final = ("battlefield-dominance",)
"""Cards whose awards of the Command phase wait for the end of the turn in the last round, as only their text says."""
BEYOND_HOME: Final = ("purge-and-secure", "unstoppable-force")
"""Cards of which only the text says that newly taken objectives are those other than the own home."""
PER: Final[dict[str, Json]] = {
    "controlled-objective": {"kind": "hold"},
    "controlled-non-home-objective": {"kind": "hold", "where": "not own home"},
    "controlled-objective-in-enemy-territory": {"kind": "hold", "where": "enemy territory"},
    "objective-newly-controlled-this-turn": {"kind": "take"},
    "enemy-unit-destroyed-this-turn": {"kind": "slay"},
    "enemy-unit-destroyed-that-started-the-turn-within-range-of-an-objective": {
        "kind": "slay", "of": "stood on objective",
    },
    "terrain-area-trapped-this-turn": {"kind": "marked", "tag": "trapped", "fresh": True},
    "terrain-area-trapped-this-turn-that-is-an-objective": {
        "kind": "marked", "tag": "trapped", "fresh": True, "of": "is objective",
    },
    "decoyed-objective": {"kind": "marked", "tag": "decoyed"},
    "decoyed-objective-in-enemy-territory": {"kind": "marked", "tag": "decoyed", "where": "enemy territory"},
    "friendly-unit-that-committed-sabotage-this-turn": {"kind": "done", "action": "Sabotage"},
    "sabotaging-unit-within-range-of-an-objective-in-enemy-territory": {
        "kind": "done", "action": "Sabotage", "where": "enemy territory",
    },
    "extract-intelligence-action-completed-this-turn": {"kind": "done", "action": "Extract Intelligence"},
    "operation-marker-within-range-of-a-controlled-central-objective": {
        "kind": "tokens", "where": "central", "of": "controlled",
    },
    "friendly-unit-wholly-within-opponent-deployment-zone": {"kind": "break through"},
}  # fmt: skip
"""What awards count that pay for each of something."""

CONTROLLED: Final[Json] = {"at": "objective", "controls": True}
ACTIONS: Final[dict[str, Json]] = {
    "condemn": {
        "starts": "turn begins", "at": "enemy", "who": "threats", "tag": "condemned", "lasts": "round of turns",
    },
    "consecrate": {
        "starts": "turn ends", "at": "objective", "where": "not own home", "who": "slayers", "tag": "consecrated",
    },
    "booby-trap": {"completes": "at once", "at": "area", "where": "not own zone", "tag": "trapped"},
    "place-markers": {"starts": "battle", "at": "area", "where": "not own zone", "tag": "marked", "limit": 5},
    "sensor-sweep": {**CONTROLLED, "where": "central", "again": True, "clears": "one", "leaves": 1},
    "decoy": {**CONTROLLED, "where": "not own home", "tag": "decoyed"},
    "secure-asset": {**CONTROLLED, "where": "not own home", "again": True},
    "maintain-control": {**CONTROLLED, "where": "central", "tag": "maintained", "again": True},
    "sabotage": {**CONTROLLED, "where": "not own home", "again": True},
    "vanguard-operation": {"at": "area", "where": "enemy territory", "alone": True, "again": True},
    "surveil": {"completes": "at once", "at": "enemy", "within": 18, "tag": "surveilled", "lasts": "turn"},
    "clear-markers": {"starts": "moves", "clears": "here"},
    "triangulate": {**CONTROLLED, "where": "not own home", "tag": "triangulated"},
    "extract-intelligence": {**CONTROLLED, "where": "not own home", "tag": "searched"},
    "cleanse": {**CONTROLLED, "where": "not own home", "tag": "cleansed", "lasts": "turn"},
    "plunder": {"completes": "at once", "at": "area", "where": "enemy territory", "tag": "plundered"},
}  # fmt: skip
"""What actions are, by their ids; the dataset tells most of it only in its text."""
MOST: Final = 20


def ways_of(card: Json, whose: str, mode: str = "") -> tuple[list[Score], int, list[str]]:
    """What of a card scores in our words, how many awards that is, and what we lack for the rest."""
    scores: list[Score] = []
    lacks: list[str] = []
    played = 0
    for award in card["awards"]:
        if mode and award.get("mode") not in (None, mode):
            continue
        raw = _award(award, card["id"])
        if isinstance(raw, str):
            lacks.append(raw)
            continue
        played += 1
        for one in _in_time(raw, card["id"]):
            scores.append(msgspec.convert({"name": f"{card['name']}, {told(one)}", "by": whose, **one}, Score))
    lacks += [f"the action '{name}'" for name in _ids(card) if name not in ACTIONS]
    return scores, played, list(dict.fromkeys(lacks))


def _ids(card: Json) -> list[str]:
    return [str(action["action_id"]) for action in card.get("actions") or ()]


def actions_of(card: Json, whose: str) -> list[Action]:
    """The actions of a card."""
    return [_action(one, whose) for one in card.get("actions") or () if one["action_id"] in ACTIONS]


def _action(one: Json, whose: str) -> Action:
    name = str(one["action_id"]).replace("-", " ").title()
    rounds = one.get("battle_round") or {}
    plain = {"name": name, "by": whose, "limit": one.get("use_limit") or MOST, "from_round": rounds.get("min", 1)}
    return msgspec.convert({**plain, **ACTIONS[one["action_id"]]}, Action)


# --- Awards -----------------------------------------------------------------------------------------------------------


def _award(award: Json, card: str) -> Json | str:
    """An award as a way of scoring, or what is lacking for it."""
    trigger, when = award.get("trigger") or {}, award.get("when")
    moment = WHEN.get(str(trigger.get("timing")))
    turns = TURNS.get(str(trigger.get("player_turn") or "your-turn"))
    if moment is None or turns is None or trigger.get("phase") not in (None, "command"):
        return "awards at other moments"
    rounds = trigger.get("battle_round") or {}
    common: Json = {"when": moment, "from_round": rounds.get("min", 1), "to_round": rounds.get("max", 99)}
    common |= {"turns": turns} if moment == "turn" and turns != "own" else {}
    common |= {"group": award["exclusive_group"]} if award.get("exclusive_group") else {}
    if "per" in award:
        found = PER.get(award["per"])
        if found is None:
            return f"the count '{str(award['per']).replace('-', ' ')}'"
        given = _places(when) if when else []
        if given is None:
            return "counts that depend on something else"
        most = {"most": award["vp_max"]} if award.get("vp_max") else {}
        return {**common, **found, "vp": award["vp_per"], "given": given, **most}
    if not isinstance(when, dict):
        return "awards without a condition that a machine can read"
    if when.get("operator") == "and":
        places = _places(when)
        if not places:
            return "conditions of several parts"
        return {**common, "kind": "hold some", "where": places[0], "given": places[1:], "vp": award["vp"]}
    if "parameters" not in when:
        return "conditions of several parts"
    one = _condition(when["type"], when["parameters"], card)
    return one if isinstance(one, str) else {**common, **one, "vp": award["vp"]}


def _places(when: Json) -> list[str] | None:
    """Where a player has to control an objective, each; None where a condition asks for something else."""
    parts = when["operands"] if when.get("operator") == "and" else [when]
    found = []
    for part in parts:
        told_ = part.get("parameters") or {}
        place = _place(told_) if part.get("type") == "controls-objective" and told_.get("count_min") == 1 else None
        if place is None:
            return None
        found.append(place)
    return found


def _place(told_: Json) -> str | None:
    """Which objectives a condition means."""
    asked = {key: value for key, value in told_.items() if key not in ("count_min", "count_max", "tag")}
    return next((place for place, words in MEANT.items() if words == asked), None)


MEANT: Final[dict[str, Json]] = {
    "all": {},
    "own home": {"objective": "your-home"},
    "enemy home": {"objective": "opponent-home"},
    "not own home": {"exclude": "home"},
    "central": {"objective_role": "central"},
    "expansion": {"objective_role": "expansion"},
    "no man's land": {"exclude": "home", "scope": "no-mans-land"},
}


def _condition(kind: str, told_: Json, card: str) -> Json | str:
    """A condition as something that is counted once."""
    least = told_.get("count_min", 1)
    once: Json = {"once": True, "count": least}
    match kind:
        case "objective-majority" if told_ == {"relative_to": "opponent"}:
            return {"kind": "hold more"}
        case "controls-objective" if (place := _place(told_)) is not None:
            return {"kind": "hold some", "count": least, "where": place}
        case "new-objective-controlled":
            return {**once, "kind": "take", "where": "not own home" if card in BEYOND_HOME else "all"}
        case "units-destroyed" if (told_["side"], told_["window"]) == ("enemy", "this-turn"):
            return {**once, "kind": "slay"}
        case "units-destroyed-comparison" if told_ == MORE:
            return {"kind": "slay more"}
        case "destroyed-while-on-objective":
            by = "slayer on objective" if told_.get("destroyer_on_objective") else "stood on objective"
            where = told_.get("objective_role", "all")
            return {**once, "kind": "slay", "of": by, "where": where}
        case "destroyed-in-tagged-terrain" if told_.get("at_start_of_turn"):
            tag = told_.get("tag", "")
            return {**once, "kind": "slay", "of": "stood in marked area" if tag else "stood in area", "tag": tag}
        case "objective-has-tag" if (place := _place(told_)) is not None:
            most = told_.get("count_max", 99)
            return {**once, "kind": "marked", "tag": told_["tag"], "at_most": most, "where": place}
        case "unit-has-tag" if told_.get("window") == "left-battlefield-this-turn":
            return {**once, "kind": "left", "tag": told_["tag"]}
        case "unit-has-tag" if told_.get("window") == "this-turn":
            return {**once, "kind": "marked", "tag": told_["tag"], "of": "unshielded"}
        case "action-completed" if told_.get("window") == "this-turn":
            return {**once, "kind": "done", "action": str(told_["action_id"]).replace("-", " ").title()}
        case "engagement-fronts":
            return {**once, "kind": "quarters"}
        case "territory-control" if told_ == {"enemy_units_max": 0, "territory_ref": "your-territory"}:
            return {"kind": "clear"}
        case "operation-markers":
            return _tokens(told_)
    return f"the condition '{kind.replace('-', ' ')}'"


MORE: Final = {
    "comparator": "greater-than",
    "reference": {"side": "friendly", "window": "previous-turn"},
    "subject": {"side": "enemy", "window": "this-turn"},
}


def _tokens(told_: Json) -> Json:
    whose = {"friendly": "own", "opponent": "enemy"}[told_["side"]]
    if told_.get("friendly_unit_in_same_terrain_area"):
        return {"kind": "alone", "tokens_of": whose}
    where = "enemy home" if told_.get("within_range_of") == "opponent-home-objective" else "all"
    most = told_.get("count_max", 99)
    return {
        "kind": "tokens", "tokens_of": whose, "once": True, "count": told_.get("count_min", 0), "at_most": most,
        "where": where,
    }  # fmt: skip


def _in_time(raw: Json, card: str) -> Iterator[Json]:
    """An award at its times: where the last round has another, it is two ways of scoring."""
    if card in LATE and raw["when"] == "command" and raw["to_round"] >= LAST:
        yield {**raw, "to_round": LAST - 1}
        yield {**raw, "when": "turn", "from_round": LAST}
    else:
        yield raw


# --- In words ---------------------------------------------------------------------------------------------------------

PLACES: Final = {
    "all": "", "not own home": " beyond home", "enemy territory": " in enemy territory", "enemy home": " at their home",
    "own home": " at home", "no man's land": " in no man's land",
}  # fmt: skip
BEGAN: Final = {
    "": " this turn", "stood on objective": " that began the turn on {}objective",
    "slayer on objective": " by a unit on an objective", "stood in area": " that began the turn in terrain",
    "stood in marked area": " that began the turn in trapped terrain",
}  # fmt: skip


def told(raw: Json) -> str:
    """What a way of scoring pays for, in a few plain words."""
    where, many, once = str(raw.get("where", "all")), int(raw.get("count", 1)), bool(raw.get("once"))
    match raw["kind"]:
        case "hold":
            return f"for each objective held{PLACES[where]}"
        case "hold more":
            return "more objectives held than the enemy"
        case "hold some":
            kinds = [where, *raw.get("given", ())]
            if where in ("central", "expansion"):
                articles = {"central": "a central", "expansion": "an expansion"}
                return f"{' and '.join(articles[kind] for kind in kinds)} objective held"
            number = f"{many} or more objectives" if many > 1 else "an objective"
            return f"{number} held{PLACES[where]}"
        case "take":
            return f"{'an' if once else 'for each'} objective newly taken{PLACES[where]}"
        case "slay":
            began = BEGAN[raw.get("of", "")].format("a central " if where == "central" else "an ")
            return f"{'an enemy unit' if once else 'for each enemy'} destroyed{began}"
        case "slay more":
            return "more enemy units destroyed than lost the turn before"
        case "quarters":
            return f"units in {many} quarters of the table"
        case "clear":
            return "no enemy wholly within own territory"
        case "break through":
            return "for each unit in the enemy's deployment zone"
        case "left":
            return f"a {raw['tag']} unit left the battlefield"
        case "done":
            place = " on enemy ground" if where == "enemy territory" else ""
            return f"{raw['action']} completed" if once else f"for each {raw['action']} completed{place}"
        case "alone":
            return "alone in the area of the last operation marker"
        case "tokens":
            return _told_tokens(raw, where, many)
        case _:
            return _told_marked(raw, where, many, once)


def _told_tokens(raw: Json, where: str, many: int) -> str:
    if not raw.get("once"):
        return "for each operation marker at a central objective held"
    if raw.get("at_most") == 0:
        return "none of the enemy's operation markers left"
    number = f"{many} or more operation markers" if many > 1 else "an operation marker"
    return f"{number}{PLACES[where]}"


def _told_marked(raw: Json, where: str, many: int, once: bool) -> str:
    thing = {"trapped": "area", "surveilled": "enemy unit"}.get(raw["tag"], "objective")
    if not once:
        more = " that is an objective" if raw.get("of") == "is objective" else ""
        return f"for each {thing} {raw['tag']}{PLACES[where]}{more}"
    most = raw.get("at_most", 99)
    number = str(many) if most == many else f"{many} or {most}" if most < 99 else f"{many} or more"
    return f"{number} {thing}{'s' * (number != '1')} {raw['tag']}{PLACES[where]}"
