"""The nouns that a word comes from, so that "toxic" finds Toxicity and "teeth" Tooth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

_IRREGULAR = {
    "children": "child", "feet": "foot", "geese": "goose", "kids": "child", "kid": "child",
    "knives": "knife", "leaves": "leaf", "lives": "life", "men": "man", "mice": "mouse",
    "people": "person", "teeth": "tooth", "wives": "wife", "wolves": "wolf", "women": "woman",
    "commercial": "commerce", "commercially": "commerce", "dental": "dentistry",
    "financial": "finance", "legal": "law", "medical": "medicine", "mental": "mind",
    "national": "nation", "political": "politics", "presidential": "president",
    "racial": "race", "rural": "rural area", "scientific": "science", "sexual": "sex",
    "urban": "urban area", "parliamentary": "parliament", "judicial": "judiciary",
}  # fmt: skip
_ENDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ically", ("ics", "y", "ic", "icity")),
    ("ists", ("ism", "y", "", "ist")),
    ("ical", ("ics", "y", "ic")),
    ("ated", ("ation", "ate")),
    ("ates", ("ation", "ate")),
    ("izing", ("ization", "ize")),
    ("ized", ("ization", "ize")),
    ("ising", ("isation", "ise")),
    ("ised", ("isation", "ise")),
    ("ally", ("e", "", "al")),
    ("ist", ("ism", "y", "")),
    ("ful", ("",)),
    ("ous", ("e", "y", "ity", "")),
    ("ive", ("ion", "e")),
    ("ity", ("", "e")),
    ("ic", ("y", "ity", "ics", "ism", "", "e")),
    ("al", ("", "e", "ality", "s")),
    ("ly", ("", "ness")),
    ("ing", ("", "e", "ion", "ation")),
    ("ed", ("", "e", "ion", "ation", "ing")),
    ("es", ("", "is", "e")),
    ("or", ("ion", "e")),
    ("er", ("ing", "", "e")),
    ("ers", ("ing", "e")),
    ("ors", ("ion",)),
    ("ve", ("f",)),
    ("ves", ("f", "fe")),
    ("s", ("",)),
    ("", ("ity", "ness", "ion", "ing", "ation")),
)
_SHORTEST_STEM = 3


@lru_cache(1 << 14)
def bases(word: str) -> tuple[str, ...]:
    """Words that `word`, in lower case, may be derived from, the likeliest first."""
    return tuple(_bases(word))


def _bases(word: str) -> Iterator[str]:
    given = {word}
    if word in _IRREGULAR:
        given.add(_IRREGULAR[word])
        yield _IRREGULAR[word]
    for ending, others in _ENDINGS:
        stem = word.removesuffix(ending) if ending else word
        if (ending and stem == word) or len(stem) < _SHORTEST_STEM:
            continue
        for other in others:
            for candidate in (stem + other, _single(stem) + other):
                if candidate not in given and len(candidate) > _SHORTEST_STEM:
                    given.add(candidate)
                    yield candidate


def _single(stem: str) -> str:
    """Without the doubled consonant: "clott" -> "clot"."""
    return (
        stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiouls" else stem
    )
