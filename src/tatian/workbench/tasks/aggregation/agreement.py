"""How near phrases are to each other: against gold, and between annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

from tatian.aggregation.annotation import MOST, AggregationAnswer
from tatian.aggregation.data.rules import normal
from tatian.workbench.tasks.agreement import (
    AnswerDispute,
    Answers,
    ByItem,
    Measure,
    Settled,
    VotingRule,
    alpha,
    mean_of_pairs,
    pairs,
)
from tatian.workbench.tasks.items import form, plain
from tatian.workbench.tasks.words import Vocabulary, words

NEAR = 0.5
"""The share of words that near phrases have in common, and what such a phrase is worth."""
NOT_APPLICABLE, NAMED = "N/A", "a phrase"
GIVEN = ("not given", "given")
_answer = form(AggregationAnswer, "not phrases")


def likeness(first: str, second: str) -> float:
    """F1 of the words that two phrases share, up to case, determiners and endings; 1: the same."""
    one, other = normal(first), normal(second)
    if one == other:
        return 1.0
    found = [_share(one, other), _share(other, one)]
    return 2 * found[0] * found[1] / sum(found) if sum(found) else 0.0


def worth(phrase: str, accepted: Iterable[str]) -> float:
    """1 for an accepted phrase, `NEAR` for one near to it, 0 for any other."""
    wanted = normal(phrase)
    best = 0.0
    for right in accepted:
        if normal(right) == wanted:
            return 1.0
        if likeness(phrase, right) >= NEAR:
            best = NEAR
    return best


def score(phrases: Sequence[str], accepted: Sequence[str]) -> float:
    """What the better of somebody's phrases is worth; for N/A, whether it is the right answer."""
    if not accepted or not phrases:
        return float(not accepted and not phrases)
    return max(worth(phrase, accepted) for phrase in phrases)


def measured(answers: ByItem) -> Sequence[Measure]:
    """How often annotators write the same, how near they come, and whether a set has a name."""
    given = {item: _phrases(by_person) for item, by_person in answers.items()}
    several = [by_person for by_person in given.values() if len(by_person) > 1]
    agreed = sum(max(_votes(one).values(), default=0) > 1 for one in several)
    named = [
        (first, second, by_person[first], by_person[second])
        for by_person in given.values()
        for first, second in pairs(by_person)
        if by_person[first] and by_person[second]
    ]
    return [
        mean_of_pairs(
            "same phrase",
            ((one, other, float(bool(set(a) & set(b)))) for one, other, a, b in named),
            "pairs of annotators who both gave a phrase: how many have one in common",
        ),
        mean_of_pairs(
            "shared words",
            ((one, other, _nearest(a, b)) for one, other, a, b in named),
            "the same pairs: F1 of the words of their nearest phrases",
        ),
        alpha(
            "alpha of N/A",
            ([bool(phrases) for phrases in one.values()] for one in several),
            "Krippendorff's alpha: whether a set can be named; n: items",
        ),
        Measure(
            "items with an agreed answer",
            agreed / len(several) if several else None,
            len(several),
            "items where two or more gave the same phrase, or N/A",
        ),
    ]


def settled(answers: Answers, rule: VotingRule) -> Settled:
    """The phrases that enough annotators gave, at most two of them, or N/A if enough said so.

    TESA (§3.3) gives a set up where two of three say N/A. A phrase that too few gave is left out;
    people decide where that leaves none.
    """
    given = _phrases(answers)
    votes = _votes(given)
    none = votes.pop(NOT_APPLICABLE, 0)
    won = [said for said, count in votes.most_common() if rule.accepts(count, len(given))][:MOST]
    most = votes[won[0]] if won else 0
    if rule.accepts(none, len(given)) and none > most:
        return Settled(plain(AggregationAnswer()), tuple(_named(given, NOT_APPLICABLE)))
    if won and most > none:
        disputes = (*_named(given, NAMED), *_each(given, votes, won))
        return Settled(plain(AggregationAnswer(tuple(won))), disputes)
    said = {person: "; ".join(phrases) or NOT_APPLICABLE for person, phrases in given.items()}
    differ = len({frozenset(phrases) for phrases in given.values()}) > 1
    return Settled(None, (AnswerDispute("The phrase", said),) if differ else ())


def _named(given: Mapping[str, Sequence[str]], holds: str) -> Iterator[AnswerDispute]:
    """Whether the set can be named at all, where annotators differ about it."""
    said = {person: NAMED if phrases else NOT_APPLICABLE for person, phrases in given.items()}
    if len(set(said.values())) > 1:
        yield AnswerDispute("Whether there is a phrase", said, holds)


def _each(
    given: Mapping[str, Sequence[str]], votes: Counter[str], won: Sequence[str]
) -> Iterator[AnswerDispute]:
    """Each phrase that some of those who gave any did not give, the most frequent first."""
    naming = {person: phrases for person, phrases in given.items() if phrases}
    for phrase, count in votes.most_common():
        if count < len(naming):
            said = {person: GIVEN[phrase in phrases] for person, phrases in naming.items()}
            full = phrase not in won and count >= votes[won[-1]]
            where = f"“{phrase}”: a third phrase, {MOST} are kept" if full else f"“{phrase}”"
            yield AnswerDispute(where, said, GIVEN[phrase in won])


def _phrases(answers: Answers) -> dict[str, tuple[str, ...]]:
    """What each annotator wrote, normalised, each phrase once."""
    given = {person: _answer(answer).phrases for person, answer in answers.items()}
    return {person: tuple(dict.fromkeys(map(normal, said))) for person, said in given.items()}


def _votes(given: Mapping[str, Sequence[str]]) -> Counter[str]:
    """How many annotators said each phrase, or N/A, in the order in which it first came."""
    return Counter(said for phrases in given.values() for said in phrases or (NOT_APPLICABLE,))


def _nearest(first: Iterable[str], second: Iterable[str]) -> float:
    return max(likeness(one, other) for one, other in product(first, second))


def _share(phrase: str, other: str) -> float:
    """The share of a phrase's words that the other has."""
    there = _vocabulary(other)
    mine = words(phrase)
    return sum(word.text in there for word in mine) / len(mine) if mine else 0.0


@lru_cache(maxsize=4096)
def _vocabulary(text: str) -> Vocabulary:
    return Vocabulary(text)
