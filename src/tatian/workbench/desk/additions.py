"""Insertion of the sentences of added sources into an edited text.

The text itself stays as it is. Each sentence of an added source is inserted after the sentence that
it follows in the new consolidation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from tatian.consolidation.result import Consolidation, Disagreement, SourceSentence, sort_conflicts
from tatian.grouping import grouped
from tatian.text.content import is_exact
from tatian.workbench.desk.conflicts import conflict_id
from tatian.workbench.desk.leftout import concepts_of, uncovered_words
from tatian.workbench.desk.manuscript import (
    Line,
    Manuscript,
    sentence_id,
    to_manuscript,
    with_full_stop,
)
from tatian.workbench.desk.output import to_consolidation

ADDED = "new, from a source that was added"
"""Prefix of the reason for the placement of an inserted sentence."""
_MAX_UNCOVERED_SHARE = 0.2
"""Maximum weighted share of a new sentence's words that a covering sentence may lack."""
_COVERED = "a sentence of the text covers it"
_UNPLACED = "the sentence that covers it is no longer in the text"
"""Reasons for the outcomes of source sentences."""


def extend_text(before: Consolidation, now: Consolidation) -> Consolidation | None:
    """Return the text of `before` with the sentences that sources added since have in `now`.

    Return None if sources were changed or removed, or none was added.
    """
    new_texts = {account.id: account.text for account in now.documents}
    if any(new_texts.get(account.id) != account.text for account in before.documents):
        return None
    added = set(new_texts) - {account.id for account in before.documents}
    if not added:
        return None
    old_manuscript, new = to_manuscript(before), to_manuscript(now)
    lines = [_refresh_line(line, new) for line in old_manuscript.lines]
    covered_by = _insert(lines, new, added)
    outcomes = dict(_merge_outcomes(old_manuscript, new, lines, added, covered_by))
    consolidation = replace(now, contradictions=sort_conflicts(_merge_conflicts(before, now)))
    manuscript = to_manuscript(consolidation)
    return to_consolidation(manuscript, lines, outcomes, now.documents, before.title)


def _refresh_line(line: Line, new: Manuscript) -> Line:
    """Update the sources of a line's words and remove its `ADDED` mark."""
    why = line.why.removeprefix(f"{ADDED}; ").removeprefix(ADDED)
    same = (new_line for new_line in new.lines if new_line.id == line.id)
    new_line = next((new_line for new_line in same if new_line.text == line.text), line)
    return replace(line, why=why, words=line.words if line.heading else new_line.words)


def _insert(lines: list[Line], new: Manuscript, added: set[str]) -> dict[str, str]:
    """Insert the lines of added sources that no line covers.

    Return the ids of the sentences that were not inserted, each with that of the covering line.
    """
    covered_by: dict[str, str] = {}
    for number, line in enumerate(new.lines):
        index = _find_place(lines, new.lines, number)
        for new_line in reversed(list(_split_added(line, new, added))):
            if coverer := _find_covering(new_line, {*line.covers, *line.origins}, lines):
                covered_by |= dict.fromkeys(new_line.origins, coverer.id)
                continue
            before_paragraph = index == len(lines) or lines[index].opens
            opens = new_line.opens and (before_paragraph or bool(new_line.heading))
            lines.insert(index, replace(new_line, opens=opens))
    return covered_by


def _split_added(line: Line, new: Manuscript, added: set[str]) -> Iterator[Line]:
    """Yield the line if all its sources are new, else only its new sentences, each as a line."""
    ids = [id for id in line.origins if new.sources[id].source.id in added]
    why = f"{ADDED}; {line.why}" if line.why else ADDED
    if ids and len(ids) == len(line.origins):
        yield replace(line, why=why)
        return
    for source in ids:
        yield Line(source, with_full_stop(new.words_of_source(source)), (source,), why=why)


def _find_covering(new_line: Line, related: set[str], lines: Sequence[Line]) -> Line | None:
    """Return a line that covers a new line, among those with a sentence in `related`."""
    for line in lines:
        if not related.isdisjoint(line.origins):
            places, share = uncovered_words(new_line.text, concepts_of(line.text))
            exact = any(is_exact(new_line.text[start:end]) for start, end in places)
            if share <= _MAX_UNCOVERED_SHARE and not exact:
                return line
    return None


def _find_place(lines: Sequence[Line], order: Sequence[Line], number: int) -> int:
    """Return the index in `lines` at which to insert line `number` of `order`.

    It is after the line's nearest predecessor in `lines`, else before its successor, else the end.
    """
    places = {line.id: index for index, line in enumerate(lines)}
    for line in reversed(order[:number]):
        if line.id in places:
            return places[line.id] + 1
    for line in order[number + 1 :]:
        if line.id in places:
            return places[line.id]
    return len(lines)


def _merge_outcomes(
    old: Manuscript,
    new: Manuscript,
    lines: Sequence[Line],
    added: set[str],
    covered_by: Mapping[str, str],
) -> Iterator[tuple[str, SourceSentence]]:
    """Yield the id of every source sentence with its outcome in the merged text."""
    places = {line.id: index for index, line in enumerate(lines)}
    old_places = [places[line.id] for line in old.lines]
    lines_using = grouped((id, index) for index, line in enumerate(lines) for id in line.origins)
    lines_covering = grouped((id, index) for index, line in enumerate(lines) for id in line.covers)
    for id, source in new.sources.items():
        sentence = source.sentence
        if source.source.id not in added:
            unchanged = old.sources[sentence_id(source.source.id, sentence)].sentence
            into = tuple(old_places[number] for number in unchanged.into)
            yield id, replace(unchanged, into=into)
        elif id in lines_using:
            yield id, replace(sentence, into=tuple(lines_using[id]))
        elif id in covered_by:
            into = (places[covered_by[id]],)
            yield id, replace(sentence, fate="redundant", into=into, why=_COVERED)
        elif sentence.fate == "unused":
            yield id, sentence
        else:
            covering_lines = [new.lines[number] for number in sentence.into]
            same_places = [places[line.id] for line in covering_lines if line.id in places]
            origin_places = [
                index
                for line in covering_lines
                for origin in line.origins
                for index in (*lines_using.get(origin, ()), *lines_covering.get(origin, ()))
            ]
            into = tuple(sorted(set(same_places or origin_places)))
            if into:
                yield id, replace(sentence, fate="redundant", into=into)
            else:
                yield id, replace(sentence, fate="unused", into=(), why=_UNPLACED)


def _merge_conflicts(before: Consolidation, now: Consolidation) -> Iterator[Disagreement]:
    """Yield the new conflicts, and the old ones that share no claim with them."""
    yield from now.contradictions
    claims = {
        claim for conflict in now.contradictions for claim in conflict_id(conflict).split("+")
    }
    for conflict in before.contradictions:
        if claims.isdisjoint(conflict_id(conflict).split("+")):
            yield conflict
