"""Convert a walk to a sentence: spaces, capitals, punctuation."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from tatian.text import NAMES, WORDS, Document, SourcedToken
from tatian.text.documents import MARKS, Passage, copy_tokens
from tatian.text.layers import capitalized, glue
from tatian.union.models.edit.decoder import FIRST
from tatian.union.models.edit.words import GLUE

FINAL = frozenset(".!?")
_CLOSING = frozenset(",.;:?!%)]}”…") | {"'s", "’s", "'", "’", "n't", "n’t", "'re", "'ve", "'ll"}
_OPENING = frozenset("([{“‘$£€#")
_PAUSES = frozenset(",;:–—") | {"--", "-"}
_BRACKETS = {"(": ")", "[": "]", "{": "}"}


class UnionInput(Struct, frozen=True):
    """An input sentence of a union; `proper` is True if its first word keeps its capital."""

    tokens: tuple[SourcedToken, ...]
    proper: bool = False
    names: tuple[tuple[int, int], ...] = ()
    """First and last word indices of each name of several words."""


def union_input(passage: Passage) -> UnionInput:
    """Convert a passage to words with their sources."""
    tokens = copy_tokens(passage)
    first = next((i for i, token in enumerate(tokens) if token.text[:1].isalpha()), None)
    if first is None:
        return UnionInput(tokens)
    start = tokens[first].sources[0].start
    document = passage.document
    proper = document.has(NAMES) and any(
        name.start <= start < name.end for name in document.inside(NAMES, passage.span)
    )
    proper = proper or _find_tag(document, start) == "PROPN"
    return UnionInput(tokens, proper, tuple(_find_names(passage, tokens)))


def _find_names(passage: Passage, tokens: Sequence[SourcedToken]) -> Iterator[tuple[int, int]]:
    if not passage.document.has(NAMES):
        return
    starts = [token.sources[0].start for token in tokens]
    for name in passage.document.inside(NAMES, passage.span):
        first, end = bisect_left(starts, name.start), bisect_left(starts, name.end)
        if end - first > 1:
            yield first, end - 1


def _find_tag(document: Document, start: int) -> str:
    """Return the part of speech of the token that starts here; empty if unknown."""
    if not document.has(WORDS):
        return ""
    place = bisect_left(document.tokens, start, key=lambda token: token.start)
    words = document.get(WORDS)
    at = bisect_left(words, place, key=lambda word: word.token)
    return words[at].tag if at < len(words) and words[at].token == place else ""


def write(walk: Sequence[int], sentences: Sequence[UnionInput]) -> tuple[SourcedToken, ...]:
    """Write the sentence that a walk through the words of these sentences describes."""
    places = [(sentence, index) for sentence in sentences for index in range(len(sentence.tokens))]
    written: list[SourcedToken] = []
    last: tuple[UnionInput, int] | None = None
    for item in walk:
        if item < FIRST:
            token = glue(GLUE[item])
            place = None
        else:
            place = places[item - FIRST]
            token = case_word(place, opens=not written)
        follows = place is not None and last == (place[0], place[1] - 1)
        if not follows:
            token = replace(token, space=needs_space(written, token))
        last = place
        written.append(token)
    return finish_words(written, sentences)


def case_word(place: tuple[UnionInput, int], opens: bool) -> SourcedToken:
    """Return the word in the case that it has inside a sentence."""
    source, index = place
    token = source.tokens[index]
    started = any(any(c.isalnum() for c in before.text) for before in source.tokens[:index])
    if opens or started or source.proper or token.quoted:
        return token
    text = token.text
    if len(text) > 1 and text[0].isupper() and text[1:].islower() and text not in ("I'm", "I've"):
        return replace(token, text=text[0].lower() + text[1:])
    if text == "A":
        return replace(token, text="a")
    return token


def needs_space(written: Sequence[SourcedToken], token: SourcedToken) -> bool:
    """Return True if a word in a new context needs a space before it."""
    if token.text in _CLOSING:
        return False
    if not written:
        return True
    before = written[-1]
    opens_quotation = before.text in MARKS and token.quoted
    if before.text in _OPENING:
        return False
    if (opens_quotation or token.text in MARKS) and _has_open_mark(written):
        return False
    return not (before.text == "-" and not before.space)


def _has_open_mark(written: Sequence[SourcedToken]) -> bool:
    return sum(token.text in MARKS for token in written) % 2 == 1


def finish_words(
    written: Sequence[SourcedToken], inputs: Sequence[UnionInput]
) -> tuple[SourcedToken, ...]:
    """Drop stray marks, capitalise the start, and add a full stop if a source has one."""
    kept: list[SourcedToken] = []
    for token in written:
        if token.text in _PAUSES and not token.quoted and (not kept or kept[-1].text in _PAUSES):
            continue
        if token.text in FINAL or token.text == ";":
            while kept and kept[-1].text in _PAUSES and not kept[-1].quoted:
                kept.pop()
        kept.append(token)
    while kept and kept[-1].text in _PAUSES and not kept[-1].quoted:
        kept.pop()
    stops = any(s.tokens and s.tokens[-1].text in FINAL for s in inputs)
    if kept and stops and not any(t.text in FINAL for t in kept[-2:]):
        kept.append(glue(".", space=False))
    return capitalized(kept)


def is_balanced(tokens: Sequence[SourcedToken]) -> bool:
    """Return True if all brackets and quotation marks are paired."""
    closing: list[str] = []
    for token in tokens:
        if token.text in _BRACKETS:
            closing.append(_BRACKETS[token.text])
        elif token.text in _BRACKETS.values() and (not closing or closing.pop() != token.text):
            return False
    return not closing and not _has_open_mark(tokens)


def keeps_quotations(walk: Sequence[int], sentences: Sequence[UnionInput]) -> bool:
    """Return True if every quotation is complete or absent."""
    tokens = [token for sentence in sentences for token in sentence.tokens]
    starts = {0, len(sentences[0].tokens)}
    after = dict(pairwise(walk))
    used = set(walk)
    for place in range(len(tokens) - 1):
        inside = tokens[place].quoted and tokens[place + 1].quoted and place + 1 not in starts
        between = tokens[place].text in MARKS and tokens[place + 1].text in MARKS
        if not inside or between:
            continue
        item, following = place + FIRST, place + 1 + FIRST
        if (item in used) != (following in used):
            return False
        if item in used and after.get(item) != following:
            return False
    return True


def keeps_names(walk: Sequence[int], sentences: Sequence[UnionInput]) -> bool:
    """Return True if no name is split: "Ann Lee" and "Bo Ray" never give "Ann Bo Ray Lee"."""
    at = {item: index for index, item in enumerate(walk)}
    offset = FIRST
    for source in sentences:
        for first, last in source.names:
            places = [at[i] for i in range(offset + first, offset + last + 1) if i in at]
            if any(b != a + 1 for a, b in pairwise(places)):
                return False
        offset += len(source.tokens)
    return True
