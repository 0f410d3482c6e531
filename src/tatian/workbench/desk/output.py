"""Conversion of a manuscript to a consolidation, and the outcome of every source sentence."""

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
from tatian.grouping import grouped
from tatian.workbench.desk.manuscript import Line, Manuscript, Words, sentence_id

_EXCLUDED = "not part of the story, as decided"
_DROPPED = "dropped, as decided"
_ADDED = "added, as decided"
_NOT_COVERED = "the sentence that covered it is dropped, as decided"
_PARTLY = "other sentences cover it, one of which is dropped, as decided"
_REWORDED = "said in other words, as decided"
"""Reasons for the outcomes of source sentences."""


def to_consolidation(
    manuscript: Manuscript,
    visible: Sequence[Line],
    outcomes: Mapping[str, SourceSentence],
    accounts: Sequence[Account],
    title: str | None,
) -> Consolidation:
    """Return the visible lines as a consolidation."""
    consolidation = manuscript.consolidation
    pieces: list[str] = []
    sentences: list[WrittenSentence] = []
    position = 0
    for line in visible:
        if sentences:
            pieces.append("\n\n" if line.opens else " ")
            position += len(pieces[-1])
        layout = manuscript.layout(line)
        tokens = tuple(
            WrittenToken(
                position + token.start, position + token.end, word.sources, token.glue, token.own
            )
            for token, word in zip(layout.tokens, layout.words, strict=True)
        )
        pieces.append(layout.text)
        end = position + len(layout.text)
        sentences.append(WrittenSentence(position, end, tokens, line.why))
        position = end
    text = "".join(pieces)
    documents = tuple(
        replace(
            account,
            sentences=tuple(outcomes[sentence_id(account.id, old)] for old in account.sentences),
        )
        for account in accounts
    )
    return replace(
        consolidation,
        text=text,
        title=title,
        sentences=tuple(sentences),
        documents=documents,
        contradictions=tuple(
            replace(conflict, sentences=tuple(numbers))
            for conflict, numbers in zip(
                consolidation.contradictions,
                sentences_by_conflict(manuscript, visible),
                strict=True,
            )
        ),
        mentions=tuple(_mentions(manuscript, sentences)),
        aggregations=tuple(
            _locate(aggregation, text) for aggregation in consolidation.aggregations
        ),
        groups=tuple(_select_groups(consolidation.groups, documents)),
        writer=_writing(manuscript, visible),
    )


def sentences_by_conflict(manuscript: Manuscript, visible: Sequence[Line]) -> list[list[int]]:
    """Return the indices of the sentences that mention each conflict."""
    mentioning: list[list[int]] = [[] for _ in manuscript.consolidation.contradictions]
    for number, line in enumerate(visible):
        for conflict in manuscript.layout(line).conflicts:
            mentioning[conflict].append(number)
    return mentioning


def visible_lines(lines: Iterable[Line]) -> list[Line]:
    """Return the visible lines, with paragraph starts and headings of hidden lines before them."""
    visible: list[Line] = []
    opens = True
    heading: Words = ()
    for line in lines:
        opens = opens or line.opens
        heading = line.heading or heading
        if not line.hidden:
            same = line.opens == opens and line.heading is heading
            visible.append(line if same else replace(line, opens=opens, heading=heading))
            opens, heading = False, ()
    return visible


def find_outcomes(
    manuscript: Manuscript, visible: Sequence[Line], excluded: Mapping[str, int]
) -> dict[str, SourceSentence]:
    """Return the outcome of every source sentence, by id."""
    worded = grouped((id, number) for number, line in enumerate(visible) for id in line.origins)
    covering = grouped((id, number) for number, line in enumerate(visible) for id in line.covers)
    outcomes = {}
    for id, source in manuscript.sources.items():
        before = source.sentence
        fate, into, why = before.fate, before.into, before.why
        if id in worded:
            into = tuple(worded[id])
            if fate not in ("kept", "merged"):
                fate, why = "kept", _ADDED
        elif id in excluded:
            fate, into, why = "unused", (), _EXCLUDED
        elif id in covering:
            into = tuple(covering[id])
            if fate != "redundant":
                fate, why = "redundant", _REWORDED
            elif len(into) < len(before.into):
                why = _PARTLY
        elif fate != "unused":
            why = _NOT_COVERED if fate == "redundant" else _DROPPED
            fate, into = "unused", ()
        outcomes[id] = replace(before, fate=fate, into=into, why=why)
    return outcomes


def _mentions(
    manuscript: Manuscript, sentences: Sequence[WrittenSentence]
) -> Iterator[WrittenMention]:
    """Yield the runs of words that come from one mention of a source."""
    titles = manuscript.titles

    def mention(token: WrittenToken) -> tuple[str, str, int, int] | None:
        """Return document, chain, start and end of the mention that a word comes from."""
        source = token.sources[0] if token.sources else None
        if source is None or source.kind == "aggregated":
            return None
        place = manuscript.mentions.get((source.document, source.start))
        return (source.document, *place) if place else None

    for sentence in sentences:
        for mentioned, run in groupby(sentence.tokens, key=mention):
            if mentioned is not None:
                tokens = list(run)
                document, chain, start, _ = mentioned
                pages = titles.get((document, start), ())
                yield WrittenMention(tokens[0].start, tokens[-1].end, chain, pages)


def _locate(aggregation: Aggregation, text: str) -> Aggregation:
    """Return an aggregation with its current offsets in the text."""
    phrase = re.escape(aggregation.phrase.removeprefix("the "))
    match = re.search(rf"(?<![\w-]){phrase}(?![\w-])", text, re.IGNORECASE)
    start, end = match.span() if match else (None, None)
    return replace(aggregation, start=start, end=end)


def _select_groups(
    groups: Iterable[tuple[Place, ...]], documents: Sequence[Account]
) -> Iterator[tuple[Place, ...]]:
    """Yield the groups whose sentences in the text are still from several sources."""
    covered = {
        (account.id, number)
        for account in documents
        for number, sentence in enumerate(account.sentences)
        if sentence.fate != "unused"
    }
    for group in groups:
        remaining = tuple(place for place in group if (place.document, place.sentence) in covered)
        if len({place.document for place in remaining}) > 1:
            yield remaining


def _writing(manuscript: Manuscript, visible: Sequence[Line]) -> Writing | None:
    """Return the contribution of a language model, with the present indices of its sentences."""
    places = {line.id: number for number, line in enumerate(visible)}
    writing = manuscript.consolidation.writer or Writing("a language model")
    drafts = []
    for draft in writing.drafts:
        lines = [manuscript.lines[number] for number in draft.sentences]
        placed = [(line, places[line.id]) for line in lines if line.id in places]
        indices = tuple(n for line, n in placed if draft.why or visible[n].words == line.words)
        drafts += [replace(draft, sentences=indices)] if indices else []
    in_drafts = {number for draft in drafts if not draft.why for number in draft.sentences}
    drafts += [
        Draft(manuscript.layout(line).text, (number,))
        for number, line in enumerate(visible)
        if line.model and number not in in_drafts
    ]
    if not drafts and manuscript.consolidation.writer is None:
        return None
    return replace(writing, drafts=tuple(drafts))
