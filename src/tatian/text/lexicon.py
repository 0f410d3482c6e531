"""Closed word classes of English that all steps use.

All keys are lower case: look up ``word.lower()``. Abbreviations keep their final full stop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from msgspec import Struct, convert
from msgspec.structs import replace

from tatian.assets import sections


class Pronoun(Struct, frozen=True, omit_defaults=True):
    """Features of a pronoun's referents; None where it says nothing about them."""

    person: Literal[1, 2, 3]
    number: Literal["singular", "plural"] | None = None
    gender: Literal["male", "female", "neuter"] | None = None
    reflexive: bool = False
    possessive: bool = False


class RelativeDate(Struct, frozen=True):
    """Distance of a word such as "yesterday" from the day it was written, in some unit."""

    amount: int
    unit: Literal["day", "week", "month", "year"]


def word_set(listed: str) -> frozenset[str]:
    """Return a class of words written as one line of text."""
    return frozenset(listed.split())


def phrase_set(listed: str) -> frozenset[str]:
    """Return a class of phrases separated by commas."""
    return frozenset(" ".join(phrase.split()) for phrase in listed.split(","))


_LISTS = sections(Path(__file__).with_name("lexicon.txt"))


ARTICLES = word_set("a an the")
DEMONSTRATIVES = word_set("this that these those")
POSSESSIVE_DETERMINERS = word_set("my your his her its our their whose")
QUANTIFIERS = word_set(
    "all any both each either enough every few fewer less many more most much neither no none "
    "several some such what which whatever whichever another half various certain"
)
DETERMINERS = ARTICLES | DEMONSTRATIVES | POSSESSIVE_DETERMINERS | QUANTIFIERS

PREPOSITIONS = word_set(_LISTS["prepositions"])
CONJUNCTIONS = word_set(_LISTS["conjunctions"])
AUXILIARIES = word_set(
    "am is are was were be been being do does did doing done have has had having will would shall "
    "should can could may might must ought need dare"
)
NEGATIONS = word_set("not n't n’t no never neither nor none nobody nothing nowhere cannot without")
CLITICS = word_set("'s 're 've 'll 'd 'm n't ’s ’re ’ve ’ll ’d ’m n’t")
QUESTION_WORDS = word_set("who whom whose what which when where why how")

_PRONOUNS = """
1 singular | i me | my mine | myself
1 plural | we us | our ours | ourselves
2 | you | your yours |
2 singular | | | yourself
2 plural | | | yourselves
3 singular male | he him | his | himself
3 singular female | she her | hers | herself
3 singular neuter | it | its | itself
3 singular | | | themself
3 plural | they them 'em | their theirs | themselves
"""


def _pronouns() -> Iterator[tuple[str, Pronoun]]:
    """Yield the pronouns of each line: personal, possessive and reflexive ones."""
    for line in _PRONOUNS.strip().splitlines():
        kind, personal, possessive, reflexive = line.split("|")
        features = dict(zip(("person", "number", "gender"), kind.split(), strict=False))
        pronoun = convert(features, Pronoun, strict=False)
        yield from ((word, pronoun) for word in personal.split())
        yield from ((word, replace(pronoun, possessive=True)) for word in possessive.split())
        yield from ((word, replace(pronoun, reflexive=True)) for word in reflexive.split())


PRONOUNS: Mapping[str, Pronoun] = MappingProxyType(dict(_pronouns()))
INDEFINITE_PRONOUNS = word_set(
    "anybody anyone anything everybody everyone everything nobody none nothing somebody someone "
    "something one oneself"
)

STOP_WORDS = (
    DETERMINERS
    | PREPOSITIONS
    | CONJUNCTIONS
    | AUXILIARIES
    | NEGATIONS
    | CLITICS
    | QUESTION_WORDS
    | INDEFINITE_PRONOUNS
    | frozenset(PRONOUNS)
    | word_set(_LISTS["other stop words"])
)

_BELOW_TWENTY = str.split(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = str.split("twenty thirty forty fifty sixty seventy eighty ninety")
_ORDINALS_BELOW_TWENTY = str.split(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_ORDINAL_TENS = str.split(
    "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"
)


def _numbers(units: Sequence[str], tens: Sequence[str], **others: int) -> Mapping[str, int]:
    """Return numbers below a hundred, "twenty-one" included, and some others, by their words."""
    joined = {
        f"{ten}-{unit}": 20 + 10 * place + value
        for place, ten in enumerate(_TENS)
        for value, unit in enumerate(units[1:10], 1)
    }
    multiples = {word: 20 + 10 * place for place, word in enumerate(tens)}
    below_twenty = {word: value for value, word in enumerate(units)}
    return MappingProxyType(below_twenty | multiples | joined | others)


_SCALE = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}
NUMBER_WORDS = _numbers(_BELOW_TWENTY, _TENS, dozen=12, **_SCALE, trillion=10**12)
"""Cardinal numbers, by their words."""
ORDINAL_WORDS = _numbers(
    _ORDINALS_BELOW_TWENTY, _ORDINAL_TENS, hundredth=100, thousandth=10**3, millionth=10**6
)

_MONTHS = str.split(
    "january february march april may june july august september october november december"
)
MONTHS: Mapping[str, int] = MappingProxyType(
    {
        **{word: number for number, word in enumerate(_MONTHS, 1)},
        **{f"{word[:3]}.": number for number, word in enumerate(_MONTHS, 1) if word != "may"},
        "sept.": 9,
    }
)
"""Numbers of months, 1 to 12, by full names and abbreviations with their stop."""

_WEEKDAYS = str.split("monday tuesday wednesday thursday friday saturday sunday")
WEEKDAYS: Mapping[str, int] = MappingProxyType(
    {
        **{word: number for number, word in enumerate(_WEEKDAYS)},
        **{f"{word[:3]}.": number for number, word in enumerate(_WEEKDAYS)},
        "tues.": 1,
        "thur.": 3,
        "thurs.": 3,
    }
)
"""Numbers of weekdays, Monday 0 to Sunday 6, as in `datetime.date.weekday`."""

_DATE_UNITS: tuple[Literal["week", "month", "year"], ...] = ("week", "month", "year")
RELATIVE_DATES: Mapping[str, RelativeDate] = MappingProxyType(
    {
        **dict.fromkeys(("today", "to-day", "tonight", "to-night"), RelativeDate(0, "day")),
        **{f"this {part}": RelativeDate(0, "day") for part in ("morning", "afternoon", "evening")},
        **dict.fromkeys(("yesterday", "last night"), RelativeDate(-1, "day")),
        "the day before yesterday": RelativeDate(-2, "day"),
        **dict.fromkeys(("tomorrow", "to-morrow"), RelativeDate(1, "day")),
        "the day after tomorrow": RelativeDate(2, "day"),
        **{
            f"{which} {unit}": RelativeDate(amount, unit)
            for unit in _DATE_UNITS
            for amount, which in enumerate(("last", "this", "next"), -1)
        },
    }
)

MALE_TITLES = phrase_set(_LISTS["male titles"])
FEMALE_TITLES = phrase_set(_LISTS["female titles"])
TITLES = MALE_TITLES | FEMALE_TITLES | phrase_set(_LISTS["other titles"])
"""Forms of address, abbreviated or whole, that stand before (a few after) a person's name."""
MALE_NAMES = word_set(_LISTS["male names"])
FEMALE_NAMES = word_set(_LISTS["female names"])
"""Given names that are rarely used for the other sex, for places or as common words."""

ROLE_TITLES = phrase_set(_LISTS["role titles"])
"""Offices and occupations that stand before a name without an article: "President Obama"."""

ROLE_HEADS = frozenset(title.partition(" of ")[0].split()[-1] for title in ROLE_TITLES)
"""Nouns of those offices: "secretary" of "secretary of state", "minister"."""

NEVER_FINAL = word_set(_LISTS["never final"])
"""Abbreviations after which a sentence continues, whatever the next word looks like."""

BEFORE_NUMBERS = word_set(_LISTS["before numbers"])
"""Abbreviations only before a number; elsewhere they may be words ("I said no.")."""

MAYBE_FINAL = word_set(_LISTS["maybe final"])
"""Abbreviations that may also end a sentence, where one stop serves both."""

CAPITALIZED_ABBREVIATIONS = word_set(_LISTS["capitalized abbreviations"])
"""Abbreviations only if capitalized; in lower case they are ordinary words, as in "he sat."."""

REPORTING_VERBS = word_set(_LISTS["reporting verbs"])

_LETTERS_READ_WITH_VOWEL = frozenset("AEFHILMNORSX")
"""Letters whose names begin with a vowel: "an MP"."""
_VOWEL_SOUND = re.compile(r"hour|hono|honest|heir|x-|8|1[18](?!\d|,\d)")
_CONSONANT_SOUND = re.compile(
    r"uni[cflopqstv]|u[bkt]i|ukr|uga|ura|uru|us[aeu]|ut[eo]|ufo|u\.|u-|eu|ewe|one\b|once"
)


def indefinite_article(word: str) -> Literal["a", "an"]:
    """Choose the article by the sound of the word after it: an hour, a unit, an MP, an 8."""
    letters = re.match(r"[A-Z]+\b", word)
    spelled = letters and (len(letters[0]) <= 3 or not set(letters[0]) & set("AEIOU"))
    if letters and len(letters[0]) > 1 and (spelled or word[0] == "U"):
        return "an" if word[0] in _LETTERS_READ_WITH_VOWEL else "a"
    lower = word.lower()
    if _VOWEL_SOUND.match(lower):
        return "an"
    return "an" if lower[:1] in set("aeiou") and not _CONSONANT_SOUND.match(lower) else "a"


_OPPOSED = (
    "before/after more/less more/fewer up/down rose/fell increased/decreased won/lost "
    "first/last north/south east/west guilty/innocent accepted/rejected arrived/left "
    "opened/closed older/younger higher/lower over/under above/below first/second "
    "started/ended began/ended alive/dead inside/outside father/son mother/daughter "
    "brother/sister husband/wife least/most early/late bought/sold hired/fired "
    "charged/convicted accused/convicted questioned/arrested questioned/charged "
    "injured/killed wounded/killed injured/dead missing/dead"
)
_PAIRS = [tuple(pair.split("/")) for pair in _OPPOSED.split()]
OPPOSITES = MappingProxyType(
    {
        word: tuple(pair[1 - pair.index(word)] for pair in _PAIRS if word in pair)
        for word in dict.fromkeys(word for pair in _PAIRS for word in pair)
    }
)
"""Opposites of words."""
