"""What is learned of words before training: inventories of shapes, endings and lemma scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import takewhile

from tatian.analysis.words import endings, in_case, shape


def listed(counts: Counter[str], *, least: int, most: int) -> tuple[str, ...]:
    """An inventory of what is frequent enough to learn, after the empty string for all else."""
    frequent = [item for item, count in counts.items() if item and count >= least]
    frequent.sort(key=lambda item: (-counts[item], item))
    return ("", *frequent[:most])


def shapes_of(words: Iterable[str], *, least: int = 20, most: int = 127) -> tuple[str, ...]:
    """The shapes worth an embedding of their own."""
    return listed(Counter(map(shape, words)), least=least, most=most)


def endings_of(words: Iterable[str], *, least: int = 10, most: int = 1023) -> tuple[str, ...]:
    """The endings worth an embedding of their own."""
    counts: Counter[str] = Counter()
    for word in words:
        counts.update(endings(word))
    return listed(counts, least=least, most=most)


def derive_script(form: str, lemma: str) -> str:
    """The shortest edit at its end that makes `lemma` of `form`; lower-cased among equals."""
    return min((_script(case, form, lemma) for case in "lkf"), key=_cost)


def _script(case: str, form: str, lemma: str) -> str:
    cased = in_case(form, case)
    pairs = zip(cased, lemma, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return f"{case}|{len(cased) - shared}|{lemma[shared:]}"


def _cost(script: str) -> int:
    _, drop, append = script.split("|", 2)
    return int(drop) + len(append)
