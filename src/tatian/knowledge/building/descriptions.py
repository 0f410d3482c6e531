"""Descriptions of entities, generated from facts or taken from a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tatian.knowledge.entities import Fact, Kind
from tatian.knowledge.wording import (
    adjective_of,
    definite,
    indefinite,
    is_plural,
    join_words,
    lower_common,
    sentence_subject,
    with_periods,
    without_qualifier,
    year,
)
from tatian.text.splitter import split

MAX_CHARACTERS = 600
"""Maximum number of characters of a description."""
_READ_CHARACTERS = 10 * MAX_CHARACTERS
"""Characters of a paragraph that are read."""
_OPENING = "(（"
_BRACKETS = re.compile("[()（）]")
_SPACES = re.compile(r"\s+")
_BEFORE_MARK = re.compile(r"\s+([,;.:!?])(?!\w)")
_DOUBLED = re.compile(r"([,;:])(?:\s*[,;:])+")
_MARK_BEFORE_STOP = re.compile(r"[,;:]+(?=[.!?])")
_EMPTY_QUOTES = re.compile(r"\"\s*\"|“\s*”")
_CLOSING = ".!?…\"'”’"
_ENDS = (".", "!", "?", "…")
_MAX_VALUES = 3
"""Maximum number of occupations, positions and the like in a description."""
_WORKS = frozenset(
    ("book", "film", "television show", "video game", "newspaper", "website", "song")
)
"""Types of works, whose names take a singular verb."""
_VAGUE_TYPES = frozenset(("company", "team", "club", "league", "organisation"))
"""Types that need the industry to be informative."""
_COUNTABLE = {"armed forces": "military force", "police": "police force"}
_MANY_PLACES = (" Islands", " Mountains", " Alps", " Falls", " Hills", " Heights")
_PLACE_RELATIONS = ("located in", "location", "country", "continent")


def as_sentence(phrase: str) -> str:
    """Return a phrase such as Wikidata's descriptions as a sentence, without parentheses."""
    plain = description_of(phrase)
    if not plain:
        return ""
    return plain[0].upper() + plain[1:] + ("" if plain.endswith(_ENDS) else ".")


def description_of(paragraph: str) -> str:
    """Return a paragraph without parentheses, at most 600 characters of whole sentences."""
    text = clean(without_parentheses(paragraph[:_READ_CHARACTERS]))[: 2 * MAX_CHARACTERS]
    if len(text) <= MAX_CHARACTERS:
        return text
    within = (span.end for span in split(text) if span.end <= MAX_CHARACTERS)
    end = max((end for end in within if text[end - 1] in _CLOSING), default=0)
    return text[:end] or _shorten(text)


def without_parentheses(text: str) -> str:
    """Remove round brackets with their content, also nested ones, and unpaired brackets."""
    opened: list[int] = []
    spans: list[tuple[int, int]] = []
    for match in _BRACKETS.finditer(text):
        index = match.start()
        if match[0] in _OPENING:
            opened.append(index)
        else:
            spans.append((opened.pop() if opened else index, index + 1))
    spans += [(index, index + 1) for index in opened]
    kept: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if end > at:
            kept.append(text[at:start])
            at = end
    return " ".join([*kept, text[at:]])


def clean(text: str) -> str:
    """Repair spacing and punctuation around removed text."""
    text = _EMPTY_QUOTES.sub(" ", text)
    text = _SPACES.sub(" ", text).strip()
    text = _BEFORE_MARK.sub(r"\1", text)
    text = _DOUBLED.sub(r"\1", text)
    return _MARK_BEFORE_STOP.sub("", text).lstrip(",;:.!?) ")


def _shorten(text: str) -> str:
    """Shorten a long first sentence at the last comma or word within the limit."""
    fitting = text[: MAX_CHARACTERS - 1]
    comma = max(fitting.rfind(", "), fitting.rfind("; "))
    space = fitting.rfind(" ")
    end = comma if comma > MAX_CHARACTERS // 2 else space if space > 0 else len(fitting)
    return fitting[:end].rstrip(" ,;:") + "…"


def describe(title: str, kind: Kind, facts: Sequence[Fact]) -> str:
    """Describe `title` in one or two sentences; never empty.

    "Angela Merkel is a German politician of the Christian Democratic Union of Germany, Chancellor
    of Germany from 2005 to 2021."
    """
    return as_sentence(_BY_KIND[kind](title, _FactsByRelation(facts)))


class _FactsByRelation:
    """Facts by relation, in their order."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._facts = facts

    def facts(self, *relations: str) -> list[Fact]:
        return [fact for name in relations for fact in self._facts if fact.relation == name]

    def values(self, *relations: str) -> list[str]:
        return list(dict.fromkeys(fact.value for fact in self.facts(*relations)))

    def first(self, *relations: str) -> str:
        return next(iter(self.values(*relations)), "")

    def current(self, *relations: str) -> str:
        """Return the last value that has not ended, or the last of all."""
        facts = self.facts(*relations)
        lasting = [fact for fact in facts if not fact.until] or facts
        return lasting[-1].value if lasting else ""

    @property
    def verb(self) -> str:
        return "was" if self.facts("died", "dissolved", "ended", "date") else "is"


def _person(title: str, facts: _FactsByRelation) -> str:
    start = f"{without_qualifier(title)} {facts.verb}"
    roles = with_periods(facts.facts("position"))[:_MAX_VALUES]
    countries = facts.values("nationality")
    adjective = "-".join(dict.fromkeys(filter(None, map(adjective_of, countries))))
    occupation = join_words(facts.values("occupation")[:_MAX_VALUES])
    if not occupation and roles:
        return f"{start} {join_words(roles)}"
    if adjective and occupation.startswith(f"{adjective} "):
        adjective = ""
    noun = indefinite(" ".join(filter(None, (adjective, occupation or "person"))))
    if countries and not adjective:
        noun += f" from {_join_names(countries)}"
    sentence = f"{start} {noun}"
    if group := facts.current("party", "member of"):
        sentence += f" of {definite(group)}"
    elif team := facts.current("team"):
        name = f"the {without_qualifier(team)}" if is_plural(team) else definite(team)
        sentence += f" of {name}"
    elif employer := facts.current("employer"):
        sentence += f" at {definite(employer)}"
    if roles:
        return f"{sentence}, {join_words(roles)}"
    if works := facts.values("known for", "notable work")[:_MAX_VALUES]:
        sentence += f", known for {join_words(list(map(without_qualifier, works)))}"
    return sentence


def _join_names(titles: Sequence[str]) -> str:
    return join_words([definite(title) for title in titles])


def _location(title: str, facts: _FactsByRelation) -> str:
    verb = "are" if title.endswith(_MANY_PLACES) else facts.verb
    sentence = f"{sentence_subject(title)} {verb} {indefinite(facts.first('type') or 'place')}"
    around = facts.values("located in", "country")[:2] or facts.values("continent")[:1]
    if around:
        sentence += f" in {', '.join(definite(place) for place in around)}"
    if governed := facts.values("capital of")[:_MAX_VALUES]:
        sentence += f", the capital of {_join_names(governed)}"
    if capital := facts.first("capital"):
        sentence += f". Its capital is {without_qualifier(capital)}"
    if languages := facts.values("official language")[:_MAX_VALUES]:
        names = [without_qualifier(name).removesuffix(" language") for name in languages]
        verb = "s are" if len(languages) > 1 else " is"
        sentence += f". Its official language{verb} {join_words(names)}"
    if people := _round(facts.first("population")):
        sentence += f". About {people} people live there"
    return sentence


def _organisation(title: str, facts: _FactsByRelation) -> str:
    adjective = adjective_of(facts.first("country", "nationality"))
    industry = lower_common(facts.first("industry", "sport")).removesuffix(" industry")
    kind = facts.first("type") or ("company" if industry else "organisation")
    if kind not in _VAGUE_TYPES:
        industry = ""
    noun = indefinite(" ".join(filter(None, (adjective, industry, _COUNTABLE.get(kind, kind)))))
    sentence = f"{sentence_subject(title)} {facts.verb} {noun}"
    if place := facts.first("headquarters"):
        sentence += f" based in {definite(place)}"
    elif not adjective and (around := facts.first(*_PLACE_RELATIONS)):
        sentence += f" in {definite(around)}"
    if parent := facts.first("part of", "subsidiary of", "parent", "owner", "league"):
        sentence += f", part of {definite(parent)}"
    if founders := facts.values("founded by", "founder")[:_MAX_VALUES]:
        sentence += f", founded by {join_words(list(map(without_qualifier, founders)))}"
    if begun := facts.first("founded", "inception"):
        sentence += f"{'' if founders else ', founded'} in {year(begun)}"
    return sentence


def _concept(title: str, facts: _FactsByRelation) -> str:
    types = list(map(without_qualifier, facts.values("type", "subclass of", "instance of")[:2]))
    plural = is_plural(without_qualifier(title)) and not _WORKS.intersection(types)
    verb = {"is": "are", "was": "were"}[facts.verb] if plural else facts.verb
    nouns = join_words([indefinite(kind) for kind in types or ["concept"]])
    sentence = f"{sentence_subject(title)} {verb} {nouns}"
    field = lower_common(facts.first("field", "sport"))
    if field and field not in types:
        sentence += f" in the field of {field}"
    if places := facts.values(*_PLACE_RELATIONS)[:_MAX_VALUES]:
        sentence += f" in {_join_names(places)}"
    if when := facts.first("date"):
        sentence += f" from {when.replace('–', ' to ')}" if "–" in when else f" in {when}"
    if parent := facts.first("part of"):
        sentence += f", part of {definite(parent)}"
    makers = facts.values("creator", "author", "director", "developer", "founded by")
    if makers:
        sentence += f", by {join_words(list(map(without_qualifier, makers[:_MAX_VALUES])))}"
    return sentence


_BY_KIND: dict[Kind, Callable[[str, _FactsByRelation], str]] = {
    "person": _person,
    "location": _location,
    "organisation": _organisation,
    "concept": _concept,
}


def _round(number: str) -> str:
    """Round a count to two significant figures: ``2.1 million``, ``140,000``; empty if none."""
    if not number.isdecimal() or not int(number):
        return ""
    count = int(number)
    step = 10 ** max(len(number) - 2, 0)
    rounded = round(count / step) * step
    if rounded < 10**6:
        return f"{rounded:,}"
    unit, name = (10**9, "billion") if rounded >= 10**9 else (10**6, "million")
    return f"{rounded / unit:.3g} {name}"
