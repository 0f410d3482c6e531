"""ECB+ for `coref_cross.py` and `coref_linking.py`: keys, heads, resolvers' chains.

Only some sentences of ECB+ were annotated for coreference. In others mentions are marked, but
hardly one in a thousand is linked with anything. The archive lacks the corpus' own list of
annotated sentences. So a sentence counts as annotated if it has a mention in a chain across
documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import msgspec

from tatian.coreference.analysis import analyse
from tatian.coreference.models import resolvers
from tatian.formats.ecbplus import by_subtopic, read_ecbplus
from tatian.mentions.models import detectors
from tatian.text import (
    CHAINS,
    NAMES,
    SENTENCES,
    TOKENS,
    WORDS,
    Chain,
    Document,
    Mention,
    Sentence,
    Span,
)

ARCHIVE = Path("coreference") / "ecbplus-topics-1-35.tar.gz"
SCHEME = "gum"
"""Annotation scheme that also marks entities mentioned once."""

Place = tuple[str, Mention]
Labels = dict[Place, str]
"""Label of the thing that each mention of each document stands for."""


class Read(msgspec.Struct, frozen=True):
    """A gold document and the same document after a resolver."""

    gold: Document
    read: Document

    @property
    def id(self) -> str:
        """Id of both documents."""
        return self.gold.id


def read_events(
    data: Path, topics: Collection[str], limit: int | None = None
) -> dict[tuple[str, str], list[Document]]:
    """Return the reports of each event; a topic has two."""
    documents = read_ecbplus(data / ARCHIVE, topics=topics, header=False)
    return {at: documents[:limit] for at, documents in by_subtopic(documents).items()}


def resolve_all(documents: Iterable[Document], model: str) -> list[Read]:
    """Return every document with a resolver's chains on its tokens and sentences."""
    schemes = getattr(resolvers.find(model), "schemes", ())
    resolver = resolvers.create(model, scheme=SCHEME) if schemes else resolvers.create(model)
    detector = detectors.create()
    return [Read(d, resolver.resolve(detector.detect(analyse(_bare(d))))) for d in documents]


def _bare(document: Document) -> Document:
    layers = {key.name: document.layers[key.name] for key in (TOKENS, SENTENCES)}
    return msgspec.structs.replace(document, layers=layers)


def key_of(document: Document, types: Collection[str], *, annotated: bool = True) -> Document:
    """Return the key: chains of some types, in annotated sentences or in all."""
    sentences = annotated_sentences(document) if annotated else document.sentences
    kept = []
    for chain in document.get(CHAINS):
        if chain.type not in types:
            continue
        mentions = tuple(mention for mention in chain.mentions if _lies_in(mention, sentences))
        if mentions:
            kept.append(Chain(chain.id, mentions, chain.type))
    return document.with_layer(CHAINS, kept, "ECB+")


def annotated_sentences(document: Document) -> list[Sentence]:
    """Return the sentences with a mention, of a thing or an event, in a chain across documents."""
    across = [m for chain in document.get(CHAINS) if "#" not in chain.id for m in chain.mentions]
    return [s for s in document.sentences if any(s.contains(other) for other in across)]


def _lies_in(span: Span, sentences: Iterable[Sentence]) -> bool:
    return any(sentence.contains(span) for sentence in sentences)


def mentions_of(document: Document) -> Iterator[Mention]:
    """Yield the mentions of all chains."""
    for chain in document.get(CHAINS):
        yield from chain.mentions


class Heads:
    """Head words of spans of an analysed document."""

    def __init__(self, document: Document) -> None:
        self._place = {token.start: place for place, token in enumerate(document.tokens)}
        self._document = document
        self._words = {word.token: word for word in document.get(WORDS)}

    def of(self, span: Span) -> int:
        """Return the top word of a span, or the word that contains it ("ACC" of "Ten/ACC")."""
        inside = self._document.tokens_in(span) or [
            t for t in self._document.tokens if t.start < span.end and span.start < t.end
        ]
        places = [self._place[t.start] for t in inside]
        tops = [place for place in places if self._words[place].head not in places]
        return next((place for place in tops if self._words[place].tag != "PUNCT"), places[0])

    def span(self, mention: Mention) -> Mention:
        """Return the head word of a mention as a mention of its own."""
        token = self._document.tokens[self.of(mention.head or mention)]
        return Mention(token.start, token.end)

    def lemma(self, span: Span) -> str | None:
        """Return the head's lemma in lower case; None for a pronoun, which fits anything."""
        word = self._words[self.of(span)]
        return None if word.tag == "PRON" else word.lemma.lower()


def put_on_gold(key: Document, read: Document) -> Document:
    """Return the resolver's document with chains of the key's mentions alone.

    A mention belongs to the chain that has its head; one without such a chain stands alone.
    """
    heads = Heads(read)
    by_head = {heads.of(m.head or m): (c.id, m) for c in read.get(CHAINS) for m in c.mentions}
    groups: dict[str, set[Mention]] = {}
    for place in mentions_of(key):
        head = heads.of(place)
        if head in by_head:
            id, mention_found = by_head[head]
            least = mention_found.head or Span(mention_found.start, mention_found.end)
            mention = Mention(place.start, place.end, mention_found.type, head=least)
        else:
            id, mention = f"{key.id}+{place.start}-{place.end}", _alone(read, place, head)
        groups.setdefault(id, set()).add(mention)
    chains = [Chain(id, tuple(sorted(group)), _type(group)) for id, group in groups.items()]
    return read.with_layer(CHAINS, chains, "key's mentions")


def _alone(read: Document, mention: Mention, head: int) -> Mention:
    """Return a mention with the name around its head, or its head word."""
    token = read.tokens[head]
    name = next((name for name in read.get(NAMES) if name.contains(token)), None)
    if name is None:
        return Mention(mention.start, mention.end, head=Span(token.start, token.end))
    least = Span(max(name.start, mention.start), min(name.end, mention.end))
    return Mention(mention.start, mention.end, name.type, head=least)


def _type(mentions: Iterable[Mention]) -> str:
    types = Counter(mention.type for mention in mentions if mention.type)
    return min(types, key=lambda type: (-types[type], type)) if types else ""


def make_response(key: Document, labels: Labels, prefix: str) -> Document:
    """Return the key's document with chains by label; equal spans are one mention."""
    chains: dict[str, set[Mention]] = {}
    for (id, mention), label in labels.items():
        if id == key.id:
            chains.setdefault(f"{prefix} {label}", set()).add(Mention(mention.start, mention.end))
    response_chains = [Chain(label, tuple(sorted(mentions))) for label, mentions in chains.items()]
    return key.with_layer(CHAINS, response_chains, "response")


def reduce_to_heads(key: Document, read: Document) -> Document:
    """Return the key with each mention reduced to its head word."""
    heads = Heads(read)
    chains = [
        Chain(
            chain.id, tuple(sorted({heads.span(mention) for mention in chain.mentions})), chain.type
        )
        for chain in key.get(CHAINS)
    ]
    return key.with_layer(CHAINS, chains, "heads")
