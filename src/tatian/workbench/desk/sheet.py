"""A manuscript written down: text, sentences, and what became of every sentence of the accounts."""

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
_TOLD_BY_HAND = "told too, as decided"
_UNTOLD = "the sentence that told it is dropped, as decided"
_PARTLY = "other sentences tell it, one of which is dropped, as decided"
_REWORDED = "told in other words, as decided"


def put_together(
    manuscript: Manuscript,
    shown: Sequence[Line],
    fates: Mapping[str, SourceSentence],
    accounts: Sequence[Account],
    title: str | None,
) -> Consolidation:
    """The lines that are shown as a consolidation."""
    woven = manuscript.woven
    pieces: list[str] = []
    sentences: list[WrittenSentence] = []
    position = 0
    for line in shown:
        if sentences:
            pieces.append("\n\n" if line.opens else " ")
            position += len(pieces[-1])
        laid = manuscript.laid(line)
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
            sentences=tuple(fates[sentence_id(account.id, one)] for one in account.sentences),
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
            replace(one, sentences=tuple(numbers))
            for one, numbers in zip(woven.contradictions, touched(manuscript, shown), strict=True)
        ),
        mentions=tuple(_mentions(manuscript, sentences)),
        aggregations=tuple(_found(one, text) for one in woven.aggregations),
        groups=tuple(_groups(woven.groups, documents)),
        writer=_writing(manuscript, shown),
    )


def touched(manuscript: Manuscript, shown: Sequence[Line]) -> list[list[int]]:
    """For each disagreement, the numbers of the sentences that say what it is about."""
    found: list[list[int]] = [[] for _ in manuscript.woven.contradictions]
    for number, line in enumerate(shown):
        for dispute in manuscript.laid(line).disputes:
            found[dispute].append(number)
    return found


def paragraphed(lines: Iterable[Line]) -> list[Line]:
    """The lines that are shown; the next one has the paragraph and the heading of a hidden one."""
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


def fates_of(
    manuscript: Manuscript, shown: Sequence[Line], excluded: Mapping[str, int]
) -> dict[str, SourceSentence]:
    """What became of every sentence of the accounts."""
    worded: dict[str, list[int]] = {}
    telling: dict[str, list[int]] = {}
    for number, line in enumerate(shown):
        for id in line.origins:
            worded.setdefault(id, []).append(number)
        for id in line.told:
            telling.setdefault(id, []).append(number)
    fates = {}
    for id, place in manuscript.sources.items():
        was = place.sentence
        if id in worded:
            known = was.fate in ("kept", "merged")
            fate = was.fate if known else "kept"
            why = was.why if known else _TOLD_BY_HAND
            fates[id] = replace(was, fate=fate, into=tuple(worded[id]), why=why)
        elif id in excluded:
            fates[id] = replace(was, fate="unused", into=(), why=_EXCLUDED)
        elif id in telling:
            into = tuple(telling[id])
            known = was.fate == "redundant"
            why = was.why if known and len(into) >= len(was.into) else _PARTLY
            fates[id] = replace(was, fate="redundant", into=into, why=why if known else _REWORDED)
        elif was.fate == "unused":
            fates[id] = was
        else:
            why = _UNTOLD if was.fate == "redundant" else _DROPPED
            fates[id] = replace(was, fate="unused", into=(), why=why)
    return fates


def _mentions(
    manuscript: Manuscript, sentences: Sequence[WrittenSentence]
) -> Iterator[WrittenMention]:
    """Runs of words that stand where an account mentions a chain."""
    titles = manuscript.titles

    def mention(token: WrittenToken) -> tuple[str, str, int, int] | None:
        source = token.sources[0] if token.sources else None
        if source is None or source.kind == "aggregated":
            return None
        at = manuscript.mentions.get((source.document, source.start))
        return (source.document, *at) if at else None

    for sentence in sentences:
        for found, run in groupby(sentence.tokens, key=mention):
            if found is not None:
                tokens = list(run)
                document, chain, start, _ = found
                pages = titles.get((document, start), ())
                yield WrittenMention(tokens[0].start, tokens[-1].end, chain, pages)


def _found(named: Aggregation, text: str) -> Aggregation:
    """An aggregation with the place where the text has it now."""
    bare = re.escape(named.phrase.removeprefix("the "))
    found = re.search(rf"(?<![\w-]){bare}(?![\w-])", text, re.IGNORECASE)
    start, end = found.span() if found else (None, None)
    return replace(named, start=start, end=end)


def _groups(
    groups: Iterable[tuple[Place, ...]], documents: Sequence[Account]
) -> Iterator[tuple[Place, ...]]:
    """Those that are still told together by accounts."""
    told = {
        (account.id, number)
        for account in documents
        for number, sentence in enumerate(account.sentences)
        if sentence.fate != "unused"
    }
    for group in groups:
        left = tuple(place for place in group if (place.document, place.sentence) in told)
        if len({place.document for place in left}) > 1:
            yield left


def _writing(manuscript: Manuscript, shown: Sequence[Line]) -> Writing | None:
    """What a language model wrote, by the sentences that have it, or stand in its place, now."""
    places = {line.id: number for number, line in enumerate(shown)}
    known = manuscript.woven.writer or Writing("a language model")
    drafts = []
    for draft in known.drafts:
        was = [manuscript.lines[number] for number in draft.sentences]
        now = [(line, places[line.id]) for line in was if line.id in places]
        stand = tuple(n for line, n in now if draft.why or shown[n].words == line.words)
        drafts += [replace(draft, sentences=stand)] if stand else []
    taken = {number for draft in drafts if not draft.why for number in draft.sentences}
    drafts += [
        Draft(manuscript.laid(line).text, (number,))
        for number, line in enumerate(shown)
        if line.model and number not in taken
    ]
    return replace(known, drafts=tuple(drafts)) if drafts or manuscript.woven.writer else None
