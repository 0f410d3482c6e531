"""Sentences merged with a plural spelled out as the list of names that another sentence has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.text import Source, Span, WovenToken
from tatian.text.provenance import glue, render
from tatian.union.models import Merged, Outcome, Passage
from tatian.union.models.copying import copy_tokens
from tatian.union.models.multi_woven import Woven

Merge = Callable[[Sequence[Passage]], Merged]

_OWN = -1
"""Numbers drafts downwards, so that their names differ from those of a merger's drafts."""
_CLOSING = frozenset(".,;:!?)]–—")


class SpelledOut(Struct, frozen=True):
    """A plural of one passage that stands for a list in another."""

    index: int
    """Which of the passages has the plural."""
    phrase: Span
    listed: Passage
    """The list, in its own document."""
    telling: bool
    """Whether the plural says what the other passage does not, and must not be lost."""


def merge_spelled_out(
    passages: Sequence[Passage], spelled: Sequence[SpelledOut], merge: Merge
) -> Merged | None:
    """What `merge` makes of passages with plurals spelled out, all from one list.

    None unless the result has that list once, whole and in one place.
    """
    woven = {
        one.index: Woven(_spelled(passages[one.index], one), passages[one.index], _OWN - number)
        for number, one in enumerate(spelled)
    }
    given = [
        _with_metadata(woven[index], passage) if index in woven else passage
        for index, passage in enumerate(passages)
    ]
    found = merge(given)
    sentences = [_traced(sentence, list(woven.values())) for sentence in found.sentences]
    place = _place(sentences, spelled[0].listed)
    if place is None:
        return None
    number, start, end = place
    sentences[number] = _marked(sentences[number], start, end, passages, spelled)
    drafts = {draft.id for draft in woven.values()}
    return Merged(
        tuple(sentences),
        tuple(_outcomes(found.outcomes, passages, spelled)),
        tuple(
            one
            for one in found.contradictions
            if drafts.isdisjoint(claim.document for claim in one.claims)
        ),
    )


def _with_metadata(woven: Woven, passage: Passage) -> Passage:
    """The draft as a passage of the account it is made from, by whose name it is cited."""
    document = replace(woven.passage.document, metadata=passage.document.metadata)
    return Passage(document, woven.passage.span)


def _spelled(passage: Passage, one: SpelledOut) -> tuple[WovenToken, ...]:
    tokens = copy_tokens(passage)
    inside = [at for at, token in enumerate(tokens) if _within(token, passage, one.phrase)]
    first, last = inside[0], inside[-1]
    listed = copy_tokens(one.listed)
    return (*tokens[:first], *listed, *tokens[last + 1 :])


def _within(token: WovenToken, passage: Passage, span: Span) -> bool:
    return any(
        source.document == passage.document.id and span.start <= source.start < span.end
        for source in token.sources
    )


def _traced(tokens: tuple[WovenToken, ...], drafts: Sequence[Woven]) -> tuple[WovenToken, ...]:
    for draft in drafts:
        tokens = draft.traced(tokens)
    return tokens


def _place(
    sentences: Sequence[Sequence[WovenToken]], listed: Passage
) -> tuple[int, int, int] | None:
    """The sentence that has the list, and from where to where; None if not once and whole."""
    places = [
        (number, at)
        for number, sentence in enumerate(sentences)
        for at, token in enumerate(sentence)
        if _within(token, listed, listed.span)
    ]
    numbers = {number for number, _ in places}
    if len(numbers) != 1:
        return None
    number = numbers.pop()
    start, end = places[0][1], places[-1][1] + 1
    whole = [token.text for token in sentences[number][start:end]]
    return (number, start, end) if whole == [t.text for t in copy_tokens(listed)] else None


def _marked(
    sentence: tuple[WovenToken, ...],
    start: int,
    end: int,
    passages: Sequence[Passage],
    spelled: Sequence[SpelledOut],
) -> tuple[WovenToken, ...]:
    """The list with the plurals among its sources; the most telling one stands before it."""
    telling = [one for one in spelled if one.telling]
    shown = max(telling, key=lambda one: len(one.phrase), default=None)
    hidden = tuple(
        Source(passages[one.index].document.id, one.phrase.start, one.phrase.end, "aggregated")
        for one in spelled
        if one is not shown
    )
    run = [
        replace(token, sources=tuple(dict.fromkeys((*token.sources, *hidden))))
        for token in sentence[start:end]
    ]
    if shown is None:
        return (*sentence[:start], *run, *sentence[end:])
    before = _phrase(passages[shown.index], shown, sentence[start].space)
    rest = sentence[end:]
    closed = not rest or rest[0].text in _CLOSING
    comma = () if closed else (glue(",", space=False),)
    return (
        *sentence[:start],
        *before,
        glue(",", space=False),
        replace(run[0], space=True),
        *run[1:],
        *comma,
        *rest,
    )


def _phrase(passage: Passage, one: SpelledOut, space: bool) -> Iterator[WovenToken]:
    """The words of the plural as they stand within a sentence."""
    first, *others = copy_tokens(Passage(passage.document, one.phrase))
    opens = one.phrase.start == passage.span.start
    yield replace(first, text=first.text.lower() if opens else first.text, space=space)
    yield from others


def _outcomes(
    outcomes: Sequence[Outcome], passages: Sequence[Passage], spelled: Sequence[SpelledOut]
) -> Iterator[Outcome]:
    meant = {
        one.index: f"by “{one.phrase.of(passages[one.index].document.text)}” it means "
        f"{render(copy_tokens(one.listed))}"
        for one in spelled
    }
    for index, outcome in enumerate(outcomes):
        why = "; ".join(filter(None, (outcome.why, meant.get(index))))
        yield Outcome(outcome.fate, why, outcome.into)
