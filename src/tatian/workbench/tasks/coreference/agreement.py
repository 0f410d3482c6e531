"""Agreement of coreference annotators: measures, the markup that enough agree on, differences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from tatian.coreference.metrics.chains import score_pairs
from tatian.coreference.metrics.documents import Match, pair
from tatian.formats.muc.markables import Markable, Markup, group_linked
from tatian.text import CHAINS, Document, Span
from tatian.workbench.tasks.agreement import AnswerDifference, Measure, Settled, VotingRule
from tatian.workbench.tasks.coreference.content import CoreferenceItem, relink
from tatian.workbench.tasks.items import to_json

Key = tuple[int, int]
"""Identity of a phrase: start and end of its MIN."""
Group = Sequence[Key]


class LinkedPhrases(NamedTuple):
    """Linked phrases of one document; a phrase has the same key for all annotators."""

    order: tuple[Key, ...]
    """All phrases that anyone marked, in the order of the text."""
    marks: dict[str, dict[Key, Markable]]
    """Marks by annotator and phrase."""
    chains: dict[str, tuple[Group, ...]]
    """Chains by annotator."""

    @classmethod
    def of(cls, answers: Mapping[str, Markup]) -> LinkedPhrases:
        """Return the phrases of several answers; those without a link are left out."""
        marks: dict[str, dict[Key, Markable]] = {}
        chains: dict[str, tuple[Group, ...]] = {}
        for name, markup in answers.items():
            marks[name], chains[name] = _group_by_key(markup)
        return cls(tuple(sorted({key for keys in marks.values() for key in keys})), marks, chains)


def count_links(phrases: LinkedPhrases) -> Counter[tuple[Key, Key]]:
    """Count the annotators who have each pair of phrases in one chain."""
    return Counter(
        linked
        for groups in phrases.chains.values()
        for group in groups
        for linked in combinations(sorted(group), 2)
    )


Markups = Mapping[str, Markup]
"""Answers to one document by annotator."""


def measure(
    contents: Mapping[str, CoreferenceItem], answers: Mapping[str, Markups]
) -> list[Measure]:
    """Return the measures over all documents that two or more people annotated."""
    shared = {
        key: markups for key, markups in answers.items() if len(markups) > 1 and key in contents
    }
    names = sorted({name for markups in shared.values() for name in markups})
    chains: dict[str, float] = {}
    mentions: dict[str, float] = {}
    document_counts: Counter[str] = Counter()
    for first, second in combinations(names, 2):
        document_pairs = [
            (
                contents[key].document(key, markups[first]),
                contents[key].document(key, markups[second]),
            )
            for key, markups in shared.items()
            if first in markups and second in markups
        ]
        if not document_pairs:
            continue
        reversed_pairs = [(right, left) for left, right in document_pairs]
        pair_name = f"{first} {second}"
        document_counts[pair_name] = len(document_pairs)
        chains[pair_name] = (f1(document_pairs) + f1(reversed_pairs)) / 2
        mentions[pair_name] = (f1(document_pairs, "mentions") + f1(reversed_pairs, "mentions")) / 2
    alpha, units = links_alpha([LinkedPhrases.of(markups) for markups in shared.values()])
    detail = "by pairs of annotators, documents both annotated"
    return [
        Measure("CoNLL F1 of chains", _mean(chains, document_counts), len(shared), detail, chains),
        Measure("F1 of mentions", _mean(mentions, document_counts), len(shared), detail, mentions),
        Measure("alpha on links", alpha, units, "nominal, over pairs of marked phrases"),
    ]


def f1(
    document_pairs: Sequence[tuple[Document, Document]],
    metric: str = "conll",
    match: Match = "head",
) -> float:
    """Return F1 of chains or mentions over all documents; 1 if neither side has any."""
    if not any(side.get(CHAINS) for both in document_pairs for side in both):
        return 1.0
    pairs = [pair(key, response, match) for key, response in document_pairs]
    return score_pairs(pairs, metrics=[metric]).rates(metric).f1


def links_alpha(documents: Iterable[LinkedPhrases]) -> tuple[float | None, int]:
    """Return Krippendorff's alpha on whether two phrases are linked, and the number of pairs.

    Only pairs that somebody links are visited; the others are only counted.
    """
    linked = unlinked = differing = 0.0
    units = 0
    for phrases in documents:
        coders = len(phrases.chains)
        size = len(phrases.order)
        possible = size * (size - 1) // 2
        units += possible
        votes = count_links(phrases)
        linked += sum(votes.values())
        unlinked += possible * coders - sum(votes.values())
        differing += sum(2 * n * (coders - n) / (coders - 1) for n in votes.values())
    if not linked or not unlinked:
        return None, units
    total = linked + unlinked
    value = 1 - (total - 1) * differing / (2 * linked * unlinked)
    return (None if math.isnan(value) else value), units


def _mean(values: Mapping[str, float], weights: Mapping[str, int]) -> float | None:
    """Return the mean of the pairs, each weighted by its documents."""
    total = sum(weights.values())
    return sum(values[name] * weights[name] for name in values) / total if total else None


def settle(content: CoreferenceItem, answers: Mapping[str, Markup], rule: VotingRule) -> Settled:
    """Return the phrases that enough annotators mark, joined if enough link them.

    Borders, MIN and OPT of a phrase are those of most people who marked it. Of two equally frequent
    borders the longer one counts, since whole phrases are marked (§4.2).
    """
    if not answers:
        return Settled(None)
    phrases = LinkedPhrases.of(answers)
    voters = len(answers)
    votes = Counter(key for by_key in phrases.marks.values() for key in by_key)
    agreed = {key for key, count in votes.items() if rule.accepts(count, voters)}
    pairs = [
        pair
        for pair, count in count_links(phrases).items()
        if agreed.issuperset(pair) and rule.accepts(count, voters)
    ]
    groups = [group for group in group_linked(sorted(agreed), pairs) if len(group) > 1]
    markup = relink(Markup(tuple(_markables(groups, phrases))))
    return Settled(to_json(markup), (*_chains(content, phrases), *_details(content, phrases)))


def _markables(groups: Iterable[Group], phrases: LinkedPhrases) -> Iterator[Markable]:
    used_spans: set[Key] = set()
    number = 0
    for group in groups:
        first: str | None = None
        for key in group:
            marks = [by_key[key] for by_key in phrases.marks.values() if key in by_key]
            spans = Counter((mark.start, mark.end) for mark in marks)
            place = max(spans, key=lambda span: (spans[span], span[1] - span[0], span))
            if place in used_spans:
                continue
            used_spans.add(place)
            number += 1
            optional_votes = sum(mark.optional for mark in marks)
            contains_minimum = place[0] <= key[0] and key[1] <= place[1]
            yield Markable(
                *place, str(number), first, Span(*key) if contains_minimum else None,
                optional=first is not None and 2 * optional_votes > len(marks),
            )  # fmt: skip
            first = first or str(number)


def _chains(content: CoreferenceItem, phrases: LinkedPhrases) -> Iterator[AnswerDifference]:
    """Yield each set of linked phrases that annotators divide differently, or do not all mark."""
    for group in group_linked(phrases.order, count_links(phrases)):
        members = set(group)
        divided = {
            person: sorted(
                tuple(sorted(members & set(chain)))
                for chain in chains
                if members.intersection(chain)
            )
            for person, chains in phrases.chains.items()
        }
        if len({tuple(parts) for parts in divided.values()}) < 2:
            continue
        names = _names(content, phrases, group)
        choices = {
            person: "; ".join(" = ".join(map(names.__getitem__, part)) for part in parts)
            or "not linked"
            for person, parts in divided.items()
        }
        yield AnswerDifference(f"the chain of {names[group[0]]}", choices)


def _details(content: CoreferenceItem, phrases: LinkedPhrases) -> Iterator[AnswerDifference]:
    """Yield each phrase with different borders or optionality."""
    for key in phrases.order:
        by_person = {name: by_key[key] for name, by_key in phrases.marks.items() if key in by_key}
        if len({(mark.start, mark.end, mark.optional) for mark in by_person.values()}) < 2:
            continue
        choices = {
            name: f"“{_words(content, mark)}”{', optional' if mark.optional else ''}"
            for name, mark in by_person.items()
        }
        yield AnswerDifference(f"the phrase around “{_words(content, Span(*key))}”", choices)


def _names(content: CoreferenceItem, phrases: LinkedPhrases, group: Group) -> dict[Key, str]:
    """Return names for the phrases of a group; the second “it” has a number."""
    names: dict[Key, str] = {}
    seen: Counter[str] = Counter()
    for key in group:
        marks = (by_key[key] for by_key in phrases.marks.values() if key in by_key)
        words = _words(content, max(marks, key=len))
        seen[words.lower()] += 1
        count = seen[words.lower()]
        names[key] = f"“{words}”" if count == 1 else f"“{words}” ({count})"
    return names


def _words(content: CoreferenceItem, span: Span) -> str:
    return " ".join(span.of(content.text).split())


def _group_by_key(markup: Markup) -> tuple[dict[Key, Markable], tuple[Group, ...]]:
    """Return the linked phrases of an answer by key, and its chains as groups of keys."""
    by_place = {(mark.start, mark.end): mark for mark in markup.markables}
    keys: dict[Key, Key] = {}
    marks: dict[Key, Markable] = {}
    groups = []
    for chain in markup.chains():
        for mention in chain.mentions:
            place = (mention.start, mention.end)
            minimum = mention.head or mention
            key = (minimum.start, minimum.end)
            keys[place] = place if key in marks else key
            marks[keys[place]] = by_place[place]
        groups.append(tuple(keys[mention.start, mention.end] for mention in chain.mentions))
    return marks, tuple(groups)
