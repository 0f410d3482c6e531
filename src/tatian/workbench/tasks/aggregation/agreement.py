"""Similarity of phrases: to gold, and between annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

from tatian.aggregation.data.records import MAX_ANSWERS, AggregationAnswer
from tatian.aggregation.data.rules import normalize_phrase
from tatian.workbench.tasks.agreement import (
    AnswerDifference,
    Answers,
    ByItem,
    Measure,
    Settled,
    VotingRule,
    alpha,
    differing,
    mean_of_pairs,
    pairs,
)
from tatian.workbench.tasks.items import converter, to_plain
from tatian.workbench.tasks.words import Vocabulary, words

NEAR_SHARE = 0.5
"""Share of words that near phrases have in common, and the worth of such a phrase."""
NOT_APPLICABLE, NAMED = "N/A", "a phrase"
GIVEN = ("not given", "given")
_answer = converter(AggregationAnswer, "not phrases")


def similarity(first: str, second: str) -> float:
    """Return F1 of the words that two phrases share, up to case, determiners and endings."""
    left, right = normalize_phrase(first), normalize_phrase(second)
    if left == right:
        return 1.0
    shares = [_share_of(left, right), _share_of(right, left)]
    return 2 * shares[0] * shares[1] / sum(shares) if sum(shares) else 0.0


def worth(phrase: str, accepted: Iterable[str]) -> float:
    """Return 1 for an accepted phrase, `NEAR` for one near to it, 0 for any other."""
    normalized = normalize_phrase(phrase)
    best = 0.0
    for right in accepted:
        if normalize_phrase(right) == normalized:
            return 1.0
        if similarity(phrase, right) >= NEAR_SHARE:
            best = NEAR_SHARE
    return best


def score(phrases: Sequence[str], accepted: Sequence[str]) -> float:
    """Return the worth of the better of a person's phrases; for N/A, 1 if it is right, else 0."""
    if not accepted or not phrases:
        return float(not accepted and not phrases)
    return max(worth(phrase, accepted) for phrase in phrases)


def measure(answers: ByItem) -> Sequence[Measure]:
    """Return how often annotators write the same, how near they come, and alpha of N/A."""
    by_item = {item: _phrases(by_person) for item, by_person in answers.items()}
    shared_items = [by_person for by_person in by_item.values() if len(by_person) > 1]
    agreed = sum(max(_votes(by_person).values(), default=0) > 1 for by_person in shared_items)
    both_named = [
        (first, second, by_person[first], by_person[second])
        for by_person in by_item.values()
        for first, second in pairs(by_person)
        if by_person[first] and by_person[second]
    ]
    return [
        mean_of_pairs(
            "same phrase",
            ((first, second, float(bool(set(a) & set(b)))) for first, second, a, b in both_named),
            "pairs of annotators who both gave a phrase: how many have one in common",
        ),
        mean_of_pairs(
            "shared words",
            ((first, second, _score_nearest(a, b)) for first, second, a, b in both_named),
            "the same pairs: F1 of the words of their nearest phrases",
        ),
        alpha(
            "alpha of N/A",
            ([bool(phrases) for phrases in by_person.values()] for by_person in shared_items),
            "Krippendorff's alpha: whether a set can be named; n: items",
        ),
        Measure(
            "items with an agreed answer",
            agreed / len(shared_items) if shared_items else None,
            len(shared_items),
            "items where two or more gave the same phrase, or N/A",
        ),
    ]


def settle(answers: Answers, rule: VotingRule) -> Settled:
    """Return the phrases that enough annotators gave, at most two, or N/A if enough said so.

    TESA (§3.3) gives a set up where two of three say N/A. A phrase that too few gave is left out;
    people decide where that leaves none.
    """
    by_person = _phrases(answers)
    votes = _votes(by_person)
    no_phrase_votes = votes.pop(NOT_APPLICABLE, 0)
    voters = len(by_person)
    accepted = [phrase for phrase, count in votes.most_common() if rule.accepts(count, voters)][
        :MAX_ANSWERS
    ]
    top_votes = votes[accepted[0]] if accepted else 0
    if rule.accepts(no_phrase_votes, len(by_person)) and no_phrase_votes > top_votes:
        return Settled(
            to_plain(AggregationAnswer()), tuple(_find_naming(by_person, NOT_APPLICABLE))
        )
    if accepted and top_votes > no_phrase_votes:
        differences = (
            *_find_naming(by_person, NAMED),
            *_find_differences(by_person, votes, accepted),
        )
        return Settled(to_plain(AggregationAnswer(tuple(accepted))), differences)
    choices = {
        person: "; ".join(phrases) or NOT_APPLICABLE for person, phrases in by_person.items()
    }
    is_open = len({frozenset(phrases) for phrases in by_person.values()}) > 1
    return Settled(None, (AnswerDifference("The phrase", choices),) if is_open else ())


def _find_naming(by_person: Mapping[str, Sequence[str]], holds: str) -> Iterator[AnswerDifference]:
    """Yield the disagreement about whether the set can be named at all, if there is one."""
    choices = {
        person: NAMED if phrases else NOT_APPLICABLE for person, phrases in by_person.items()
    }
    yield from differing("Whether there is a phrase", choices, holds)


def _find_differences(
    by_person: Mapping[str, Sequence[str]], votes: Counter[str], accepted: Sequence[str]
) -> Iterator[AnswerDifference]:
    """Yield each phrase that only some of those with a phrase gave, the most frequent first."""
    naming = {person: phrases for person, phrases in by_person.items() if phrases}
    for phrase, count in votes.most_common():
        if count < len(naming):
            choices = {person: GIVEN[phrase in phrases] for person, phrases in naming.items()}
            is_third = phrase not in accepted and count >= votes[accepted[-1]]
            where = (
                f"“{phrase}”: a third phrase, {MAX_ANSWERS} are kept" if is_third else f"“{phrase}”"
            )
            yield AnswerDifference(where, choices, GIVEN[phrase in accepted])


def _phrases(answers: Answers) -> dict[str, tuple[str, ...]]:
    """Return the phrases of each annotator, normalised, each once."""
    written = {person: _answer(answer).phrases for person, answer in answers.items()}
    return {
        person: tuple(dict.fromkeys(map(normalize_phrase, phrases)))
        for person, phrases in written.items()
    }


def _votes(by_person: Mapping[str, Sequence[str]]) -> Counter[str]:
    """Return the number of annotators for each phrase and N/A, in the order of first use."""
    return Counter(
        phrase for phrases in by_person.values() for phrase in phrases or (NOT_APPLICABLE,)
    )


def _score_nearest(first: Iterable[str], second: Iterable[str]) -> float:
    return max(similarity(left, right) for left, right in product(first, second))


def _share_of(phrase: str, other_phrase: str) -> float:
    """Return the share of a phrase's words that the other has."""
    vocabulary = _vocabulary(other_phrase)
    phrase_words = words(phrase)
    return (
        sum(word.text in vocabulary for word in phrase_words) / len(phrase_words)
        if phrase_words
        else 0.0
    )


@lru_cache(maxsize=4096)
def _vocabulary(text: str) -> Vocabulary:
    return Vocabulary(text)
