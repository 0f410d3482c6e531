"""English plurals and determiners, so that a set is named as a person would write it."""

from __future__ import annotations

import re
from functools import cache

from tatian.knowledge.wording import adjective_of, countries, definite, shown
from tatian.text.lexicon import NUMBER_WORDS

_NUMBERS = {value: word for word, value in NUMBER_WORDS.items() if value <= 12 and word != "dozen"}
_IRREGULAR = {
    "rabbi": "rabbis",
    "alumna": "alumnae",
    "alumnus": "alumni",
    "analysis": "analyses",
    "aircraft": "aircraft",
    "basis": "bases",
    "businessperson": "businesspeople",
    "child": "children",
    "crisis": "crises",
    "criterion": "criteria",
    "foot": "feet",
    "forces": "forces",
    "genus": "genera",
    "goose": "geese",
    "half": "halves",
    "headquarters": "headquarters",
    "knife": "knives",
    "leaf": "leaves",
    "life": "lives",
    "loaf": "loaves",
    "man": "men",
    "medium": "media",
    "mouse": "mice",
    "nucleus": "nuclei",
    "oasis": "oases",
    "ox": "oxen",
    "people": "people",
    "person": "people",
    "personnel": "personnel",
    "phenomenon": "phenomena",
    "police": "police forces",
    "quiz": "quizzes",
    "series": "series",
    "sheep": "sheep",
    "shelf": "shelves",
    "species": "species",
    "spokesperson": "spokespeople",
    "thesis": "theses",
    "thief": "thieves",
    "tooth": "teeth",
    "wife": "wives",
    "wolf": "wolves",
    "woman": "women",
}
_NOT_OF_MAN = frozenset("german roman shaman human talisman ottoman caiman norman oman".split())
_O_TAKES_ES = frozenset("hero potato tomato echo veto embargo torpedo domino mosquito".split())
_JOINTS = re.compile(r" (?=(?:of|in|from|for|at|to|with|by|under|behind|based|bordering|on)\b)")
_HYPHENATED = re.compile(
    r"(\w+)(-(?:in-law|at-arms|of-war|by|elect|general|at-large))", re.IGNORECASE
)
_ADJECTIVE_LAST = frozenset({"general", "elect", "laureate", "emeritus", "martial"})
"""What stands behind the noun it belongs to: attorneys general, poets laureate."""
_WITH_GENERAL = frozenset({"attorney", "secretary", "director", "governor", "solicitor", "court"})
_KEEPS_THE = frozenset({"The Hague", "The Bronx"})
_PLACE_ADJECTIVES = {
    "Africa": "African",
    "Antarctica": "Antarctic",
    "Asia": "Asian",
    "Europe": "European",
    "North America": "North American",
    "Oceania": "Pacific",
    "South America": "South American",
    "European Union": "European",
    "Middle East": "Middle Eastern",
    "Caribbean": "Caribbean",
    "Latin America": "Latin American",
    "Central America": "Central American",
    "England": "English",
    "Scotland": "Scottish",
    "Wales": "Welsh",
    "Northern Ireland": "Northern Irish",
    "Soviet Union": "Soviet",
    "Ancient Rome": "Roman",
    "Roman Empire": "Roman",
    "Ancient Greece": "ancient Greek",
}


def plural(phrase: str) -> str:
    """The plural of a noun phrase by its head: ``prime ministers of France``."""
    joint = _JOINTS.search(phrase)
    if joint:
        return plural(phrase[: joint.start()]) + phrase[joint.start() :]
    before, space, last = phrase.rpartition(" ")
    if last.lower() in _ADJECTIVE_LAST and _takes_adjective(before, last):
        return f"{plural(before)} {last}"
    if hyphenated := _HYPHENATED.fullmatch(last):
        return before + space + _word(hyphenated[1]) + hyphenated[2]
    return before + space + _word(last)


def _takes_adjective(before: str, last: str) -> bool:
    noun = before.rpartition(" ")[2].lower()
    return bool(noun) and (last.lower() != "general" or noun in _WITH_GENERAL)


def _word(word: str) -> str:
    low = word.lower()
    if low in _IRREGULAR:
        return word[:1] + _IRREGULAR[low][1:]
    if low.endswith(("man", "woman")) and low not in _NOT_OF_MAN:
        return word[:-2] + "en"
    if low.endswith("person") and low != "person":
        return word[:-6] + "people"
    if re.search(r"[^aeiou]y$|quy$", low):
        return word[:-1] + "ies"
    if low.endswith(("s", "x", "z", "ch", "sh")) and not low.endswith(("arch", "ech", "och")):
        return word + "es"
    if low in _O_TAKES_ES:
        return word + "es"
    return word + "s"


def is_plural(word: str) -> bool:
    """Whether a noun looks plural: ``ministers``, ``women``; not ``class`` or ``crisis``."""
    low = word.lower()
    if low in _IRREGULAR.values() or low.endswith(("men", "people")):
        return True
    return low.endswith("s") and not low.endswith(("ss", "us", "is"))


def adjective(place: str) -> str:
    """``French`` for ``France``, ``European`` for ``Europe``; empty where there is none."""
    return _PLACE_ADJECTIVES.get(place) or adjective_of(place)


@cache
def adjectives() -> frozenset[str]:
    """Every adjective of a land, continent or people."""
    lands = (country.adjective for country in countries().values())
    return frozenset(filter(None, (*lands, *_PLACE_ADJECTIVES.values())))


def place(title: str) -> str:
    """A place after a preposition: ``the Netherlands``, ``Texas``, without what follows a comma."""
    name = shown(title)
    if name in _KEEPS_THE:
        return name
    return definite(name.partition(", ")[0] if ", " in name and not name.endswith("D.C.") else name)


def attributive(title: str) -> str:
    """A name before a noun: ``Beatles`` songs, ``New York Yankees`` players."""
    name = shown(title).removeprefix("The ")
    return name.partition(", ")[0] if not name.endswith("D.C.") else name


def numbered(phrase: str, count: int) -> str:
    """The phrase as a text would take it up again: ``the three French politicians``."""
    return f"the {_NUMBERS.get(count, str(count))} {phrase}"
