"""How far reviewers of a woven text agree, and what they agree on.

Kappa is Cohen's, of every two reviewers over the sentences both judged, and the mean over pairs
weighs each by those sentences; alpha is Krippendorff's, nominal, over sentences. Called-back source
sentences are compared as sets (F1), text by text, of pairs of whom at least one called any back.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tatian.consolidation.annotation import Review, SentenceReview, Verdict
from tatian.consolidation.result import Place
from tatian.statistics import cohen_kappa
from tatian.workbench.tasks.comparing import Dispute, Measure, Rule, Settled
from tatian.workbench.tasks.measuring import accepted, alpha, mean_of_pairs, pairs
from tatian.workbench.tasks.reading import plain
from tatian.workbench.tasks.review_content import Content
from tatian.workbench.tasks.union_gold import f_measure, forms

Reviews = Mapping[str, Review]
"""One text's reviews by reviewer."""


def agreement(answers: Mapping[str, Reviews]) -> list[Measure]:
    """The figures over all texts that two or more reviewed."""
    shared = {key: given for key, given in answers.items() if len(given) > 1}
    units = [
        [one.verdict for one in verdicts]
        for given in shared.values()
        for verdicts in zip(*(review.sentences for review in given.values()), strict=False)
    ]
    missed = [
        (one, other, f_measure(Counter(given[one].missing), Counter(given[other].missing)))
        for given in shared.values()
        for one, other in pairs(given)
        if given[one].missing or given[other].missing
    ]
    same = [
        (one, other, float(first.verdict == second.verdict))
        for given in shared.values()
        for one, other in pairs(given)
        for first, second in zip(given[one].sentences, given[other].sentences, strict=False)
    ]
    return [
        _kappa(shared),
        alpha("alpha on verdicts", units, "nominal; n: sentences that two or more judged"),
        mean_of_pairs("same verdict", same, "share; n: sentences compared, over all pairs"),
        mean_of_pairs("F1 of called-back sentences", missed, "n: texts compared, over all pairs"),
    ]


def decided(
    content: Content, given: Reviews, rule: Rule
) -> tuple[list[SentenceReview | None], tuple[Place, ...]]:
    """What enough reviewers say of each sentence, None where too few agree; and what is missing."""
    reviews = list(given.values())
    sentences = [
        _decided([review.sentences[index] for review in reviews], rule)
        for index in range(len(content.sentences))
    ]
    votes = Counter(place for review in reviews for place in review.missing)
    missing = tuple(place for place in content.places if rule.accepts(votes[place], len(reviews)))
    return sentences, missing


def settled(content: Content, given: Reviews, rule: Rule) -> Settled:
    """What enough reviewers say, or to start from, and all differences.

    Where no verdict on a sentence is given often enough, the answer has the most common one.
    """
    fitting = {
        person: review
        for person, review in given.items()
        if len(review.sentences) == len(content.sentences)
    }
    if not fitting:
        return Settled(None)
    found, missing = decided(content, fitting, rule)
    sentences = tuple(
        one or _of_verdict(said, Counter(one.verdict for one in said).most_common(1)[0][0])
        for one, said in zip(
            found, zip(*(review.sentences for review in fitting.values()), strict=True), strict=True
        )
    )
    return Settled(plain(Review(sentences, missing)), tuple(_disputes(content, fitting)))


def _decided(given: Sequence[SentenceReview], rule: Rule) -> SentenceReview | None:
    verdict = accepted((one.verdict for one in given), rule)
    return None if verdict is None else _of_verdict(given, verdict)


def _of_verdict(given: Sequence[SentenceReview], verdict: Verdict) -> SentenceReview:
    """The one that stands for all of a verdict: the edit nearest to all, the commonest reason."""
    alike = [one for one in given if one.verdict == verdict]
    if verdict == "edit":
        return max(alike, key=lambda one: _nearness(one.text, alike))
    common = Counter(one.reason for one in alike).most_common(1)[0][0]
    return next(one for one in alike if one.reason == common)


def _nearness(text: str, others: Sequence[SentenceReview]) -> float:
    """How near an edit comes to everybody's, so that one stands for all."""
    return sum(f_measure(forms(text), forms(other.text)) for other in others)


def _disputes(content: Content, given: Reviews) -> Iterator[Dispute]:
    for index, proposal in enumerate(content.proposals):
        said = {person: _said(review.sentences[index]) for person, review in given.items()}
        if len(set(said.values())) > 1:
            yield Dispute(f"Sentence {index + 1}: “{proposal}”", said)
    for place, source in content.places.items():
        called = {
            person: "should be in the text" if place in review.missing else "may be left out"
            for person, review in given.items()
        }
        if len(set(called.values())) > 1:
            yield Dispute(f"Left out, {place.document}: “{source.text}”", called)


def _said(one: SentenceReview) -> str:
    """What has to be the same for no dispute: why a sentence is rejected may differ."""
    return f"edit: “{one.text}”" if one.verdict == "edit" else one.verdict


def _kappa(shared: Mapping[str, Reviews]) -> Measure:
    labels: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for given in shared.values():
        for pair in pairs(given):
            both = zip(given[pair[0]].sentences, given[pair[1]].sentences, strict=False)
            verdicts = [(first.verdict, second.verdict) for first, second in both]
            labels.setdefault(pair, []).extend(verdicts)
    found = {
        pair: cohen_kappa(*zip(*verdicts, strict=True))
        for pair, verdicts in sorted(labels.items())
        if verdicts
    }
    numbers = {pair: value for pair, value in found.items() if not math.isnan(value)}
    weight = sum(len(labels[pair]) for pair in numbers)
    total = sum(value * len(labels[pair]) for pair, value in numbers.items())
    return Measure(
        "average pairwise kappa on verdicts",
        total / weight if weight else None,
        sum(map(len, labels.values())),
        "pairs weigh as much as they share; n: sentences compared, over all pairs",
        {" ".join(pair): value for pair, value in numbers.items()},
    )
