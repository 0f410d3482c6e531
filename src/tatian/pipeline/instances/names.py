"""Names as an archive's index writes them, turned into names as people write them."""

from __future__ import annotations

import re

_SUFFIXES = {"jr": "Jr.", "sr": "Sr.", "ii": "II", "iii": "III", "iv": "IV"}
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "sir", "rev", "gen", "col", "sgt", "lt", "capt"))
_SMALL = frozenset(("of", "the", "and", "for", "in", "on", "de", "la", "von", "van", "der", "al"))
_WORD = re.compile(r"[^\W\d_]+")
_VOWEL = re.compile("[aeiouy]")
_INITIAL = re.compile(r"\b([A-Z])(?=\s|$)(?!\.)")


def normal_name(written: str, type: str) -> str:
    """The name without what stands from "(" on; a person's in the order it is spoken.

    "Sarkozy, Nicolas (Pres)" is Nicolas Sarkozy, "Bush, George W" George W. Bush, "Baghdad (Iraq)"
    Baghdad. Names in capitals, as the older years of an archive have them, get small letters. May
    be empty.
    """
    plain = " ".join(written.partition("(")[0].split()).strip(" ,;")
    if plain.isupper():
        plain = _WORD.sub(lambda word: _cased(word[0], type, plain), plain)
    return _person(plain) if type == "person" else plain


def _cased(word: str, type: str, name: str) -> str:
    """A word of a name in capitals as it is usually written."""
    small = word.lower()
    if small in _SMALL and not name.startswith(word):
        return small
    if type != "person" and (not _VOWEL.search(small) or (word == name and len(word) < 5)):
        return word
    if small.startswith("mc") and len(small) > 4:
        return "Mc" + small[2:].capitalize()
    return small.capitalize()


def _person(name: str) -> str:
    last, comma, rest = name.partition(",")
    first = rest.replace(",", " ").split() if comma else []
    suffix = ""
    if first and (told := _SUFFIXES.get(first[-1].rstrip(".").lower())):
        suffix = told
        first.pop()
    while len(first) > 1 and first[-1].rstrip(".").lower() in _TITLES:
        first.pop()
    return _INITIAL.sub(r"\1.", " ".join([*first, last.strip(), suffix]).strip())
