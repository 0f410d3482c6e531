"""The consolidated text and everything known about where it came from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tatian.claims import StatedClaim, agree
from tatian.consolidation.units import Key
from tatian.corpora.reading import heading
from tatian.text import Document, Source
from tatian.union.models import Claim, Fate

SCHEMA = 1


class WrittenToken(Struct, frozen=True, omit_defaults=True):
    """One word of the output, by its place in `Consolidation.text`."""

    start: int
    end: int
    sources: tuple[Source, ...]
    glue: bool = False
    """True when no account has this word: it was written to join the others."""
    own: bool = False
    """True when a person typed this word, whether or not an account has it too."""


class WrittenSentence(Struct, frozen=True, omit_defaults=True):
    """One sentence of the output."""

    start: int
    end: int
    tokens: tuple[WrittenToken, ...]
    why: str = ""
    """Why it stands where it stands, in words; left out where that is not known."""


class SourceSentence(Struct, frozen=True):
    """One sentence of an account, and what became of it."""

    start: int
    end: int
    fate: Fate
    into: tuple[int, ...]
    """Indices of the output sentences that carry it (or, if redundant, already say it)."""
    why: str


class Account(Struct, frozen=True):
    """One of the texts that were woven together."""

    id: str
    path: str | None
    title: str | None
    date: str | None
    source: str | None
    text: str
    sentences: tuple[SourceSentence, ...]

    @property
    def numbers(self) -> range:
        """What readers call its sentences by: 1, 2 and so on, 0 or less for its headline."""
        title = heading(self.text).title
        line = re.search(rf"(?m)^\W*{re.escape(title)}\s*$", self.text) if title else None
        first = 1 - sum(one.start < line.end() for one in self.sentences) if line else 1
        return range(first, first + len(self.sentences))

    @classmethod
    def of(cls, document: Document, sentences: Iterable[SourceSentence]) -> Account:
        """The account that a document is, with the fates of its sentences."""
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


class DisputedClaim(Struct, frozen=True):
    """What one unit says at a point where accounts differ."""

    key: Key
    claim: StatedClaim


class Dispute(Struct, frozen=True):
    """What accounts say at one point, each value by those who say it."""

    claims: tuple[DisputedClaim, ...]
    """In the order of the accounts; by the accounts' days where the last supersedes the others."""
    relation: Literal["conflict", "superseded"] = "conflict"

    def is_latest(self, claim: DisputedClaim) -> bool:
        """Whether a claim gives the value that supersedes the others."""
        return self.relation == "superseded" and agree(claim.claim, self.claims[-1].claim)

    def others(self, claim: DisputedClaim) -> list[list[DisputedClaim]]:
        """The claims that exclude one, those of one value together, one for each account."""
        found: list[list[DisputedClaim]] = []
        for other in self.claims:
            if agree(other.claim, claim.claim) or other.key[0] == claim.key[0]:
                continue
            group = next((one for one in found if agree(one[0].claim, other.claim)), None)
            if group is None:
                found.append([other])
            elif all(one.key[0] != other.key[0] for one in group):
                group.append(other)
        return found


class Disagreement(Struct, frozen=True):
    """A contradiction between accounts, and the output sentences it touches."""

    kind: Literal["number", "date", "name", "polarity"]
    claims: tuple[Claim, ...]
    """What each account says; where the last supersedes the others, in the order of the days."""
    why: str
    sentences: tuple[int, ...]
    relation: Literal["conflict", "superseded"] = "conflict"
    """Whether the claims cannot all be true, or a later account counted again."""


def conflicts_first(found: Iterable[Disagreement]) -> tuple[Disagreement, ...]:
    """Conflicts, then figures that later accounts supersede, each in their order."""
    return tuple(sorted(found, key=lambda one: one.relation == "superseded"))


class Reference(Struct, frozen=True):
    """A mention of a chain in one of the accounts."""

    document: str
    start: int
    end: int


class Place(Struct, frozen=True):
    """One sentence of one account."""

    document: str
    sentence: int
    """Its index among the account's `sentences`."""


class WovenChain(Struct, frozen=True):
    """One person or thing, with all its mentions in all accounts."""

    id: str
    name: str
    type: str
    references: tuple[Reference, ...]


class WrittenMention(Struct, frozen=True):
    """A phrase of the output that stands for a chain, with its Wikipedia pages if linked."""

    start: int
    end: int
    chain: str
    titles: tuple[str, ...] = ()


class Aggregation(Struct, frozen=True):
    """A phrase that names several of the chains at once."""

    phrase: str
    chains: tuple[str, ...]
    start: int | None = None
    end: int | None = None
    """Where the phrase stands in the output, if it was used there."""
    score: float | None = None
    """From 0 to 1: how far the phrase is to be trusted; null for a phrase of the accounts."""
    support: tuple[str, ...] = ()
    """What lets the chains be called so, a line for each fact or quotation."""


class Draft(Struct, frozen=True):
    """What a language model wrote for some sentences."""

    text: str
    sentences: tuple[int, ...]
    """Indices of the output sentences: its own words, or those that stand in their place."""
    why: str = ""
    """Why it was refused; empty if it stands in the text."""


class Writing(Struct, frozen=True):
    """What a language model had to do with the wording."""

    model: str
    """Its name."""
    drafts: tuple[Draft, ...] = ()
    """What it wrote otherwise than the accounts, in the order of the text."""
    problem: str = ""
    """Why it was asked no further; empty if it was asked to the end."""
    judge: str = "small"
    """Who judged what it wrote."""

    @property
    def worded(self) -> frozenset[int]:
        """Indices of the output sentences in its words."""
        return frozenset(n for one in self.drafts if not one.why for n in one.sentences)

    @property
    def refused(self) -> tuple[Draft, ...]:
        """What does not stand in the text."""
        return tuple(one for one in self.drafts if one.why)


class Layout(Struct, frozen=True):
    """The text as it is written down, before anything is said about it."""

    text: str
    sentences: tuple[WrittenSentence, ...]
    places: Mapping[tuple[int, int], tuple[int, ...]]
    """Which of the sentences tell each source sentence that the text has, by account and index."""
    unproved: Mapping[tuple[int, int], str] = MappingProxyType({})
    """Why some units are written as in their account."""
    writer: Writing | None = None
    """What a language model had to do with it."""


class Consolidation(Struct, frozen=True):
    """Several accounts as one text in which every word knows its sources."""

    schema: int
    text: str
    sentences: tuple[WrittenSentence, ...]
    documents: tuple[Account, ...]
    title: str | None = None
    """A headline for the text, which does not repeat it."""
    contradictions: tuple[Disagreement, ...] = ()
    chains: tuple[WovenChain, ...] = ()
    mentions: tuple[WrittenMention, ...] = ()
    aggregations: tuple[Aggregation, ...] = ()
    groups: tuple[tuple[Place, ...], ...] = ()
    """Sentences of different accounts that one sentence of the text tells."""
    writer: Writing | None = None
    """What a language model had to do with the wording; null where none was asked."""

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, Any]:
        """Plain data, as described by the shipped JSON Schema."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built

    @classmethod
    def from_json(cls, data: Any) -> Consolidation:
        """Read what `to_json` wrote."""
        return msgspec.convert(data, cls)

    def to_html(self) -> str:
        """One self-contained page: the text beside its sources."""
        from tatian.consolidation.render.page import to_html

        return to_html(self)

    def to_markdown(self) -> str:
        """The text with a footnote for each sentence's sources."""
        from tatian.consolidation.render.plain import to_markdown

        return to_markdown(self)

    def to_tei(self) -> str:
        """A critical edition in TEI P5: an apparatus of what the accounts say otherwise."""
        from tatian.consolidation.render.tei import to_tei

        return to_tei(self)

    def to_docx(self) -> bytes:
        """A document for word processors, with a footnote for each sentence's sources."""
        from tatian.consolidation.render.docx import to_docx

        return to_docx(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from tatian.consolidation.render.page import to_fragment

        return to_fragment(self)


Placed = TypeVar("Placed", Source, SourceSentence, Claim, Reference)


def with_places(
    woven: Consolidation, documents: Iterable[Document], hidden: re.Pattern[str]
) -> Consolidation:
    """The places of a weave in some accounts as they were given, not without what was `hidden`."""
    documents = tuple(documents)
    given = {one.id: one for one in documents}
    at: dict[str, list[int]] = {}
    for one in documents:
        unread = {n for each in hidden.finditer(one.text) for n in range(*each.span())}
        at[one.id] = [n for n in range(len(one.text)) if n not in unread]

    def placed(one: Placed, document: str) -> Placed:
        if document not in at:
            return one
        return replace(one, start=at[document][one.start], end=at[document][one.end - 1] + 1)

    return replace(
        woven,
        sentences=tuple(
            replace(
                one,
                tokens=tuple(
                    replace(token, sources=tuple(placed(s, s.document) for s in token.sources))
                    for token in one.tokens
                ),
            )
            for one in woven.sentences
        ),
        documents=tuple(
            replace(
                one,
                text=given[one.id].text if one.id in given else one.text,
                sentences=tuple(placed(each, one.id) for each in one.sentences),
            )
            for one in woven.documents
        ),
        contradictions=tuple(
            replace(one, claims=tuple(placed(claim, claim.document) for claim in one.claims))
            for one in woven.contradictions
        ),
        chains=tuple(
            replace(one, references=tuple(placed(each, each.document) for each in one.references))
            for one in woven.chains
        ),
    )
