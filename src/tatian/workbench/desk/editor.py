"""The text that comes of decisions: each in turn changes the lines of a woven text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tatian.consolidation.render import BY_HAND
from tatian.consolidation.result import Account, Consolidation
from tatian.text import WovenToken
from tatian.workbench.desk.decisions import (
    Differ,
    Drop,
    Edited,
    Effect,
    Entitle,
    Exclude,
    MadeDecision,
    Move,
    Retype,
    Reword,
    Settle,
    Shorten,
    Split,
    Tell,
    WriteIn,
)
from tatian.workbench.desk.manuscript import (
    OWN,
    PART,
    Line,
    Manuscript,
    closed,
    taken_apart,
    typed,
    without_sources,
)
from tatian.workbench.desk.marks import KNOWN, MARKED, disagreement, with_marked
from tatian.workbench.desk.points import (
    Settlement,
    dispute_id,
    drawing,
    noted,
    same_dispute,
    settled,
    settlement,
    speaks,
    unsettled,
    withdrawn,
)
from tatian.workbench.desk.sheet import fates_of, paragraphed

_ABSENT = "the text does not have this sentence"
_NO_PLACE = "the text does not have the sentence that it was to follow"


def apply(
    woven: Consolidation | Manuscript,
    accounts: Sequence[Account] | None,
    decisions: Sequence[MadeDecision],
) -> Edited:
    """The text with all decisions, one after the other.

    `accounts` are the woven ones with what is known of them by now (title, date, source); None
    takes them as they were woven.
    """
    manuscript = woven if isinstance(woven, Manuscript) else taken_apart(woven)
    marks = (made.decision for made in decisions if isinstance(made.decision, Differ))
    manuscript = with_marked(manuscript, marks)
    desk = _Desk(manuscript, {one.id: one for one in accounts or ()})
    effects = tuple(Effect(made.number, desk.take(made)) for made in decisions)
    shown = tuple(paragraphed(desk.finished()))
    return Edited(
        manuscript,
        shown,
        fates_of(manuscript, shown, desk.excluded),
        tuple(desk.accounts),
        desk.title,
        effects,
        desk.touched(),
        desk.settled,
        desk.length,
    )


class _Desk:
    """The lines while one decision after the other is taken."""

    def __init__(self, manuscript: Manuscript, known: Mapping[str, Account]) -> None:
        self.manuscript = manuscript
        self.lines = list(manuscript.lines)
        self.accounts = [
            replace(one, title=now.title, date=now.date, source=now.source)
            for one in manuscript.woven.documents
            for now in [known.get(one.id, one)]
        ]
        self.title = manuscript.woven.title
        self.length: int | None = None
        self.excluded: dict[str, int] = {}
        self.settled: dict[str, Settle] = {}
        self._settlements: dict[str, list[Settlement]] = {}
        self._moved: dict[str, str] = {}
        self._marked: set[str] = set()
        self._number = 0

    def touched(self) -> dict[str, int]:
        """The last decision about each sentence of an account."""
        told = {
            id: line.decisions[-1] for line in self.lines if line.decisions for id in line.origins
        }
        return told | self.excluded

    def finished(self) -> list[Line]:
        """The lines in which nothing comes from what is no part of the story."""
        lines = self.lines
        for source in self.excluded:
            held = self.manuscript.sources[source]
            place = held.account.id, held.sentence.start, held.sentence.end
            lines = [
                replace(line, words=tuple(without_sources(word, *place) for word in line.words))
                if source in line.told
                else line
                for line in withdrawn(lines, self.manuscript.woven.contradictions, *place)
            ]
        return lines

    def take(self, made: MadeDecision) -> str:
        """Do what was decided; says why not where it cannot be done, and nothing is changed."""
        before = list(self.lines), dict(self.excluded)
        why = self._taken(made)
        if why:
            self.lines, self.excluded = before
        return why

    def _taken(self, made: MadeDecision) -> str:
        self._number = made.number
        self._moved = {}
        for id, said in made.said.items():
            now = self._relocated(id, said)
            if now is None:
                account = id.partition(":")[0]
                gone = all(one.id != account for one in self.accounts)
                return (
                    "the account was taken out"
                    if gone
                    else "the account no longer has this sentence"
                )
            self._moved[id] = now
        one = made.decision
        match one:
            case Drop():
                return self._change(one.sentence, hidden=True)
            case Tell():
                return self._tell(self._now(one.source), one.after)
            case Exclude():
                return self._exclude(self._now(one.source))
            case Move():
                return self._move(one)
            case Reword():
                return self._reword(one)
            case Split():
                return self._split(one)
            case Retype():
                return self._retype(one)
            case WriteIn():
                return self._write(one)
            case Settle():
                return self._settle(one)
            case Differ():
                return self._differ(one)
            case Shorten():
                self.length = one.words
            case Entitle():
                self.title = " ".join(one.text.split()) or None
        return ""

    def _relocated(self, id: str, said: str) -> str | None:
        """Where a sentence of an account is by now."""
        base, mark, part = id.partition(PART)
        held = self.manuscript.sources.get(base)
        if held is not None and held.text == said:
            return id
        account = base.partition(":")[0]
        for now, place in self.manuscript.sources.items():
            if place.account.id == account and place.text == said:
                return f"{now}{mark}{part}"
        return None

    def _now(self, id: str) -> str:
        return self._moved.get(id, id)

    def _place(self, id: str, hidden: bool = False) -> int:
        """Where a sentence stands in the text; -1 if it does not."""
        now = self._now(id)
        for number, line in enumerate(self.lines):
            if line.id == now and (hidden or not line.hidden):
                return number
        return -1

    def _change(self, id: str, **changes: object) -> str:
        place = self._place(id)
        if place < 0:
            return _ABSENT
        self.lines[place] = self._touched(self.lines[place], **changes)
        return ""

    def _touched(self, line: Line, **changes: object) -> Line:
        """A line that the decision has changed."""
        return replace(line, decisions=(*line.decisions, self._number), **changes)

    def _tell(self, source: str, after: str | None) -> str:
        if source not in self.manuscript.sources:
            return "no account has this sentence"
        self.excluded.pop(source, None)
        mine = [n for n, line in enumerate(self.lines) if source in line.origins]
        if any(not self.lines[n].hidden for n in mine):
            return "the text tells this sentence already"
        if mine:
            for n in mine:
                self.lines[n] = self._touched(self.lines[n], hidden=False)
            return self._move(Move(self.lines[mine[0]].id, after)) if after is not None else ""
        words = closed(self.manuscript.copied(source))
        line = Line(source, words, (source,), decisions=(self._number,), why=f"told {BY_HAND}")
        place = self._beside(source) if after is None else self._after(after)
        if place < 0:
            return _NO_PLACE
        self.lines.insert(place, line)
        if place == 0:
            self._opened(0)
        return ""

    def _beside(self, source: str) -> int:
        """The place of a sentence among those of its account that the text has."""
        sources, rank = self.manuscript.sources, self.manuscript.ranks
        account, index = sources[source].account.id, rank[source]
        near = [
            (rank[id] - index, number)
            for number, line in enumerate(self.lines)
            for id in line.origins
            if sources[id].account.id == account
        ]
        before = max((one for one in near if one[0] < 0), default=None)
        following = min((one for one in near if one[0] > 0), default=None)
        if before is not None and (following is None or -before[0] <= following[0]):
            return before[1] + 1
        told = [n for n, line in enumerate(self.lines) if source in line.told]
        if following is None and told:
            return told[0] + 1
        return following[1] if following is not None else len(self.lines)

    def _after(self, id: str) -> int:
        """The place behind a sentence; the start where none is named, -1 where it is not there."""
        return self._place(id, hidden=True) + 1 if id and self._place(id, True) >= 0 else -bool(id)

    def _opened(self, place: int) -> None:
        """Let a line begin the paragraph that the one behind it began."""
        behind = self.lines[place + 1 : place + 2]
        self.lines[place] = replace(self.lines[place], opens=True)
        for line in behind:
            self.lines[place + 1] = replace(line, opens=False)

    def _exclude(self, source: str) -> str:
        if source not in self.manuscript.sources:
            return "no account has this sentence"
        if source in self.excluded:
            return "it is no part of the story already"
        self.excluded[source] = self._number
        for number, line in enumerate(self.lines):
            if source in line.origins and all(id in self.excluded for id in line.origins):
                self.lines[number] = self._touched(line, hidden=True)
        return ""

    def _move(self, one: Move) -> str:
        place = self._place(one.sentence)
        if place < 0:
            return _ABSENT
        if self._now(one.sentence) == self._now(one.after):
            return "a sentence cannot follow itself"
        target = self._after(one.after)
        if target < 0:
            return _NO_PLACE
        line = self.lines[place]
        if line.opens and place + 1 < len(self.lines):
            heir = self.lines[place + 1]
            heading = heir.heading or line.heading
            self.lines[place + 1] = replace(heir, opens=True, heading=heading)
        opens = one.opens or target == 0
        target -= target > place
        why = line.why if target == place else f"moved {BY_HAND}"
        moved = self._touched(line, opens=opens, heading=(), why=why)
        del self.lines[place]
        self.lines.insert(target, moved)
        if target == 0 and not one.opens:
            self._opened(0)
        return ""

    def _reword(self, one: Reword) -> str:
        place = self._place(one.sentence)
        if place < 0:
            return _ABSENT
        line = self.lines[place]
        origins = tuple(map(self._now, one.origins))
        if any(id not in self.manuscript.sources for id in origins):
            return "no account has the sentence whose words were to be used"
        told = tuple(dict.fromkeys((*line.told, *line.origins)))
        told = tuple(id for id in told if id not in origins)
        model = one.wording == "model"
        return self._change(
            one.sentence, words=one.words, origins=origins, told=told, model=model, typed=False
        )

    def _split(self, one: Split) -> str:
        place = self._place(one.sentence)
        if place < 0:
            return _ABSENT
        line = self.lines[place]
        position = -1
        count = len(line.heading)
        for number, token in enumerate(line.written):
            position += bool(token.space) if number else 1
            if position >= one.at and number > count:
                break
            position += len(token.text)
        else:
            return "the sentence has no words behind that place"
        first, second = line.words[: number - count], line.words[number - count :]
        if not any(map(_is_word, first)) or not any(map(_is_word, second)):
            return "both parts must have words"
        line = self._touched(line)
        behind = replace(line, words=closed(second), opens=False, heading=())
        self.lines[place : place + 1] = [
            replace(line, id=f"{line.id}{PART}1", words=closed(first)),
            replace(behind, id=f"{line.id}{PART}2"),
        ]
        return ""

    def _retype(self, one: Retype) -> str:
        place = self._place(one.sentence)
        if place < 0:
            return _ABSENT
        words = typed(one.text, self.lines[place].written)
        return self._change(one.sentence, words=words, heading=(), model=False, typed=True)

    def _write(self, one: WriteIn) -> str:
        place = self._after(one.after)
        if place < 0:
            return _NO_PLACE
        id = f"{OWN}:{self._number}"
        words = typed(one.text, ())
        line = Line(id, words, (), opens=one.opens, typed=True, decisions=(self._number,))
        self.lines.insert(place, line)
        if place == 0 and not one.opens:
            self._opened(0)
        return ""

    def _differ(self, one: Differ) -> str:
        """Note what the other account says, where the text gives one of the two."""
        found = disagreement(self.manuscript, one)
        if isinstance(found, str):
            return found
        id = dispute_id(found)
        held = next(each for each in self.manuscript.woven.contradictions if dispute_id(each) == id)
        if held.why != MARKED or id in self._marked:
            return KNOWN
        self._marked.add(id)
        accounts = {account.id: account for account in self.accounts}
        pairs = zip(self.lines, noted(self.lines, held, accounts), strict=True)
        self.lines = [line if line is now else self._touched(now) for line, now in pairs]
        return ""

    def _settle(self, one: Settle) -> str:
        dispute = same_dispute(one.dispute, self.manuscript.woven.contradictions)
        if dispute is None:
            return "the accounts no longer differ here"
        if one.how == "one" and not 0 <= one.claim < len(dispute.claims):
            return "there is no such claim"
        accounts = {account.id: account for account in self.accounts}
        written = typed(one.text, ())
        id = dispute_id(dispute)
        plain = unsettled(self.lines, self._settlements.get(id, ()))
        near = drawing(plain, dispute)
        some = [plain[n] for n in near]
        if one.how != "both" and not any(speaks(line, dispute) for line in some):
            return "the text does not say what the accounts differ in"
        now_some = settled(some, dispute, one, accounts, written)
        pairs = [pair for pair in zip(some, now_some, strict=True) if pair[0] is not pair[1]]
        changed = list(plain)
        for number, now in zip(near, now_some, strict=True):
            changed[number] = now
        for number, (line, now) in enumerate(zip(self.lines, changed, strict=True)):
            if line is not now:
                self.lines[number] = replace(now, decisions=(*line.decisions, self._number))
        self._settlements[id] = [settlement(*pair) for pair in pairs]
        self.settled[id] = one
        return ""


def _is_word(token: WovenToken) -> bool:
    return any(map(str.isalnum, token.text))
