"""English plurals of noun phrases, and possible singulars."""

from __future__ import annotations

import re
from pathlib import Path

from tatian.assets import sections
from tatian.text.lexicon import NUMBER_WORDS

_IRREGULAR, _NEVER_SINGULARISED = (
    dict(line.split(" ", 1) for line in listed.splitlines())
    for listed in sections(Path(__file__).with_name("plurals.txt")).values()
)
_PLURALS = _IRREGULAR | _NEVER_SINGULARISED
"""Irregular plurals; for those of the second list, no singular is ever guessed."""
_SINGULARS = {plural_form: singular for singular, plural_form in _IRREGULAR.items()}
_REGULAR_IN_MAN = frozenset("german roman shaman human talisman ottoman caiman norman oman".split())
_PLURAL_IN_OES = frozenset("hero potato tomato echo veto embargo torpedo domino mosquito".split())
"""Nouns in -man and -o whose plurals are those of "German" and "hero"."""
_BEFORE_MODIFIER = re.compile(
    r" (?=(?:of|in|from|for|at|to|with|by|under|behind|based|bordering|on)\b)"
)
_HYPHENATED = re.compile(
    r"(\w+)(-(?:in-law|at-arms|of-war|by|elect|general|at-large))", re.IGNORECASE
)
_ADJECTIVE_LAST = frozenset({"general", "elect", "laureate", "emeritus", "martial"})
"""Adjectives after their noun: attorneys general, poets laureate."""
_WITH_GENERAL = frozenset({"attorney", "secretary", "director", "governor", "solicitor", "court"})
"""Nouns before the adjective "general"."""
_SINGULAR_ENDINGS = ("ss", "us", "is")
"""Endings of singular words: class, virus, analysis."""
_SIBILANTS = ("ches", "shes", "sses", "xes", "zes")
_MIN_LETTERS = 4
"""Minimum number of letters of a plural: "gas" and "was" are not plurals."""


def plural(phrase: str) -> str:
    """Return the plural of a noun phrase by its head: ``prime ministers of France``."""
    modifier = _BEFORE_MODIFIER.search(phrase)
    if modifier:
        return plural(phrase[: modifier.start()]) + phrase[modifier.start() :]
    before, space, last = phrase.rpartition(" ")
    noun, word = before.rpartition(" ")[2].lower(), last.lower()
    is_adjective = word in _ADJECTIVE_LAST and (word != "general" or noun in _WITH_GENERAL)
    if noun and is_adjective:
        return f"{plural(before)} {last}"
    if hyphenated := _HYPHENATED.fullmatch(last):
        return before + space + _plural_word(hyphenated[1]) + hyphenated[2]
    return before + space + _plural_word(last)


def _plural_word(word: str) -> str:
    lower = word.lower()
    if lower in _PLURALS:
        return word[:1] + _PLURALS[lower][1:]
    if lower.endswith(("man", "woman")) and lower not in _REGULAR_IN_MAN:
        return word[:-2] + "en"
    if lower.endswith("person"):
        return word[:-6] + "people"
    if re.search(r"[^aeiou]y$|quy$", lower):
        return word[:-1] + "ies"
    if lower.endswith(("s", "x", "z", "ch", "sh")) and not lower.endswith(("arch", "ech", "och")):
        return word + "es"
    return word + ("es" if lower in _PLURAL_IN_OES else "s")


def is_plural(word: str) -> bool:
    """Check whether a noun looks plural: ``ministers``, ``women``; not ``class`` or ``crisis``."""
    lower = word.lower()
    return lower in _PLURALS.values() or lower.endswith(("men", "people")) or ends_as_plural(lower)


def ends_as_plural(word: str) -> bool:
    """Check whether a word in lower case has the ending of a regular plural."""
    return word.endswith("s") and not word.endswith(_SINGULAR_ENDINGS)


def singulars(term: str) -> tuple[str, ...]:
    """Return possible singulars of a lower-case term, by its last word; the most likely first."""
    before, space, last = term.rpartition(" ")
    return tuple(before + space + word for word in _singular_words(last))


def _singular_words(word: str) -> tuple[str, ...]:
    if word in _SINGULARS:
        return (_SINGULARS[word],)
    for plural_form in ("women", "men"):
        if word.endswith(plural_form) and len(word) > len(plural_form) + 2:
            return (word.removesuffix("en") + "an",)
    if len(word) < _MIN_LETTERS or not ends_as_plural(word):
        return ()
    if word.endswith("ies"):
        return (word[:-3] + "y", word[:-1])
    if word.endswith((*_SIBILANTS, "oes")):
        return (word[:-2], word[:-1])
    if word.endswith("yses"):
        return (word[:-2] + "is", word[:-1])
    return (word[:-1],)


def guessed_singulars(noun: str) -> list[str]:
    """Return the word and its possible singulars, for lookup in a list of words."""
    guesses = [noun, noun.rpartition("-")[2]]
    for ending, replacement in (("ies", "y"), ("men", "man"), ("es", ""), ("s", "")):
        if noun.endswith(ending):
            guesses.append(noun.removesuffix(ending) + replacement)
    return guesses


_SMALL = {value: word for word, value in NUMBER_WORDS.items() if value <= 12 and word != "dozen"}


def in_words(count: int) -> str:
    """Write a count as a text does: in words up to twelve."""
    return _SMALL.get(count, str(count))
