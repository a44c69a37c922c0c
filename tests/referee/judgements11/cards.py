"""Mission cards of 11th edition: what each way of scoring brings each player, worked out from what everybody saw.

What a way counts is known between two bounds where it is a matter of measuring, so that it may pay one of several
sums. What is told to be scored has to be one of them.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from referee.geometry import Stand
from referee.judgements11.lands import Answer, Span, agreed, each, negated, some, tally
from referee.judgements11.past import Mark, Past
from referee.watch import ABOARD, GONE, Item

PLAIN = ("hold", "hold more", "hold some", "destroy", "destroy warlord", "break through")
AT = {"command is scored": "command", "turn is scored": "turn", "round ends": "round"}
"""At which steps ways of scoring pay; those of the battle do when it is over."""
Way = dict[str, Any]


def is_plain(mission: dict[str, Any]) -> bool:
    """Whether a mission is no card: both players score alike, for markers, losses and places of now."""
    return not mission["most_in_round"] and all(
        way["kind"] in PLAIN and way["when"] in ("command", "turn") and way["by"] == "everybody" and not way["group"]
        for way in mission["scoring"]
    )


class Claim(NamedTuple):
    """What a player was told to score."""

    player: int
    points: int
    words: str


class Counts(Past):
    """How many of what a way of scoring counts a player has, at least and at most."""

    def counted(self, player: int, way: Way) -> Span:
        match way["kind"]:
            case "hold":
                return self.holding(player, way["where"])
            case "hold more":
                mine = self.holding(player, way["where"])
                theirs = [self.holding(p["id"], way["where"]) for p in self.table.players if p["id"] != player]
                return Span(
                    int(all(mine.low > other.high for other in theirs)),
                    int(all(mine.high > other.low for other in theirs)),
                )
            case "hold some":
                mine = self.holding(player, way["where"])
                return Span(int(mine.low >= way["count"]), int(mine.high >= way["count"]))
            case "take":
                before = self.held or [-1] * len(self.book.markers)
                new = [m for m in self._controlled(player) if before[m] != player]
                return tally(self.lands.lies(m, player, way["where"]) for m in new)
            case "slay":
                return tally(self._slain(player, way))
            case "slay more":
                return self._slain_more(player)
            case "quarters":
                return tally(self._in_quarter(player, quarter) for quarter in self.lands.quarters())
            case "clear":
                return tally([self._is_clear(player)])
            case "break through":
                zone = self.book.zone(player, enemy=True)
                return tally(self.lands.wholly(stands, zone) for stands in self._units_of(player))
            case "destroy warlord":
                return tally([self._warlord_fell(player)])
            case "destroy":
                return Span(0, len(self.book.data["roster"]))
            case "marked" | "left" | "done" | "tokens" | "alone":
                return self._by_actions(player, way)
        return Span(0, 99)

    def holding(self, player: int, where: str) -> Span:
        """The objectives that a player controls somewhere."""
        return tally(self.lands.lies(m, player, where) for m in self._controlled(player))

    def _controlled(self, player: int) -> list[int]:
        return [m for m, who in enumerate(self.table.game["control"]) if who == player]

    def _units_of(self, player: int) -> list[list[Stand]]:
        mine = (self.stands(u["id"]) for u in self.table.units if u["player"] == player)
        return [stands for stands in mine if stands]

    # --- Losses -------------------------------------------------------------------------------------------------------

    def _felled(self, units: set[int]) -> dict[int, Answer]:
        """Who of some units was destroyed in this turn; who came back is in doubt."""
        now = self.destroyed()
        return {u: True if u in now else None for u in (now | self.fell) - self.gone if u in units}

    def _slain(self, player: int, way: Way) -> list[Answer]:
        fell = self._felled(self.enemies(player))
        return [each((sure, self._counts_as_slain(player, way, u))) for u, sure in fell.items()]

    def _counts_as_slain(self, player: int, way: Way, unit: int) -> Answer:
        stood = self.stood.get(unit, [])
        match way["of"]:
            case "":
                return True
            case "stood on objective":
                markers = range(len(self.book.markers))
                return some(
                    each((self.lands.in_range(stood, m), self.lands.lies(m, player, way["where"]))) for m in markers
                )
            case "stood in area":
                return self.lands.in_any_area(stood)
            case "stood in marked area":
                # Who began the turn where a trap was set only later in it is a matter of reading.
                return some(
                    each((self.lands.in_area(stood, mark.number), True if turn < self.turn else None))
                    for mark, turn in self.tagged(player, way["tag"], "area")
                )
            case "slayer on objective":
                return self.slayers.get(unit, False)
        return None

    def _slain_more(self, player: int) -> Span:
        mine = tally(self._felled(self.enemies(player)).values())
        own = {u["id"] for u in self.table.units} - self.enemies(player)
        before = Span(*(len(lost & own) for lost in self.lost))
        return Span(int(mine.low > before.high), int(mine.high > before.low))

    def _warlord_fell(self, player: int) -> bool:
        enemies = self.enemies(player)
        return any(
            entry["warlord"] >= 0 and i in enemies and self.table.place[entry["warlord"]] == GONE
            for i, entry in enumerate(self.book.data["roster"])
        )

    # --- Places -------------------------------------------------------------------------------------------------------

    def _in_quarter(self, player: int, quarter: Any) -> Answer:
        return some(
            each((self.lands.wholly(stands, quarter), self.lands.away(stands))) for stands in self._units_of(player)
        )

    def _is_clear(self, player: int) -> Answer:
        land = self.lands.land(player)
        if land is None:
            return None
        return negated(some(self.lands.wholly(self.stands(e), land) for e in self.enemies(player)))

    # --- Actions ------------------------------------------------------------------------------------------------------

    def _by_actions(self, player: int, way: Way) -> Span:
        match way["kind"]:
            case "marked":
                mine = [mark for mark, turn in self.tagged(player, way["tag"]) if turn == self.turn or not way["fresh"]]
                return tally(self._counts_as_marked(player, way, mark) for mark in dict.fromkeys(mine))
            case "left":
                marked = {mark.number for mark, _ in self.tagged(player, way["tag"], "unit")}
                return tally(self._has_left(unit) for unit in marked)
            case "done":
                return tally(
                    self._done_there(player, way["where"], unit, then)
                    for unit, name, then in self.deeds
                    if self.table.units[unit]["player"] == player and name == way["action"]
                )
            case "tokens":
                return tally(self._counts_as_token(player, way, m) for m in self.tokens(player, way["tokens_of"]))
        return tally([self._is_alone(player, way)])

    def _counts_as_marked(self, player: int, way: Way, mark: Mark) -> Answer:
        if mark.kind == "objective":
            return self.lands.lies(mark.number, player, way["where"])
        if mark.kind == "area":
            return way["of"] != "is objective" or self.lands.holds_marker(mark.number)
        if way["of"] != "unshielded":
            return True
        stands = self.stands(mark.number)
        shields = [token.number for token in self.tokens(player, "enemy") if token.kind == "objective"]
        shielded = some(self.lands.in_range(stands, m) for m in shields)
        # Whether somebody who is gone is out of range is a matter of reading.
        return negated(shielded) if stands or not shields else None

    def _has_left(self, unit: int) -> Answer:
        """Who was on the battlefield in this turn and is not any more; passengers are there after a fashion."""
        if self.table.on_table(unit):
            return None if unit in self.went else False
        if any(self.table.place[m] == ABOARD for m in self.table.units[unit]["models"]):
            return None
        return unit in self.stood or unit in self.came

    def _done_there(self, player: int, where: str, unit: int, then: list[Stand]) -> Answer:
        """Whether a unit was in range of such an objective when it was done, and is when it is scored."""
        if where == "all":
            return True
        markers = range(len(self.book.markers))
        return agreed(
            some(each((self.lands.in_range(stands, m), self.lands.lies(m, player, where))) for m in markers)
            for stands in (then, self.stands(unit))
        )

    def _counts_as_token(self, player: int, way: Way, token: Mark) -> Answer:
        if way["of"] == "controlled" and token.number not in self._controlled(player):
            return False
        if way["where"] == "all":
            return True
        return token.kind == "objective" and self.lands.lies(token.number, player, way["where"])

    def _is_alone(self, player: int, way: Way) -> Answer:
        tokens = self.tokens(player, way["tokens_of"])
        if len(tokens) != 1:
            return False
        if tokens[0].kind != "area":
            return None
        enemies = self.enemies(player)
        mine, theirs = (
            some(
                self.lands.in_area(self.stands(u["id"]), tokens[0].number)
                for u in self.table.units
                if (u["id"] in enemies) == them
            )
            for them in (False, True)
        )
        return each((mine, negated(theirs)))


class Cards11(Counts):
    """What cards pay when a Command phase, a turn, a battle round and the battle end, within their limits."""

    rule = "w40k11.gap.mission"

    def begin(self) -> None:
        super().begin()
        mission = self.book.data["mission"] and self.book.mission
        self.judges = bool(mission) and not is_plain(mission) and len(self.table.players) == 2
        players = len(self.table.players)
        self.claims: list[Claim] = []
        self.vp = [0] * players
        self.earned = [0] * players
        """What actions have brought since points were last compared."""
        self.in_battle = [0] * players
        self.in_round: dict[tuple[int, int], int] = {}
        self.by_way: dict[tuple[int, int], int] = {}
        self.moment: tuple[str, ...] = ()

    def before(self, item: Item) -> None:
        if not self.judges:
            return
        if item["event"] == "changed" and item["what"] == "clock":
            self._compare(self.moment)
        elif item["event"] == "ended":
            self._compare((*self.moment, "battle"))

    def after(self, item: Item) -> None:
        if not self.judges:
            return
        super().after(item)
        if item["event"] == "told" and item["kind"] == "scored":
            data = item["data"]
            self.claims.append(Claim(data["player"], data["vp"], item["text"].partition("VP: ")[2]))
        elif item["event"] == "told" and item["kind"] == "action_completed":
            self.earned[self.table.units[item["units"][0]]["player"]] += item["data"]["vp"]
        elif item["event"] == "changed" and item["what"] == "clock" and "step" in item["fields"]:
            self._enter(self.book.step())

    def _enter(self, step: str) -> None:
        """Remember what will have been scored when this step is over."""
        self.moment = (AT[step],) if step in AT else ()
        if step == "round ends" and self.table.clock["active"] == self.table.game["first"]:
            self.moment = ()  # The other player's turn is still to come.

    def _compare(self, moment: tuple[str, ...]) -> None:
        """Hold what was told to be scored against what was due."""
        for p in self.table.players:
            self._judge(p["id"], moment)
        if moment:
            self._compare_marks()
        if "turn" in moment:
            self.last_end = self.destroyed()
        self.claims, self.moment = [], ()

    def _compare_marks(self) -> None:
        """Hold what the battle takes for marked against what was told of it."""
        kept = Counter(Mark(*mark[:4]) for mark in self.table.game["marks"])
        told = Counter(mark for mark, _ in self.marks.values())
        self.looked("marks of cards compared", len(told))
        for mark in (kept - told) + (told - kept):
            what = "is kept, and should be gone" if mark in kept - told else "is forgotten"
            self.accuse(self.rule, f"That {mark.kind} {mark.number} was {mark.tag} {what}.")

    # --- What is due --------------------------------------------------------------------------------------------------

    def _judge(self, player: int, moment: tuple[str, ...]) -> None:
        name, points = self.table.players[player]["name"], self.table.players[player]["vp"]
        claims = [claim for claim in self.claims if claim.player == player]
        told = sum(claim.points for claim in claims)
        if points != self.vp[player] + told + self.earned[player]:
            text = f"{name} has {points}VP, and had {self.vp[player]} before {told}VP were told."
            self.accuse(self.rule, text)
        self.vp[player], self.earned[player] = points, 0
        due = [i for i, way in enumerate(self.book.mission["scoring"]) if self._is_due(player, way, moment)]
        scored = self._match(player, due, claims)
        if moment:
            self.looked("scores of cards compared")
            self._limit(player, told)
            self._weigh(player, due, scored, moment)
        for i, gain in scored.items():
            self.by_way[player, i] = self.by_way.get((player, i), 0) + gain
        self.in_battle[player] += told
        key = player, self.table.clock["round"]
        self.in_round[key] = self.in_round.get(key, 0) + told

    def _is_due(self, player: int, way: Way, moment: tuple[str, ...]) -> bool:
        side = ("first side", "second side")[self.table.players[player]["side"]]
        if way["when"] not in moment or way["by"] not in ("everybody", side):
            return False
        own = player == self.table.clock["active"]
        whose = {"command": own, "turn": way["turns"] == "either" or own == (way["turns"] == "own")}
        return bool(way["from_round"] <= self.table.clock["round"] <= way["to_round"] and whose.get(way["when"], True))

    def _match(self, player: int, due: list[int], claims: list[Claim]) -> dict[int, int]:
        """What each way has paid, by what was told; nothing else pays now, or this player."""
        found: dict[int, int] = {}
        for claim in claims:
            ways = [i for i in due if claim.words.startswith(f"{self.book.mission['scoring'][i]['name']}.")]
            if not ways:
                name = self.table.players[player]["name"]
                self.accuse(self.rule, f"{name} scores {claim.points}VP for what does not pay them now: {claim.words}")
                continue
            way = next((i for i in ways if i not in found), ways[0])
            found[way] = found.get(way, 0) + claim.points
        return found

    def _limit(self, player: int, told: int) -> None:
        room, name = self._room(player), self.table.players[player]["name"]
        if told > room:
            self.accuse(self.rule, f"{name} scores {told}VP where the limits of the mission leave {room}.")

    def _weigh(self, player: int, due: list[int], scored: dict[int, int], moment: tuple[str, ...]) -> None:
        ways, name = self.book.mission["scoring"], self.table.players[player]["name"]
        total, room = sum(scored.values()), self._room(player)
        groups: dict[str, list[int]] = {}
        for i in due:
            groups.setdefault(ways[i]["group"] or f"/{i}", []).append(i)
        for group in groups.values():
            paid = [i for i in group if i in scored]
            if len(paid) > 1:
                told = " and ".join(ways[i]["name"] for i in paid)
                self.accuse(self.rule, f"{name} scores for more than one of a group: {told}.")
            sums = _best([self._sums(player, i, moment) for i in group])
            self.looked("ways of cards weighed" if len(sums) == 1 else "ways of cards within bounds")
            gain = sum(scored.get(i, 0) for i in group)
            # Beyond the limits of the mission it does not matter which way is cut short.
            if gain > max(sums) or (gain not in sums and total < room):
                due_ = " or ".join(map(str, sorted(sums)))
                told = " / ".join(ways[i]["name"] for i in group)
                self.accuse(self.rule, f"{name} scores {gain}VP and should score {due_}: {told}.")

    def _room(self, player: int) -> int:
        """How much the limits of the mission leave."""
        mission, key = self.book.mission, (player, self.table.clock["round"])
        limits = [
            (mission["most_in_round"], self.in_round.get(key, 0)),
            (mission["most_in_battle"], self.in_battle[player]),
        ]
        return max(0, min((most - had for most, had in limits if most), default=1000))

    def _sums(self, player: int, number: int, moment: tuple[str, ...]) -> set[int]:
        """What a way may pay, within its own limits."""
        way, round_ = self.book.mission["scoring"][number], self.table.clock["round"]
        span = self.counted(player, way)
        counts = set(range(span.low, span.high + 1))
        if way["once"]:
            counts = {int(way["count"] <= n <= way["at_most"]) for n in counts}
        given = [self.holding(player, where) for where in way["given"]]
        early = way["when"] == "round" and "battle" in moment  # The battle may have been over before the round was.
        if early or any(not held.low for held in given):
            counts.add(0)
        if any(not held.high for held in given):
            counts = {0}
        worth = way["vp"] + way["grows"] * (round_ - way["from_round"])
        most = min(way["most"], way["most_in_battle"] - self.by_way.get((player, number), 0))
        return {max(0, min(worth * n, most)) for n in counts}


def _best(sums: list[set[int]]) -> set[int]:
    """What the best of some ways may pay."""
    least = max(min(one) for one in sums)
    return {value for one in sums for value in one if value >= least}
