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

MAX_UNCOVERED_SHARE = 0.15
"""Maximum uncovered share of a sentence that others make redundant."""
_MAX_READ = 3
"""Number of texts, the most similar ones, that are read for coverage."""
_OPENING = 3
"""Words at the start of a sentence among which a pronoun may refer to the sentence before."""
_SCOPE = 2
"""Content words after a negation or hedge that are in its scope."""
_SCOPE_ENDS = frozenset({".", ",", ";", ":", "and", "but", "or"})
"""Words and marks that end the scope of a negation or hedge."""
QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")


def find_covering(text: str, others: Sequence[str]) -> list[int]:
    """Return the texts that cover one together, the most similar first; empty if none do.

    They must cover each of its sentences, have all its names, figures and quotations, and negate
    or hedge the same words.
    """
    known = set(_concepts(text))

    def shared_count(number: int) -> int:
        return len(known.intersection(_concepts(others[number])))

    nearest = sorted(range(len(others)), key=shared_count, reverse=True)[:_MAX_READ]
    sentences = [text[sentence.start : sentence.end] for sentence in split(text)]
    for count in range(1, len(nearest) + 1):
        together = " ".join(others[number] for number in sorted(nearest[:count]))
        qualified = {(kind, word) for kind, word in _qualified(together) if word in known}
        if qualified != _qualified(text) or _lacks_exact(together, text):
            continue
        coverages = read_coverage([(sentence, together) for sentence in sentences])
        if all(coverage.uncovered_share <= MAX_UNCOVERED_SHARE for coverage in coverages):
            return nearest[:count]
    return []


def _concepts(text: str) -> list[str]:
    return concepts(token.text for token in tokenize(text))


def _qualified(text: str) -> set[tuple[str, str]]:
    """Return what a text denies, doubts or plans: pairs of a kind and a content word in its scope.

    The coverage model takes "resigned" as covered by "did not resign".
    """
    words = [token.text for token in tokenize(text)]
    claims: set[tuple[str, str]] = set()
    for place, word in enumerate(words):
        kinds = moods_of(word) | ({"denial"} if word.lower() in NEGATIONS else set())
        clause = takewhile(lambda other: other.lower() not in _SCOPE_ENDS, words[place + 1 :])
        following = concepts(clause)[:_SCOPE] if kinds else []
        claims.update((kind, name) for kind in kinds for name in following)
    return claims


def _lacks_exact(together: str, text: str) -> bool:
    """Check whether a name, figure or quotation of a text is missing from other texts."""
    present = {concept(token.text) for token in tokenize(together)}
    words = (token.text for token in tokenize(text))
    exact = (concept(word) for word in words if is_content(word) and is_exact(word))
    quotations = map(plain_words, QUOTED.findall(text))
    return not present.issuperset(exact) or any(
        quotation not in plain_words(together) for quotation in quotations
    )


def refers_back(text: str) -> bool:
    """Check whether a text has a pronoun among its first words."""
    opening = [token.text.lower() for token in tokenize(text)][:_OPENING]
    return any(word in PRONOUNS or word in DEMONSTRATIVES for word in opening)


def plain_words(text: str) -> str:
    """Return the words of a text in lower case, without marks."""
    return " ".join(re.findall(r"\w+", text.casefold()))
