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
"""Content of a document by kind."""
_SEGMENT_LAYERS: tuple[LayerKey[Any], ...] = (TOKENS, SENTENCES)


def find_losses(documents: Iterable[Document], format: Format, written: str) -> Losses:
    """Return what `written`, read again, has lost of `documents`."""
    losses = Losses()
    for document, again in zip(documents, format.read(written), strict=False):
        text, text_again = document.text, again.text
        before, after = _facets(document, text_again), _facets(again, text)
        lost = {what: (facets - after[what]).total() for what, facets in before.items()}
        if lost[_MENTIONS]:
            lost[_CHAINS] = 0
        has_same_spacing = text.strip() in text_again or text_again.strip() in text
        lost["exact spacing of the text"] = not has_same_spacing
        for what in filter(lost.get, lost):
            losses.add(what, document.id, lost[what])
    return losses


def _facets(document: Document, other_text: str) -> Facets:
    """Return a document's content by kind; places count letters from where the texts agree."""
    skipped = max("".join(document.text.split()).find("".join(other_text.split())), 0)
    is_letter = (not character.isspace() for character in document.text)
    letters = list(accumulate(is_letter, initial=-skipped))

    def at(span: Span) -> tuple[int, int]:
        return letters[span.start], letters[span.end]

    chains = chains_of(document)
    mentions = [mention for chain in chains for mention in chain.mentions]

    def of_mentions(value_of: Callable[[Mention], Hashable]) -> Counter[Hashable]:
        return Counter((at(mention), value) for mention in mentions if (value := value_of(mention)))

    links, metadata = links_of(document), document.metadata
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
            (at(link), *properties, link.names)
            for link in links
            for properties in [(link.score, link.named, link.type, link.tags, link.ids)]
            if properties != (None, None, "", (), ())
        ),
        "tokens and sentences as they were given": Counter(
            (key.name, at(span))
            for key in _SEGMENT_LAYERS
            if document.has(key) and document.layers[key.name].made != SPLIT_AUTHOR
            for span in document.get(key)
        ),
        "tags, lemmas and trees of words": Counter(
            (word.tag, word.lemma) for word in document.get(WORDS, ())
        ),
        "names": Counter(map(at, document.get(NAMES, ()))),
        "titles, dates, sources and topics": Counter(
            filter(None, (metadata.title, metadata.date, metadata.source, metadata.topic))
        ),
        "other metadata": Counter(metadata.extra.items()),
    }
