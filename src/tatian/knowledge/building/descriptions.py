"""Sentences that define an entity, made from its facts or cut from a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tatian.knowledge.entities import Fact, Kind
from tatian.knowledge.wording import (
    adjective_of,
    common,
    definite,
    indefinite,
    is_plural,
    listed,
    shown,
    subject,
    with_periods,
    year,
)
from tatian.text.splitter import split

LONGEST = 600
"""Most characters of a description."""

_READ = 10 * LONGEST
"""Characters of the paragraph that are read; more cannot matter."""
_OPENED = "(（"
_BRACKETS = re.compile("[()（）]")
_SPACES = re.compile(r"\s+")
_BEFORE_MARK = re.compile(r"\s+([,;.:!?])(?!\w)")
_DOUBLED = re.compile(r"([,;:])(?:\s*[,;:])+")
_MARK_BEFORE_STOP = re.compile(r"[,;:]+(?=[.!?])")
_EMPTY_QUOTES = re.compile(r"\"\s*\"|“\s*”")
_CLOSING = ".!?…\"'”’"
_ENDS = (".", "!", "?", "…")
_MOST = 3
"""Number of occupations, positions and the like that define somebody."""
_WORKS = frozenset(
    ("book", "film", "television show", "video game", "newspaper", "website", "song")
)
"""Works, whose name takes a singular verb in any case."""
_OF_ANY_INDUSTRY = frozenset(("company", "team", "club", "league", "organisation"))
"""Types that say little without the industry."""
_COUNTED = {"armed forces": "military force", "police": "police force"}
_MANY_PLACES = (" Islands", " Mountains", " Alps", " Falls", " Hills", " Heights")
_LANDS = ("located in", "location", "country", "continent")


def sentence(phrase: str) -> str:
    """Return a phrase such as Wikidata's descriptions as a sentence, without parentheses."""
    plain = description_of(phrase)
    if not plain:
        return ""
    return plain[0].upper() + plain[1:] + ("" if plain.endswith(_ENDS) else ".")


def opening(text: str) -> str:
    """Return the description in the first paragraph of a text."""
    return description_of(text.strip().partition("\n")[0])


def description_of(paragraph: str) -> str:
    """Return a paragraph without parentheses, at most 600 characters of whole sentences."""
    text = clean(without_parentheses(paragraph[:_READ]))[: 2 * LONGEST]
    if len(text) <= LONGEST:
        return text
    ends = [
        span.end for span in split(text) if span.end <= LONGEST and text[span.end - 1] in _CLOSING
    ]
    return text[: ends[-1]] if ends else _shortened(text)


def without_parentheses(text: str) -> str:
    """Remove round brackets with their content, also nested ones; a lone bracket just goes."""
    opened: list[int] = []
    spans: list[tuple[int, int]] = []
    for match in _BRACKETS.finditer(text):
        index = match.start()
        if match[0] in _OPENED:
            opened.append(index)
        else:
            spans.append((opened.pop() if opened else index, index + 1))
    if not opened and not spans:
        return text
    dropped = sorted([*spans, *((index, index + 1) for index in opened)])
    kept: list[str] = []
    at = 0
    for start, end in dropped:
        if end <= at:
            continue
        kept.append(text[at:start])
        at = end
    kept.append(text[at:])
    return " ".join(kept)


def clean(text: str) -> str:
    """Mend the spacing and punctuation around removed text."""
    text = _EMPTY_QUOTES.sub(" ", text)
    text = _SPACES.sub(" ", text).strip()
    text = _BEFORE_MARK.sub(r"\1", text)
    text = _DOUBLED.sub(r"\1", text)
    return _MARK_BEFORE_STOP.sub("", text).lstrip(",;:.!?) ")


def _shortened(text: str) -> str:
    """Cut a first sentence that is too long at its last comma or word that fits."""
    fitting = text[: LONGEST - 1]
    comma = max(fitting.rfind(", "), fitting.rfind("; "))
    space = fitting.rfind(" ")
    end = comma if comma > LONGEST // 2 else space if space > 0 else len(fitting)
    return fitting[:end].rstrip(" ,;:") + "…"


def describe(title: str, kind: Kind, facts: Sequence[Fact]) -> str:
    """Describe `title` in one or two sentences; never empty.

    "Angela Merkel is a German politician of the Christian Democratic Union of Germany, Chancellor
    of Germany from 2005 to 2021."
    """
    return sentence(_BY_KIND[kind](title, _Known(facts)))


class _Known:
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


def _person(title: str, known: _Known) -> str:
    roles = with_periods(known.facts("position"))[:_MOST]
    lands = [shown(land) for land in known.values("nationality")]
    adjective = "-".join(
        dict.fromkeys(filter(None, map(adjective_of, known.values("nationality"))))
    )
    trade = listed(known.values("occupation")[:_MOST])
    if not trade and roles:
        return f"{shown(title)} {known.verb} {listed(roles)}"
    if adjective and trade.startswith(f"{adjective} "):
        adjective = ""
    what = indefinite(" ".join(filter(None, (adjective, trade or "person"))))
    if lands and not adjective:
        what += f" from {listed([definite(land) for land in lands])}"
    said = f"{shown(title)} {known.verb} {what}"
    if group := known.current("party", "member of"):
        said += f" of {definite(group)}"
    elif team := known.current("team"):
        said += f" of the {shown(team)}" if is_plural(team) else f" of {definite(team)}"
    elif employer := known.current("employer"):
        said += f" at {definite(employer)}"
    if roles:
        return f"{said}, {listed(roles)}"
    return said + _famous_for(known)


def _famous_for(known: _Known) -> str:
    works = known.values("known for", "notable work")[:_MOST]
    return f", known for {listed([shown(work) for work in works])}" if works else ""


def _location(title: str, known: _Known) -> str:
    verb = "are" if title.endswith(_MANY_PLACES) else known.verb
    what = f"{subject(title)} {verb} {indefinite(known.first('type') or 'place')}"
    around = known.values("located in", "country")[:2] or known.values("continent")[:1]
    if around:
        what += f" in {', '.join(definite(place) for place in around)}"
    if governed := known.values("capital of")[:_MOST]:
        what += f", the capital of {listed([definite(place) for place in governed])}"
    said = [what]
    if capital := known.first("capital"):
        said.append(f"Its capital is {shown(capital)}")
    if languages := known.values("official language")[:_MOST]:
        spoken = listed([shown(language).removesuffix(" language") for language in languages])
        said.append(f"Its official language{'s are' if len(languages) > 1 else ' is'} {spoken}")
    if people := _rounded(known.first("population")):
        said.append(f"About {people} people live there")
    return ". ".join(said)


def _organisation(title: str, known: _Known) -> str:
    adjective = adjective_of(known.first("country", "nationality"))
    industry = common(known.first("industry", "sport")).removesuffix(" industry")
    kind = known.first("type") or ("company" if industry else "organisation")
    if kind not in _OF_ANY_INDUSTRY:
        industry = ""
    what = indefinite(" ".join(filter(None, (adjective, industry, _COUNTED.get(kind, kind)))))
    said = f"{subject(title)} {known.verb} {what}"
    if place := known.first("headquarters"):
        said += f" based in {definite(place)}"
    elif not adjective and (around := known.first(*_LANDS)):
        said += f" in {definite(around)}"
    if whole := known.first("part of", "subsidiary of", "parent", "owner", "league"):
        said += f", part of {definite(whole)}"
    if founders := known.values("founded by", "founder")[:_MOST]:
        said += f", founded by {listed([shown(founder) for founder in founders])}"
    if begun := known.first("founded", "inception"):
        said += f"{'' if founders else ', founded'} in {year(begun)}"
    return said


def _concept(title: str, known: _Known) -> str:
    types = [shown(value) for value in known.values("type", "subclass of", "instance of")[:2]]
    plural = is_plural(shown(title)) and not _WORKS.intersection(types)
    verb = {"is": "are", "was": "were"}[known.verb] if plural else known.verb
    said = f"{subject(title)} {verb} {listed([indefinite(kind) for kind in types or ['concept']])}"
    field = common(known.first("field", "sport"))
    if field and field not in types:
        said += f" in the field of {field}"
    if places := known.values(*_LANDS)[:_MOST]:
        said += f" in {listed([definite(place) for place in places])}"
    if when := known.first("date"):
        said += f" from {when.replace('–', ' to ')}" if "–" in when else f" in {when}"
    if whole := known.first("part of"):
        said += f", part of {definite(whole)}"
    if makers := known.values("creator", "author", "director", "developer", "founded by")[:_MOST]:
        said += f", by {listed([shown(maker) for maker in makers])}"
    return said


_BY_KIND: dict[Kind, Callable[[str, _Known], str]] = {
    "person": _person,
    "location": _location,
    "organisation": _organisation,
    "concept": _concept,
}


def _rounded(number: str) -> str:
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
