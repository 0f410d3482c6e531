"""Merges the sentences of added sources into a text that was edited before.

The existing text is unchanged. Of the new consolidation only sentences of added sources are taken.
Each is placed after the sentence that it follows there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from tatian.consolidation.result import (
    Consolidation,
    Disagreement,
    SourceSentence,
    sort_conflicts,
)
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
"""Start of the reason that is shown for the place of an added sentence."""
_MOST_LACKING = 0.2
"""Share of a new sentence's words that a covering sentence of the text may lack."""
_COVERED = "a sentence of the text covers it"
_UNPLACED = "the text does not have what covers it"


def extend_text(before: Consolidation, now: Consolidation) -> Consolidation | None:
    """Return the text of `before` with the sentences that `now` takes from added sources.

    None if sources were changed or removed, or none was added.
    """
    texts = {account.id: account.text for account in now.documents}
    if any(texts.get(account.id) != account.text for account in before.documents):
        return None
    added = set(texts) - {account.id for account in before.documents}
    if not added:
        return None
    old, new = to_manuscript(before), to_manuscript(now)
    lines = [_without_mark(line, new) for line in old.lines]
    covered = _insert(lines, new, added)
    fates = dict(_outcomes(old, new, lines, added, covered))
    woven = replace(now, contradictions=sort_conflicts(_conflicts(before, now)))
    manuscript = to_manuscript(woven)
    return to_consolidation(manuscript, lines, fates, now.documents, before.title)


def _without_mark(line: Line, new: Manuscript) -> Line:
    """Return a line with the sources that its words have now, no longer marked as added."""
    why = line.why.removeprefix(f"{ADDED}; ").removeprefix(ADDED)
    key = line.id, line.text
    same = next((other for other in new.lines if (other.id, other.text) == key), None)
    return replace(line, why=why, words=same.words if same and not line.heading else line.words)


def _insert(lines: list[Line], new: Manuscript, added: set[str]) -> dict[str, str]:
    """Insert the lines of added sources; return the lines that cover the others, by sentence id."""
    covered: dict[str, str] = {}
    for number, line in enumerate(new.lines):
        place = _place(lines, new.lines, number)
        for fresh in reversed(list(_fresh(line, new, added))):
            if coverer := _covering_line(fresh, {*line.covers, *line.origins}, lines):
                covered |= dict.fromkeys(fresh.origins, coverer.id)
                continue
            ends = place == len(lines) or lines[place].opens
            opens = fresh.opens and (ends or bool(fresh.heading))
            lines.insert(place, replace(fresh, opens=opens))
    return covered


def _fresh(line: Line, new: Manuscript, added: set[str]) -> Iterator[Line]:
    """Yield the line, if all its sentences are added, or else its added sentences one by one."""
    ids = [id for id in line.origins if new.sources[id].source.id in added]
    why = f"{ADDED}; {line.why}" if line.why else ADDED
    if ids and len(ids) == len(line.origins):
        yield replace(line, why=why)
        return
    for source in ids:
        yield Line(source, with_full_stop(new.words_of_source(source)), (source,), why=why)


def _covering_line(fresh: Line, related: set[str], lines: Sequence[Line]) -> Line | None:
    """Return the related line that covers all of a new one, if there is one."""
    for line in lines:
        if not related.isdisjoint(line.origins):
            places, share = uncovered_words(fresh.text, concepts_of(line.text))
            exact = any(is_exact(fresh.text[start:end]) for start, end in places)
            if share <= _MOST_LACKING and not exact:
                return line
    return None


def _place(lines: Sequence[Line], order: Sequence[Line], number: int) -> int:
    """Return the index after the nearest preceding line of `order`, or before the next one."""
    places = {line.id: place for place, line in enumerate(lines)}
    for line in reversed(order[:number]):
        if line.id in places:
            return places[line.id] + 1
    for line in order[number + 1 :]:
        if line.id in places:
            return places[line.id]
    return len(lines)


def _outcomes(
    old: Manuscript,
    new: Manuscript,
    lines: Sequence[Line],
    added: set[str],
    covered: Mapping[str, str],
) -> Iterator[tuple[str, SourceSentence]]:
    """Yield every source sentence by id, with its outcome in the merged text."""
    places = {line.id: place for place, line in enumerate(lines)}
    was = [places[line.id] for line in old.lines]
    worded: dict[str, list[int]] = {}
    covering: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        for id in line.origins:
            worded.setdefault(id, []).append(place)
        for id in line.covers:
            covering.setdefault(id, []).append(place)
    for id, source in new.sources.items():
        now = source.sentence
        if source.source.id not in added:
            unchanged = old.sources[sentence_id(source.source.id, now)].sentence
            yield id, replace(unchanged, into=tuple(was[number] for number in unchanged.into))
        elif id in worded:
            yield id, replace(now, into=tuple(worded[id]))
        elif id in covered:
            yield id, replace(now, fate="redundant", into=(places[covered[id]],), why=_COVERED)
        elif now.fate == "unused":
            yield id, now
        else:
            covering_lines = [new.lines[number] for number in now.into]
            named = [places[line.id] for line in covering_lines if line.id in places]
            other = [
                place
                for line in covering_lines
                for origin in line.origins
                for place in (*worded.get(origin, ()), *covering.get(origin, ()))
            ]
            into = tuple(sorted(set(named or other)))
            fate = replace(now, fate="redundant", into=into)
            yield id, fate if into else replace(now, fate="unused", into=(), why=_UNPLACED)


def _conflicts(before: Consolidation, now: Consolidation) -> Iterator[Disagreement]:
    """Yield the conflicts of the new text, and those of the old that share no claim with them."""
    yield from now.contradictions
    claims = {
        claim for conflict in now.contradictions for claim in conflict_id(conflict).split("+")
    }
    for conflict in before.contradictions:
        if claims.isdisjoint(conflict_id(conflict).split("+")):
            yield conflict
