"""Application of the MUC-6 definition's rules to the links that a resolver proposes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tatian.coreference.constraints import Clusters, Exclusions, Traits
from tatian.coreference.definition.links import DESCRIPTION_RULES, rulings
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, Verdict
from tatian.coreference.definition.pronouns import is_about_clause
from tatian.coreference.traits import PhraseTraits
from tatian.grouping import most_frequent
from tatian.text import CHAINS, Chain, Document, Mention, Span

THRESHOLD = 0.5
AUTHOR = "tatian/definition"
RENAMING_RULES = frozenset(("apposition", "predicate-nominal"))
"""Rules that may link two different names."""
EXEMPT_RULES = frozenset(("number", "indefinite", "sort", "calling"))
"""Rules over chains that do not apply to a ruling; nor does "name" to `RENAMING_RULES`."""
NAME_TYPES = frozenset(("PER", "ORG", "LOC"))
RuledPair = tuple[Ruling, MarkablePhrase, MarkablePhrase]


class ProposedLink(Struct, frozen=True):
    """A link that a resolver proposes, with its probability."""

    anaphor: Span
    """A mention (its head counts), or any span that contains the head."""
    antecedent: Span
    probability: float = 1.0


class LinkDecision(NamedTuple):
    """A decision to link two phrases or not, and its reason."""

    anaphor: Mention
    antecedent: Mention
    linked: bool
    rule: str
    """Rule that links or refuses; empty if the probability decides."""
    section: str = ""
    """Section of the MUC-6 definition that has the rule."""
    probability: float | None = None
    """The model's probability of the link; None if the model did not propose it."""
    between: tuple[Mention, Mention] | None = None
    """Members of the two chains that would break the rule."""


class RuledDocument:
    """The markables of an analysed document, with the definition's rulings on pairs of them."""

    def __init__(self, document: Document, traits: PhraseTraits | None = None) -> None:
        self.document = document
        self.outline = Outline(document)
        self.rulings = rulings(self.outline)
        self._traits = traits or PhraseTraits(document)
        self.sections = {ruling.rule: ruling.section for ruling in self.rulings}

    def pairs(self, verdict: Verdict, *, certain: bool = True) -> Iterator[RuledPair]:
        """Yield the rulings of a kind with their markables."""
        for ruling in self.rulings:
            if ruling.verdict == verdict and ruling.certain == certain:
                yield ruling, self.outline.of(ruling.anaphor), self.outline.of(ruling.antecedent)

    def traits(self, order: int) -> tuple[Traits, ...]:
        """Return the traits of a markable; a name's kind is that of the whole name."""
        marked = self.outline.markables[order]
        by_head = self._traits.of(token_of(marked))
        kind = marked.mention.type
        if kind not in NAME_TYPES:
            return by_head
        return tuple(replace(traits, kind=kind) if traits.kind else traits for traits in by_head)

    def clusters(self) -> Clusters:
        """Return a cluster for each markable, with the links that the definition forbids."""
        exclusions: dict[int, dict[int, str]] = {}
        for ruling, anaphor, antecedent in self.pairs("forbid"):
            exclusions.setdefault(anaphor.order, {})[antecedent.order] = ruling.rule
            exclusions.setdefault(antecedent.order, {})[anaphor.order] = ruling.rule
        clusters = Clusters(self.traits, exclusions)
        for markable in self.outline.markables:
            clusters.group_of(markable.order)
        return clusters

    def word_clusters(self, exclusions: Exclusions) -> Clusters:
        """Return clusters of head words with the certain links; `exclusions` never corefer."""
        forbidden = {word: dict(others) for word, others in exclusions.items()}
        for ruling, anaphor, antecedent in self.pairs("forbid"):
            first, second = token_of(anaphor), token_of(antecedent)
            forbidden.setdefault(first, {})[second] = ruling.rule
            forbidden.setdefault(second, {})[first] = ruling.rule
        clusters = Clusters(self._traits.of, forbidden)
        for ruling, anaphor, antecedent in self.pairs("link"):
            clusters.join(token_of(anaphor), token_of(antecedent), _exempt_rules(ruling))
        return clusters

    def grammatical_pronouns(self) -> list[MarkablePhrase]:
        """Return the pronouns whose antecedents are certain by grammar."""
        return [
            anaphor
            for _, anaphor, antecedent in self.pairs("link")
            if anaphor.pronoun is not None and antecedent.pronoun is None
        ]

    def hosts_of_descriptions(self) -> dict[int, MarkablePhrase]:
        """Map the number of each indefinite description to the phrase that it describes."""
        return {
            description.order: host
            for ruling, description, host in self.pairs("forbid")
            if ruling.rule in DESCRIPTION_RULES
        }


def _exempt_rules(ruling: Ruling) -> frozenset[str]:
    return EXEMPT_RULES | {"name"} if ruling.rule in RENAMING_RULES else EXEMPT_RULES


def token_of(marked: MarkablePhrase) -> int:
    """Return the position of a markable's head in the document."""
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
    """Return the analysed document with a `chains` layer by the MUC-6 definition.

    Without `proposals`, the document's own chains are proposed. Each phrase is mapped by its head
    to a markable; phrases that are not markable are left out. Certain rulings are applied first,
    then the proposals from the likeliest down to `threshold`, then uncertain rulings. A link that a
    rule forbids is never made. `ruled` saves analysing the document again; `log` receives the
    decision on each link.
    """
    ruled = ruled or RuledDocument(document)
    search = _ChainBuilder(ruled, [] if log is None else log)
    if proposals is None:
        in_order = (sorted(chain.mentions) for chain in document.get(CHAINS))
        pairs = (pair for mentions in in_order for pair in pairwise(mentions))
        proposals = [ProposedLink(later, earlier) for earlier, later in pairs]
    for ruling, anaphor, antecedent in ruled.pairs("link"):
        search.join(anaphor, antecedent, ruling.rule, exempt=_exempt_rules(ruling))
    for proposal in _rank(proposals, threshold):
        pair = _markable_pair(ruled.outline, proposal)
        if pair is not None:
            search.propose(*pair, proposal.probability)
    for ruling, anaphor, antecedent in ruled.pairs("link", certain=False):
        if len(search.clusters.group_of(anaphor.order).members) == 1:
            search.join(anaphor, antecedent, ruling.rule)
    optional = _find_optional(ruled.rulings)
    groups = (group for group in search.clusters.groups() if singletons or len(group) > 1)
    chains = [
        _make_chain(document, number, [ruled.outline.markables[order] for order in group], optional)
        for number, group in enumerate(groups, start=1)
    ]
    layer = document.layers.get(CHAINS.name)
    author = f"{layer.made.by}+definition" if layer else AUTHOR
    return document.with_layer(CHAINS, chains, author)


class _ChainBuilder:
    """Chains under construction, and the decisions on links."""

    def __init__(self, ruled: RuledDocument, log: list[LinkDecision]) -> None:
        self.clusters = ruled.clusters()
        self._ruled = ruled
        self._log = log
        self._described = ruled.hosts_of_descriptions()
        self._settled = {markable.order for markable in ruled.grammatical_pronouns()}

    def propose(self, anaphor: MarkablePhrase, antecedent: MarkablePhrase, p: float) -> None:
        """Try a link with probability `p`.

        An indefinite description gets no antecedent. As an antecedent, it is replaced by the phrase
        that it describes. A pronoun that grammar has linked gets no further antecedent.
        """
        if anaphor.order in self._settled:
            return
        if anaphor.order in self._described:
            self._log_decision(anaphor, antecedent, "description", p, (anaphor, antecedent))
            return
        host = self._described.get(antecedent.order)
        if host is not None and host.order != anaphor.order:
            if not _repeats_description(anaphor, antecedent):
                pair = anaphor, antecedent
                self._log_decision(anaphor, antecedent, "other-description", p, pair)
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
        """Join the chains of two phrases, unless a rule forbids it."""
        if is_about_clause(anaphor) or is_about_clause(antecedent):
            self._log_decision(anaphor, antecedent, "clause", p, (anaphor, antecedent))
            return
        refusal = self.clusters.join(anaphor.order, antecedent.order, exempt)
        if refusal is None:
            self._log_decision(anaphor, antecedent, rule, p)
        else:
            marked = self._ruled.outline.markables
            between = marked[refusal.first], marked[refusal.second]
            self._log_decision(anaphor, antecedent, refusal.rule, p, between)

    def _log_decision(
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


def _repeats_description(anaphor: MarkablePhrase, described: MarkablePhrase) -> bool:
    """Return whether a phrase has no modifiers that the description lacks."""
    if anaphor.pronoun is not None:
        return True
    phrase, description = anaphor.phrase, described.phrase
    described_words = {description.word(index) for index in description.places}
    added = {
        phrase.word(index)
        for index in range(phrase.first, anaphor.head)
        if phrase.tag(index) in ("ADJ", "NOUN", "PROPN", "NUM", "VERB")
    }
    return added <= described_words


def _rank(proposals: Iterable[ProposedLink], threshold: float) -> list[ProposedLink]:
    """Return the proposals from the likeliest to the threshold, ties in the order of the text."""
    likely = [link for link in proposals if link.probability >= threshold]
    return sorted(
        likely, key=lambda link: (-link.probability, link.anaphor.start, link.antecedent.start)
    )


def _markable_pair(
    outline: Outline, proposal: ProposedLink
) -> tuple[MarkablePhrase, MarkablePhrase] | None:
    anaphor, antecedent = (
        outline.with_head((span.head or span) if isinstance(span, Mention) else span)
        for span in (proposal.anaphor, proposal.antecedent)
    )
    if anaphor is None or antecedent is None or anaphor.order == antecedent.order:
        return None
    return anaphor, antecedent


def _find_optional(rulings: Sequence[Ruling]) -> set[Mention]:
    """Return the anaphors that the definition links only optionally (§1.5)."""
    links = [ruling for ruling in rulings if ruling.verdict == "link"]
    certain = {ruling.anaphor for ruling in links if not ruling.optional}
    return {ruling.anaphor for ruling in links if ruling.optional} - certain


def _make_chain(
    document: Document, number: int, group: list[MarkablePhrase], optional: set[Mention]
) -> Chain:
    mentions = sorted(
        replace(markable.mention, optional=markable.mention in optional and len(group) > 1)
        for markable in group
    )
    type = most_frequent(mention.type for mention in mentions if mention.type)
    return Chain(f"{document.id}#{number}", tuple(mentions), type)
