"""Documents for the comparison of resolvers: their input, and the keys."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from tatian.formats import recognize
from tatian.scoring.gap import GapExample, GapScores, make_example
from tatian.text import CHAINS, SENTENCES, TOKENS, Chain, Document, Mention, Span, split, tokenize

Found = list[list[list[int]]]
"""Chains of one document; a mention has its first token, its end, and those of its head."""

LITBANK_FOLDS = 8
"""Every eighth document of LitBank, from the first on, is kept out of training."""


class Dataset(Struct, frozen=True):
    """One corpus under one scheme."""

    name: str
    scheme: str
    documents: tuple[Document, ...]
    singletons: bool
    """True if singletons count."""

    @property
    def tokens(self) -> int:
        """Number of tokens that a resolver reads."""
        return sum(len(document.tokens) for document in self.documents)

    def request(self) -> dict[str, Any]:
        """Return the request for a resolver in another process."""
        return {"scheme": self.scheme, "documents": [plain_document(d) for d in self.documents]}


def read_datasets(folder: Path, limit: int | None) -> list[Dataset]:
    """Return all corpora, each cut to `limit` documents."""
    ontogum = _read(folder / "ontogum-dev.conll.gz")
    gum = _read(folder / "gum-dev.conllu.gz")
    litbank = _read(folder / "litbank-train.conll.gz")[::LITBANK_FOLDS]
    gap = [_with_tokens(document) for document in _read(folder / "gap-validation.tsv")]
    return [
        Dataset("OntoGUM", "ontonotes", tuple(ontogum[:limit]), singletons=False),
        Dataset("GUM", "gum", tuple(gum[:limit]), singletons=True),
        Dataset("LitBank", "litbank", tuple(litbank[:limit]), singletons=True),
        Dataset("GAP", "ontonotes", tuple(gap[: limit and 8 * limit]), singletons=False),
    ]


def plain_document(document: Document) -> dict[str, Any]:
    """Return a document for other processes: text, tokens and sentences, nothing else."""
    return {
        "id": document.id,
        "text": document.text,
        "tokens": [(token.start, token.end) for token in document.tokens],
        "sentences": [(sentence.start, sentence.end) for sentence in document.sentences],
    }


def with_answer(document: Document, chains: Found) -> Document:
    """Replace the key's chains by a resolver's; a mention that comes twice counts once.

    Heads are kept for GAP; scores compare whole mentions.
    """
    taken: set[tuple[int, int]] = set()
    chain_list = []
    for number, spans in enumerate(chains, 1):
        mentions = []
        for first, end, head, head_end in spans:
            if (first, end) not in taken:
                taken.add((first, end))
                span, inner = _span(document, first, end), _span(document, head, head_end)
                mentions.append(Mention(span.start, span.end, head=inner))
        if mentions:
            chain_list.append(Chain(f"{document.id}#{number}", tuple(sorted(mentions))))
    return document.with_layer(CHAINS, chain_list, "resolver")


def join_documents(documents: Sequence[Document], times: int) -> Iterator[Document]:
    """Join every `times` consecutive documents, without their chains."""
    for first in range(0, len(documents) - times + 1, times):
        text = ""
        tokens = []
        sentences = []
        for document in documents[first : first + times]:
            text += "\n\n" if text else ""
            shift = len(text)
            tokens += [(token.start + shift, token.end + shift) for token in document.tokens]
            sentences += [(s.start + shift, s.end + shift) for s in document.sentences]
            text += document.text
        yield document_of(documents[first].id, text, tokens, sentences)


def document_of(
    id: str, text: str, tokens: Sequence[Sequence[int]], sentences: Sequence[Sequence[int]]
) -> Document:
    """Build a document with these tokens and sentences."""
    words = [TOKENS.item(start, end, text[start:end]) for start, end in tokens]
    return (
        Document(id, text)
        .with_layer(TOKENS, words, "key")
        .with_layer(SENTENCES, [SENTENCES.item(start, end) for start, end in sentences], "key")
    )


def gap_scores(key: Sequence[Document], response: Sequence[Document]) -> GapScores:
    """Return GAP's scores: a name is the pronoun's if the pronoun's chain has its head.

    The mention must stand where the name stands; the same name elsewhere does not count.
    """
    return GapScores(tuple(map(_example, key, response)))


def _example(key: Document, response: Document) -> GapExample:
    roles = {
        dict(m.attributes)["gap"]: (m, chain) for chain in key.get(CHAINS) for m in chain.mentions
    }
    pronoun, chain = roles["pronoun"]
    coreferent = [
        m
        for chain in response.get(CHAINS)
        if any((m.start, m.end) == (pronoun.start, pronoun.end) for m in chain.mentions)
        for m in chain.mentions
    ]
    names = [roles[role][0] for role in ("A", "B")]
    linked = [any(name.contains(m.head or m) for m in coreferent) for name in names]
    gold = [name in chain.mentions for name in names]
    return make_example(key.id, pronoun.of(key.text), gold, linked)


def _span(document: Document, first: int, end: int) -> Span:
    return Span(document.tokens[first].start, document.tokens[end - 1].end)


def _with_tokens(document: Document) -> Document:
    tokens = tokenize(document.text)
    tokenized = document.with_layer(TOKENS, tokens, "rules")
    return tokenized.with_layer(SENTENCES, split(document.text), "rules")


def _read(path: Path) -> list[Document]:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    return list(recognize(text, str(path)).read(text, str(path)))
