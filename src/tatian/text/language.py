"""Language check: texts in other languages than English are refused."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path, PurePath

from tatian.assets import sections
from tatian.errors import NotEnglish
from tatian.text.documents import Document
from tatian.text.lexicon import STOP_WORDS, word_set

MIN_WORDS = 20
"""Minimum number of words of a text whose language is judged; shorter Latin text is English."""

MIN_ENGLISH_SHARE = 0.4
"""Minimum share of English evidence in an English text."""

MIN_FUNCTION_WORDS_SHARE = 0.1
"""Minimum share of function words in prose; lists have fewer."""

FUNCTION_WORDS = {
    language: word_set(words)
    for language, words in sections(Path(__file__).with_name("languages.txt")).items()
}
"""Frequent words of each language; some belong to several languages."""

SCRIPTS = {
    "Greek": r"\u0370-\u03ff\u1f00-\u1fff",
    "Russian or another language in Cyrillic script": r"\u0400-\u052f",
    "Hebrew": r"\u0590-\u05ff",
    "Arabic, Persian or another language in Arabic script": r"\u0600-\u06ff\u0750-\u077f",
    "Hindi or another language of India": r"\u0900-\u0dff",
    "Thai": r"\u0e00-\u0e7f",
    "Japanese": r"\u3040-\u30ff",
    "Korean": r"\u1100-\u11ff\uac00-\ud7af",
    "Chinese or Japanese": r"\u3400-\u4dbf\u4e00-\u9fff",
}

ENGLISH = "English"
UNKNOWN = "another language than English"

_SCRIPTS = {name: re.compile(f"[{chars}]") for name, chars in SCRIPTS.items()}
_WORD = re.compile(r"[^\W\d_]++['’]?")
_ENGLISH_WORDS = {word for word in STOP_WORDS if word.isalpha() and len(word) > 1} | {"a", "i"}
_SAMPLE_CHARACTERS = 20_000
"""Characters of each of the three parts of a long text that are read."""


def english_share(text: str) -> float:
    """Return the share of English in the evidence on a text's language; 1 for very short texts."""
    return _judge(text)[1]


_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")
"""Web addresses, which are left out: an "en" in them is not a French word."""


def require_english(document: Document) -> None:
    """Raise `NotEnglish`, naming the likely language, unless the document is English."""
    language, share = _judge(document.text)
    if share < MIN_ENGLISH_SHARE:
        path = document.metadata.path
        has_file_name = path is not None and PurePath(path).name.startswith(f"{document.id}.")
        prefix = "" if has_file_name else f"'{document.id}' "
        raise NotEnglish(f"{prefix}seems to be in {language}: Tatian reads English only", path=path)


def _judge(text: str) -> tuple[str, float]:
    """Return the most likely language, and the share of evidence for English."""
    sample = _ADDRESS.sub(" ", _sample(text))
    letters = sum(map(str.isalpha, sample))
    scripts = {name: len(pattern.findall(sample)) for name, pattern in _SCRIPTS.items()}
    latin_share = 1 - sum(scripts.values()) / letters if letters else 1.0
    if latin_share < MIN_ENGLISH_SHARE:
        likely = "Japanese" if scripts["Japanese"] else None
        return likely or max(scripts, key=lambda name: scripts[name]), latin_share
    words = [match.lower().replace("’", "'") for match in _WORD.findall(sample)]
    if len(words) < MIN_WORDS:
        return ENGLISH, 1.0
    counts = Counter(words)
    english = sum(counts[word] + counts[word + "'"] for word in _ENGLISH_WORDS)
    languages = FUNCTION_WORDS.items()
    other_counts = {name: sum(counts[word] for word in words) for name, words in languages}
    likeliest = max(other_counts, key=lambda name: other_counts[name])
    if max(english, other_counts[likeliest]) < MIN_FUNCTION_WORDS_SHARE * len(words):
        return (ENGLISH, 1.0) if len(words) < 10 * MIN_WORDS else (UNKNOWN, 0.0)
    share = english / (english + other_counts[likeliest])
    return (ENGLISH if share >= MIN_ENGLISH_SHARE else likeliest), share


def _sample(text: str) -> str:
    """Return a short text, or the beginning, middle and end of a long one."""
    if len(text) <= 3 * _SAMPLE_CHARACTERS:
        return text
    middle, size = len(text) // 2, _SAMPLE_CHARACTERS
    return " ".join((text[:size], text[middle : middle + size], text[-size:]))
