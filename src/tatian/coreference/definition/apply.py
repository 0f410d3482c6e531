"""Chains by the definition from what a resolver proposes: its rules link, forbid and mark OPT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from tatian.coreference.clusters import Clusters, PersonName
from tatian.coreference.definition.links import rulings
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling
from tatian.coreference.definition.pronouns import is_about_clause
from tatian.text import CHAINS, Authorship, Chain, Document, Mention, Span

THRESHOLD = 0.5
MADE = "tatian/definition"
RENAMING = frozenset(("apposition", "predicate-nominal"))
"""Rules that may give somebody a second name."""


class ProposedLink(Struct, frozen=True):
    """That a resolver takes one phrase to be another, with how much confidence."""

    anaphor: Span
    """A mention (its head counts), or any stretch of text that has the head in it."""
    antecedent: Span
    probability: float = 1.0


def apply(
    document: Document,
    proposals: Iterable[ProposedLink] | None = None,
    *,
    threshold: float = THRESHOLD,
    singletons: bool = False,
) -> Document:
    """The analysed document with a `chains` layer as the MUC-6 definition wants it.

    `proposals` are those of a model; without any, the document's own chains are proposed. Each
    phrase is mapped by its head to the markable it belongs to; what is not markable is left out.
    What the rules are certain of comes first, then the proposals from the likeliest down to
    `threshold`, then what the rules only suppose; nothing is joined that a rule keeps apart.
    """
    outline = Outline(document)
    known = rulings(outline)
    clusters = _clusters(outline, known)
    given = _of_chains(document) if proposals is None else proposals
    certain = [one for one in known if one.verdict == "link" and one.certain]
    supposed = [one for one in known if one.verdict == "link" and not one.certain]
    for ruling in certain:
        _join(clusters, *_pair(outline, ruling), renames=ruling.rule in RENAMING)
    for proposal in _ordered(given, threshold):
        pair = _mapped(outline, proposal)
        if pair is not None:
            _join(clusters, *pair)
    for ruling in supposed:
        anaphor, antecedent = _pair(outline, ruling)
        if len(clusters.of(anaphor.order).members) == 1:
            _join(clusters, anaphor, antecedent)
    optional = _optional(known)
    groups = (group for group in clusters.groups() if singletons or len(group) > 1)
    chains = [
        _chain(document, number, [outline.markables[order] for order in group], optional)
        for number, group in enumerate(groups, start=1)
    ]
    return document.with_layer(CHAINS, chains, _author(document))


def _clusters(outline: Outline, known: Iterable[Ruling]) -> Clusters:
    """Every markable alone; rulings that forbid a link hold from the beginning."""
    apart: dict[int, set[int]] = {}
    for one, other in (_pair(outline, ruling) for ruling in known if ruling.verdict == "forbid"):
        apart.setdefault(one.order, set()).add(other.order)
        apart.setdefault(other.order, set()).add(one.order)
    people: dict[int, PersonName] = {}
    for one in outline.markables:
        unit = one.unit if one.unit and one.unit.type == "PER" else None
        words = unit.of(outline.document.text).lower().split() if unit else []
        if len(words) > 1:
            people[one.order] = frozenset(words[place].strip(".,") for place in (0, -1))
    clusters = Clusters(people, apart=apart)
    for one in outline.markables:
        clusters.of(one.order)
    return clusters


def _join(
    clusters: Clusters, one: MarkablePhrase, other: MarkablePhrase, *, renames: bool = False
) -> None:
    if not (is_about_clause(one) or is_about_clause(other)):
        clusters.join(one.order, other.order, renames=renames)


def _pair(outline: Outline, ruling: Ruling) -> tuple[MarkablePhrase, MarkablePhrase]:
    return outline.of(ruling.anaphor), outline.of(ruling.antecedent)


def _of_chains(document: Document) -> Iterator[ProposedLink]:
    for chain in document.get(CHAINS):
        for earlier, later in pairwise(sorted(chain.mentions)):
            yield ProposedLink(later, earlier)


def _ordered(proposals: Iterable[ProposedLink], threshold: float) -> list[ProposedLink]:
    """The likeliest first; of equals, the earlier in the text."""
    kept = [one for one in proposals if one.probability >= threshold]
    return sorted(kept, key=lambda one: (-one.probability, one.anaphor.start, one.antecedent.start))


def _mapped(
    outline: Outline, proposal: ProposedLink
) -> tuple[MarkablePhrase, MarkablePhrase] | None:
    anaphor, antecedent = (
        outline.with_head(_head(one)) for one in (proposal.anaphor, proposal.antecedent)
    )
    if anaphor is None or antecedent is None or anaphor.order == antecedent.order:
        return None
    return anaphor, antecedent


def _head(span: Span) -> Span:
    return (span.head or span) if isinstance(span, Mention) else span


def _optional(known: Sequence[Ruling]) -> set[Mention]:
    """The mentions that the definition links only optionally, as anaphors (§1.5)."""
    found = {one.anaphor for one in known if one.verdict == "link" and one.optional}
    certain = {one.anaphor for one in known if one.verdict == "link" and not one.optional}
    return found - certain


def _chain(
    document: Document, number: int, group: list[MarkablePhrase], optional: set[Mention]
) -> Chain:
    mentions = sorted(
        replace(one.mention, optional=one.mention in optional and len(group) > 1) for one in group
    )
    types = Counter(mention.type for mention in mentions if mention.type)
    type_ = min(types, key=lambda name: (-types[name], name)) if types else ""
    return Chain(f"{document.id}#{number}", tuple(mentions), type_)


def _author(document: Document) -> Authorship:
    layer = document.layers.get(CHAINS.name)
    return Authorship(by=f"{layer.made.by}+definition") if layer else Authorship(by=MADE)
