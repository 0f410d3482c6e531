"""Agreement of people who wrote unions of the same sentences, and scores against gold.

People agree if their merged sentences have the same words in the same order, whatever their
punctuation. Base and highlights are only steps towards the sentence (Hirsch et al. 2023, §4.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from tatian.errors import InputError
from tatian.union.annotation import Highlight, Skipped, SkipReason, UnionAnswer, Written
from tatian.union.data.checks import representative
from tatian.workbench.tasks.agreement import (
    AnswerDifference,
    Answers,
    AnswersByItem,
    Contents,
    Measure,
    PairSimilarity,
    Settled,
    VotingRule,
    accepted_label,
    alpha,
    compare_bags,
    f_measure,
    find_difference,
    mean_of_pairs,
    person_pairs,
    shared_items,
)
from tatian.workbench.tasks.items import convert, to_json
from tatian.workbench.tasks.words import find_words, find_words_within, fold

AnswersByPerson = dict[str, Written | Skipped]
_Unions = tuple[Sequence[str], dict[str, Written]]
"""Sentences, and their unions by annotator."""
WRITTEN, SKIPPED = "a union", "skipped"
"""Names of the kinds of answers."""


def measure(contents: Contents, answers: AnswersByItem) -> Sequence[Measure]:
    """Return the F1 of words of unions and of highlights, and alpha of skipping and of the base."""
    items = [
        (content["sentences"], _by_person(answered))
        for content, answered in shared_items(contents, answers)
    ]
    written = [(sentences, _unions(by_person)) for sentences, by_person in items]
    bags = (
        {person: word_forms(union.merged) for person, union in unions.items()}
        for _, unions in written
    )
    skipping = [[_kind(answer) for answer in by_person.values()] for _, by_person in items]
    bases = [[union.base for union in by_person.values()] for _, by_person in written]
    return [
        mean_of_pairs("F1 of words of unions", compare_bags(bags), "pairs of unions"),
        mean_of_pairs(
            "F1 of highlighted words", _compare_marks(written), "pairs of unions with the same base"
        ),
        alpha("alpha of skipping", skipping, "nominal, items"),
        alpha("alpha of the base", bases, "nominal, items that two or more merged"),
    ]


def settle(answers: Answers, rule: VotingRule) -> Settled:
    """Return the union that enough people wrote, or else the one most similar to the others.

    The result is a skip if enough people skip, or if the rule decides nothing and half of them do.
    """
    by_person = _by_person(answers)
    if not by_person:
        return Settled(None)
    written = _unions(by_person)
    kinds = {person: _kind(answer) for person, answer in by_person.items()}
    kind = accepted_label(kinds.values(), rule)
    if kind is None:
        kind = WRITTEN if len(written) > len(by_person) - len(written) else SKIPPED
    differences = tuple(find_difference("Union or none", kinds))
    if kind == WRITTEN:
        return _settle_unions(written, rule, differences)
    reasons = {who: skip.reason for who, skip in by_person.items() if isinstance(skip, Skipped)}
    most_frequent = Counter(reasons.values()).most_common(1)[0][0]
    skipped = Skipped(accepted_label(reasons.values(), rule) or most_frequent)
    return Settled(to_json(skipped), (*differences, *find_difference("Why there is none", reasons)))


def _settle_unions(
    unions: Mapping[str, Written], rule: VotingRule, differences: tuple[AnswerDifference, ...]
) -> Settled:
    spellings: dict[tuple[str, ...], str] = {}
    choices: dict[str, str] = {}
    for person, union in unions.items():
        words_in_order = tuple(fold(word.text) for word in find_words(union.merged))
        choices[person] = spellings.setdefault(words_in_order, union.merged)
    differences = (*differences, *find_difference("Merged sentence", choices))
    agreed = accepted_label(choices.values(), rule)
    index = representative([union.merged for union in unions.values()]).index
    if agreed is not None:
        index = list(choices.values()).index(agreed)
    return Settled(to_json(list(unions.values())[index]), differences)


def _compare_marks(written: Sequence[_Unions]) -> Iterator[PairSimilarity]:
    """Yield the F-measure of highlighted words of every two unions with the same base."""
    for sentences, unions in written:
        marked = {who: find_highlighted(sentences, unions[who].highlights) for who in unions}
        for first, second in person_pairs(marked):
            if unions[first].base == unions[second].base:
                yield first, second, f_measure(marked[first], marked[second])


def _by_person(answers: Answers) -> AnswersByPerson:
    kind: type[Written | Skipped] = UnionAnswer  # type: ignore[assignment]
    return {person: convert(answer, kind, "not a union") for person, answer in answers.items()}


def _unions(by_person: AnswersByPerson) -> dict[str, Written]:
    return {person: answer for person, answer in by_person.items() if isinstance(answer, Written)}


def _kind(answer: Written | Skipped) -> str:
    return WRITTEN if isinstance(answer, Written) else SKIPPED


# Score of an answer against gold. The score of a union is the mean of two F-measures: of the
# highlighted words, and of the words of the merged sentence (ROUGE-1 without stemming, for all
# scripts). Highlights are compared only for the same base, since the choice of a base is free
# (§4.2); otherwise only the words count. If the gold has highlights and the answer has none, the
# score of the words is halved, since a base left unchanged is no union. A skip against a union
# scores 0.

OTHER_REASON = 0.5
"""Score of a skip with another reason than gold."""


class GoldUnion(Struct, frozen=True, tag="written", omit_defaults=True):
    """The right union; published data has neither base nor highlights."""

    merged: str
    base: int | None = None
    highlights: tuple[Highlight, ...] = ()
    note: str = ""
    """Reason, for training."""

    def check(self, sentences: Sequence[str]) -> None:
        """Refuse gold that does not fit its sentences."""
        if not self.merged.strip():
            raise InputError("the gold union is empty")
        if self.base is not None:
            Written(self.base, self.merged, self.highlights).check(sentences)
        elif self.highlights:
            raise InputError("gold with highlights but without a base")


class GoldSkip(Struct, frozen=True, tag="skipped", omit_defaults=True):
    """Gold for sentences that cannot be merged."""

    reason: SkipReason
    note: str = ""

    def check(self, sentences: Sequence[str]) -> None:
        """Do nothing, since a reason fits any sentences."""


Gold = GoldUnion | GoldSkip


def score(sentences: Sequence[str], gold: Gold, answer: UnionAnswer) -> float:
    """Return the score of an answer against gold, from 0 to 1."""
    if isinstance(answer, Skipped) or isinstance(gold, GoldSkip):
        if not (isinstance(answer, Skipped) and isinstance(gold, GoldSkip)):
            return 0.0
        return 1.0 if answer.reason == gold.reason else OTHER_REASON
    merged = f_measure(word_forms(gold.merged), word_forms(answer.merged))
    if gold.highlights and not answer.highlights:
        return merged / 2
    if gold.base is None or gold.base != answer.base:
        return merged
    right = find_highlighted(sentences, gold.highlights)
    return (merged + f_measure(right, find_highlighted(sentences, answer.highlights))) / 2


def word_forms(text: str) -> Counter[str]:
    """Return the words of a text in the form in which they are compared."""
    return Counter(fold(word.text) for word in find_words(text))


def find_highlighted(
    sentences: Sequence[str], marks: Sequence[Highlight]
) -> Counter[tuple[int, int]]:
    """Return sentence and offset of each highlighted word."""
    return Counter(
        (number, word.start)
        for number, text in enumerate(sentences)
        for word in find_words_within(text, [mark for mark in marks if mark.sentence == number])
    )
