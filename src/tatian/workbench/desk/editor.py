"""Application of a user's decisions to the lines of a consolidated text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tatian.consolidation.render import BY_HAND
from tatian.consolidation.result import Account, Consolidation
from tatian.text import SourcedToken
from tatian.workbench.desk import decisions as kinds
from tatian.workbench.desk.conflicts import (
    ALREADY_KNOWN,
    MARKED_BY_HAND,
    Settlement,
    add_marked,
    add_note,
    conflict_id,
    find_changes,
    find_conflict,
    lines_with_claims,
    marked_conflict,
    mentions_conflict,
    remove_notes,
    settle_conflict,
    undo_settlements,
)
from tatian.workbench.desk.decisions import EditedText, Effect, StoredDecision
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
from tatian.workbench.desk.output import find_outcomes, visible_lines

_ABSENT = "the text does not have this sentence"
_NO_PLACE = "the text does not have the sentence that it was to follow"
"""Reasons why a decision does not apply."""


def apply_decisions(
    text: Consolidation | Manuscript,
    accounts: Sequence[Account] | None,
    decisions: Sequence[StoredDecision],
) -> EditedText:
    """Return the text with all decisions applied in order.

    `accounts` are the consolidated sources with their present title, date and publisher, if these
    have changed since.
    """
    manuscript = text if isinstance(text, Manuscript) else to_manuscript(text)
    marks = (
        stored.decision for stored in decisions if isinstance(stored.decision, kinds.MarkConflict)
    )
    manuscript = add_marked(manuscript, marks)
    editor = _Editor(manuscript, {account.id: account for account in accounts or ()})
    effects = tuple(Effect(stored.number, editor.apply(stored)) for stored in decisions)
    visible = tuple(visible_lines(editor.finished_lines()))
    return EditedText(
        manuscript,
        visible,
        find_outcomes(manuscript, visible, editor.excluded),
        tuple(editor.accounts),
        editor.title,
        effects,
        editor.last_decisions(),
        editor.settled,
        editor.length,
    )


class _Inapplicable(Exception):
    """Raised if a decision cannot be applied to the text; the message is the reason."""


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
        self.settled: dict[str, kinds.Settle] = {}
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
        """Return the lines; those that cover excluded sentences lose their sources and notes."""
        lines = self.lines
        for id in self.excluded:
            excluded = self.manuscript.sources[id]
            place = excluded.source.id, excluded.sentence.start, excluded.sentence.end
            conflicts = self.manuscript.consolidation.contradictions
            lines = [
                replace(line, words=tuple(without_sources(word, *place) for word in line.words))
                if id in line.covers
                else line
                for line in remove_notes(lines, conflicts, *place)
            ]
        return lines

    def apply(self, stored: StoredDecision) -> str:
        """Apply a decision; if that is impossible, change nothing and return the reason."""
        before = list(self.lines), dict(self.excluded)
        try:
            self._dispatch(stored)
        except _Inapplicable as error:
            self.lines, self.excluded = before
            return str(error)
        return ""

    def _dispatch(self, stored: StoredDecision) -> None:
        self._number = stored.number
        self._moved = {}
        for id, text in stored.sentence_texts.items():
            self._moved[id] = self._find_moved(id, text)
        decision = stored.decision
        match decision:
            case kinds.Drop():
                self._change(decision.sentence, hidden=True)
            case kinds.AddSentence():
                self._add_sentence(self._current_id(decision.source), decision.after)
            case kinds.Exclude():
                self._exclude(self._current_id(decision.source))
            case kinds.Move():
                self._move(decision)
            case kinds.Reword():
                self._reword(decision)
            case kinds.Split():
                self._split(decision)
            case kinds.Retype():
                index = self._index(decision.sentence)
                words = typed_words(decision.text, self.lines[index].written)
                self._change(decision.sentence, words=words, heading=(), model=False, typed=True)
            case kinds.WriteSentence():
                self._write(decision)
            case kinds.Settle():
                self._settle(decision)
            case kinds.MarkConflict():
                self._mark_conflict(decision)
            case kinds.SetLength():
                self.length = decision.words
            case kinds.SetTitle():
                self.title = " ".join(decision.text.split()) or None

    def _find_moved(self, id: str, text: str) -> str:
        """Return the current id of a source sentence, found by its former id and text."""
        base, separator, part = id.partition(PART)
        place = self.manuscript.sources.get(base)
        if place is not None and place.text == text:
            return id
        account = base.partition(":")[0]
        for current, place in self.manuscript.sources.items():
            if place.source.id == account and place.text == text:
                return f"{current}{separator}{part}"
        removed = all(document.id != account for document in self.accounts)
        raise _Inapplicable(
            f"the source {'was removed' if removed else 'no longer has this sentence'}"
        )

    def _current_id(self, id: str) -> str:
        return self._moved.get(id, id)

    def _index(self, id: str, *, hidden: bool = False, problem: str = _ABSENT) -> int:
        """Return the index of a visible sentence in the text; with `hidden`, of any sentence."""
        current = self._current_id(id)
        for index, line in enumerate(self.lines):
            if line.id == current and (hidden or not line.hidden):
                return index
        raise _Inapplicable(problem)

    def _change(self, id: str, **changes: object) -> None:
        index = self._index(id)
        self.lines[index] = self._with_changes(self.lines[index], **changes)

    def _with_changes(self, line: Line, **changes: object) -> Line:
        """Return a line with its changes and the number of the decision that made them."""
        return replace(line, decisions=(*line.decisions, self._number), **changes)

    def _check_source(self, id: str) -> None:
        if id not in self.manuscript.sources:
            raise _Inapplicable("no source has this sentence")

    def _add_sentence(self, source: str, after: str | None) -> None:
        self._check_source(source)
        self.excluded.pop(source, None)
        indices = [index for index, line in enumerate(self.lines) if source in line.origins]
        if any(not self.lines[index].hidden for index in indices):
            raise _Inapplicable("the text already has this sentence")
        for index in indices:
            self.lines[index] = self._with_changes(self.lines[index], hidden=False)
        if indices:
            if after is not None:
                self._move(kinds.Move(self.lines[indices[0]].id, after))
            return
        words = with_full_stop(self.manuscript.words_of_source(source))
        line = Line(source, words, (source,), decisions=(self._number,), why=f"added {BY_HAND}")
        index = self._index_near(source) if after is None else self._index_after(after)
        self.lines.insert(index, line)
        if index == 0:
            self._open_paragraph(0)

    def _index_near(self, source: str) -> int:
        """Return the index next to the nearest sentence from the same source."""
        sources, ranks = self.manuscript.sources, self.manuscript.ranks
        account = sources[source].source.id
        neighbours = [
            (ranks[id] - ranks[source], index)
            for index, line in enumerate(self.lines)
            for id in line.origins
            if sources[id].source.id == account
        ]
        before = max((pair for pair in neighbours if pair[0] < 0), default=None)
        following = min((pair for pair in neighbours if pair[0] > 0), default=None)
        if before is not None and (following is None or -before[0] <= following[0]):
            return before[1] + 1
        if following is not None:
            return following[1]
        covering = (index for index, line in enumerate(self.lines) if source in line.covers)
        return next((index + 1 for index in covering), len(self.lines))

    def _index_after(self, id: str) -> int:
        """Return the index after a sentence, which may be hidden; 0 for an empty id."""
        return self._index(id, hidden=True, problem=_NO_PLACE) + 1 if id else 0

    def _open_paragraph(self, index: int) -> None:
        """Move the start of a paragraph from the next line to this one."""
        self.lines[index] = replace(self.lines[index], opens=True)
        for line in self.lines[index + 1 : index + 2]:
            self.lines[index + 1] = replace(line, opens=False)

    def _exclude(self, source: str) -> None:
        self._check_source(source)
        if source in self.excluded:
            raise _Inapplicable("it is already excluded from the story")
        self.excluded[source] = self._number
        for index, line in enumerate(self.lines):
            if source in line.origins and all(id in self.excluded for id in line.origins):
                self.lines[index] = self._with_changes(line, hidden=True)

    def _move(self, move: kinds.Move) -> None:
        index = self._index(move.sentence)
        if self._current_id(move.sentence) == self._current_id(move.after):
            raise _Inapplicable("a sentence cannot follow itself")
        new_index = self._index_after(move.after)
        line = self.lines[index]
        if line.opens and index + 1 < len(self.lines):
            next_line = self.lines[index + 1]
            heading = next_line.heading or line.heading
            self.lines[index + 1] = replace(next_line, opens=True, heading=heading)
        opens = move.opens or new_index == 0
        new_index -= new_index > index
        why = line.why if new_index == index else f"moved {BY_HAND}"
        moved = self._with_changes(line, opens=opens, heading=(), why=why)
        del self.lines[index]
        self.lines.insert(new_index, moved)
        if new_index == 0 and not move.opens:
            self._open_paragraph(0)

    def _reword(self, decision: kinds.Reword) -> None:
        line = self.lines[self._index(decision.sentence)]
        origins = tuple(map(self._current_id, decision.origins))
        if any(id not in self.manuscript.sources for id in origins):
            raise _Inapplicable("no source has the sentence whose words were to be used")
        covered = dict.fromkeys((*line.covers, *line.origins))
        self._change(
            decision.sentence,
            words=decision.words,
            origins=origins,
            covers=tuple(id for id in covered if id not in origins),
            model=decision.wording == "model",
            typed=False,
        )

    def _split(self, decision: kinds.Split) -> None:
        index = self._index(decision.sentence)
        line = self.lines[index]
        position = -1
        count = len(line.heading)
        for number, token in enumerate(line.written):
            position += bool(token.space) if number else 1
            if position >= decision.at and number > count:
                break
            position += len(token.text)
        else:
            raise _Inapplicable("the sentence has no words after this position")
        first, second = line.words[: number - count], line.words[number - count :]
        if not any(map(_is_word, first)) or not any(map(_is_word, second)):
            raise _Inapplicable("both parts must have words")
        line = self._with_changes(line, id=f"{line.id}{PART}1", words=with_full_stop(first))
        second_id = f"{self.lines[index].id}{PART}2"
        second_line = replace(line, id=second_id, words=with_full_stop(second), opens=False)
        self.lines[index : index + 1] = [line, replace(second_line, heading=())]

    def _write(self, decision: kinds.WriteSentence) -> None:
        index, words = self._index_after(decision.after), typed_words(decision.text, ())
        line = Line(f"{OWN}:{self._number}", words, (), opens=decision.opens, typed=True)
        self.lines.insert(index, self._with_changes(line))
        if index == 0 and not decision.opens:
            self._open_paragraph(0)

    def _mark_conflict(self, mark: kinds.MarkConflict) -> None:
        """Add a note with the other claim where the text gives one of the two."""
        marked = marked_conflict(self.manuscript, mark)
        if isinstance(marked, str):
            raise _Inapplicable(marked)
        id = conflict_id(marked)
        conflicts = self.manuscript.consolidation.contradictions
        conflict = next(conflict for conflict in conflicts if conflict_id(conflict) == id)
        if conflict.why != MARKED_BY_HAND or id in self._marked:
            raise _Inapplicable(ALREADY_KNOWN)
        self._marked.add(id)
        accounts = {account.id: account for account in self.accounts}
        pairs = zip(self.lines, add_note(self.lines, conflict, accounts), strict=True)
        self.lines = [line if line is new else self._with_changes(new) for line, new in pairs]

    def _settle(self, decision: kinds.Settle) -> None:
        conflict = find_conflict(decision.conflict, self.manuscript.consolidation.contradictions)
        if conflict is None:
            raise _Inapplicable("the sources no longer differ here")
        if decision.how == "one" and not 0 <= decision.claim < len(conflict.claims):
            raise _Inapplicable("there is no such claim")
        accounts = {account.id: account for account in self.accounts}
        written = typed_words(decision.text, ())
        id = conflict_id(conflict)
        unsettled = undo_settlements(self.lines, self._settlements.get(id, ()))
        indices = lines_with_claims(unsettled, conflict)
        affected = [unsettled[index] for index in indices]
        is_mentioned = any(mentions_conflict(line, conflict) for line in affected)
        if decision.how != "both" and not is_mentioned:
            raise _Inapplicable("the text has none of the conflicting claims")
        resolved = settle_conflict(affected, conflict, decision, accounts, written)
        pairs = [pair for pair in zip(affected, resolved, strict=True) if pair[0] is not pair[1]]
        changed = list(unsettled)
        for index, line in zip(indices, resolved, strict=True):
            changed[index] = line
        for index, (old, new) in enumerate(zip(self.lines, changed, strict=True)):
            if old is not new:
                self.lines[index] = replace(new, decisions=(*old.decisions, self._number))
        self._settlements[id] = [find_changes(*pair) for pair in pairs]
        self.settled[id] = decision


def _is_word(token: SourcedToken) -> bool:
    return any(map(str.isalnum, token.text))
