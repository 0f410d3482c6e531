"""The kind of a page (person, location, organisation or concept), from its own content.

Evidence is weighted and added up: the infobox, the categories, a template with coordinates, and the
noun of the first sentence ("was a French painter").
"""

from __future__ import annotations

import re
from functools import lru_cache

from tatian.knowledge.building.descriptions import clean, without_parentheses
from tatian.knowledge.building.wikitext import Wikitext
from tatian.knowledge.entities import Kind
from tatian.knowledge.wording import BOXES, CONCEPT, LOCATION, ORGANISATION, PERSON
from tatian.text.plurals import guessed_singulars

BOX, LIFE, SENTENCE, DATES = 4, 5, 3, 3.5
TITLE, CATEGORY, COORDINATES, GEOGRAPHY = 1.5, 1.5, 1.5, 0.5
"""Weight of each piece of evidence."""

_LIFE_CATEGORY = re.compile(
    r"(?:\d+s?(?: BCE?| AD)? (?:births|deaths)|living people|possibly living people|"
    r"(?:year|date|place) of (?:birth|death) (?:missing|unknown|uncertain).*|missing people)",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_LIFE_DATES = re.compile(
    r"\(\s*(?:[^()]{0,80}[;,]\s*)?(?:(?:born|b\.|died|d\.|baptised)\s"
    rf"|(?:c\.\s*|circa\s+)?(?:\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}|{_MONTH} \d|\d{{3,4}})"
    r"[^()]{0,40}[–—-]"
    r"(?P<rest>[^()]*)\))"
)
_YEAR = re.compile(r"\b\d{3,4}\b")
_CATEGORY_STOP = re.compile(
    r"\s+(?:in|of|by|from|at|on|for|with|who|and|established)\s.*|\s*[(,].*"
)
_COPULA = re.compile(r"\b(is|was|are|were|became|remains)\b")
_SENTENCE_END = re.compile(r"(?<=[a-z0-9)\"”’]{2})[.!?](?=\s|$)")
_WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?|[,;:]|\d\S*")
_STOP = frozenset(
    "in of from for on at by with to into near between who whom which that whose where when and or "
    "but as after before outside , ; : during under along off within whether against among about "
    "across through over than located situated based born founded established known used set "
    "published".split()
)
_GENERIC = frozenset("fictional mythical mythological legendary imaginary hypothetical".split())
_MEMBER_NOUNS = frozenset("one group chain part member pair cluster series".split())
_ADJECTIVES = frozenset(
    "academic general principal chief major communist socialist nationalist republican".split()
)
_AMBIGUOUS_NOUNS = frozenset("state area region range basin zone order school house field".split())
_AFTER_NOUN = frozenset("run lain made built held set currently now both also once written".split())
_TOPIC = re.compile(
    r"(?:(?:demographics|geography|history|economy|politics|culture|music|education|religion|"
    r"climate|transport|transportation|government|flag|military|languages?|art|architecture|"
    r"cuisine|coat of arms|constitution|battle|siege|treaty|war|bombing|invasion|fall|"
    r"foreign relations) (?:of|in)\b.*"
    r"|.* (?:people|war|revolution|crusade|language|dynasty|scale|law|theory|effect|cuisine))",
    re.IGNORECASE,
)
_FIRST_WORDS_OF_PLACES = frozenset(
    ("Lake", "Mount", "River", "Cape", "Fort", "Port", "Isle", "Gulf", "Strait")
)
_CACHE_SIZE = 20_000
"""Size of the caches for nouns, categories and boxes."""
_NOUNS: dict[str, Kind] = {
    **dict.fromkeys(CONCEPT, "concept"),
    **dict.fromkeys(ORGANISATION, "organisation"),
    **dict.fromkeys(LOCATION, "location"),
    **dict.fromkeys(PERSON, "person"),
}
_KINDS: tuple[Kind, ...] = ("concept", "person", "location", "organisation")
_VERB_REACH = 250
"""Characters within which the verb of the first sentence is searched."""
_DATE_REACH = 60
"""Characters after the name within which a birth date is searched."""


def guess_kind(title: str, wikitext: Wikitext) -> Kind | None:
    """Return the kind with the most evidence; None if there is none."""
    votes: dict[Kind, float] = dict.fromkeys(_KINDS, 0.0)
    for template in wikitext.templates:
        if (kind := _kind_of_box(template)) is not None:
            votes[kind] += BOX
        elif template in ("coord", "coor", "coordinates", "coor title dms", "coor title d"):
            votes["location"] += COORDINATES
    for category in wikitext.categories:
        if _LIFE_CATEGORY.fullmatch(category):
            votes["person"] += LIFE
        elif (kind := _kind_of_category(category)) is not None:
            votes[kind] += CATEGORY
        elif "geography" in category.lower():
            votes["location"] += GEOGRAPHY
    if _has_life_dates(title, wikitext.lead):
        votes["person"] += DATES
    if (kind := _kind_of_title(title)) is not None:
        votes[kind] += TITLE
    sentence_kind = stated_kind(title, wikitext.lead)
    if sentence_kind is not None:
        votes[sentence_kind] += SENTENCE
    best = max(_KINDS, key=lambda kind: votes[kind])
    return best if votes[best] else None


def stated_kind(title: str, lead: str) -> Kind | None:
    """Return the kind of a first sentence's subject."""
    text = clean(without_parentheses(lead[:1500]))
    copula = _COPULA.search(text, 0, _VERB_REACH)
    if copula is None:
        return None
    end = _SENTENCE_END.search(text, copula.end())
    sentence = text[: end.start()] if end else text[: 2 * _VERB_REACH]
    subject = sentence[: copula.start()].strip()
    if _is_generic(title, subject):
        return "concept"
    words = _WORD.findall(sentence[copula.end() :])
    return _kind_of_phrase(words, plural=copula[1] in ("are", "were"))


def _has_life_dates(title: str, lead: str) -> bool:
    bracket = lead.find("(")
    match = _LIFE_DATES.match(lead, bracket) if 0 < bracket < len(title) + _DATE_REACH else None
    if match is None:
        return False
    if match["rest"] is None:
        return True
    years = [int(year) for year in _YEAR.findall(match[0])]
    return len(years) >= 2 and 15 <= abs(years[-1] - years[0]) <= 105


def _kind_of_title(title: str) -> Kind | None:
    """Return the kind by the title: "Lake Powell" is a place, "History of Mali" a topic."""
    if _TOPIC.fullmatch(title):
        return "concept"
    words = title.partition(" (")[0].partition(",")[0].partition(" of ")[0].split()
    if not words or " " not in title:
        return None
    if words[0] in _FIRST_WORDS_OF_PLACES:
        return "location"
    kind = _kind_of_noun(words[-1].lower())
    return kind if kind in ("location", "organisation") else None


def _is_generic(title: str, subject: str) -> bool:
    """Return whether a sentence defines a common noun ("A teacher is ..."), not an entity."""
    start = subject.split(", ")[-1] if subject.startswith(("In ", "For ", "Within ")) else subject
    if re.match(r"(?:An?|a|an)\s", start):
        return True
    lower = title[:1].lower() + title[1:]
    return (
        lower != title
        and title not in subject
        and re.search(rf"\b{re.escape(lower)}\b", subject) is not None
    )


def _kind_of_phrase(words: list[str], *, plural: bool) -> Kind | None:
    """Return the kind of the head noun of a phrase such as "a large French city in ..."."""
    phrase: list[str] = []
    for index, word in enumerate(words[:40]):
        lower_word = word.lower()
        if lower_word not in _STOP:
            phrase.append(lower_word)
            continue
        if not _GENERIC.isdisjoint(phrase):
            return "concept"
        if lower_word == "of" and phrase and phrase[-1] == "body":
            return "location" if "water" in words[index : index + 4] else None
        if lower_word == "of" and phrase and phrase[-1] in _MEMBER_NOUNS:
            phrase = phrase[:1]
            continue
        kind, head = _head(phrase)
        follows = words[index + 1 : index + 8]
        if lower_word in (",", "and", "or") and (head in _ADJECTIVES or kind == "concept"):
            # "an Australian film and theatre actress", "an academic and applied field"
            coordinated = _kind_of_phrase([*phrase[:1], *follows], plural=plural)
            return coordinated or kind
        if lower_word == "of" and phrase and phrase[-1] in _AMBIGUOUS_NOUNS and _is_common(follows):
            return "concept"
        if kind is not None:
            definite = phrase[0] in ("a", "an", "the") or not head.endswith(("s", "people"))
            return kind if definite or not plural else "concept"
        if lower_word not in (",", "and", "or") or len(phrase) > 3:
            return None
        phrase = phrase[:1]
    return _head(phrase)[0]


def _is_common(words: list[str]) -> bool:
    """Return whether a common noun follows: "a state of mind", but not "of the Union"."""
    return next((word.islower() for word in words if word not in ("the", "a", "an")), False)


def _head(phrase: list[str]) -> tuple[Kind | None, str]:
    """Return the noun that a phrase ends in, before participles ("river flowing"), and its kind."""
    for word in reversed(phrase):
        kind = _kind_of_noun(word)
        if kind is not None:
            return kind, word
        if not word.endswith(("ed", "ing", "ly")) and word not in _AFTER_NOUN:
            break
    return None, ""


@lru_cache(_CACHE_SIZE)
def _kind_of_noun(noun: str) -> Kind | None:
    return next((_NOUNS[form] for form in guessed_singulars(noun) if form in _NOUNS), None)


@lru_cache(_CACHE_SIZE)
def _kind_of_category(category: str) -> Kind | None:
    """Return the kind of a category's members: cities in "Cities in France", none in "Music"."""
    head = _CATEGORY_STOP.sub("", category).rpartition(" ")[2].lower()
    if head == "people" or (
        head != "peoples" and head.endswith(("s", "men")) and head not in _NOUNS
    ):
        return _kind_of_noun(head)
    return None


@lru_cache(_CACHE_SIZE)
def _kind_of_box(template: str) -> Kind | None:
    if "infobox" not in template and not template.endswith(" box"):
        return None
    name = template.replace("infobox", " ").removesuffix(" box").strip()
    ends = [noun for noun in BOXES if f" {name}".endswith(f" {noun}")]
    starts = [noun for noun in BOXES if name.startswith(f"{noun} ")]
    longest = max(ends or starts, key=lambda noun: (len(noun), BOXES[noun]), default=None)
    return None if longest is None else BOXES[longest]
