"""Consolidated text, and everything known about where it came from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tatian.consolidation.noise import FURNITURE
from tatian.corpora.reading import heading
from tatian.text import Document, Source
from tatian.text.documents import Claim

SCHEMA = 1
SentenceOutcome = Literal["merged", "kept", "redundant", "unused"]
"""Outcome of a source sentence."""


class WrittenToken(Struct, frozen=True, omit_defaults=True):
    """Word of the output, by its position in `Consolidation.text`."""

    start: int
    end: int
    sources: tuple[Source, ...]
    glue: bool = False
    """True when no source has this word: it was written to join the others."""
    own: bool = False
    """True when a person typed this word, whether or not a source has it too."""


class WrittenSentence(Struct, frozen=True, omit_defaults=True):
    """Sentence of the output."""

    start: int
    end: int
    tokens: tuple[WrittenToken, ...]
    why: str = ""
    """Reason for its placement, in words; left out where that is not known."""


class SourceSentence(Struct, frozen=True):
    """Sentence of a source, and its outcome."""

    start: int
    end: int
    fate: SentenceOutcome
    into: tuple[int, ...]
    """Indices of the output sentences that carry it (or, if redundant, already say it)."""
    why: str


class Account(Struct, frozen=True):
    """Source document that was consolidated."""

    id: str
    path: str | None
    title: str | None
    date: str | None
    source: str | None
    text: str
    sentences: tuple[SourceSentence, ...]

    @property
    def numbers(self) -> range:
        """Numbers of its sentences for readers: 1, 2 and so on, 0 or less for its headline."""
        title = heading(self.text).title
        line = re.search(rf"(?m)^\W*{re.escape(title)}\s*$", self.text) if title else None
        first = 1 - sum(sentence.start < line.end() for sentence in self.sentences) if line else 1
        return range(first, first + len(self.sentences))

    @classmethod
    def of(cls, document: Document, sentences: Iterable[SourceSentence]) -> Account:
        """Build the record of a source document from the outcomes of its sentences."""
        about = document.metadata
        return cls(
            document.id,
            about.path,
            about.title,
            about.date,
            about.source,
            document.text,
            tuple(sentences),
        )


class Disagreement(Struct, frozen=True):
    """Conflict between sources, and the output sentences it touches."""

    kind: Literal["number", "date", "name", "polarity"]
    claims: tuple[Claim, ...]
    """Claims of the sources; in the order of the days where the last supersedes the others."""
    why: str
    sentences: tuple[int, ...]
    relation: Literal["conflict", "superseded"] = "conflict"
    """Kind of disagreement: the claims cannot all be true, or a later source counted again."""


def sort_conflicts(conflicts: Iterable[Disagreement]) -> tuple[Disagreement, ...]:
    """Sort conflicts before figures that later sources supersede, each in their order."""
    return tuple(sorted(conflicts, key=lambda conflict: conflict.relation == "superseded"))


class Reference(Struct, frozen=True):
    """Mention of a chain in one of the sources."""

    document: str
    start: int
    end: int


class Place(Struct, frozen=True):
    """Sentence of a source, by its index."""

    document: str
    sentence: int
    """Index among the source's `sentences`."""


class WovenChain(Struct, frozen=True):
    """Person or thing, with all its mentions in all sources."""

    id: str
    name: str
    type: str
    references: tuple[Reference, ...]


class WrittenMention(Struct, frozen=True):
    """Phrase of the output that stands for a chain, with its Wikipedia pages if linked."""

    start: int
    end: int
    chain: str
    titles: tuple[str, ...] = ()


class Aggregation(Struct, frozen=True):
    """Phrase that names several of the chains at once."""

    phrase: str
    chains: tuple[str, ...]
    start: int | None = None
    end: int | None = None
    """End of the phrase in the output, if it was used there."""
    score: float | None = None
    """Confidence in the phrase, from 0 to 1; null for a phrase of the sources."""
    support: tuple[str, ...] = ()
    """Facts or quotations that justify the phrase, one per line."""


class Draft(Struct, frozen=True):
    """Draft of a language model for some sentences."""

    text: str
    sentences: tuple[int, ...]
    """Indices of the output sentences: its own words, or those that stand in their place."""
    why: str = ""
    """Reason why it was refused; empty if it stands in the text."""


class Writing(Struct, frozen=True):
    """Contribution of a language model to the wording."""

    model: str
    """Name of the model."""
    drafts: tuple[Draft, ...] = ()
    """Its drafts that differ from the sources, in the order of the text."""
    problem: str = ""
    """Reason why it was asked no further; empty if it was asked to the end."""
    judge: str = "small"
    """Judge of what it wrote."""
    role: Literal["writer", "merger", "editor"] = "writer"
    """A writer words the text, a merger merges sentences, an editor orders them too."""

    @property
    def worded(self) -> frozenset[int]:
        """Indices of the output sentences in its words."""
        return frozenset(n for draft in self.drafts if not draft.why for n in draft.sentences)

    @property
    def refused(self) -> tuple[Draft, ...]:
        """Drafts that do not stand in the text."""
        return tuple(draft for draft in self.drafts if draft.why)


class Layout(Struct, frozen=True):
    """Text as it is written down, before it is reported on."""

    text: str
    sentences: tuple[WrittenSentence, ...]
    places: Mapping[tuple[int, int], tuple[int, ...]]
    """Indices of the sentences that cover each source sentence of the text, by source and index."""
    unverified: Mapping[tuple[int, int], str] = MappingProxyType({})
    """Reasons why some spans are written as in their source."""
    writer: Writing | None = None
    """Contribution of a language model."""
    dropped: frozenset[tuple[int, int]] = frozenset()
    """Source sentences that a language model left out because others say the same."""


class Consolidation(Struct, frozen=True):
    """Several sources as one text in which every word has its sources."""

    schema: int
    text: str
    sentences: tuple[WrittenSentence, ...]
    documents: tuple[Account, ...]
    title: str | None = None
    """Headline for the text, which does not repeat it."""
    contradictions: tuple[Disagreement, ...] = ()
    chains: tuple[WovenChain, ...] = ()
    mentions: tuple[WrittenMention, ...] = ()
    aggregations: tuple[Aggregation, ...] = ()
    groups: tuple[tuple[Place, ...], ...] = ()
    """Groups of sentences of different sources that one sentence of the text covers."""
    writer: Writing | None = None
    """Contribution of a language model to the wording; null where none was asked."""

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, Any]:
        """Return plain data, as described by the shipped JSON Schema."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built

    @classmethod
    def from_json(cls, data: Any) -> Consolidation:
        """Read what `to_json` wrote."""
        return msgspec.convert(data, cls)

    def to_html(self) -> str:
        """Render one self-contained page: the text beside its sources."""
        return str(_render(self, "page", "to_html"))

    def to_markdown(self) -> str:
        """Render the text with a footnote for each sentence's sources."""
        return str(_render(self, "plain", "to_markdown"))

    def to_tei(self) -> str:
        """Render a critical edition in TEI P5, with the differing readings of the sources."""
        return str(_render(self, "tei", "to_tei"))

    def to_docx(self) -> bytes:
        """Render a document for word processors, with a footnote for each sentence's sources."""
        return bytes(_render(self, "docx", "to_docx"))

    def _repr_html_(self) -> str:
        """Render the page that a notebook shows."""
        return str(_render(self, "page", "to_fragment"))


def _render(result: Consolidation, module: str, function: str) -> Any:
    """Call a rendering by its name, since the renderings themselves import these types."""
    return getattr(import_module(f"tatian.consolidation.render.{module}"), function)(result)


Placed = TypeVar("Placed", Source, SourceSentence, Claim, Reference)


def restore_offsets(
    result: Consolidation, originals: Sequence[Document], documents: Sequence[Document]
) -> Consolidation:
    """Return a result whose places are those in the originals, before furniture was removed."""
    places: dict[str, list[int]] = {}
    texts: dict[str, str] = {}
    for original, document in zip(originals, documents, strict=True):
        if original is not document:
            text = texts[original.id] = original.text
            hidden = {n for match in FURNITURE.finditer(text) for n in range(*match.span())}
            places[original.id] = [n for n in range(len(text)) if n not in hidden]

    def restore(item: Placed, document: str) -> Placed:
        if document not in places:
            return item
        at = places[document]
        return replace(item, start=at[item.start], end=at[item.end - 1] + 1)

    def restore_token(token: WrittenToken) -> WrittenToken:
        sources = tuple(restore(source, source.document) for source in token.sources)
        return replace(token, sources=sources)

    if not places:
        return result
    return replace(
        result,
        sentences=tuple(
            replace(sentence, tokens=tuple(map(restore_token, sentence.tokens)))
            for sentence in result.sentences
        ),
        documents=tuple(
            replace(
                source,
                text=texts.get(source.id, source.text),
                sentences=tuple(restore(sentence, source.id) for sentence in source.sentences),
            )
            for source in result.documents
        ),
        contradictions=tuple(
            replace(item, claims=tuple(restore(claim, claim.document) for claim in item.claims))
            for item in result.contradictions
        ),
        chains=tuple(
            replace(
                chain,
                references=tuple(
                    restore(reference, reference.document) for reference in chain.references
                ),
            )
            for chain in result.chains
        ),
    )
