"""Content words: what a sentence says, apart from how its grammar says it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from tatian.assets import sections
from tatian.text.dates import named_days, published
from tatian.text.documents import Document
from tatian.text.lexicon import NUMBER_WORDS, REPORTING_VERBS, STOP_WORDS
from tatian.text.spans import Span

_PARAPHRASES = sections(Path(__file__).with_name("paraphrases.txt"))["paraphrases"]
"""A line of words that count as the same."""


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The word without its endings, so that "injured" meets "injuring"."""
    stemmed: str = _stemmer().stemWord(word.lower())
    return stemmed


@cache
def _paraphrases() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in _PARAPHRASES.splitlines():
        words = line.split()
        for word in words:
            table.setdefault(stem(word), stem(words[0]))
    return table


@lru_cache(maxsize=100_000)
def is_content(word: str) -> bool:
    """Whether the word says something of its own."""
    return any(character.isalnum() for character in word) and word.lower() not in STOP_WORDS


@lru_cache(maxsize=100_000)
def concept(word: str) -> str:
    """What the word stands for: numbers by value, paraphrases by one of them, others by stem."""
    lower = word.lower()
    if lower in NUMBER_WORDS:
        return str(NUMBER_WORDS[lower])
    if lower[:1].isdigit():
        return lower.replace(",", "")
    stemmed = stem(lower)
    return _paraphrases().get(stemmed, stemmed)


@lru_cache(maxsize=100_000)
def is_telling(word: str) -> bool:
    """Whether a word is a name or a number, which nothing else can stand for."""
    return word[:1].isupper() or any(c.isdigit() for c in word) or word.lower() in NUMBER_WORDS


def concepts(words: Iterable[str]) -> list[str]:
    """The concepts of the content words among `words`, in order, repeats kept."""
    return [concept(word) for word in words if is_content(word)]


@cache
def saying() -> frozenset[str]:
    """The concepts of "said", "told" and the like: who reports, not what."""
    return frozenset(concept(verb) for verb in REPORTING_VERBS)


def concepts_of(document: Document, span: Span) -> list[str | None]:
    """For each token in `span`, its concept, None for function words; days by their date."""
    tokens = document.tokens_in(span)
    days = named_days(tokens, published(document))
    return [
        days[index].isoformat()
        if index in days
        else (concept(token.text) if is_content(token.text) else None)
        for index, token in enumerate(tokens)
    ]
