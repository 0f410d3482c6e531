"""What a format did not hold of what it was given: found by reading the result again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import accumulate
from typing import Any

from tatian.formats.format import Format, Losses
from tatian.formats.links import links_of
from tatian.formats.tokens import CUT, chains_of
from tatian.text import NAMES, SENTENCES, TOKENS, WORDS, Document, LayerKey, Mention, Span

_MENTIONS = "mentions, left out or changed"
_CHAINS = "chains, joined or divided"
Facets = dict[str, Counter[Hashable]]
_GIVEN: tuple[LayerKey[Any], ...] = (TOKENS, SENTENCES)


def lost(documents: Iterable[Document], format: Format, written: str) -> Losses:
    """Everything that `written`, read again, does not say as `documents` do."""
    found = Losses()
    for document, again in zip(documents, format.read(written), strict=False):
        before, after = _both(document, again)
        gone = {what: (said - after[what]).total() for what, said in before.items()}
        if gone[_MENTIONS]:
            gone[_CHAINS] = 0
        one, other = document.text.strip(), again.text.strip()
        gone["exact spacing of the text"] = one not in other and other not in one
        for what in filter(gone.get, gone):
            found.add(what, document.id, gone[what])
    return found


def _both(one: Document, other: Document) -> tuple[Facets, Facets]:
    first, second = ("".join(document.text.split()) for document in (one, other))
    return _facets(one, max(first.find(second), 0)), _facets(other, max(second.find(first), 0))


def _facets(document: Document, skipped: int) -> Facets:
    """What a document says, by kind; places are counted in letters after so many of the text."""
    letters = list(accumulate((not one.isspace() for one in document.text), initial=-skipped))

    def at(span: Span) -> tuple[int, int]:
        return letters[span.start], letters[span.end]

    chains = chains_of(document)
    mentions = [mention for chain in chains for mention in chain.mentions]

    def of_mentions(said: Callable[[Mention], Hashable]) -> Counter[Hashable]:
        return Counter((at(one), value) for one in mentions if (value := said(one)))

    links = links_of(document)
    known = document.metadata
    return {
        _MENTIONS: Counter(map(at, mentions)),
        _CHAINS: Counter(frozenset(map(at, chain.mentions)) for chain in chains),
        "mentions in pieces": of_mentions(lambda one: tuple(map(at, one.parts))),
        "minimal strings (MIN) of mentions": of_mentions(lambda one: one.head and at(one.head)),
        "optional mentions": of_mentions(lambda one: one.optional),
        "types of mentions": Counter(
            (at(one), one.type or chain.type)
            for chain in chains
            for one in chain.mentions
            if one.type or chain.type
        ),
        "attributes of mentions": of_mentions(lambda one: one.attributes),
        "links to pages": Counter((at(one), title) for one in links for title in one.titles),
        "mentions without a page": Counter(at(one) for one in links if not one.titles),
        "scores, types, tags and ids of links": Counter(
            (at(one), one.score, one.named, one.type, one.tags, one.ids, one.names)
            for one in links
            if one.score is not None or one.named is not None or one.type or one.tags or one.ids
        ),
        "tokens and sentences as they were given": Counter(
            (key.name, at(one))
            for key in _GIVEN
            if document.has(key) and document.layers[key.name].made != CUT
            for one in document.get(key)
        ),
        "tags, lemmas and trees of words": Counter(
            (word.tag, word.lemma) for word in (document.get(WORDS) if document.has(WORDS) else ())
        ),
        "names": Counter(map(at, document.get(NAMES) if document.has(NAMES) else ())),
        "titles, dates, sources and topics": Counter(
            filter(None, (known.title, known.date, known.source, known.topic))
        ),
        "other metadata": Counter(known.extra.items()),
    }
