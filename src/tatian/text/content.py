"""Content words and their concepts, by which sentences are compared."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from tatian.assets import sections
from tatian.text.datelines import publication_day
from tatian.text.dates import named_days
from tatian.text.documents import Document
from tatian.text.lexicon import NUMBER_WORDS, REPORTING_VERBS, STOP_WORDS
from tatian.text.spans import Span


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the word without its endings, so that "injured" matches "injuring"."""
    stemmed: str = _stemmer().stemWord(word.lower())
    return stemmed


@cache
def _paraphrases() -> dict[str, str]:
    """Map the stem of each word to that of the first word of its line of synonyms."""
    table: dict[str, str] = {}
    lines = sections(Path(__file__).with_name("paraphrases.txt"))["paraphrases"]
    for words in map(str.split, lines.splitlines()):
        for word in words:
            table.setdefault(stem(word), stem(words[0]))
    return table


@lru_cache(maxsize=100_000)
def is_content(word: str) -> bool:
    """Check whether the word is a content word."""
    return any(character.isalnum() for character in word) and word.lower() not in STOP_WORDS


@lru_cache(maxsize=100_000)
def concept(word: str) -> str:
    """Return a key for comparison: a number's value, a paraphrase's first word, or the stem."""
    lower = word.lower()
    if lower in NUMBER_WORDS:
        return str(NUMBER_WORDS[lower])
    if lower[:1].isdigit():
        return lower.replace(",", "")
    stemmed = stem(lower)
    return _paraphrases().get(stemmed, stemmed)


@lru_cache(maxsize=100_000)
def is_exact(word: str) -> bool:
    """Check whether a word is a name or a number, which has no paraphrase."""
    return word[:1].isupper() or any(c.isdigit() for c in word) or word.lower() in NUMBER_WORDS


def concepts(words: Iterable[str]) -> list[str]:
    """Return the concepts of the content words among `words`, in order, repeats kept."""
    return [concept(word) for word in words if is_content(word)]


@cache
def reporting_concepts() -> frozenset[str]:
    """Return the concepts of reporting verbs such as "said"."""
    return frozenset(concept(verb) for verb in REPORTING_VERBS)


def concepts_of(document: Document, span: Span) -> list[str | None]:
    """Return the concept of each token in `span`: None for function words, dates for days."""
    tokens = document.tokens_in(span)
    days = named_days(tokens, publication_day(document))
    return [
        days[index].isoformat()
        if index in days
        else (concept(token.text) if is_content(token.text) else None)
        for index, token in enumerate(tokens)
    ]
