"""The figures of an account: what they measure, and the words that say of what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from tatian.consolidation.clauses import Clauses, one_line
from tatian.consolidation.units import Unit
from tatian.text import NAMES, Document, Span, Token
from tatian.text.content import concept, concepts, is_content
from tatian.text.lexicon import MONTHS, NUMBER_WORDS
from tatian.text.quantities import NUMBER, PLAIN_NUMBER, value_of
from tatian.text.spans import inside

_LENGTHS = {
    r"millimet(?:re|er)s?|mm": 0.001,
    r"centimet(?:re|er)s?|cm": 0.01,
    r"inch(?:es)?": 0.0254,
    r"feet|foot|ft": 0.3048,
    r"yards?": 0.9144,
    r"kilomet(?:re|er)s?|kms?": 1000.0,
    r"met(?:re|er)s?|m": 1.0,
    r"miles?": 1609.0,
}
_MONTH = f"(?P<of>{'|'.join(month.capitalize() for month in MONTHS if month[-1] != '.')})"
_NO_RANGE = (
    r"(?!\d|\s*[:%/–—-]|,? (?:to|and|or|through|until) (?:\w+ )?\d"
    r"| (?:people|men|women|children)\b| [a-z]{3,}s\b)"
)
"""What does not follow a day: the end of some days, what is counted ("In May 12 people")."""
_UNITS = {"minute": 1, "hour": 60, "day": 1440, "week": 10_080, "month": 43_800, "year": 525_600}
_HALF_SAID = " and a half"
_HALF = rf"(?:{_HALF_SAID}\b)?"
_LEFT = (
    r"(?:(?P<of> (?:remaining|left|to (?:go|play))\b)"
    r"| into the \w+ (?:round|half|quarter|period)|(?= mark\b))"
)
"""What says that a time is one of a game, and from which end it is counted."""
_KINDS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("clock", rf"{PLAIN_NUMBER}(?:[:.]\d\d)? ?(?P<half>[ap])\.?m\b\.?(?! \w{{0,3}}GMT)"),
        ("mark", rf"(?<![\d:])\d{{1,2}}:\d\d{_LEFT}"),
        ("mark", rf"(?:{PLAIN_NUMBER} minutes?,? (?:and )?)?{PLAIN_NUMBER} seconds?\b{_LEFT}"),
        ("date", rf"(?<!from )(?<!between )\b(?-i:{_MONTH} )(?P<number>\d{{1,2}}){_NO_RANGE}"),
        ("times", rf"\b(?:once|twice|{PLAIN_NUMBER} times)\b(?! (?:as|more))"),
        ("magnitude", rf"{NUMBER}[ -]+magnitude"),
        ("magnitude", rf"magnitude (?:of )?(?:about |at least |around )?{NUMBER}"),
        ("age", rf"{NUMBER}[ -]years?[ -]old\b"),
        ("age", rf"(?<=\w, ){NUMBER}(?=[,.;]| and )"),
        ("money", rf"(?:US|A|C)?(?P<of>[$€£¥]) ?{NUMBER}"),
        ("money", rf"{NUMBER} (?P<of>dollar|euro|pound|franc|mark)s?\b"),
        ("share", rf"{NUMBER} ?(?:%|per ?cent\b)(?= of (?:the )?(?P<of>\w+))?"),
        ("length", rf"{NUMBER}[ -]?(?P<unit>{'|'.join(_LENGTHS)})\b(?! an? hour)"),
        ("parent", rf"\b(?P<of>mother|father) of {NUMBER}(?! [a-z]*(?:year|month))"),
        ("duration", rf"(?<![\d/:.,]){NUMBER}{_HALF} (?P<unit>{'|'.join(_UNITS)})s?\b{_HALF}"),
        ("count", rf"(?<![\d/:.,]){NUMBER}(?=[ -][a-z]| [–—]|[.,;](?!\d))"),
    )
)
_ROUGHLY = 1.1
"""What "about" leaves open, and the turning of feet into metres."""
_NEAR_MINUTES = 20
"""What "about" leaves open of a time of day."""
_BARE = frozenset({"magnitude", "age", "parent", "count"})
"""Kinds of which the number alone is said."""
_PART = re.compile(rf"{PLAIN_NUMBER} of (?:\S+ ){{0,3}}$|\($", re.IGNORECASE)
"""What stands before the whole of which a part is told, and before another measure of the same."""
_FROM = re.compile(rf"{PLAIN_NUMBER}(?: (?:to|or|and)|[-–])\s*$", re.IGNORECASE)
"""What stands before the end of a range."""
_FLOOR = re.compile(r"\b(?:at (?:least|most)|than|over|exceed|in excess of|as \w+ as|up to)\s*$")
_ROUGH = re.compile(r"\b(?:about|around|some|roughly|approximately|nearly|almost|estimated)\s*$")
_COMPASS = frozenset("north south east west".split())


class Figure(Struct, frozen=True):
    """A figure, or a name, of a unit: what it is of and where it stands in its account."""

    kind: str
    value: float | str
    of: str
    """The concept of what is counted, whose age it is, the sign of money."""
    said: Span
    """The words that give it."""
    behind: int
    """Where the thing it belongs to ends."""
    acts: frozenset[str] = frozenset()
    """The concepts of the word above it, by its lemma and as it is written."""
    frame: frozenset[int] = frozenset()
    """Where the words stand above it, up to the verb, and the words below these."""
    people: frozenset[str] = frozenset()
    """The names in its clause."""
    doers: frozenset[str] = frozenset()
    """Those among them who do its act,"""
    parties: frozenset[str] = frozenset()
    """and those who have any part in it, not beside something that has."""
    days: frozenset[str] = frozenset()
    """The months and years in its clause."""
    bound: str = ""
    """ "floor" for "at least" and the like, "rough" for "about"."""
    quoted: bool = False
    concepts: frozenset[str] = frozenset()
    """Of the words that give it."""

    def same(self, other: Figure) -> bool:
        """Whether two figures say the same, as far as they want to be exact."""
        if self.kind != other.kind:
            return False
        if isinstance(self.value, str) or isinstance(other.value, str):
            return self.value == other.value
        low, high = sorted((self.value, other.value))
        if self.kind == "clock" and self.bound and other.bound:
            return high - low < _NEAR_MINUTES
        rough = self.kind == "length" or (self.kind != "clock" and (self.bound or other.bound))
        return high <= _ROUGHLY * low if rough else high == low

    def of_one(self, other: Figure) -> bool:
        """Whether two figures are of one thing, as far as their clauses say."""
        acting = not (self.acts or other.acts) or not self.acts.isdisjoint(other.acts)
        return self.kind == other.kind and self.of == other.of and acting

    def may_exclude(self, other: Figure) -> bool:
        """Whether two figures that are not the same want to be exact, and are of the same people.

        Doers are held against doers; the captain is no other than the ship that strikes a quay.
        """
        if "floor" in (self.bound, other.bound):
            return False
        if self.doers and other.doers:
            return not self.doers.isdisjoint(other.doers)
        beside = self.people - self.parties, other.people - other.parties
        apart = all((self.parties, other.parties)) or all(beside)
        return not (apart and self.people.isdisjoint(other.people))


class Figures(Clauses):
    """Finds the figures and the full names of one account."""

    def of(self, unit: Unit) -> list[Figure]:
        """The figures and the full names of a unit."""
        found: list[Figure] = []
        for body in unit.bodies:
            taken: set[int] = set()
            counts = self.words and any(map(_counts, self.document.tokens_in(body)))
            line, places = one_line(self.document.text, body) if counts else ("", [])
            for kind, pattern in _KINDS if counts else ():
                for match in pattern.finditer(line):
                    if taken.isdisjoint(range(*match.span())):
                        one = self._figure(kind, match, places)
                        if one is not None:
                            taken.update(range(*match.span()))
                            found.append(one)
            for name in inside(self.names, body):
                named, _ = one_line(self.document.text, name)
                if name.type == "PER" and " " in named:
                    said = Span(name.start, name.end)
                    found.append(self._placed("name", named, "", said, said))
        return found

    def _figure(self, kind: str, match: re.Match[str], places: Sequence[int]) -> Figure | None:
        value = _value(kind, match)
        if value is None or _PART.search(match.string[: match.start()]):
            return None
        whole = Span(places[match.start()], places[match.end() - 1] + 1)
        said = whole
        if kind in _BARE:
            said = Span(places[match.start("number")], places[match.end("number") - 1] + 1)
        place = self.at(said.start)
        of = (match.groupdict().get("of") or "").strip().lower()
        of = "left" if kind == "mark" and of else concept(of) if kind == "share" else of
        if kind == "count":
            counted = self.counted(place)
            if counted is None:
                return None
            place, of = counted
            whole = Span(whole.start, self.tokens[place].end)
        if kind == "duration":
            if _FROM.search(match.string[: match.start()]):
                return None
            place = self.at(places[match.start("unit")])
            scope = self.scope(place, match.string[match.end() :])
            if scope is None:
                return None
            of = scope
        if kind == "age":
            of = self.whose(self.at(whole.start), self.at(whole.end - 1))
            if not of:
                return None
        before = match.string[: match.start("number") if kind in _BARE else match.start()].lower()
        bound = "floor" if _FLOOR.search(before) else "rough" if _ROUGH.search(before) else ""
        return self._placed(kind, value, of, said, whole, place, bound)

    def _placed(
        self,
        kind: str,
        value: float | str,
        of: str,
        said: Span,
        whole: Span,
        place: int | None = None,
        bound: str = "",
    ) -> Figure:
        """The figure with the words around it."""
        own = self.at(said.start) if place is None else place
        within = range(whole.start, whole.end)
        path = [one for one in self.path(own, within) if self.starts[one] not in within]
        around = {one for step in path for one in (step, *self.below.get(step, ()))}
        around |= {one for one in self.below.get(own, ()) if self.starts[one] not in within}
        clause = self.clause(path[-1] if path else own)
        parts = {one: self.part(one) for one in clause}
        texts = [self.tokens[one].text.lower() for one in clause]
        act = next((one for one in path if self.tokens[one].text.lower() not in _COMPASS), None)
        behind = whole.end
        if act is not None and self.words[act].tag == "NOUN" and kind != "name":
            last = self.at(whole.end - 1)
            if last < act <= last + 3:
                behind = self.tokens[act].end
        return Figure(
            kind,
            value,
            of,
            said,
            behind,
            frozenset() if act is None else self.acts(act),
            frozenset(self.starts[one] for one in around if is_content(self.tokens[one].text)),
            self.names_of(clause),
            self.names_of(one for one, part in parts.items() if part == "doer"),
            self.names_of(one for one, part in parts.items() if part),
            frozenset(t for t in texts if t in MONTHS or re.fullmatch(r"(?:1[5-9]|20)\d\d", t)),
            bound,
            self.quoted[own],
            frozenset(concept(one.text) for one in self.document.tokens_in(said)),
        )


def _counts(token: Token) -> bool:
    lower = token.text.lower()
    return any(map(str.isdigit, lower)) or lower in NUMBER_WORDS or lower in ("once", "twice")


def _value(kind: str, match: re.Match[str]) -> float | None:
    """What a figure says: clocks in minutes, marks in seconds, lengths in metres."""
    text = match[0].lower()
    if kind == "clock":
        hour, _, minute = re.sub(r" ?[ap]\.?m\.?$", "", text).replace(".", ":").partition(":")
        hours = value_of(hour)
        if not 1 <= hours <= 12 or not (minute or "0").isdecimal():
            return None
        return (hours % 12 + 12 * (match["half"].lower() == "p")) * 60 + int(minute or 0)
    if kind == "mark":
        numbers = [value_of(one) for one in re.findall(PLAIN_NUMBER, text.partition(" into")[0])]
        return numbers[-1] + sum(60 * one for one in numbers[:-1])
    if kind == "times":
        return {"once": 1.0, "twice": 2.0}.get(text) or value_of(text.split()[0])
    value = value_of(match["number"])
    if kind == "duration":
        return (value + 0.5 * (_HALF_SAID in text)) * _UNITS[match["unit"].lower()]
    if kind == "length":
        unit = match["unit"].lower()
        return value * next(size for name, size in _LENGTHS.items() if re.fullmatch(name, unit))
    return value


def people(unit: Unit, document: Document) -> tuple[frozenset[str], ...]:
    """The people that a unit names, each by the words of the name."""
    if not document.has(NAMES):
        return ()
    names = [name for body in unit.bodies for name in document.inside(NAMES, body)]
    words = (
        frozenset(concepts(token.text for token in document.tokens_in(name)))
        for name in names
        if name.type == "PER"
    )
    return tuple(filter(None, words))


def counts(unit: Unit, document: Document) -> tuple[tuple[str, str], ...]:
    """What a unit counts: "12 people" and the like."""
    found = []
    for body in unit.bodies:
        for one, two in pairwise(document.tokens_in(body)):
            number = one.text[:1].isdigit() or one.text.lower() in NUMBER_WORDS
            if number and is_content(two.text) and two.text.islower():
                found.append((concept(one.text), concept(two.text.rstrip("."))))
    return tuple(found)
