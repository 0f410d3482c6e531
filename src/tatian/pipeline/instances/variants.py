"""The ways a text may call an entity that an index names in full."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import normalize

_LEGAL = frozenset(
    "corp corporation inc incorporated co company cos ltd limited llc plc ag sa nv group".split()
)
"""What an organisation's name ends with on paper, and rarely in a text."""
_SMALL = frozenset(("of", "the", "and", "for", "in", "on", "&", "de", "la"))
_SUFFIX = re.compile(r"\s+(?:Jr|Sr|II|III|IV)\.?$")
_SHORTEST_LAST = 2


def plain(text: str) -> str:
    """The text without accents, character for character, so that places stay the same."""
    return text if text.isascii() else "".join(map(_base, text))


@lru_cache(maxsize=4096)
def _base(character: str) -> str:
    decomposed = normalize("NFD", character)[:1]
    return "'" if character in "’‘" else decomposed or character


def variants(name: str, type: str) -> tuple[str, ...]:
    """What a text may write for it, the fullest first, without accents."""
    whole = plain(name)
    if type == "person":
        found = [whole, *_shorter_person(whole)]
    else:
        found = [whole, *_shorter_organisation(whole)] if type == "organization" else [whole]
        found += _initials(whole)
    return tuple(dict.fromkeys(found))


def last_name(name: str) -> str:
    """What a person is called after the first mention; empty for a single name."""
    words = _SUFFIX.sub("", plain(name)).split()
    return words[-1] if len(words) > 1 and len(words[-1]) > _SHORTEST_LAST else ""


def _shorter_person(name: str) -> list[str]:
    bare = _SUFFIX.sub("", name)
    words = bare.split()
    dotted = [word for word in words[1:-1] if not re.fullmatch(r"(?:[A-Z]\.?)+", word)]
    return [bare, bare.replace(".", ""), " ".join([words[0], *dotted, words[-1]])]


def _shorter_organisation(name: str) -> list[str]:
    words = name.split()
    found = []
    while len(words) > 1 and words[-1].strip(".,").lower() in _LEGAL:
        words.pop()
        found.append(" ".join(words).rstrip(","))
    return [*found, name.rstrip(".")]


def _initials(name: str) -> list[str]:
    """U.N. and UN for the United Nations, as newspapers write them."""
    words = [word for word in re.split(r"[\s-]+", name) if word.lower() not in _SMALL]
    if len(words) < 2 or not all(word[:1].isupper() for word in words):
        return []
    letters = [word[0] for word in words]
    return ["".join(f"{letter}." for letter in letters), "".join(letters)]
