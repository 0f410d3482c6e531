"""Unions that a dataset should drop or review (Hirsch et al. 2023, App. D)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal, TypeVar

from msgspec import Struct

from tatian.errors import EmptyInput
from tatian.text import Span, Token, tokenize
from tatian.text.documents import MARKS, quoted_tokens
from tatian.text.lexicon import MONTHS, PRONOUNS, WEEKDAYS
from tatian.union.data import UnionInstance
from tatian.union.metrics import content_words

Reason = Literal["disjoint", "concatenated", "new-quote", "first-person"]
Action = Literal["remove", "review"]

_FIRST_PERSON = frozenset(word for word, pronoun in PRONOUNS.items() if pronoun.person == 1)
_BEFORE_MINE = frozenset('of is was are were be than as like and or , . ; : " “ ``'.split())
_DATES = frozenset(MONTHS) | frozenset(WEEKDAYS)


class UnionFinding(Struct, frozen=True, omit_defaults=True):
    """A reason to remove an instance or to review it."""

    id: str
    reason: Reason
    action: Action
    why: str
    sentence: int | None = None
    """Index of the affected sentence; None for the union or the instance as a whole."""
    span: Span | None = None
    """Span in that sentence or in the union."""
    quoted: bool = False
    """True if the span lies inside quotation marks."""


def inspect(instance: UnionInstance) -> list[UnionFinding]:
    """Return all findings of App. D, most serious first."""
    return [
        *_find_bare_joins(instance),
        *_find_new_quotes(instance),
        *_find_speakers(instance),
    ]


def is_kept(instance: UnionInstance) -> bool:
    """Return True unless App. D removes the instance as a bare concatenation.

    Instances to review and instances without a union stay.
    """
    return not any(finding.action == "remove" for finding in _find_bare_joins(instance))


def _find_bare_joins(instance: UnionInstance) -> Iterator[UnionFinding]:
    """Find bare concatenations, by content words: joining may change function words."""
    if instance.merged is None or len(instance.sentences) < 2:
        return
    bags = [Counter(content_words(sentence)) for sentence in instance.sentences]
    whole = sum(bags, Counter[str]())
    if Counter(content_words(instance.merged)) != whole:
        return
    shared = sorted(word for word in whole if sum(word in bag for bag in bags) > 1)
    if shared:
        why = f"the union says everything of each sentence, also what both say: {' '.join(shared)}"
        yield UnionFinding(instance.id, "concatenated", "review", why)
    else:
        why = "the sentences share no content word and the union strings them together"
        yield UnionFinding(instance.id, "disjoint", "remove", why)


def _find_new_quotes(instance: UnionInstance) -> Iterator[UnionFinding]:
    """Find quotations in the union that no source quotes."""
    if instance.merged is None:
        return
    source_quotes = [
        _strip_marks(span.of(sentence))
        for sentence in instance.sentences
        for span in find_quotations(sentence)
    ]
    for span in find_quotations(instance.merged):
        text = _strip_marks(span.of(instance.merged))
        if text and not any(f" {text} " in f" {quote} " for quote in source_quotes):
            why = f"no sentence quotes {span.of(instance.merged)}"
            yield UnionFinding(instance.id, "new-quote", "review", why, span=span)


def find_quotations(text: str) -> list[Span]:
    """Return the quotations of a sentence with their marks; an unclosed one ends with the text."""
    tokens = tokenize(text)
    spans: list[Span] = []
    start: int | None = None
    for token, quoted in zip(tokens, quoted_tokens(text, tokens), strict=True):
        opens = quoted and start is None
        if opens:
            start = token.start
        if start is not None and (not quoted or (token.text in MARKS and not opens)):
            spans.append(Span(start, token.end))
            start = None
    if start is not None:
        spans.append(Span(start, tokens[-1].end))
    return spans


def _strip_marks(quote: str) -> str:
    """Return the words of a quotation in lower case, without marks and punctuation."""
    words = [token.text.lower() for token in tokenize(quote)]
    return " ".join(word for word in words if any(letter.isalnum() for letter in word))


def _find_speakers(instance: UnionInstance) -> Iterator[UnionFinding]:
    texts: list[tuple[int | None, str]] = list(enumerate(instance.sentences))
    if instance.merged is not None:
        texts.append((None, instance.merged))
    for number, text in texts:
        tokens = tokenize(text)
        flags = quoted_tokens(text, tokens)
        pronouns = find_first_person(tokens)
        if not pronouns:
            continue
        quoted = all(flags[place] for place in pronouns)
        subject = "the union" if number is None else f"sentence {number + 1}"
        words = ", ".join(dict.fromkeys(tokens[place].text for place in pronouns))
        mode = " inside a quotation" if quoted else ""
        span = Span(tokens[pronouns[0]].start, tokens[pronouns[0]].end)
        why = f"{subject} speaks in the first person{mode}: {words}"
        yield UnionFinding(instance.id, "first-person", "review", why, number, span, quoted)


def find_first_person(tokens: Sequence[Token]) -> list[int]:
    """Return the positions of first-person pronouns: not the numeral I, a coal mine, or the US."""
    return [place for place in range(len(tokens)) if _is_first_person(tokens, place)]


def _is_first_person(tokens: Sequence[Token], place: int) -> bool:
    word = tokens[place].text
    if word.lower() not in _FIRST_PERSON or word in {"US", "i"}:
        return False
    before = tokens[place - 1].text if place else ""
    if word == "I":
        initial = [token.text for token in tokens[place + 1 : place + 2]] == ["."]
        named = place > 1 and before[:1].isupper() and before.lower() not in _DATES
        return not initial and not named
    return word.lower() != "mine" or not before or before.lower() in _BEFORE_MINE


# Choice of one union where several annotators wrote one for the same sentences.


T = TypeVar("T")


class Representative(Struct, frozen=True):
    """The chosen union of several, and the annotators' agreement with it."""

    index: int
    agreement: float
    """Mean F-measure between its content words and those of each other union; 1 if alone."""


def representative(unions: Sequence[str]) -> Representative:
    """Return the union with the highest mean agreement with the others.

    McKeown et al. (2010) let five people write each union and keep one, chosen automatically. The
    union nearest to all others has what most annotators kept, without single annotators' slips.
    Ties go to the union whose word pairs agree most with the others', then to the first.
    """
    if not unions:
        raise EmptyInput("no unions to choose from")
    words = [content_words(union) for union in unions]
    by_words = _average_agreements([Counter(text_words) for text_words in words])
    by_pairs = _average_agreements([Counter(pairwise(text_words)) for text_words in words])
    best = max(range(len(unions)), key=lambda index: (by_words[index], by_pairs[index], -index))
    return Representative(best, by_words[best])


def choose_representatives(instances: Iterable[UnionInstance]) -> list[UnionInstance]:
    """Return one instance per group of sentences, in the order of the groups' first appearance.

    If at least half of the annotators skipped a group, the first skipped instance represents it.
    """
    groups: dict[tuple[str, ...], list[UnionInstance]] = {}
    for instance in instances:
        groups.setdefault(instance.sentences, []).append(instance)
    return [_choose_instance(group) for group in groups.values()]


def _choose_instance(group: Sequence[UnionInstance]) -> UnionInstance:
    skipped = [instance for instance in group if instance.skip is not None]
    written = [
        instance for instance in group if instance.skip is None and instance.merged is not None
    ]
    if skipped and len(skipped) >= len(written):
        return skipped[0]
    if not written:
        return group[0]
    return written[representative([instance.merged or "" for instance in written]).index]


def _average_agreements(bags: Sequence[Counter[T]]) -> list[float]:
    """Return each bag's mean F-measure with all others."""
    if len(bags) == 1:
        return [1.0]
    return [
        sum(_f_measure(bag, other) for place, other in enumerate(bags) if place != index)
        / (len(bags) - 1)
        for index, bag in enumerate(bags)
    ]


def _f_measure(first: Counter[T], second: Counter[T]) -> float:
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 1.0
