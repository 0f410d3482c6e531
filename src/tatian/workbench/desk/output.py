"""Writes a manuscript down: text, sentences, and the outcome of every source sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec.structs import replace

from tatian.consolidation.result import (
    Account,
    Aggregation,
    Consolidation,
    Draft,
    Place,
    SourceSentence,
    Writing,
    WrittenMention,
    WrittenSentence,
    WrittenToken,
)
from tatian.workbench.desk.manuscript import Line, Manuscript, Words, sentence_id

_EXCLUDED = "not part of the story, as decided"
_DROPPED = "dropped, as decided"
_ADDED = "added, as decided"
_NOT_COVERED = "the sentence that covered it is dropped, as decided"
_PARTLY = "other sentences cover it, one of which is dropped, as decided"
_REWORDED = "said in other words, as decided"


def to_consolidation(
    manuscript: Manuscript,
    shown: Sequence[Line],
    fates: Mapping[str, SourceSentence],
    accounts: Sequence[Account],
    title: str | None,
) -> Consolidation:
    """Return the shown lines as a consolidation."""
    woven = manuscript.consolidation
    pieces: list[str] = []
    sentences: list[WrittenSentence] = []
    position = 0
    for line in shown:
        if sentences:
            pieces.append("\n\n" if line.opens else " ")
            position += len(pieces[-1])
        laid = manuscript.layout(line)
        tokens = tuple(
            WrittenToken(position + at.start, position + at.end, word.sources, at.glue, at.own)
            for at, word in zip(laid.tokens, laid.words, strict=True)
        )
        pieces.append(laid.text)
        end = position + len(laid.text)
        sentences.append(WrittenSentence(position, end, tokens, line.why))
        position = end
    text = "".join(pieces)
    documents = tuple(
        replace(
            account,
            sentences=tuple(fates[sentence_id(account.id, old)] for old in account.sentences),
        )
        for account in accounts
    )
    return replace(
        woven,
        text=text,
        title=title,
        sentences=tuple(sentences),
        documents=documents,
        contradictions=tuple(
            replace(conflict, sentences=tuple(numbers))
            for conflict, numbers in zip(
                woven.contradictions, sentences_by_conflict(manuscript, shown), strict=True
            )
        ),
        mentions=tuple(_mentions(manuscript, sentences)),
        aggregations=tuple(_locate(aggregation, text) for aggregation in woven.aggregations),
        groups=tuple(_groups(woven.groups, documents)),
        writer=_writing(manuscript, shown),
    )


def sentences_by_conflict(manuscript: Manuscript, shown: Sequence[Line]) -> list[list[int]]:
    """Return the indices of the sentences that mention each conflict."""
    mentioning: list[list[int]] = [[] for _ in manuscript.consolidation.contradictions]
    for number, line in enumerate(shown):
        for dispute in manuscript.layout(line).conflicts:
            mentioning[dispute].append(number)
    return mentioning


def visible_lines(lines: Iterable[Line]) -> list[Line]:
    """Return the shown lines; each takes over paragraph and heading of hidden ones before it."""
    shown: list[Line] = []
    opens = True
    heading: Words = ()
    for line in lines:
        opens = opens or line.opens
        heading = line.heading or heading
        if not line.hidden:
            same = line.opens == opens and line.heading is heading
            shown.append(line if same else replace(line, opens=opens, heading=heading))
            opens, heading = False, ()
    return shown


def find_outcomes(
    manuscript: Manuscript, shown: Sequence[Line], excluded: Mapping[str, int]
) -> dict[str, SourceSentence]:
    """Return the outcome of every source sentence, by id."""
    worded: dict[str, list[int]] = {}
    covering: dict[str, list[int]] = {}
    for number, line in enumerate(shown):
        for id in line.origins:
            worded.setdefault(id, []).append(number)
        for id in line.covers:
            covering.setdefault(id, []).append(number)
    fates = {}
    for id, place in manuscript.sources.items():
        was = place.sentence
        if id in worded:
            same_outcome = was.fate in ("kept", "merged")
            fate = was.fate if same_outcome else "kept"
            why = was.why if same_outcome else _ADDED
            fates[id] = replace(was, fate=fate, into=tuple(worded[id]), why=why)
        elif id in excluded:
            fates[id] = replace(was, fate="unused", into=(), why=_EXCLUDED)
        elif id in covering:
            into = tuple(covering[id])
            same_outcome = was.fate == "redundant"
            why = was.why if same_outcome and len(into) >= len(was.into) else _PARTLY
            fates[id] = replace(
                was, fate="redundant", into=into, why=why if same_outcome else _REWORDED
            )
        elif was.fate == "unused":
            fates[id] = was
        else:
            why = _NOT_COVERED if was.fate == "redundant" else _DROPPED
            fates[id] = replace(was, fate="unused", into=(), why=why)
    return fates


def _mentions(
    manuscript: Manuscript, sentences: Sequence[WrittenSentence]
) -> Iterator[WrittenMention]:
    """Yield the runs of words that stand where a source mentions a chain."""
    titles = manuscript.titles

    def mention(token: WrittenToken) -> tuple[str, str, int, int] | None:
        source = token.sources[0] if token.sources else None
        if source is None or source.kind == "aggregated":
            return None
        at = manuscript.mentions.get((source.document, source.start))
        return (source.document, *at) if at else None

    for sentence in sentences:
        for mentioned, run in groupby(sentence.tokens, key=mention):
            if mentioned is not None:
                tokens = list(run)
                document, chain, start, _ = mentioned
                pages = titles.get((document, start), ())
                yield WrittenMention(tokens[0].start, tokens[-1].end, chain, pages)


def _locate(named: Aggregation, text: str) -> Aggregation:
    """Return an aggregation with its present offsets in the text."""
    bare = re.escape(named.phrase.removeprefix("the "))
    match = re.search(rf"(?<![\w-]){bare}(?![\w-])", text, re.IGNORECASE)
    start, end = match.span() if match else (None, None)
    return replace(named, start=start, end=end)


def _groups(
    groups: Iterable[tuple[Place, ...]], documents: Sequence[Account]
) -> Iterator[tuple[Place, ...]]:
    """Yield the groups whose sentences still cover several sources."""
    covered = {
        (account.id, number)
        for account in documents
        for number, sentence in enumerate(account.sentences)
        if sentence.fate != "unused"
    }
    for group in groups:
        left = tuple(place for place in group if (place.document, place.sentence) in covered)
        if len({place.document for place in left}) > 1:
            yield left


def _writing(manuscript: Manuscript, shown: Sequence[Line]) -> Writing | None:
    """Return the drafts of a language model, by the present indices of their sentences."""
    places = {line.id: number for number, line in enumerate(shown)}
    writing = manuscript.consolidation.writer or Writing("a language model")
    drafts = []
    for draft in writing.drafts:
        was = [manuscript.lines[number] for number in draft.sentences]
        now = [(line, places[line.id]) for line in was if line.id in places]
        stand = tuple(n for line, n in now if draft.why or shown[n].words == line.words)
        drafts += [replace(draft, sentences=stand)] if stand else []
    taken = {number for draft in drafts if not draft.why for number in draft.sentences}
    drafts += [
        Draft(manuscript.layout(line).text, (number,))
        for number, line in enumerate(shown)
        if line.model and number not in taken
    ]
    return (
        replace(writing, drafts=tuple(drafts))
        if drafts or manuscript.consolidation.writer
        else None
    )
