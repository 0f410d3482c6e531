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
"""Words of names that writers leave out: legal forms, prefixes of ships, articles, particles."""
_GENERATIONS = {"jr": 1, "junior": 1, "sr": 2, "senior": 2, "ii": 2, "iii": 3, "iv": 4}
_SHORT_FORMS = {frozenset(pair.split("/")) for pair in LISTS["nicknames"].split()}
_WORD_RATIO = 75
"""Least similarity, of 100, of two spellings of one word that differ in two letters."""
_JOINED_RATIO = 76
"""Least similarity, of 100, of two names of several words whose first and last words differ."""
_DIVIDED_RATIO = 88
"""Least similarity, of 100, of a name of one word and one of several."""
_GIVEN_NAME_RATIO = 80
"""Least similarity, of 100, of two words that are both given names."""


@lru_cache(maxsize=1 << 14)
def fold_word(word: str) -> str:
    """Reduce a word of a name to its letters: "A.J." is "aj", "José" is "jose"."""
    unaccented = "".join(c for c in normalize("NFKD", word.casefold()) if not combining(c))
    return "".join(filter(str.isalnum, unaccented))


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
    left, right = ([w for w in name if w not in _OMITTED] for name in (first, second))
    if first == second or "".join(first) == "".join(second) or left == right != []:
        return "equal", "the same name"
    if not left or not right or len({_GENERATIONS.get(n[-1]) for n in (left, right)} - {None}) > 1:
        return "different", "different names"
    are_initials = _initials(left) == "".join(right) or _initials(right) == "".join(left)
    if are_initials and max(len(left), len(right)) > 1:
        return "equal", "a name and its initials"
    if _are_spelled_alike(first, second):
        return "variant", "another spelling of the name"
    if len(left) == len(right):
        return _match_names(left, right)
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    full_words = [word for word in longer if len(word) > 1]
    skips_initials = len(full_words) == len(shorter) > 1 and full_words[-1] == shorter[-1]
    if skips_initials and _match_words(full_words[0], shorter[0]) == "short":
        return "equal", "a name and its short form"
    if _is_part(shorter, longer):
        return ("entails", "a fuller name") if longer is left else ("entailed", "a shorter name")
    if len(shorter) > 1 and _match_words(shorter[-1], longer[-1]):
        return "clash", "one surname, different given names"
    return "different", "different names"


def _match_names(left: Sequence[str], right: Sequence[str]) -> tuple[str, str]:
    """Compare two names with equally many words."""
    matches = [_match_words(a, b) for a, b in zip(left, right, strict=True)]
    if all(matches):
        longer_by = sum(map(len, left)) - sum(map(len, right))
        if "initial" in matches and longer_by:
            return ("entails" if longer_by > 0 else "entailed"), "a name and its initial"
        if "spelling" in matches:
            return "variant", "another spelling of the name"
        return "equal", "a name and its short form"
    if len(left) > 1 and matches[-1] and not matches[0] and not _differ_in_sex(left[0], right[0]):
        return "clash", "one surname, different given names"
    if len(left) > 1 and matches[0] and matches.count("same") == len(matches) - 1:
        return "clash", "one given name, different surnames"
    return "different", "different names"


def _are_spelled_alike(first: Sequence[str], second: Sequence[str]) -> bool:
    """Check whether two names of several words may be one, spelt or divided differently."""
    if first[-1] == second[-1] or first[0] == second[0] or first[0][0] != second[0][0]:
        return False
    if len(first) == len(second) == 1:
        return False
    least = _JOINED_RATIO if min(len(first), len(second)) > 1 else _DIVIDED_RATIO
    return ratio("".join(first), "".join(second)) >= least


def _initials(words: Sequence[str]) -> str:
    return "".join(word[0] for word in words)


def _match_words(first: str, second: str) -> str:
    """Return why two words of names may be the same: same, initial, short, spelling or nothing."""
    if first == second:
        return "same"
    if min(len(first), len(second)) == 1 and first[0] == second[0]:
        return "initial"
    if frozenset((first, second)) in _SHORT_FORMS:
        return "short"
    if _differ_in_sex(first, second):
        return ""
    if first.startswith(second) or second.startswith(first):
        return "short"
    are_given_names = first in MALE_NAMES | FEMALE_NAMES and second in MALE_NAMES | FEMALE_NAMES
    if are_given_names and (first[0] != second[0] or ratio(first, second) < _GIVEN_NAME_RATIO):
        return ""
    distance = DamerauLevenshtein.distance(first, second)
    longest = max(len(first), len(second))
    is_close = distance < 2 or (distance == 2 and ratio(first, second) >= _WORD_RATIO)
    return "spelling" if longest > 3 and is_close else ""


def _differ_in_sex(first: str, second: str) -> bool:
    """Check whether one word is a man's name and the other a woman's: "Maria" and "Mario"."""
    if first[:-1] == second[:-1] and {first[-1], second[-1]} == {"a", "o"}:
        return True
    return {_sex(first), _sex(second)} == {"male", "female"}


@lru_cache(maxsize=1 << 14)
def _sex(word: str) -> str:
    """Return male or female for a given name, its short form or its form in -a; else ""."""
    full = {word}.union(*(pair for pair in _SHORT_FORMS if word in pair))
    women = full & FEMALE_NAMES or (word[-1] == "a" and word[:-1] in MALE_NAMES)
    men = full & MALE_NAMES
    return ("male" if men else "female") if bool(men) != bool(women) else ""


def _is_part(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Check whether a longer name has the words of a shorter one, in order.

    Their last words must match, or their first words be the same; an initial is not enough.
    """
    position = 0
    for word in part:
        while position < len(whole) and not _match_words(word, whole[position]):
            position += 1
        if position == len(whole):
            return False
        position += 1
    has_last_word = bool(_match_words(part[-1], whole[-1])) and len(part[-1]) > 1
    return has_last_word or (part[0] == whole[0] and len(part[0]) > 1)
