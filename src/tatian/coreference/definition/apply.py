"""Chains by the definition from what a resolver proposes: its rules link, forbid and mark OPT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tatian.coreference.constraints import Apart, Clusters, Traits
from tatian.coreference.definition.links import DESCRIBING, rulings
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, Verdict
from tatian.coreference.definition.pronouns import is_about_clause
from tatian.coreference.traits import PhraseTraits
from tatian.text import CHAINS, Authorship, Chain, Document, Mention, Span

THRESHOLD = 0.5
MADE = "tatian/definition"
RENAMING = frozenset(("apposition", "predicate-nominal"))
"""Rules that may give somebody a second name."""
EXEMPT = (frozenset(("number", "indefinite")), frozenset(("number", "indefinite", "name")))
"""What does not bind where the text itself says that two are one; the second for new names."""
KINDS = frozenset(("PER", "ORG", "LOC"))
RuledPair = tuple[Ruling, MarkablePhrase, MarkablePhrase]


class ProposedLink(Struct, frozen=True):
    """That a resolver takes one phrase to be another, with how much confidence."""

    anaphor: Span
    """A mention (its head counts), or any stretch of text that has the head in it."""
    antecedent: Span
    probability: float = 1.0


class LinkDecision(NamedTuple):
    """That two phrases were linked, or not, and what decided it."""

    anaphor: Mention
    antecedent: Mention
    linked: bool
    rule: str
    """The rule that links or refuses; empty where the score decides."""
    section: str = ""
    """Of the MUC-6 definition, where the rule is its own."""
    probability: float | None = None
    """What the model says of the link, where it proposed it."""
    between: tuple[Mention, Mention] | None = None
    """The members of the two chains that would break the rule."""


class RuledDocument:
    """The markables of an analysed document, with what the definition says of pairs of them."""

    def __init__(self, document: Document, traits: PhraseTraits | None = None) -> None:
        self.document = document
        self.outline = Outline(document)
        self.rulings = rulings(self.outline)
        self._traits = traits or PhraseTraits(document)
        self.sections = {ruling.rule: ruling.section for ruling in self.rulings}

    def pairs(self, verdict: Verdict, *, certain: bool = True) -> Iterator[RuledPair]:
        """The markables of each ruling of a kind."""
        for ruling in self.rulings:
            if ruling.verdict == verdict and ruling.certain == certain:
                yield ruling, *_pair(self.outline, ruling)

    def traits(self, order: int) -> tuple[Traits, ...]:
        """What is known of a markable; a name's kind is that of the whole name."""
        marked = self.outline.markables[order]
        found = self._traits.of(token_of(marked))
        kind = marked.mention.type
        if kind not in KINDS:
            return found
        return tuple(replace(one, kind=kind) if one.kind else one for one in found)

    def clusters(self) -> Clusters:
        """Every markable alone; rulings that forbid a link hold from the beginning."""
        apart: dict[int, dict[int, str]] = {}
        for ruling, one, other in self.pairs("forbid"):
            apart.setdefault(one.order, {})[other.order] = ruling.rule
            apart.setdefault(other.order, {})[one.order] = ruling.rule
        clusters = Clusters(self.traits, apart)
        for one in self.outline.markables:
            clusters.of(one.order)
        return clusters

    def word_clusters(self, apart: Apart) -> Clusters:
        """Words in groups as the certain rules have it, for a search over words.

        `apart` holds further pairs of words that never are the same thing.
        """
        known = {one: dict(others) for one, others in apart.items()}
        for ruling, one, other in self.pairs("forbid"):
            first, second = token_of(one), token_of(other)
            known.setdefault(first, {})[second] = ruling.rule
            known.setdefault(second, {})[first] = ruling.rule
        clusters = Clusters(self._traits.of, known)
        for ruling, one, other in self.pairs("link"):
            clusters.join(token_of(one), token_of(other), EXEMPT[ruling.rule in RENAMING])
        return clusters

    def settled(self) -> list[MarkablePhrase]:
        """Pronouns whose antecedent grammar gives."""
        return [
            anaphor
            for _, anaphor, antecedent in self.pairs("link")
            if anaphor.pronoun is not None and antecedent.pronoun is None
        ]

    def described(self) -> dict[int, MarkablePhrase]:
        """What each indefinite apposition or predicate says something of, by its number."""
        return {
            one.order: other
            for ruling, one, other in self.pairs("forbid")
            if ruling.rule in DESCRIBING
        }


def token_of(marked: MarkablePhrase) -> int:
    """The place of a markable's head among the words of the document."""
    return marked.tree.words[marked.head].token


def apply(
    document: Document,
    proposals: Iterable[ProposedLink] | None = None,
    *,
    threshold: float = THRESHOLD,
    singletons: bool = False,
    ruled: RuledDocument | None = None,
    log: list[LinkDecision] | None = None,
) -> Document:
    """The analysed document with a `chains` layer as the MUC-6 definition wants it.

    `proposals` are those of a model; without any, the document's own chains are proposed. Each
    phrase is mapped by its head to the markable it belongs to; what is not markable is left out.
    What the rules are certain of comes first, then the proposals from the likeliest down to
    `threshold`, then what the rules only suppose; nothing is joined that a rule keeps apart.
    `ruled` spares the analysis of the document; `log` is given what decided each link.
    """
    ruled = ruled or RuledDocument(document)
    search = _Search(ruled, [] if log is None else log)
    given = _of_chains(document) if proposals is None else proposals
    for ruling, anaphor, antecedent in ruled.pairs("link"):
        search.join(anaphor, antecedent, ruling.rule, exempt=EXEMPT[ruling.rule in RENAMING])
    for proposal in _ordered(given, threshold):
        pair = _mapped(ruled.outline, proposal)
        if pair is not None:
            search.propose(*pair, proposal.probability)
    for ruling, anaphor, antecedent in ruled.pairs("link", certain=False):
        if len(search.clusters.of(anaphor.order).members) == 1:
            search.join(anaphor, antecedent, ruling.rule)
    optional = _optional(ruled.rulings)
    groups = (group for group in search.clusters.groups() if singletons or len(group) > 1)
    chains = [
        _chain(document, number, [ruled.outline.markables[order] for order in group], optional)
        for number, group in enumerate(groups, start=1)
    ]
    return document.with_layer(CHAINS, chains, _author(document))


class _Search:
    """Chains while they grow, and what decided each link."""

    def __init__(self, ruled: RuledDocument, log: list[LinkDecision]) -> None:
        self.clusters = ruled.clusters()
        self._ruled = ruled
        self._log = log
        self._described = ruled.described()
        self._settled = {one.order for one in ruled.settled()}

    def propose(self, anaphor: MarkablePhrase, antecedent: MarkablePhrase, p: float) -> None:
        """A model's link; one with an indefinite description is one with what it describes.

        A pronoun that grammar has tied to something goes back to nothing else, and a description
        to nothing at all.
        """
        if anaphor.order in self._settled:
            return
        if anaphor.order in self._described:
            self._note(anaphor, antecedent, "description", p, (anaphor, antecedent))
            return
        host = self._described.get(antecedent.order)
        if host is not None and host.order != anaphor.order:
            if not _takes_up(anaphor, antecedent):
                self._note(anaphor, antecedent, "other-description", p, (anaphor, antecedent))
                return
            antecedent = host
        self.join(anaphor, antecedent, "", p)

    def join(
        self,
        anaphor: MarkablePhrase,
        antecedent: MarkablePhrase,
        rule: str,
        p: float | None = None,
        exempt: Set[str] = frozenset(),
    ) -> None:
        """Make the chains of two phrases one, if nothing speaks against it."""
        if is_about_clause(anaphor) or is_about_clause(antecedent):
            self._note(anaphor, antecedent, "clause", p, (anaphor, antecedent))
            return
        refusal = self.clusters.join(anaphor.order, antecedent.order, exempt)
        if refusal is None:
            self._note(anaphor, antecedent, rule, p)
        else:
            marked = self._ruled.outline.markables
            between = marked[refusal.one], marked[refusal.other]
            self._note(anaphor, antecedent, refusal.rule, p, between)

    def _note(
        self,
        anaphor: MarkablePhrase,
        antecedent: MarkablePhrase,
        rule: str,
        p: float | None,
        between: tuple[MarkablePhrase, MarkablePhrase] | None = None,
    ) -> None:
        self._log.append(
            LinkDecision(
                anaphor.mention,
                antecedent.mention,
                between is None,
                rule,
                self._ruled.sections.get(rule, ""),
                p,
                between and (between[0].mention, between[1].mention),
            )
        )


def _takes_up(anaphor: MarkablePhrase, described: MarkablePhrase) -> bool:
    """Whether a phrase says nothing of its own beside the noun of a description."""
    if anaphor.pronoun is not None:
        return True
    phrase, known = anaphor.phrase, described.phrase
    said = {known.word(place) for place in known.places}
    own = {
        phrase.word(place)
        for place in range(phrase.first, anaphor.head)
        if phrase.tag(place) in ("ADJ", "NOUN", "PROPN", "NUM", "VERB")
    }
    return own <= said


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
