"""Redundant blocks: those of later sources that add too little to what stands before them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import exp
from operator import mul
from statistics import mean
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import astuple

from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.differing_claims import find_differing_claims
from tatian.consolidation.noise import DATE_LINE
from tatian.consolidation.plan import Plan, Selection, StoryComparison
from tatian.consolidation.spans import Key, SourceSpan
from tatian.consolidation.wording import INDEFINITE, words_of
from tatian.text import NAMES, Document
from tatian.text.content import concepts, concepts_of

_SPEECH = re.compile(r"[\"“”]")
_DEFINITE = re.compile(r"\b(?:the|this|that|these|those|his|her|their|its) ", re.IGNORECASE)
_NOUN_WINDOW = 3
"""Words behind an article that may be its noun."""
_MAX_COVERING, _MIN_GAIN = 3, 0.05
"""Maximum number of spans named as covering one, and the minimum additional share of each."""


class RedundancyWeights(Struct, frozen=True):
    """Weights of a logistic model: the log-odds that a block adds no fact that matters.

    Fitted on the facts of the training corpus with ``benchmarks/redundancy.py fit``, 2026-11-18.
    """

    bias: float = -0.99
    covered: float = 3.21
    """For the share of the block that the text before it covers, by word weight."""
    new_words: float = -1.09
    """For the share of the block in words that the text before it lacks, by word weight."""
    new_names: float = -0.36
    """Per name that the text before it lacks, at most two."""
    new_claims: float = -0.24
    """Per figure or time that the text before it does not give, at most three."""
    quotation: float = -0.41
    """For a block with a quotation."""
    source_covered: float = 1.77
    """For the mean share of the spans of the block's source that the text before it covers."""


WEIGHTS = RedundancyWeights()
MIN_PROBABILITY = 0.62
"""Minimum probability at which a block is dropped; chosen by readers of whole texts."""
_MAX_NAMES, _MAX_CLAIMS = 2, 3
"""Maximum number of new names and claims of a block that count."""
_MAX_BRIEF_WORDS = 14
"""Maximum number of words of a brief block, which costs readers little."""
MIN_SURE_PROBABILITY = 0.75
"""Minimum probability at which a brief block is dropped, or one of another moment."""
MIN_CERTAIN_PROBABILITY = 0.9
"""Minimum probability at which a brief block with a new name, figure or statement is dropped, or
the first of another moment, whose section would not say what happened."""
_MIN_STATEMENT_SHARE = 0.35
"""Minimum share of each statement of a brief block that one span must cover."""
_MIN_QUOTED_COVERAGE = 0.35
"""Minimum covered share of a quotation that is dropped."""


class BlockFeatures(NamedTuple):
    """Features of a block beside the text before it, as in `RedundancyWeights`."""

    covered: float
    new_words: float
    new_names: int
    new_claims: int
    quotation: bool
    source_covered: float

    def redundancy(self) -> float:
        """Return the probability that the block adds no fact that matters."""
        _, *weights = astuple(WEIGHTS)
        odds = WEIGHTS.bias + sum(map(mul, weights, self))
        return 1 / (1 + exp(-odds))


class TextBefore(Struct, frozen=True):
    """The spans that stand before a source's part of the text."""

    coverage: CoverageModel
    keys: frozenset[Key]
    concepts: frozenset[str]

    @classmethod
    def of(cls, keys: Iterable[Key], coverage: CoverageModel) -> TextBefore:
        """Return the text that consists of some spans."""
        before = frozenset(keys)
        return cls(
            coverage,
            before,
            frozenset[str]().union(*(coverage.content(key).concepts for key in before)),
        )

    def covered_share(self, key: Key) -> float:
        """Return the share of a span that the text covers."""
        return self.coverage.covered_share(key, self.keys & {*self.coverage.candidates(key)})

    def mean_covered_share(self, spans: Iterable[SourceSpan]) -> float:
        """Return the mean covered share of a source's spans."""
        keys = (span.key for span in spans if self.coverage.knows(span.key))
        shares = [self.covered_share(key) for key in keys]
        return mean(shares) if shares else 0.0

    def find_covering(self, key: Key) -> tuple[Key, ...]:
        """Return the few spans that together cover most of a span."""
        candidates = self.keys & {*self.coverage.candidates(key)}
        covering: tuple[Key, ...] = ()
        share = 0.0
        while candidates and len(covering) < _MAX_COVERING:
            shares = {o: self.coverage.covered_share(key, (*covering, o)) for o in candidates}
            best = min(candidates, key=lambda other: (-shares[other], other))
            if shares[best] < share + _MIN_GAIN:
                break
            share, covering = shares[best], (*covering, best)
            candidates -= {best}
        return covering

    def has_news(self, covering: Mapping[Key, Sequence[Key]]) -> bool:
        """Check whether spans give a name, a figure or a statement that the text lacks."""
        others = sorted(self.keys)
        return self._count_new_names(covering) > 0 or any(
            find_differing_claims(self.coverage, key, others)
            or self.coverage.least_statement_share(key, spans) < _MIN_STATEMENT_SHARE
            for key, spans in covering.items()
        )

    def _count_new_names(self, keys: Iterable[Key]) -> int:
        """Count the names of spans of which the text has no word."""
        claims = (claim for key in keys for claim in self.coverage.content(key).claims)
        names = (claim.name for claim in claims if claim.kind == "name")
        return sum(self.concepts.isdisjoint(concepts(name)) for name in names)

    def compare(self, keys: Sequence[Key], source_covered: float) -> BlockFeatures:
        """Compare the spans of a block with the text."""
        others, weight = sorted(self.keys), self.coverage.weight
        contents = [self.coverage.content(key) for key in keys]
        words = [pair for c in contents for pair in zip(c.words, c.weights, strict=True)]
        new_claims = sum(len(find_differing_claims(self.coverage, k, others)) for k in keys)
        total = sum(map(weight, keys)) or 1.0
        return BlockFeatures(
            covered=sum(weight(key) * self.covered_share(key) for key in keys) / total,
            new_words=sum(w for word, w in words if word.concept not in self.concepts) / total,
            new_names=min(self._count_new_names(keys), _MAX_NAMES),
            new_claims=min(new_claims, _MAX_CLAIMS),
            quotation=any(_SPEECH.search(content.text) for content in contents),
            source_covered=source_covered,
        )


def drop_redundant_blocks(selection: Selection, comparison: StoryComparison) -> Selection:
    """Drop the blocks of each source that add too little to those before it.

    A block is a span with those after it that depend on it. The backbone stays whole, and so does
    what opens the text instead of its first span, which stands before every source. Brief blocks,
    and those of other moments, must be more certainly redundant, the first of a section most.
    """
    story, ranks = comparison.story, comparison.ranks
    openers = {
        key
        for other, covering in selection.dropped.items()
        if other[0] == comparison.backbone
        for key in covering
    }
    for number in sorted(range(len(story.sources)), key=ranks.numbers.__getitem__):
        keys = {key for key in selection.kept if ranks.numbers[key[0]] < ranks.numbers[number]}
        before = TextBefore.of(keys | (openers & selection.kept), comparison.settled)
        blocks = [*find_blocks(story.distinct[number], selection.kept, before)]
        source_covered = before.mean_covered_share(span for block in blocks for span in block)
        rest: list[SourceSpan] = []
        for block in reversed(blocks):
            least = MIN_PROBABILITY
            if number in ranks.other_moments:
                least = MIN_CERTAIN_PROBABILITY if block is blocks[0] else MIN_SURE_PROBABILITY
            if (
                all(before.coverage.knows(span.key) for span in block)
                and openers.isdisjoint(span.key for span in block)
                and _is_redundant(block, before, source_covered, selection, least)
                and not _introduces(block, rest, before, story.sources[number].document)
            ):
                selection = _drop(block, before, selection)
            else:
                rest = [*block, *rest]
    return selection


def find_blocks(
    spans: Sequence[SourceSpan], kept: Collection[Key], before: TextBefore
) -> Iterator[tuple[SourceSpan, ...]]:
    """Group the kept spans of a source, each with the following ones that depend on it.

    "The coroner" and "Mr. Hall" depend on nothing if the text before mentions them.
    """

    def needs_previous(span: SourceSpan) -> bool:
        if span.dependency == "noun":
            return before.concepts.isdisjoint(concepts(span.text.split()[1:2]))
        return span.dependency in ("name", "before")

    block: list[SourceSpan] = []
    previous: SourceSpan | None = None
    for span in spans:
        if span.key in kept:
            if block and not (previous is block[-1] and needs_previous(span)):
                yield tuple(block)
                block = []
            block.append(span)
        previous = span
    if block:
        yield tuple(block)


def _is_redundant(
    block: Sequence[SourceSpan],
    before: TextBefore,
    source_covered: float,
    selection: Selection,
    least: float,
) -> bool:
    """Check whether a block adds too little, and so do the dropped spans that it covers.

    `least` is the minimum probability for a block that is not brief.
    """
    coverage = before.coverage
    covering = {span.key: before.find_covering(span.key) for span in block}
    exchanged = (coverage.exchanges_roles(key, others) for key, others in covering.items())
    quoted = (before.covered_share(span.key) for span in block if _SPEECH.search(span.text))
    if sum(span.words for span in block) <= _MAX_BRIEF_WORDS:
        news = before.has_news(covering)
        least = max(least, MIN_CERTAIN_PROBABILITY if news else MIN_SURE_PROBABILITY)
    if (
        not any(covering.values())
        or any(exchanged)
        or min(quoted, default=1.0) < _MIN_QUOTED_COVERAGE
    ):
        return False
    covered = (other for key in covering for other in selection.covered_by(key))
    groups = [[*covering], *([key] for key in covered if coverage.knows(key))]
    return all(before.compare(keys, source_covered).redundancy() >= least for keys in groups)


def _introduces(
    block: Sequence[SourceSpan],
    rest: Sequence[SourceSpan],
    before: TextBefore,
    document: Document,
) -> bool:
    """Check whether a block introduces somebody or something that later blocks mention as known.

    What the text before the block mentions needs no introduction.
    """
    new = {word for span in block for body in span.bodies for word in concepts_of(document, body)}
    new -= before.concepts
    return any(
        new.intersection(
            concepts(document.text[body.start : body.end][match.end() :].split()[:_NOUN_WINDOW])
        )
        for span in rest
        for body in span.bodies
        for match in _DEFINITE.finditer(document.text[body.start : body.end])
    ) or any(
        not new.isdisjoint(concepts(name.of(document.text).split()))
        for span in rest
        for body in span.bodies
        for name in document.inside(NAMES, body)
    )


def _drop(block: Sequence[SourceSpan], before: TextBefore, selection: Selection) -> Selection:
    """Return the selection without a block, whose spans are mapped to those that cover them."""
    covering = [before.find_covering(span.key) for span in block]
    first = next(filter(None, covering))
    dropped = {span.key: keys or first for span, keys in zip(block, covering, strict=True)}
    return Selection(
        selection.kept.difference(dropped), {**selection.dropped, **dropped}, selection.omitted
    )


_MIN_SAME_ACT, _MIN_COVERED_LEAD = 0.5, 0.4
"""Minimum covered part of a lead's subject and of its verb, and covered share of a whole lead."""


def find_restated_leads(plan: Plan) -> set[Key]:
    """Return the leads that open with "A man" or "Two men", though the text has mentioned them.

    A span before the lead must cover its subject and verb, or much of it. That span is from another
    source, or its own source has it later, or in a summary above the date line. A lead that opens
    the section of another moment reports its event anew, and stays.
    """
    headed = {
        paragraph.spans[0].key
        for paragraph in plan.paragraphs
        if paragraph.heading and plan.placements[paragraph.spans[0].key].section
    }
    order = [span.key for span in plan.spans]
    restated = set()
    for source in plan.story.sources:
        lines = [-1, *(n for n, why in source.excluded.items() if why == DATE_LINE)]
        below = [[span for span in source.spans if span.indices[0] > line] for line in lines]
        for lead in {spans[0].key: spans[0] for spans in below if spans}.values():
            subject = _indefinite_subject(source.document, lead)
            if (
                subject is None
                or lead.key in headed
                or lead.key not in order
                or not plan.coverage.knows(lead.key)
            ):
                continue
            for other in order[: order.index(lead.key)]:
                earlier = other[0] == lead.source and other < lead.key
                above = earlier and any(other[1] < line < lead.key[1] for line in lines)
                if (above or not earlier) and _tells_of(plan, lead, subject, other):
                    restated.add(lead.key)
    return restated


def _indefinite_subject(document: Document, span: SourceSpan) -> tuple[int, int] | None:
    """Return the positions of the subject that opens a span with "A" or "Two", and of its verb."""
    words, tokens = words_of(document), document.tokens
    opening = document.tokens_in(span.bodies[0])[:1]
    if not opening or opening[0].text not in INDEFINITE:
        return None
    first = words.get(opening[0].start)
    noun = words.get(tokens[first.head].start) if first and first.head >= 0 else None
    if noun is None or noun.head < 0 or not noun.relation.startswith("nsubj"):
        return None
    return tokens[noun.token].start, tokens[noun.head].start


def _tells_of(plan: Plan, lead: SourceSpan, subject: tuple[int, int], other: Key) -> bool:
    """Check whether another span covers a lead's subject and verb, or much of the lead."""
    weights = plan.coverage.word_weights(lead.key, (other,))
    whole, rest = zip(*(weights.get(place, (0.0, 0.0)) for place in subject), strict=True)
    known = all(rest[n] < (1 - _MIN_SAME_ACT) * whole[n] for n in range(len(subject)))
    return known or plan.coverage.covered_share(lead.key, (other,)) >= _MIN_COVERED_LEAD
