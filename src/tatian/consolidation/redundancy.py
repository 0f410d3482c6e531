"""Check whether a sentence can be dropped without losing a fact."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from tatian.analysis.coverage import read_coverage
from tatian.consolidation.verification.grammar import moods_of
from tatian.text.content import concept, concepts, is_content, is_exact
from tatian.text.lexicon import DEMONSTRATIVES, NEGATIONS, PRONOUNS
from tatian.text.splitter import split
from tatian.text.tokenizer import tokenize

COVERED = 0.15
"""Largest uncovered share of a sentence that others make redundant."""
_NEAREST = 3
"""Most similar texts that are read for coverage."""
_OPENING = 3
"""First words of a sentence among which a pronoun may refer to the sentence before."""
_DOUBTED = 2
"""Content words after a denial or a doubt that it concerns."""
_BREAKS = frozenset({".", ",", ";", ":", "and", "but", "or"})
"""Words and marks that end what a denial or a doubt concerns."""
QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")


def find_covering(text: str, others: Sequence[str]) -> list[int]:
    """Return the texts that cover one together, the most similar first; empty if none do.

    They must cover each of its sentences, have all its names, figures and quotations, and deny or
    doubt the same.
    """
    said = set(_concepts(text))

    def shared(number: int) -> int:
        return len(said.intersection(_concepts(others[number])))

    nearest = sorted(range(len(others)), key=shared, reverse=True)[:_NEAREST]
    sentences = [text[sentence.start : sentence.end] for sentence in split(text)]
    for count in range(1, len(nearest) + 1):
        together = " ".join(others[number] for number in sorted(nearest[:count]))
        doubted = {(kind, what) for kind, what in _doubted(together) if what in said}
        if doubted != _doubted(text) or _lacks(together, text):
            continue
        coverages = read_coverage([(sentence, together) for sentence in sentences])
        if all(coverage.uncovered_share <= COVERED for coverage in coverages):
            return nearest[:count]
    return []


def _concepts(text: str) -> list[str]:
    return concepts(token.text for token in tokenize(text))


def _doubted(text: str) -> set[tuple[str, str]]:
    """Return what a text denies, doubts or plans: the kind, and each of the next content words.

    The coverage model takes "resigned" as covered by "did not resign".
    """
    words = [token.text for token in tokenize(text)]
    claims: set[tuple[str, str]] = set()
    for place, word in enumerate(words):
        kinds = moods_of(word) | ({"denial"} if word.lower() in NEGATIONS else set())
        clause = takewhile(lambda other: other.lower() not in _BREAKS, words[place + 1 :])
        doubted = concepts(clause)[:_DOUBTED] if kinds else []
        claims.update((kind, what) for kind in kinds for what in doubted)
    return claims


def _lacks(together: str, text: str) -> bool:
    """Check whether a name, a figure or a quotation of a text is not in others."""
    held = {concept(token.text) for token in tokenize(together)}
    words = (token.text for token in tokenize(text))
    exact = (concept(word) for word in words if is_content(word) and is_exact(word))
    quotations = map(plain_words, QUOTED.findall(text))
    return not held.issuperset(exact) or any(
        quotation not in plain_words(together) for quotation in quotations
    )


def refers_back(text: str) -> bool:
    """Check whether a text begins with a pronoun, or nearly so."""
    opening = [token.text.lower() for token in tokenize(text)][:_OPENING]
    return any(word in PRONOUNS or word in DEMONSTRATIVES for word in opening)


def plain_words(text: str) -> str:
    """Return the words of a text in lower case, without marks."""
    return " ".join(re.findall(r"\w+", text.casefold()))
