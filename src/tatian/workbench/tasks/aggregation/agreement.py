"""Similarity of phrases: to gold, and between annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

from tatian.aggregation.data.records import MAX_ANSWERS, AggregationAnswer
from tatian.aggregation.data.rules import normalize_phrase
from tatian.workbench.tasks.agreement import (
    AnswerDifference,
    Answers,
    AnswersByItem,
    Measure,
    Settled,
    VotingRule,
    alpha,
    find_difference,
    mean_of_pairs,
    person_pairs,
)
from tatian.workbench.tasks.items import converter, to_json
from tatian.workbench.tasks.words import Vocabulary, find_words

NEAR_SHARE = 0.5
"""Similarity from which phrases are near to each other, and the score of a phrase near to gold."""
NOT_APPLICABLE, NAMED = "N/A", "a phrase"
GIVEN = ("not given", "given")
"""Names of the choices to give a phrase or not, by their truth value."""
_answer = converter(AggregationAnswer, "not phrases")


def similarity(first: str, second: str) -> float:
    """Return F1 of the shared words of two phrases, up to case, determiners and endings."""
    left, right = normalize_phrase(first), normalize_phrase(second)
    if left == right:
        return 1.0
    shares = [_share_of(left, right), _share_of(right, left)]
    return 2 * shares[0] * shares[1] / sum(shares) if sum(shares) else 0.0


def score_phrase(phrase: str, accepted: Sequence[str]) -> float:
    """Return 1 for an accepted phrase, `NEAR_SHARE` for one near to it, 0 for any other."""
    if normalize_phrase(phrase) in map(normalize_phrase, accepted):
        return 1.0
    return NEAR_SHARE * any(similarity(phrase, right) >= NEAR_SHARE for right in accepted)


def score(phrases: Sequence[str], accepted: Sequence[str]) -> float:
    """Return the score of the better of a person's phrases; for N/A, 1 if it is right, else 0."""
    if not accepted or not phrases:
        return float(not accepted and not phrases)
    return max(score_phrase(phrase, accepted) for phrase in phrases)


def measure(answers: AnswersByItem) -> Sequence[Measure]:
    """Return how often annotators write the same, how similar phrases are, and alpha of N/A."""
    by_item = {item: _phrases(by_person) for item, by_person in answers.items()}
    shared_items = [by_person for by_person in by_item.values() if len(by_person) > 1]
    agreed = sum(max(_votes(by_person).values(), default=0) > 1 for by_person in shared_items)
    both_named = [
        (first, second, by_person[first], by_person[second])
        for by_person in by_item.values()
        for first, second in person_pairs(by_person)
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
            (
                (first, second, max(similarity(left, right) for left, right in product(a, b)))
                for first, second, a, b in both_named
            ),
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
    """Return the phrases that enough annotators gave, at most two, or N/A if enough gave that.

    TESA (§3.3) discards a set if two of three say N/A. A phrase that too few gave is left out;
    people decide if that leaves none.
    """
    by_person = _phrases(answers)
    votes = _votes(by_person)
    no_phrase_votes = votes.pop(NOT_APPLICABLE, 0)
    voters = len(by_person)
    accepted = [phrase for phrase, count in votes.most_common() if rule.accepts(count, voters)][
        :MAX_ANSWERS
    ]
    top_votes = votes[accepted[0]] if accepted else 0
    kinds = {person: NAMED if phrases else NOT_APPLICABLE for person, phrases in by_person.items()}
    if rule.accepts(no_phrase_votes, voters) and no_phrase_votes > top_votes:
        disagreement = find_difference("Whether there is a phrase", kinds, NOT_APPLICABLE)
        return Settled(to_json(AggregationAnswer()), tuple(disagreement))
    if accepted and top_votes > no_phrase_votes:
        disagreement = find_difference("Whether there is a phrase", kinds, NAMED)
        differences = (*disagreement, *_find_differences(by_person, votes, accepted))
        return Settled(to_json(AggregationAnswer(tuple(accepted))), differences)
    choices = {
        person: "; ".join(phrases) or NOT_APPLICABLE for person, phrases in by_person.items()
    }
    is_open = len({frozenset(phrases) for phrases in by_person.values()}) > 1
    return Settled(None, (AnswerDifference("The phrase", choices),) if is_open else ())


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
    return {
        person: tuple(dict.fromkeys(map(normalize_phrase, _answer(answer).phrases)))
        for person, answer in answers.items()
    }


def _votes(by_person: Mapping[str, Sequence[str]]) -> Counter[str]:
    """Return the number of annotators for each phrase and N/A, in the order of first use."""
    return Counter(
        phrase for phrases in by_person.values() for phrase in phrases or (NOT_APPLICABLE,)
    )


def _share_of(phrase: str, other_phrase: str) -> float:
    """Return the share of a phrase's words that the other has."""
    vocabulary, phrase_words = _vocabulary(other_phrase), find_words(phrase)
    return sum(word.text in vocabulary for word in phrase_words) / max(1, len(phrase_words))


@lru_cache(maxsize=4096)
def _vocabulary(text: str) -> Vocabulary:
    return Vocabulary(text)
