"""Losses of a format: found by reading the result again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import accumulate
from typing import Any

from tatian.formats import Format, Losses
from tatian.formats.links import links_of
from tatian.formats.tokens import SPLIT_AUTHOR, chains_of
from tatian.text import NAMES, SENTENCES, TOKENS, WORDS, Document, LayerKey, Mention, Span

_MENTIONS = "mentions, left out or changed"
_CHAINS = "chains, joined or divided"
Facets = dict[str, Counter[Hashable]]
_GIVEN: tuple[LayerKey[Any], ...] = (TOKENS, SENTENCES)


def find_losses(documents: Iterable[Document], format: Format, written: str) -> Losses:
    """Return what `written`, read again, has lost of `documents`."""
    losses = Losses()
    for document, again in zip(documents, format.read(written), strict=False):
        before, after = _both(document, again)
        gone = {what: (facets - after[what]).total() for what, facets in before.items()}
        if gone[_MENTIONS]:
            gone[_CHAINS] = 0
        text, text_again = document.text.strip(), again.text.strip()
        gone["exact spacing of the text"] = text not in text_again and text_again not in text
        for what in filter(gone.get, gone):
            losses.add(what, document.id, gone[what])
    return losses


def _both(first_document: Document, second_document: Document) -> tuple[Facets, Facets]:
    first, second = (
        "".join(document.text.split()) for document in (first_document, second_document)
    )
    return _facets(first_document, max(first.find(second), 0)), _facets(
        second_document, max(second.find(first), 0)
    )


def _facets(document: Document, skipped: int) -> Facets:
    """Return a document's content by kind; places count letters after those skipped."""
    letters = list(
        accumulate((not character.isspace() for character in document.text), initial=-skipped)
    )

    def at(span: Span) -> tuple[int, int]:
        return letters[span.start], letters[span.end]

    chains = chains_of(document)
    mentions = [mention for chain in chains for mention in chain.mentions]

    def of_mentions(value_of: Callable[[Mention], Hashable]) -> Counter[Hashable]:
        return Counter((at(mention), value) for mention in mentions if (value := value_of(mention)))

    links = links_of(document)
    metadata = document.metadata
    return {
        _MENTIONS: Counter(map(at, mentions)),
        _CHAINS: Counter(frozenset(map(at, chain.mentions)) for chain in chains),
        "mentions in pieces": of_mentions(lambda mention: tuple(map(at, mention.parts))),
        "minimal strings (MIN) of mentions": of_mentions(
            lambda mention: mention.head and at(mention.head)
        ),
        "optional mentions": of_mentions(lambda mention: mention.optional),
        "types of mentions": Counter(
            (at(mention), mention.type or chain.type)
            for chain in chains
            for mention in chain.mentions
            if mention.type or chain.type
        ),
        "attributes of mentions": of_mentions(lambda mention: mention.attributes),
        "links to pages": Counter((at(link), title) for link in links for title in link.titles),
        "mentions without a page": Counter(at(link) for link in links if not link.titles),
        "scores, types, tags and ids of links": Counter(
            (at(link), link.score, link.named, link.type, link.tags, link.ids, link.names)
            for link in links
            if link.score is not None
            or link.named is not None
            or link.type
            or link.tags
            or link.ids
        ),
        "tokens and sentences as they were given": Counter(
            (key.name, at(span))
            for key in _GIVEN
            if document.has(key) and document.layers[key.name].made != SPLIT_AUTHOR
            for span in document.get(key)
        ),
        "tags, lemmas and trees of words": Counter(
            (word.tag, word.lemma) for word in (document.get(WORDS) if document.has(WORDS) else ())
        ),
        "names": Counter(map(at, document.get(NAMES) if document.has(NAMES) else ())),
        "titles, dates, sources and topics": Counter(
            filter(None, (metadata.title, metadata.date, metadata.source, metadata.topic))
        ),
        "other metadata": Counter(metadata.extra.items()),
    }
