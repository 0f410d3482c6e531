"""Names: titles, initials, short forms, aliases and misspellings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from unicodedata import combining, normalize

from rapidfuzz.distance import DamerauLevenshtein
from rapidfuzz.fuzz import ratio

from tatian.claims.claim import LISTS
from tatian.text.lexicon import FEMALE_NAMES, MALE_NAMES, ROLE_HEADS, TITLES

_OMITTED = frozenset(
    "inc ltd llc plc co corp corporation company group ag gmbh sa nv limited mv ms hms uss"
    " of the and for in de la van von der den di du".split()
)
"""Words of names that writers leave out: forms of companies, small words."""
_GENERATIONS = {"jr": 1, "junior": 1, "sr": 2, "senior": 2, "ii": 2, "iii": 3, "iv": 4}
_SHORT = {frozenset(pair.split("/")) for pair in LISTS["nicknames"].split()}
_ALIKE = 75
"""Least similarity, of 100, of two spellings of one longer word."""

_JOINED = 76
"""Least similarity of two whole names of which every word differs."""
_DIVIDED = 88
"""Least similarity of a name of one word and one of several."""
_KNOWN = 80
"""Least similarity of two words that are both given names."""


@lru_cache(maxsize=1 << 14)
def fold_word(word: str) -> str:
    """Reduce a word of a name to its letters: "A.J." is "aj", "José" is "jose"."""
    plain = "".join(c for c in normalize("NFKD", word.casefold()) if not combining(c))
    return "".join(filter(str.isalnum, plain))


def split_title(words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Split a name into its title and the rest."""
    first = 0
    while first < len(words) - 1 and _is_title(words[first]):
        first += 1
    return " ".join(words[:first]), tuple(words[first:])


def _is_title(word: str) -> bool:
    lower = word.lower()
    return lower in TITLES or f"{lower.rstrip('.')}." in TITLES or lower in ROLE_HEADS


def compare_names(first: Sequence[str], second: Sequence[str]) -> tuple[str, str]:
    """Compare two names as names of one thing, and say why.

    Returns equal, entails (the first is fuller), entailed, variant (one may be the other misspelt),
    clash (one surname, different given names) or different.
    """
    return _compare_words(*(tuple(filter(None, map(fold_word, name))) for name in (first, second)))


@lru_cache(maxsize=1 << 15)
def _compare_words(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, str]:
    cores = [[w for w in name if w not in _OMITTED] for name in (first, second)]
    if first == second or "".join(first) == "".join(second) or (cores[0] and cores[0] == cores[1]):
        return "equal", "the same name"
    ours, theirs = cores
    if not ours or not theirs:
        return "different", "different names"
    generations = {_GENERATIONS.get(core[-1]) for core in cores} - {None}
    if len(generations) > 1:
        return "different", "two generations"
    initials = _initials(ours) == "".join(theirs) or _initials(theirs) == "".join(ours)
    if initials and max(len(ours), len(theirs)) > 1:
        return "equal", "a name and its initials"
    if _are_spelled_alike(first, second):
        return "variant", "another spelling of the name"
    if len(ours) == len(theirs):
        same = [_same_word(a, b) for a, b in zip(ours, theirs, strict=True)]
        if all(same):
            letters = "initial" in same
            longer_by = sum(map(len, ours)) - sum(map(len, theirs))
            if letters and longer_by:
                return ("entails" if longer_by > 0 else "entailed"), "a name and its initial"
            if "spelling" in same:
                return "variant", "another spelling of the name"
            return "equal", "a name and its short form"
        if len(ours) > 1 and same[-1] and not same[0] and _differ_in_sex(ours[0], theirs[0]):
            return "different", "a man's and a woman's name"
        if len(ours) > 1 and same[-1] and not same[0]:
            return "clash", "one surname, different given names"
        if len(ours) > 1 and same.count("same") == len(same) - 1:
            return "clash", "one given name, different surnames"
        return "different", "different names"
    longer, shorter = (ours, theirs) if len(ours) > len(theirs) else (theirs, ours)
    full = [word for word in longer if len(word) > 1]
    alike = len(full) == len(shorter) > 1 and full[-1] == shorter[-1]
    if alike and _same_word(full[0], shorter[0]) == "short":
        return "equal", "a name and its short form"
    if _is_part(shorter, longer):
        fuller = "entails" if longer is ours else "entailed"
        return fuller, "a fuller name" if fuller == "entails" else "a shorter name"
    if len(shorter) > 1 and _same_word(shorter[-1], longer[-1]):
        return "clash", "one surname, different given names"
    return "different", "different names"


def _are_spelled_alike(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Check whether two names of several words may be one, spelt or divided differently."""
    if ours[-1] == theirs[-1] or ours[0] == theirs[0] or ours[0][0] != theirs[0][0]:
        return False
    if len(ours) == len(theirs) == 1:
        return False
    least = _JOINED if min(len(ours), len(theirs)) > 1 else _DIVIDED
    return ratio("".join(ours), "".join(theirs)) >= least


def _initials(words: Sequence[str]) -> str:
    return "".join(word[0] for word in words)


def _same_word(first: str, second: str) -> str:
    """Return why two words of names may be the same: same, initial, short, spelling or nothing."""
    if first == second:
        return "same"
    if min(len(first), len(second)) == 1 and first[0] == second[0]:
        return "initial"
    if frozenset((first, second)) in _SHORT:
        return "short"
    if _differ_in_sex(first, second):
        return ""
    if first.startswith(second) or second.startswith(first):
        return "short"
    listed = first in MALE_NAMES | FEMALE_NAMES and second in MALE_NAMES | FEMALE_NAMES
    if listed and (first[0] != second[0] or ratio(first, second) < _KNOWN):
        return ""
    steps = DamerauLevenshtein.distance(first, second)
    longest = max(len(first), len(second))
    close = steps <= 1 if longest < 6 else steps <= 2 and ratio(first, second) >= _ALIKE
    return "spelling" if longest > 3 and close else ""


def _differ_in_sex(first: str, second: str) -> bool:
    """Check whether one word is a man's name and the other a woman's: "Maria" and "Mario"."""
    if first[:-1] == second[:-1] and {first[-1], second[-1]} == {"a", "o"}:
        return True
    return {_sex(first), _sex(second)} == {"male", "female"}


@lru_cache(maxsize=1 << 14)
def _sex(word: str) -> str:
    """Return male or female for a given name, its short form or its form in -a; else nothing."""
    full = {word}.union(*(pair for pair in _SHORT if word in pair))
    women = full & FEMALE_NAMES or (word[-1] == "a" and word[:-1] in MALE_NAMES)
    men = full & MALE_NAMES
    return ("male" if men else "female") if bool(men) != bool(women) else ""


def _is_part(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Check whether a longer name has the words of a shorter one, in order, its last in full."""
    place = 0
    for word in part:
        while place < len(whole) and not _same_word(word, whole[place]):
            place += 1
        if place == len(whole):
            return False
        place += 1
    last = bool(_same_word(part[-1], whole[-1])) and len(part[-1]) > 1
    return last or (part[0] == whole[0] and len(part[0]) > 1)
