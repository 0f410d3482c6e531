"""Applies decisions in order, each changing the lines of a consolidated text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tatian.consolidation.render import BY_HAND
from tatian.consolidation.result import Account, Consolidation
from tatian.text import WovenToken
from tatian.workbench.desk.conflicts import (
    Settlement,
    add_note,
    conflict_id,
    find_conflict,
    lines_with_claims,
    mentions_conflict,
    remove_notes,
    settle_conflict,
    settlement,
    undo_settlements,
)
from tatian.workbench.desk.decisions import (
    AddSentence,
    Drop,
    EditedText,
    Effect,
    Exclude,
    MarkConflict,
    Move,
    Retype,
    Reword,
    SetLength,
    SetTitle,
    Settle,
    Split,
    StoredDecision,
    WriteSentence,
)
from tatian.workbench.desk.manuscript import (
    OWN,
    PART,
    Line,
    Manuscript,
    to_manuscript,
    typed_words,
    with_full_stop,
    without_sources,
)
from tatian.workbench.desk.marks import KNOWN, MARKED, add_marked, marked_conflict
from tatian.workbench.desk.output import find_outcomes, visible_lines

_ABSENT = "the text does not have this sentence"
_NO_PLACE = "the text does not have the sentence that it was to follow"


def apply_decisions(
    woven: Consolidation | Manuscript,
    accounts: Sequence[Account] | None,
    decisions: Sequence[StoredDecision],
) -> EditedText:
    """Return the text with all decisions applied in order.

    `accounts` are the consolidated sources with their present title, date and publisher. None takes
    them as they were consolidated.
    """
    manuscript = woven if isinstance(woven, Manuscript) else to_manuscript(woven)
    marks = (stored.decision for stored in decisions if isinstance(stored.decision, MarkConflict))
    manuscript = add_marked(manuscript, marks)
    desk = _Editor(manuscript, {account.id: account for account in accounts or ()})
    effects = tuple(Effect(stored.number, desk.take(stored)) for stored in decisions)
    shown = tuple(visible_lines(desk.finished_lines()))
    return EditedText(
        manuscript,
        shown,
        find_outcomes(manuscript, shown, desk.excluded),
        tuple(desk.accounts),
        desk.title,
        effects,
        desk.last_decisions(),
        desk.settled,
        desk.length,
    )


class _Editor:
    """Lines of the text while the decisions are applied."""

    def __init__(self, manuscript: Manuscript, current_sources: Mapping[str, Account]) -> None:
        self.manuscript = manuscript
        self.lines = list(manuscript.lines)
        self.accounts = [
            replace(account, title=current.title, date=current.date, source=current.source)
            for account in manuscript.consolidation.documents
            for current in [current_sources.get(account.id, account)]
        ]
        self.title = manuscript.consolidation.title
        self.length: int | None = None
        self.excluded: dict[str, int] = {}
        self.settled: dict[str, Settle] = {}
        self._settlements: dict[str, list[Settlement]] = {}
        self._moved: dict[str, str] = {}
        self._marked: set[str] = set()
        self._number = 0

    def last_decisions(self) -> dict[str, int]:
        """Return the last decision about each source sentence."""
        last = {
            id: line.decisions[-1] for line in self.lines if line.decisions for id in line.origins
        }
        return last | self.excluded

    def finished_lines(self) -> list[Line]:
        """Return the lines without words from sentences that are excluded from the story."""
        lines = self.lines
        for source in self.excluded:
            excluded = self.manuscript.sources[source]
            place = excluded.source.id, excluded.sentence.start, excluded.sentence.end
            lines = [
                replace(line, words=tuple(without_sources(word, *place) for word in line.words))
                if source in line.covers
                else line
                for line in remove_notes(
                    lines, self.manuscript.consolidation.contradictions, *place
                )
            ]
        return lines

    def take(self, stored: StoredDecision) -> str:
        """Apply a decision; where that is impossible, change nothing and return the reason."""
        before = list(self.lines), dict(self.excluded)
        why = self._apply(stored)
        if why:
            self.lines, self.excluded = before
        return why

    def _apply(self, stored: StoredDecision) -> str:
        self._number = stored.number
        self._moved = {}
        for id, text in stored.sentence_texts.items():
            current = self._find_moved(id, text)
            if current is None:
                account = id.partition(":")[0]
                removed = all(document.id != account for document in self.accounts)
                return f"the source {'was removed' if removed else 'no longer has this sentence'}"
            self._moved[id] = current
        decision = stored.decision
        match decision:
            case Drop():
                return self._change(decision.sentence, hidden=True)
            case AddSentence():
                return self._add_sentence(self._current_id(decision.source), decision.after)
            case Exclude():
                return self._exclude(self._current_id(decision.source))
            case Move():
                return self._move(decision)
            case Reword():
                return self._reword(decision)
            case Split():
                return self._split(decision)
            case Retype():
                return self._retype(decision)
            case WriteSentence():
                return self._write(decision)
            case Settle():
                return self._settle(decision)
            case MarkConflict():
                return self._mark_conflict(decision)
            case SetLength():
                self.length = decision.words
            case SetTitle():
                self.title = " ".join(decision.text.split()) or None
        return ""

    def _find_moved(self, id: str, text: str) -> str | None:
        """Return the present id of a source sentence; None where the source lacks it."""
        base, mark, part = id.partition(PART)
        held = self.manuscript.sources.get(base)
        if held is not None and held.text == text:
            return id
        account = base.partition(":")[0]
        for current, place in self.manuscript.sources.items():
            if place.source.id == account and place.text == text:
                return f"{current}{mark}{part}"
        return None

    def _current_id(self, id: str) -> str:
        return self._moved.get(id, id)

    def _place(self, id: str, hidden: bool = False) -> int:
        """Return the index of a sentence in the text; -1 if it is absent."""
        current = self._current_id(id)
        for number, line in enumerate(self.lines):
            if line.id == current and (hidden or not line.hidden):
                return number
        return -1

    def _change(self, id: str, **changes: object) -> str:
        place = self._place(id)
        if place < 0:
            return _ABSENT
        self.lines[place] = self._with_changes(self.lines[place], **changes)
        return ""

    def _with_changes(self, line: Line, **changes: object) -> Line:
        """Return a line with its changes and the number of the decision that made them."""
        return replace(line, decisions=(*line.decisions, self._number), **changes)

    def _add_sentence(self, source: str, after: str | None) -> str:
        if source not in self.manuscript.sources:
            return "no source has this sentence"
        self.excluded.pop(source, None)
        mine = [n for n, line in enumerate(self.lines) if source in line.origins]
        if any(not self.lines[n].hidden for n in mine):
            return "the text has this sentence already"
        if mine:
            for n in mine:
                self.lines[n] = self._with_changes(self.lines[n], hidden=False)
            return self._move(Move(self.lines[mine[0]].id, after)) if after is not None else ""
        words = with_full_stop(self.manuscript.words_of_source(source))
        line = Line(source, words, (source,), decisions=(self._number,), why=f"added {BY_HAND}")
        place = self._place_near(source) if after is None else self._after(after)
        if place < 0:
            return _NO_PLACE
        self.lines.insert(place, line)
        if place == 0:
            self._open_paragraph(0)
        return ""

    def _place_near(self, source: str) -> int:
        """Return the index of a source sentence between its neighbours in the same source."""
        sources, rank = self.manuscript.sources, self.manuscript.ranks
        account, index = sources[source].source.id, rank[source]
        near = [
            (rank[id] - index, number)
            for number, line in enumerate(self.lines)
            for id in line.origins
            if sources[id].source.id == account
        ]
        before = max((neighbour for neighbour in near if neighbour[0] < 0), default=None)
        following = min((neighbour for neighbour in near if neighbour[0] > 0), default=None)
        if before is not None and (following is None or -before[0] <= following[0]):
            return before[1] + 1
        covering = [n for n, line in enumerate(self.lines) if source in line.covers]
        if following is None and covering:
            return covering[0] + 1
        return following[1] if following is not None else len(self.lines)

    def _after(self, id: str) -> int:
        """Return the index after a sentence: 0 for an empty id, -1 where the sentence is absent."""
        return self._place(id, hidden=True) + 1 if id and self._place(id, True) >= 0 else -bool(id)

    def _open_paragraph(self, place: int) -> None:
        """Let a line open the paragraph that its successor opened."""
        behind = self.lines[place + 1 : place + 2]
        self.lines[place] = replace(self.lines[place], opens=True)
        for line in behind:
            self.lines[place + 1] = replace(line, opens=False)

    def _exclude(self, source: str) -> str:
        if source not in self.manuscript.sources:
            return "no source has this sentence"
        if source in self.excluded:
            return "it is no part of the story already"
        self.excluded[source] = self._number
        for number, line in enumerate(self.lines):
            if source in line.origins and all(id in self.excluded for id in line.origins):
                self.lines[number] = self._with_changes(line, hidden=True)
        return ""

    def _move(self, move: Move) -> str:
        place = self._place(move.sentence)
        if place < 0:
            return _ABSENT
        if self._current_id(move.sentence) == self._current_id(move.after):
            return "a sentence cannot follow itself"
        target = self._after(move.after)
        if target < 0:
            return _NO_PLACE
        line = self.lines[place]
        if line.opens and place + 1 < len(self.lines):
            heir = self.lines[place + 1]
            heading = heir.heading or line.heading
            self.lines[place + 1] = replace(heir, opens=True, heading=heading)
        opens = move.opens or target == 0
        target -= target > place
        why = line.why if target == place else f"moved {BY_HAND}"
        moved = self._with_changes(line, opens=opens, heading=(), why=why)
        del self.lines[place]
        self.lines.insert(target, moved)
        if target == 0 and not move.opens:
            self._open_paragraph(0)
        return ""

    def _reword(self, decision: Reword) -> str:
        place = self._place(decision.sentence)
        if place < 0:
            return _ABSENT
        line = self.lines[place]
        origins = tuple(map(self._current_id, decision.origins))
        if any(id not in self.manuscript.sources for id in origins):
            return "no source has the sentence whose words were to be used"
        covered = tuple(dict.fromkeys((*line.covers, *line.origins)))
        covered = tuple(id for id in covered if id not in origins)
        model = decision.wording == "model"
        changes = {"words": decision.words, "origins": origins, "covers": covered, "model": model}
        return self._change(decision.sentence, typed=False, **changes)

    def _split(self, decision: Split) -> str:
        place = self._place(decision.sentence)
        if place < 0:
            return _ABSENT
        line = self.lines[place]
        position = -1
        count = len(line.heading)
        for number, token in enumerate(line.written):
            position += bool(token.space) if number else 1
            if position >= decision.at and number > count:
                break
            position += len(token.text)
        else:
            return "the sentence has no words behind that place"
        first, second = line.words[: number - count], line.words[number - count :]
        if not any(map(_is_word, first)) or not any(map(_is_word, second)):
            return "both parts must have words"
        line = self._with_changes(line)
        behind = replace(line, words=with_full_stop(second), opens=False, heading=())
        self.lines[place : place + 1] = [
            replace(line, id=f"{line.id}{PART}1", words=with_full_stop(first)),
            replace(behind, id=f"{line.id}{PART}2"),
        ]
        return ""

    def _retype(self, decision: Retype) -> str:
        place = self._place(decision.sentence)
        if place < 0:
            return _ABSENT
        words = typed_words(decision.text, self.lines[place].written)
        return self._change(decision.sentence, words=words, heading=(), model=False, typed=True)

    def _write(self, decision: WriteSentence) -> str:
        place = self._after(decision.after)
        if place < 0:
            return _NO_PLACE
        id = f"{OWN}:{self._number}"
        words = typed_words(decision.text, ())
        line = Line(id, words, (), opens=decision.opens, typed=True, decisions=(self._number,))
        self.lines.insert(place, line)
        if place == 0 and not decision.opens:
            self._open_paragraph(0)
        return ""

    def _mark_conflict(self, mark: MarkConflict) -> str:
        """Note what the other source says, where the text gives one of the two."""
        marked = marked_conflict(self.manuscript, mark)
        if isinstance(marked, str):
            return marked
        id = conflict_id(marked)
        conflicts = self.manuscript.consolidation.contradictions
        conflict = next(conflict for conflict in conflicts if conflict_id(conflict) == id)
        if conflict.why != MARKED or id in self._marked:
            return KNOWN
        self._marked.add(id)
        accounts = {account.id: account for account in self.accounts}
        pairs = zip(self.lines, add_note(self.lines, conflict, accounts), strict=True)
        self.lines = [line if line is new else self._with_changes(new) for line, new in pairs]
        return ""

    def _settle(self, decision: Settle) -> str:
        dispute = find_conflict(decision.dispute, self.manuscript.consolidation.contradictions)
        if dispute is None:
            return "the sources no longer differ here"
        if decision.how == "one" and not 0 <= decision.claim < len(dispute.claims):
            return "there is no such claim"
        accounts = {account.id: account for account in self.accounts}
        written = typed_words(decision.text, ())
        id = conflict_id(dispute)
        plain = undo_settlements(self.lines, self._settlements.get(id, ()))
        near = lines_with_claims(plain, dispute)
        affected = [plain[n] for n in near]
        if decision.how != "both" and not any(
            mentions_conflict(line, dispute) for line in affected
        ):
            return "the text does not say what the sources differ in"
        resolved = settle_conflict(affected, dispute, decision, accounts, written)
        pairs = [pair for pair in zip(affected, resolved, strict=True) if pair[0] is not pair[1]]
        changed = list(plain)
        for number, now in zip(near, resolved, strict=True):
            changed[number] = now
        for number, (line, now) in enumerate(zip(self.lines, changed, strict=True)):
            if line is not now:
                self.lines[number] = replace(now, decisions=(*line.decisions, self._number))
        self._settlements[id] = [settlement(*pair) for pair in pairs]
        self.settled[id] = decision
        return ""


def _is_word(token: WovenToken) -> bool:
    return any(map(str.isalnum, token.text))
