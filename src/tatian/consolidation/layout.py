"""Layout of the finished plan as a text, every word with its sources.

A sentence may be cut, get a name or change its tense. The change is used only if it is verified.
Otherwise the sentence stays as in its source.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from tatian.consolidation.differing_claims import is_same_value
from tatian.consolidation.introductions import Introductions
from tatian.consolidation.notes import ConflictNotes
from tatian.consolidation.plan import Plan
from tatian.consolidation.redundant_blocks import find_restated_leads
from tatian.consolidation.result import Layout, WrittenSentence, WrittenToken
from tatian.consolidation.spans import Key, SourceSpan
from tatian.consolidation.wording import with_article
from tatian.pipeline import CrossChain
from tatian.text import Document, Source, SourcedToken, Token
from tatian.text.content import concept, is_content
from tatian.text.layers import capitalized, glue, lower_opening_capitals
from tatian.text.lexicon import (
    RELATIVE_DATES,
    REPORTING_VERBS,
    WEEKDAYS,
    word_set,
)

if TYPE_CHECKING:
    from tatian.consolidation.verification.verdict import Judge


_DAYS = frozenset((*WEEKDAYS, *(word for said in RELATIVE_DATES for word in said.split())))
"""Words that name a day."""
_MARKS = frozenset('"“”')
_PAUSES = frozenset(",.!?")
_HALVES = frozenset(";,")
"""Marks after which a span's next sentence has no capital; at its end, they become a full stop."""
_CLIPPED = {(mark, end) for mark in "'’" for end in ("s", "t", "re", "ll", "ve", "m", "d")}
"""Apostrophes before the ending of a contraction, which has no space before it."""
_NEVER_TWICE = word_set("a an the of to with for from and or be been was were are")
"""Words that stand twice in a row only by mistake."""
_BEFORE = 3
"""Preceding source sentences that are used to verify a sentence."""

Written = list[tuple[SourcedToken, ...]]
"""Sentences of a span as they would appear in the text."""


def lay_out(plan: Plan, judge: str | Judge = "small") -> Layout:
    """Lay out the sentences of the plan as a text, every word with its sources.

    Changes are used only if the judge supports them.
    """
    drafts, unverified = _drafts(plan, judge)
    dropped_words = _dropped_words(plan)
    everything = "\n".join(document.text for document in plan.story.documents)
    pieces: list[str] = []
    position = 0
    sentences: list[WrittenSentence] = []
    places: dict[Key, tuple[int, ...]] = {}
    for paragraph in plan.paragraphs:
        for number, span in enumerate(paragraph.spans):
            document = plan.story.sources[span.source].document
            written = _join_quotation(drafts[span.key], span, document)
            written[0] = lower_opening_capitals(written[0], everything)
            if number == 0 and paragraph.heading:
                written[0] = (*map(glue, paragraph.heading.split()), *capitalized(written[0]))
            for index, tokens in zip(span.indices, _tidied(_closed(written)), strict=True):
                if sentences:
                    gap = "\n\n" if number == 0 and index == span.indices[0] else " "
                    pieces.append(gap)
                    position += len(gap)
                places[span.source, index] = (len(sentences),)
                start = position
                laid = []
                goes_on = index != span.indices[0] and pieces[-2] in _HALVES
                for place, token in enumerate(tokens if goes_on else capitalized(tokens)):
                    if place and token.space:
                        pieces.append(" ")
                        position += 1
                    end = position + len(token.text)
                    copied = token.sources and not token.glue
                    more = dropped_words.get((span.key, concept(token.text)), ()) if copied else ()
                    said = token.text.lower()
                    others = (
                        replace(word.source, kind="copied") if word.said == said else word.source
                        for word in more
                        if is_same_value(
                            plan.coverage,
                            (span.key, token.sources[0].start),
                            (word.key, word.source.start),
                        )
                    )
                    sources = (*token.sources, *others)
                    laid.append(WrittenToken(position, end, sources, glue=token.glue))
                    pieces.append(token.text)
                    position = end
                sentences.append(WrittenSentence(start, position, tuple(laid)))
    return Layout("".join(pieces), tuple(sentences), places, unverified)


def _drafts(plan: Plan, judge: str | Judge) -> tuple[dict[Key, Written], dict[Key, str]]:
    """Return the sentences of each span, and the reason for each that stays as in its source."""
    documents = plan.story.documents
    own_voice = {n for n, source in enumerate(plan.story.sources) if source.own_voice}
    notes = ConflictNotes(plan.conflicts, documents, plan.story.moments)
    follows = _followers(plan)
    restated = find_restated_leads(plan)
    spans = plan.spans

    def written(unverified: Collection[Key]) -> tuple[dict[Key, Written], Introductions]:
        """Write every span, unverified ones as in their source, and introduce people to match."""
        introductions = Introductions(documents, plan.story.days, plan.chains, own_voice)
        drafted: dict[Key, Written] = {}
        for span in spans:
            if span.key in unverified:
                drafted[span.key] = introductions.quoted(span)
                continue
            cut = plan.cuts.get(span.key, frozenset())
            drafted[span.key] = introductions.written(span, cut, follows=span.key in follows)
            if span.key in restated:
                drafted[span.key][0] = with_article(drafted[span.key][0])
        return drafted, introductions

    drafts, introductions = written(())
    unverified = (
        find_unverified(spans, drafts, documents, plan.chains, judge) if plan.verifies else {}
    )
    if unverified:
        first = drafts
        drafts, introductions = written(unverified)
        others = [span for span in spans if drafts[span.key] != first[span.key]]
        others = [other for other in others if other.key not in unverified]
        unverified |= find_unverified(others, drafts, documents, plan.chains, judge)
    for span in spans:
        if span.key in unverified:
            drafts[span.key] = introductions.dated(span)
        drafts[span.key] = notes.added(span, drafts[span.key])
    return drafts, unverified


def find_unverified(
    spans: Sequence[SourceSpan],
    drafts: Mapping[Key, Written],
    documents: Sequence[Document],
    chains: Sequence[CrossChain],
    judge: str | Judge = "small",
) -> dict[Key, str]:
    """Return the spans that must stay as in their source, each with the reason.

    Sentences with unchanged content words need no verification. Cuts, names and changes of tense
    are compared with the sentences they come from. Names of days are not compared: a date in place
    of "yesterday" is computed from the source's own day.
    """
    changed = [
        (span, number, capitalized(tokens))
        for span in spans
        for number, tokens in enumerate(drafts[span.key])
        if _said(tokens) != _said(documents[span.source].tokens_in(span.bodies[number]))
    ]
    if not changed:
        return {}
    from tatian.consolidation.verification import check_support

    near = [_sources(*sentence, documents) for sentence in changed]
    reasons = check_support([tokens for _, _, tokens in changed], near, documents, chains, judge)
    reasons_by_key: dict[Key, str] = {}
    for (span, _, _), why in zip(changed, reasons, strict=True):
        if why:
            reasons_by_key.setdefault(span.key, why)
    return reasons_by_key


def _said(tokens: Iterable[Token | SourcedToken]) -> list[str]:
    said = [token.text for token in tokens if is_content(token.text)]
    return [concept(text) for text in said if text.lower() not in _DAYS]


def _sources(
    span: SourceSpan, number: int, tokens: Sequence[SourcedToken], documents: Sequence[Document]
) -> list[Key]:
    """Return the span's own sentence, those before it, and others that the words come from."""
    index = span.indices[number]
    keys = [(span.source, n) for n in range(max(0, index - _BEFORE), index + 1)]
    places = {document.id: n for n, document in enumerate(documents)}
    for source in (word_source for token in tokens for word_source in token.sources):
        source_number = places[source.document]
        sentences = documents[source_number].sentences
        n = bisect_right(sentences, source.start, key=lambda sentence: sentence.start) - 1
        if n >= 0 and source.start < sentences[n].end and (source_number, n) not in keys:
            keys.append((source_number, n))
    return keys


def _join_quotation(
    sentences: Sequence[tuple[SourcedToken, ...]], span: SourceSpan, document: Document
) -> list[tuple[SourcedToken, ...]]:
    """Remove the marks that reopen a long quotation at each of its paragraphs.

    A mark without a partner opens nothing if its sentence names the speaker: '"It was dark, said
    Ann Dale.', '... there? "Ann Dale asked.'. If a second speaker is named, the mark opens another
    quotation and stays.
    """
    written: list[tuple[SourcedToken, ...]] = []
    opened = spoken = False
    position = span.bodies[0].start
    for sentence, body in zip(sentences, span.bodies, strict=True):
        places = [place for place, token in enumerate(sentence) if token.text in _MARKS]
        new = "\n" in document.text[position : body.start]
        anew = places[:1] == [0] and len(places) < 3 <= len(sentence) and sentence[0].text != "”"
        behind = sentence[places[1] :] if len(places) > 1 else ()
        another = spoken and any(token.text[:1].isupper() for token in behind)
        wrong = len(places) == 1 and _speaks(sentence)
        if opened and new and anew and not another and not wrong and not sentence[1].space:
            sentence = (replace(sentence[1], space=True), *sentence[2:])
            opened = len(places) == 1
        elif places:
            last = sentence[places[-1]].text
            straight = last == '"' and len(places) % 2 == 1 - opened
            opens = last == "“" or (straight and _opens(sentence, places[-1]))
            opened = opens and not _speaks(sentence[places[-1] :])
            before = (token.text.lower() for token in sentence[: places[-1]])
            spoken = not REPORTING_VERBS.isdisjoint(before)
        written.append(sentence)
        position = body.end
    return written


def _speaks(tokens: Sequence[SourcedToken]) -> bool:
    """Check whether a speaker is named, behind a comma or at the end."""
    said = [token.text.lower() for token in tokens]
    behind = {
        word for place, text in enumerate(said) if text == "," for word in said[place : place + 4]
    }
    return not REPORTING_VERBS.isdisjoint(behind | set(said[-2:-1]))


def _closed(sentences: list[tuple[SourcedToken, ...]]) -> list[tuple[SourcedToken, ...]]:
    """Add the full stop or quotation mark that a source lacks at the end.

    Within the span, a line without a full stop gets one before a capital letter or a quotation. A
    mark is closed only if the quotation comes last: "... said: "It was dark." An unclosed mark is
    removed if it opens a sentence that ends in "said Ann Dale".
    """
    last = list(sentences[-1])
    if len(last) > 1 and last[-1].text in _HALVES:
        last[-1] = glue(".", space=False)
    if len(last) > 1 and last[-1].text == "." and last[-2].text.endswith("."):
        last.pop()  # "at 7 a.m. on Monday.", from which "on Monday" was cut.
    if last and last[-1].text[-1].isalnum():
        last.append(glue(".", space=False))
    tokens = [token for sentence in sentences for token in sentence]
    marks = [token.text for token in tokens]
    curly = marks.count("“") - marks.count("”") == 1
    if curly or marks.count('"') % 2 == 1:
        place = len(marks) - 1 - marks[::-1].index("“" if curly else '"')
        said = [mark.lower() for mark in marks[place + 1 :]]
        announced = marks[max(0, place - 1) : place] in ([":"], [","])
        if tokens[place].space and (announced or REPORTING_VERBS.isdisjoint(said)):
            last.append(glue("”" if curly else '"', space=False))
        elif not place and len(sentences) == 1 and _speaks(last):
            last[:2] = [replace(last[1], space=last[0].space)]
    return [*(_stopped(*pair) for pair in pairwise(sentences)), tuple(last)]


def _stopped(
    sentence: tuple[SourcedToken, ...], after: tuple[SourcedToken, ...]
) -> tuple[SourcedToken, ...]:
    """Return a sentence with the full stop that it lacks before another one."""
    opens = bool(after) and (after[0].text[0].isupper() or after[0].text in _MARKS)
    lacks = bool(sentence) and sentence[-1].text[-1].isalnum() and not sentence[-1].quoted
    return (*sentence, glue(".", space=False)) if opens and lacks else sentence


def _tidied(sentences: list[tuple[SourcedToken, ...]]) -> Iterator[tuple[SourcedToken, ...]]:
    """Remove typos of web pages: "the the", "it’ s", a mark on the wrong side."""
    for tokens in _with_closing_marks(sentences):
        yield tuple(
            replace(token, space=False) if pair in _CLIPPED or pair == ("-", "-") else token
            for pair, token in zip(
                pairwise(["", *(other.text for other in tokens)]), tokens, strict=True
            )
            if pair[0].lower() != pair[1].lower() or pair[1].lower() not in _NEVER_TWICE
        )


def _with_closing_marks(
    sentences: Iterable[tuple[SourcedToken, ...]],
) -> list[list[SourcedToken]]:
    """Move closing straight marks that are spaced like opening ones to the words before them.

    Double marks must come in pairs and follow ",", ".", "!" or "?". At the start of a sentence, its
    speaker must follow, or a word in lower case. A single mark closes if the one before it
    in its sentence opens, and no other does: "'The Rock 'from Ohio".
    """
    written = [list(sentence) for sentence in sentences]
    places = [(n, place) for n, tokens in enumerate(written) for place in _marks(tokens, '"')]
    paired = len(places) % 2 == 0 and places and _opens(written[places[0][0]], places[0][1])
    wrong = [
        (number, place)
        for number, place in (places[1::2] if paired else [])
        if _opens(written[number], place)
        and _text_before(written, number, place) in _PAUSES
        and (place or _goes_on(written[number][1:]))
    ]
    for number, tokens in enumerate(written):
        single = [(place, _opens_word(tokens, place)) for place in _marks(tokens, "'")]
        opening = [index for index, (_, opens) in enumerate(single) if opens]
        if len(opening) == 2 and opening[1] == opening[0] + 1:
            wrong.append((number, single[opening[1]][0]))
    for number, place in sorted(wrong, reverse=True):
        tokens = written[number]
        tokens[place] = replace(tokens[place], space=False)
        tokens[place + 1] = replace(tokens[place + 1], space=True)
        if not place:
            written[number - 1].append(tokens.pop(0))
    return written


def _text_before(sentences: Sequence[Sequence[SourcedToken]], number: int, place: int) -> str:
    """Return the word or mark before a place in a sentence; empty at the start."""
    before = sentences[number][:place] or (sentences[number - 1] if number else ())
    return before[-1].text if before else ""


def _goes_on(tokens: Sequence[SourcedToken]) -> bool:
    """Check whether words begin no sentence of their own: "in the film", "the mayor asked."."""
    return not tokens[0].text[0].isupper() or _speaks(tokens)


def _opens_word(tokens: Sequence[SourcedToken], place: int) -> bool:
    """Check whether a mark is spaced like an opening one before a word, not as in "the '80s"."""
    return _opens(tokens, place) and tokens[place + 1].text.isalpha()


def _marks(tokens: Sequence[SourcedToken], mark: str) -> list[int]:
    return [place for place, token in enumerate(tokens) if token.text == mark]


def _opens(tokens: Sequence[SourcedToken], place: int) -> bool:
    """Check whether a straight quotation mark is spaced like an opening one."""
    last = place + 1 == len(tokens)
    return not last and (not place or tokens[place].space) and not tokens[place + 1].space


def _followers(plan: Plan) -> set[Key]:
    """Return the spans that follow the same span in the text as in their source."""
    adjacent = {
        pair
        for source in plan.story.sources
        for pair in pairwise(span.key for span in source.spans)
    }
    return {
        after
        for pair in pairwise(span.key for span in plan.spans)
        if pair in adjacent
        for after in pair[1:]
    }


class _Elsewhere(NamedTuple):
    """Content word of a dropped span."""

    key: Key
    said: str
    source: Source


def _dropped_words(plan: Plan) -> Mapping[tuple[Key, str], Sequence[_Elsewhere]]:
    """Return content words of dropped spans, by the span that mainly covers them and by concept."""
    words: defaultdict[tuple[Key, str], list[_Elsewhere]] = defaultdict(list)
    for spans in plan.story.sources:
        document = spans.document
        for span in spans.spans:
            for covering in plan.selection.dropped.get(span.key, ())[:1]:
                for token in (word for body in span.bodies for word in document.tokens_in(body)):
                    if is_content(token.text):
                        place = (covering, concept(token.text))
                        source = Source(document.id, token.start, token.end, "inflected")
                        words[place].append(_Elsewhere(span.key, token.text.lower(), source))
    return words
