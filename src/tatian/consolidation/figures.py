"""The figures of an account: what they measure, and the words that say of what."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from tatian.consolidation.units import Unit
from tatian.text import CHAINS, NAMES, WORDS, Document, Span, Token, Word
from tatian.text.content import concept, concepts, is_content
from tatian.text.lexicon import MONTHS, NUMBER_WORDS
from tatian.text.quantities import NUMBER, PLAIN_NUMBER, value_of
from tatian.text.quotations import quoted_tokens
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
        ("count", rf"{NUMBER}(?=[ -][a-z])"),
    )
)
SOFT_HYPHEN = "\u00ad"
_BARE = frozenset({"magnitude", "age", "parent", "count"})
"""Kinds of which the number alone is said."""
_PART = re.compile(rf"{PLAIN_NUMBER} of (?:\S+ ){{0,3}}$|\($", re.IGNORECASE)
"""What stands before the whole of which a part is told, and before another measure of the same."""
_FLOOR = re.compile(r"\b(?:at (?:least|most)|than|over|exceed|in excess of|as \w+ as|up to)\s*$")
_ROUGH = re.compile(r"\b(?:about|around|some|roughly|approximately|nearly|almost|estimated)\s*$")
_CLAUSES = frozenset("advcl ccomp conj parataxis acl csubj xcomp".split())
_COMPASS = frozenset("north south east west".split())
_SPANS = frozenset(map(concept, "other time man year day week month hour minute".split()))
"""Counts of these say how long, or nothing."""


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
    act: str = ""
    """The concept of the word above it."""
    frame: frozenset[int] = frozenset()
    """Where the words stand above it, up to the verb, and the words below these."""
    people: frozenset[str] = frozenset()
    """The names in its clause."""
    days: frozenset[str] = frozenset()
    """The months and years in its clause."""
    bound: str = ""
    """ "floor" for "at least" and the like, "rough" for "about"."""
    quoted: bool = False


class Figures:
    """Finds the figures and the full names of one account."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._tokens = document.tokens
        self._starts = [token.start for token in document.tokens]
        self._words = {w.token: w for w in document.get(WORDS)} if document.has(WORDS) else {}
        self._below: dict[int, list[int]] = {}
        for word in self._words.values():
            self._below.setdefault(word.head, []).append(word.token)
        self._quoted = quoted_tokens(document.text, document.tokens)
        self._names = list(document.get(NAMES)) if document.has(NAMES) else []
        self._named = self._who()

    def _who(self) -> dict[int, frozenset[str]]:
        """The words of the name that a token stands for, by its start; pronouns by their chain."""
        document = self._document
        found: dict[int, frozenset[str]] = {}

        def add(span: Span, said: frozenset[str]) -> None:
            for token in document.tokens_in(span):
                found[token.start] = found.get(token.start, frozenset()) | said

        def words(span: Span) -> frozenset[str]:
            tokens = document.tokens_in(span)
            return frozenset(concept(one.text) for one in tokens if one.text[:1].isupper())

        people = [name for name in self._names if name.type == "PER"]
        starts = {name.start: name for name in people}
        for chain in document.get(CHAINS) if document.has(CHAINS) else ():
            heads = [mention.head or mention for mention in chain.mentions]
            said = frozenset().union(*(words(one) for one in heads if one.start in starts))
            for one in heads:
                add(one, said)
        for name in people:
            add(name, words(name))
        return found

    def of(self, unit: Unit) -> list[Figure]:
        """The figures and the full names of a unit."""
        found: list[Figure] = []
        for body in unit.bodies:
            taken: set[int] = set()
            counts = self._words and any(map(_counts, self._document.tokens_in(body)))
            line, places = one_line(self._document.text, body) if counts else ("", [])
            for kind, pattern in _KINDS if counts else ():
                for match in pattern.finditer(line):
                    if taken.isdisjoint(range(*match.span())):
                        one = self._figure(kind, match, places)
                        if one is not None:
                            taken.update(range(*match.span()))
                            found.append(one)
            for name in inside(self._names, body):
                named, _ = one_line(self._document.text, name)
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
        place = self._at(said.start)
        of = (match.groupdict().get("of") or "").strip().lower()
        of = "left" if kind == "mark" and of else concept(of) if kind == "share" else of
        if kind == "count":
            counted = self._counted(place)
            if counted is None:
                return None
            place = counted
            of = concept(self._tokens[place].text)
            whole = Span(whole.start, self._tokens[place].end)
        if kind == "age":
            of = self._whose(self._at(whole.start), self._at(whole.end - 1))
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
        own = self._at(said.start) if place is None else place
        within = range(whole.start, whole.end)
        path = [one for one in self._path(own, within) if self._starts[one] not in within]
        around = {one for step in path for one in (step, *self._below.get(step, ()))}
        around |= {one for one in self._below.get(own, ()) if self._starts[one] not in within}
        clause = self._clause(path[-1] if path else own)
        texts = [self._tokens[one].text.lower() for one in clause]
        act = next((one for one in path if self._tokens[one].text.lower() not in _COMPASS), None)
        behind = whole.end
        if act is not None and self._words[act].tag == "NOUN" and kind != "name":
            last = self._at(whole.end - 1)
            if last < act <= last + 3:
                behind = self._tokens[act].end
        return Figure(
            kind,
            value,
            of,
            said,
            behind,
            concept(self._words[act].lemma) if act is not None else "",
            frozenset(self._starts[one] for one in around if is_content(self._tokens[one].text)),
            frozenset().union(*(self._named.get(self._starts[one], frozenset()) for one in clause)),
            frozenset(t for t in texts if t in MONTHS or re.fullmatch(r"(?:1[5-9]|20)\d\d", t)),
            bound,
            self._quoted[own],
        )

    def _at(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1

    def _counted(self, place: int) -> int | None:
        """The noun that a number belongs to."""
        word = self._words.get(place)
        while word is not None and word.relation in ("compound", "flat"):
            word = self._words.get(word.head)
        if word is None or word.relation != "nummod":
            return None
        noun = self._words.get(word.head)
        if noun is None or noun.tag != "NOUN" or noun.token < place:
            return None
        text = self._tokens[noun.token].text
        before = self._tokens[place - 1].text.lower() if place else ""
        if (
            not is_content(text)
            or text.lower() in MONTHS
            or before in MONTHS
            or concept(text) in _SPANS
        ):
            return None
        return noun.token

    def _whose(self, first: int, last: int) -> str:
        """Whose age it is: the name that ends before it, or begins after it."""
        for name in self._names:
            ends = first > 1 and name.end == self._tokens[first - 2].end
            begins = last + 1 < len(self._tokens) and name.start == self._tokens[last + 1].start
            if name.type == "PER" and (ends or begins):
                named, _ = one_line(self._document.text, name)
                if " " in named:
                    return named
        return ""

    def _path(self, place: int, inside: range) -> list[int]:
        """The words above one, up to the first verb."""
        path: list[int] = []
        word: Word | None = self._words.get(place)
        while word is not None and len(path) < 8:
            if word.token != place:
                path.append(word.token)
                if word.tag == "VERB" and self._starts[word.token] not in inside:
                    break
            word = self._words.get(word.head)
        return path

    def _clause(self, top: int) -> list[int]:
        """A word and all below it that is no clause of its own."""
        found, queue = [], [top]
        while queue:
            one = queue.pop()
            found.append(one)
            for below in self._below.get(one, ()):
                word = self._words[below]
                if word.tag != "VERB" or word.relation.partition(":")[0] not in _CLAUSES:
                    queue.append(below)
        return found


def one_line(text: str, span: Span) -> tuple[str, list[int]]:
    """A stretch with one blank for each gap and no soft hyphens, and where its characters stand.

    So a figure is found wherever lines end.
    """
    places = [
        place
        for place in range(span.start, span.end)
        if text[place] != SOFT_HYPHEN
        and not (text[place].isspace() and place > span.start and text[place - 1].isspace())
    ]
    return "".join(" " if text[n].isspace() else text[n] for n in places), places


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
