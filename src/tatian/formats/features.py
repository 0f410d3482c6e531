"""What documents can carry, so that a format's losses can be told by name.

`CHAIN_FEATURES` is for formats of coreference, `LINK_FEATURES` for those of linked mentions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from tatian.formats.conllu import FRAMES
from tatian.formats.format import ORIGINAL, Feature, Losses, original
from tatian.formats.links import evaluated_parts, links_of, part_of
from tatian.formats.tokens import CUT, chains_of, is_shared
from tatian.text import (
    CHAINS,
    LINKS,
    MENTIONS,
    NAMES,
    SENTENCES,
    TOKENS,
    WORDS,
    Document,
    LayerKey,
    Link,
    Mention,
)

_KNOWN = {
    key.name for key in (TOKENS, SENTENCES, WORDS, NAMES, MENTIONS, LINKS, CHAINS, FRAMES, ORIGINAL)
}
_RELATIONS = re.compile(r"(?:^|\|)(?:Bridge|SplitAnte)=")
_NODE_ENTITY = re.compile(r"\bEntity=")
_DESCRIBED = re.compile(r'TAG_DESCRIPTOR="[^"]')
_SOURCE = re.compile(r'<source\s+m_id="([^"]*)"')
_TAG = re.compile(r"<(?!/?COREF\b)[A-Za-z][^>]*>", re.IGNORECASE)


class OtherLayers(Feature, frozen=True):
    """Layers that only we, or nobody we know, can read."""

    def note(self, document: Document, losses: Losses) -> None:
        """Note each by its name."""
        for name in sorted(document.layers.keys() - _KNOWN):
            if not name.startswith("coreference."):
                losses.add(f"layer '{name}'", document.id)


def all_but(features: Sequence[Feature], held: str = "") -> tuple[Feature, ...]:
    """What a format loses that holds only the features named in `held`."""
    names = held.split()
    unknown = set(names) - {feature.name for feature in features}
    if unknown:
        raise ValueError(f"no features called {sorted(unknown)}")
    return tuple(feature for feature in features if feature.name not in names)


def _mentions(document: Document) -> Iterator[Mention]:
    return (mention for chain in chains_of(document) for mention in chain.mentions)


def _where(holds: Callable[[Mention], object]) -> Callable[[Document], int]:
    return lambda document: sum(1 for mention in _mentions(document) if holds(mention))


def _filled(key: LayerKey[Any]) -> Callable[[Document], int]:
    return lambda document: len(document.get(key)) if document.has(key) else 0


def _given(key: LayerKey[Any]) -> Callable[[Document], int]:
    """Whether the layer came with the text rather than from our own cutting."""
    return lambda document: int(document.has(key) and document.layers[key.name].made != CUT)


def _types(document: Document) -> int:
    return sum(1 for chain in chains_of(document) if chain.type) or _where(lambda one: one.type)(
        document
    )


def _unchained(document: Document) -> int:
    if not document.has(MENTIONS):
        return 0
    chained = {(mention.start, mention.end) for mention in _mentions(document)}
    return sum(1 for one in document.get(MENTIONS) if (one.start, one.end) not in chained)


def _shared(document: Document) -> int:
    return sum(1 for chain in chains_of(document) if is_shared(chain, document))


def _metadata(document: Document) -> int:
    known = document.metadata
    return sum(map(bool, (known.title, known.date, known.source)))


def _details(document: Document) -> int:
    return bool(document.metadata.topic) + len(document.metadata.extra)


def _relations(document: Document) -> int:
    frames = document.get(FRAMES) if document.has(FRAMES) else ()
    return sum(bool(_RELATIONS.search(misc)) for frame in frames for misc in frame.misc)


def _empty_nodes(document: Document) -> int:
    frames = document.get(FRAMES) if document.has(FRAMES) else ()
    return sum(bool(_NODE_ENTITY.search(line)) for frame in frames for line in frame.empty)


def _frames(document: Document) -> int:
    return int(document.has(FRAMES))


def _columns(document: Document) -> int:
    """Whether a CoNLL document says more of its words than their coreference."""
    rows = (line.split() for line in (original(document, "conll") or "").split("\n"))
    return int(
        any(
            set(field) - set("-_*")
            for row in rows
            if row and not row[0].startswith("#")
            for field in row[4:-1]
        )
    )


def _found(pattern: re.Pattern[str], format: str) -> Callable[[Document], int]:
    return lambda document: len(pattern.findall(original(document, format) or ""))


def _twofold(document: Document) -> int:
    sources = _SOURCE.findall(original(document, "ecbplus") or "")
    return len(sources) - len(set(sources))


CHAIN_FEATURES: tuple[Feature, ...] = (
    Feature(
        "parts",
        "mentions in pieces: written as the stretch around them",
        _where(lambda one: one.parts),
    ),
    Feature("heads", "minimal strings (MIN) of mentions", _where(lambda one: one.head)),
    Feature("optional", "optional mentions: written as certain", _where(lambda one: one.optional)),
    Feature("types", "types of chains and mentions", _types),
    Feature(
        "attributes",
        "attributes of mentions",
        _where(lambda one: one.attributes),
    ),
    Feature("links", "links to Wikipedia", _filled(LINKS)),
    Feature("unchained", "mentions outside every chain", _unchained),
    Feature("ids", "ids of chains across documents", _shared),
    Feature("tokens", "tokens as they were given", _given(TOKENS)),
    Feature("sentences", "sentences as they were given", _given(SENTENCES)),
    Feature("words", "tags, lemmas and trees of words", _filled(WORDS)),
    Feature("names", "names", _filled(NAMES)),
    Feature(
        "metadata",
        "titles, dates and sources of documents",
        _metadata,
        ("muc", "corefud"),
    ),
    Feature(
        "details",
        "topics and other metadata of documents",
        _details,
        ("corefud",),
    ),
    Feature(
        "relations",
        "bridging and split antecedents (Bridge=, SplitAnte=)",
        _relations,
        ("corefud",),
    ),
    Feature("nodes", "mentions on empty nodes", _empty_nodes, ("corefud",)),
    Feature("frames", "comments, multiword tokens and MISC of CoNLL-U", _frames, ("corefud",)),
    Feature("columns", "speakers and other columns of CoNLL", _columns, ("conll",)),
    Feature(
        "instances",
        "descriptions of instances (TAG_DESCRIPTOR)",
        _found(_DESCRIBED, "ecbplus"),
    ),
    Feature("twofold", "mentions in two chains: kept in one", _twofold),
    Feature("tags", "SGML tags other than COREF", _found(_TAG, "muc"), ("muc",)),
    OtherLayers("layers", "layers of other packages", lambda document: 0),
)


def _linked(has: Callable[[Link], object]) -> Callable[[Document], int]:
    return lambda text: sum(1 for link in links_of(text) if has(link))


def _overlapping(text: Document) -> int:
    """Mentions that begin before the end of one before them."""
    count = end = 0
    for mention in links_of(text):
        count += mention.start < end
        end = max(end, mention.end)
    return count


def _same_place(text: Document) -> int:
    places = [(one.start, one.end) for one in links_of(text)]
    return sum(one == two for one, two in pairwise(places))


def _further(mention: Link) -> int:
    return max(len(mention.titles) - 1, 0)


LINK_FEATURES: tuple[Feature, ...] = (
    Feature("topic", "topics", lambda text: bool(text.metadata.topic)),
    Feature("title", "titles of texts", lambda text: bool(text.metadata.title)),
    Feature("part_of", "which texts belong together", lambda text: bool(part_of(text))),
    Feature("evaluated", "which parts are evaluated", lambda text: bool(evaluated_parts(text))),
    Feature("unlinked", "mentions without a page: left out", _linked(lambda one: not one.titles)),
    Feature("pages", "further pages of a mention", lambda text: sum(map(_further, links_of(text)))),
    Feature("overlaps", "mentions inside or across others: left out", _overlapping),
    Feature("places", "second mentions of one place", _same_place),
    Feature("score", "scores of mentions", _linked(lambda one: one.score is not None)),
    Feature("named", "whether mentions are names", _linked(lambda one: one.named is not None)),
    Feature("type", "types of mentions", _linked(lambda one: one.type)),
    Feature("tags", "tags of mentions", lambda text: sum(len(one.tags) for one in links_of(text))),
    Feature("ids", "ids of pages in the corpus's own terms", _linked(lambda one: one.ids)),
    Feature("names", "names of things beside their ids", _linked(lambda one: any(one.names))),
)
