"""Agreement of people who wrote unions of the same sentences, and the union to keep.

The merged sentence is what people agree or disagree on. Base and highlights are steps towards it
(Hirsch et al. 2023, §4.2), and an answer keeps those of its author. Merged sentences with the same
words in the same order are equal, whatever their punctuation.
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
    ByItem,
    Contents,
    Measure,
    PairSimilarity,
    Settled,
    VotingRule,
    accepted_label,
    alpha,
    compare_bags,
    differing,
    f_measure,
    mean_of_pairs,
    pairs,
    shared_items,
)
from tatian.workbench.tasks.items import convert, to_plain
from tatian.workbench.tasks.words import fold, words, words_within

AnswersByPerson = dict[str, Written | Skipped]
_Unions = tuple[Sequence[str], dict[str, Written]]
"""Sentences, and the unions of them by annotator."""
WRITTEN, SKIPPED = "a union", "skipped"


def measure(contents: Contents, answers: ByItem) -> Sequence[Measure]:
    """Return the F1 of words of unions and of highlights, and alpha of skipping and of the base."""
    items = [
        (content["sentences"], _by_person(answered))
        for content, answered in shared_items(contents, answers)
    ]
    written = [(sentences, _unions(by_person)) for sentences, by_person in items]
    word_forms = (
        {person: forms(union.merged) for person, union in unions.items()} for _, unions in written
    )
    skipping = [[_kind(answer) for answer in by_person.values()] for _, by_person in items]
    bases = [[union.base for union in by_person.values()] for _, by_person in written]
    return [
        mean_of_pairs("F1 of words of unions", compare_bags(word_forms), "pairs of unions"),
        mean_of_pairs(
            "F1 of highlighted words", _compare_marks(written), "pairs of unions with the same base"
        ),
        alpha("alpha of skipping", skipping, "nominal, items"),
        alpha("alpha of the base", bases, "nominal, items that two or more merged"),
    ]


def settle(answers: Answers, rule: VotingRule) -> Settled:
    """Return the union that enough people wrote, or else the one nearest to all of theirs.

    The result is a skip if enough people skip, or if at least half do and nothing is decided.
    """
    by_person = _by_person(answers)
    if not by_person:
        return Settled(None)
    written = _unions(by_person)
    kinds = {person: _kind(answer) for person, answer in by_person.items()}
    kind = accepted_label(kinds.values(), rule)
    if kind is None:
        kind = WRITTEN if len(written) > len(by_person) - len(written) else SKIPPED
    differences = tuple(differing("Union or none", kinds))
    if kind == SKIPPED:
        reasons = {who: answer for who, answer in by_person.items() if isinstance(answer, Skipped)}
        return _settle_skips(reasons, rule, differences)
    return _settle_unions(written, rule, differences)


def _settle_skips(
    skips: Mapping[str, Skipped], rule: VotingRule, differences: tuple[AnswerDifference, ...]
) -> Settled:
    reasons = {person: skip.reason for person, skip in skips.items()}
    reason = (
        accepted_label(reasons.values(), rule) or Counter(reasons.values()).most_common(1)[0][0]
    )
    return Settled(
        to_plain(Skipped(reason)), (*differences, *differing("Why there is none", reasons))
    )


def _settle_unions(
    unions: Mapping[str, Written], rule: VotingRule, differences: tuple[AnswerDifference, ...]
) -> Settled:
    spelling_of: dict[tuple[str, ...], str] = {}
    key_of = {person: _key(union.merged) for person, union in unions.items()}
    for person, key in key_of.items():
        spelling_of.setdefault(key, unions[person].merged)
    choices = {person: spelling_of[key] for person, key in key_of.items()}
    differences = (*differences, *differing("Merged sentence", choices))
    people = list(unions)
    agreed = accepted_label(key_of.values(), rule)
    if agreed is None:
        chosen = people[representative([unions[person].merged for person in people]).index]
    else:
        chosen = next(person for person in people if key_of[person] == agreed)
    return Settled(to_plain(unions[chosen]), differences)


def _compare_marks(
    written: Sequence[_Unions],
) -> Iterator[PairSimilarity]:
    for sentences, unions in written:
        marked = {person: places(sentences, union.highlights) for person, union in unions.items()}
        for first, second in pairs(marked):
            if unions[first].base == unions[second].base:
                yield first, second, f_measure(marked[first], marked[second])


def _by_person(answers: Answers) -> AnswersByPerson:
    kind: type[Written | Skipped] = UnionAnswer  # type: ignore[assignment]
    return {person: convert(answer, kind, "not a union") for person, answer in answers.items()}


def _unions(by_person: AnswersByPerson) -> dict[str, Written]:
    return {person: answer for person, answer in by_person.items() if isinstance(answer, Written)}


def _kind(answer: Written | Skipped) -> str:
    return WRITTEN if isinstance(answer, Written) else SKIPPED


def _key(text: str) -> tuple[str, ...]:
    return tuple(fold(word.text) for word in words(text))


# Score of an answer against gold. The score of a written union is the mean of two F-measures
# against the gold: of the highlighted words, and of the words of the merged sentence (ROUGE-1, here
# without stemming, so that every script counts). Highlights are compared only if both started from
# the same base, since the choice of a base is advice, not a rule (§4.2). If the bases differ, only
# the wording counts. If the gold has highlights and the answer has none, the wording counts half,
# since a base left unchanged is no union. A skip against a union is worth nothing, a skip for
# another reason half.

OTHER_REASON = 0.5


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
    """Gold that says that no union is right."""

    reason: SkipReason
    note: str = ""

    def check(self, sentences: Sequence[str]) -> None:
        """Accept any sentences: a reason fits them all."""


Gold = GoldUnion | GoldSkip


def score(sentences: Sequence[str], gold: Gold, answer: UnionAnswer) -> float:
    """Return how right an answer is, 0 to 1."""
    if isinstance(answer, Skipped) or isinstance(gold, GoldSkip):
        if not (isinstance(answer, Skipped) and isinstance(gold, GoldSkip)):
            return 0.0
        return 1.0 if answer.reason == gold.reason else OTHER_REASON
    merged = f_measure(forms(gold.merged), forms(answer.merged))
    if gold.highlights and not answer.highlights:
        return merged / 2
    if gold.base is None or gold.base != answer.base:
        return merged
    right = places(sentences, gold.highlights)
    return (merged + f_measure(right, places(sentences, answer.highlights))) / 2


def forms(text: str) -> Counter[str]:
    """Return the words of a text in the form in which they are compared."""
    return Counter(fold(word.text) for word in words(text))


def places(sentences: Sequence[str], marks: Sequence[Highlight]) -> Counter[tuple[int, int]]:
    """Return sentence and offset of each highlighted word."""
    return Counter(
        (number, word.start)
        for number, text in enumerate(sentences)
        for word in words_within(text, [mark for mark in marks if mark.sentence == number])
    )
