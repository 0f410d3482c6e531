"""A sentence as what it tells: words, who does what, how many, when, denied, or only supposed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Literal
from unicodedata import combining, normalize

from msgspec import Struct

from tatian.text import WORDS, Document, Span, Word
from tatian.text.content import concept, is_content
from tatian.text.dates import day_names, named_days, published
from tatian.text.lexicon import (
    MONTHS,
    NEGATIONS,
    NUMBER_WORDS,
    PRONOUNS,
    REPORTING_VERBS,
    WEEKDAYS,
    word_set,
)
from tatian.text.quotations import MARKS, quoted_tokens

Role = Literal["agent", "patient", "other"]

_AGENTS = frozenset(("nsubj", "obl:agent", "csubj"))
_PATIENTS = frozenset(("obj", "nsubj:pass", "csubj:pass"))
_CLAUSES = ("root", "conj", "advcl", "acl", "ccomp", "xcomp", "parataxis", "csubj", "dep")
_RELATIVE = frozenset("who which that whom whose".split())
_MOODS = {
    "doubt": word_set(
        "allege alleged allegedly suspect suspected suspicion reportedly apparent apparently "
        "possible possibly probable probably supposedly presumably purported purportedly may might "
        "could likely unlikely potential potentially perhaps maybe if whether rumored rumoured "
        "seem appear believe believed think thought fear feared claim claimed accuse accused "
        "accusation charge charged consider allegation"
    ),
    "plan": word_set(
        "would will shall expect expected plan planned intend hope want threaten try tried attempt "
        "propose due schedule scheduled ask urge order demand deny denied fail failed"
    ),
}
"""What makes an act doubtful, or planned and asked for, by its lemma or as it is written."""
_COLOURING = frozenset(("aux", "advmod", "amod", "mark"))
_BOUND = frozenset("xcomp ccomp csubj advcl acl conj obl nmod obj nsubj appos".split())
"""Relations through which what is only supposed stays so."""
_TORN = word_set("couldn didn wasn isn doesn hasn haven hadn wouldn weren aren don shouldn")
"""What is left of "couldn't" where a blank stands in it."""
_DEEP = 5
"""Steps up the tree within which an act is governed by what makes it doubtful."""
_FORMS = re.compile(r"(?:ed|es|s|ing|d)$")
_WINDOW = 4
"""Words on either side by which a name or number is placed."""
_TIMES = frozenset((*WEEKDAYS, *MONTHS))
_DAY = re.compile(r"[1-3]?\d|,")
_TODAY = frozenset(("today", "yesterday", "tonight", "tomorrow"))
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")


class Item(Struct, frozen=True):
    """One word or mark of a sentence."""

    start: int
    end: int
    text: str
    concepts: frozenset[str]
    """What it stands for, a day by all its names; empty for what only grammar needs."""
    tag: str
    head: int
    """The place of what it depends on among the items; -1 for none."""
    relation: str
    entities: frozenset[str]
    """The chains, across all documents, that it is the head of a mention of."""
    quoted: bool

    @property
    def is_predicate(self) -> bool:
        """Whether it heads a clause."""
        return self.relation.split(":")[0] in _CLAUSES and (
            self.tag in {"VERB", "AUX"} or self.relation in {"root", "ccomp", "acl:relcl", "advcl"}
        )


class Grammar:
    """One sentence, by its parse."""

    def __init__(
        self, document: Document, span: Span, entities: Mapping[int, frozenset[str]]
    ) -> None:
        self.span = span
        tokens = document.tokens_in(span)
        words: dict[int, Word] = {}
        first = next((n for n, t in enumerate(document.tokens) if t.start >= span.start), 0)
        if document.has(WORDS):
            words = {w.token - first: w for w in document.get(WORDS)[first : first + len(tokens)]}
        days = named_days(tokens, published(document))
        quoted = quoted_tokens(document.text, tokens)
        self.items: list[Item] = []
        texts = [token.text for token in tokens]
        for place, token in enumerate(tokens):
            word = words.get(place)
            head = word.head - first if word and word.head >= 0 else -1
            self.items.append(
                Item(
                    token.start,
                    token.end,
                    token.text,
                    _concepts(_joined(texts, place), days.get(place)),
                    word.tag if word else "X",
                    head if 0 <= head < len(tokens) else -1,
                    word.relation if word else "dep",
                    entities.get(token.start, frozenset()),
                    quoted[place] and token.text not in MARKS,
                )
            )

    @cached_property
    def said(self) -> frozenset[str]:
        """Everything that its words stand for."""
        return frozenset().union(*(item.concepts for item in self.items))

    @cached_property
    def entities(self) -> frozenset[str]:
        """Whom and what it mentions."""
        return frozenset().union(*(item.entities for item in self.items))

    @cached_property
    def is_own(self) -> bool:
        """Whether somebody speaks of himself, whom only a headline may name."""
        return any(item.text in {"I", "my", "My", "we", "We", "our", "Our"} for item in self.items)

    def below(self, place: int) -> list[int]:
        """What depends on a word and says something."""
        return [d for h, d, _ in self.arcs if h == place]

    def parts(self, place: int) -> list[tuple[list[int], Role]]:
        """Who acts and to whom something is done, by all that each is called."""
        found = [(d, role) for h, d, role in self.arcs if h == place and role != "other"]
        return [([d, *(c for c in self._below[d] if self._calls(c))], role) for d, role in found]

    def _calls(self, place: int) -> bool:
        return self.items[place].relation in {"appos", "flat", "compound"}

    def partners(self, place: int) -> set[int]:
        """What depends on a word or it depends on, as far as it says something."""
        return {*self.below(place), *(h for h, d, _ in self.arcs if d == place)}

    @cached_property
    def _below(self) -> list[list[int]]:
        below: list[list[int]] = [[] for _ in self.items]
        for place, item in enumerate(self.items):
            if item.head >= 0:
                below[item.head].append(place)
        return below

    def predicate(self, place: int) -> int:
        """The head of the clause that a word stands in."""
        for _ in self.items:
            if self.items[place].is_predicate or self.items[place].head < 0:
                break
            place = self.items[place].head
        return place

    @cached_property
    def clauses(self) -> dict[int, list[int]]:
        """The words of each clause by the place of its head."""
        found: dict[int, list[int]] = {}
        for place in range(len(self.items)):
            found.setdefault(self.predicate(place), []).append(place)
        return found

    def extent(self, head: int) -> list[int]:
        """The words of a clause and of what is said, thought or wanted in it."""
        found = list(self.clauses[head])
        for other in self.clauses:
            item = self.items[other]
            if item.relation in {"ccomp", "xcomp"} and other != head and item.head in found:
                found += self.extent(other)
        return sorted(set(found))

    @cached_property
    def arcs(self) -> list[tuple[int, int, Role]]:
        """What depends on what, as far as both say something; shared subjects count for each."""
        found: list[tuple[int, int, Role]] = []
        for place, item in enumerate(self.items):
            if item.head < 0 or not self._tells(place) or not self._tells(item.head):
                continue
            if item.relation.startswith(("flat", "punct", "mark", "case", "fixed")):
                continue
            found.append((item.head, place, _role(item.relation)))
        for place in self.clauses:
            if not any(h == place and role == "agent" for h, _, role in found):
                shared = self.subject(place)
                if shared is not None and shared[0] != place and (place, *shared) not in found:
                    found.append((place, *shared))
        return found

    def subject(self, place: int) -> tuple[int, Role] | None:
        """Whom a clause is about: its own subject, or the one it shares with that above."""
        for _ in range(4):
            item = self.items[place]
            for child in self._below[place]:
                relation = self.items[child].relation
                if relation.startswith(("nsubj", "csubj")):
                    if self.items[child].text.lower() in _RELATIVE and item.head >= 0:
                        child = item.head
                    return child, _role(relation)
            if item.head < 0:
                return None
            if item.relation.startswith("acl"):
                return item.head, "agent"
            if item.relation not in {"conj", "xcomp", "advcl"}:
                return None
            place = item.head
        return None

    def denied(self, place: int) -> bool:
        """Whether the clause that a word heads says that something is not so."""
        near = [place, *self._below[place]]
        near += [c for child in self._below[place] for c in self._below[child] if c < place]
        words = [self.items[one].text.lower() for one in near]
        count = sum(word in NEGATIONS or word in _TORN for word in words)
        return count % 2 == 1

    def negated(self, place: int) -> bool:
        """Whether a word itself is denied: "not guilty", "no fee"."""
        return any(self.items[c].text.lower() in NEGATIONS for c in self._below[place])

    def nobody(self, place: int) -> bool:
        """Whether a clause is denied of everyone: "nobody was hurt"."""
        below = [c for c in self._below[place] if self.items[c].relation.startswith("nsubj")]
        words = [self.items[c].text.lower() for n in below for c in (n, *self._below[n])]
        return any(word in {"nobody", "none", "no", "nothing"} for word in words)

    def moods(self, place: int) -> set[str]:
        """Whether an act is in doubt (alleged, believed, likely) or planned (will, expected).

        What somebody is told to say, or to do, is in doubt.
        """
        found: set[str] = set()
        for step in range(_DEEP):
            item, below = self.items[place], [self.items[child] for child in self._below[place]]
            for one in below:
                if one.relation.split(":")[0] in _COLOURING:
                    found |= moods_of(one.text)
            own = any(one.relation.startswith("nsubj") for one in below)
            relation = item.relation.split(":")[0]
            if item.head < 0 and step and not own and place == 0 and item.tag == "VERB":
                found.add("doubt")
            if item.head < 0 or relation not in _BOUND or (item.relation == "conj" and own):
                break
            place = item.head
            above = self.items[place]
            if above.tag != "PROPN":
                found |= moods_of(above.text)
            passive = any(self.items[c].relation == "nsubj:pass" for c in self._below[place])
            if relation == "xcomp" and passive and above.text.lower() in REPORTING_VERBS:
                found.add("doubt")
        return found

    def markers(self, place: int) -> set[str]:
        """What joins a word to what it depends on: "from", "before"."""
        below = (self.items[child] for child in self._below[place])
        return {one.text.lower() for one in below if one.relation in {"case", "mark", "advmod"}}

    def is_exact(self, place: int) -> bool:
        """Whether nothing else can stand for a word: a name, a number, a day."""
        item = self.items[place]
        return bool(item.concepts) and (item.tag in {"PROPN", "NUM"} or item.text[:1].isdigit())

    @cached_property
    def quotations(self) -> list[list[int]]:
        """The places of each run of three words or more inside quotation marks."""
        runs: list[list[int]] = [[]]
        for place, item in enumerate(self.items):
            if item.quoted:
                runs[-1].append(place)
            elif item.text in MARKS and runs[-1]:
                runs.append([])
        return [run for run in runs if len(run) > 2]

    @cached_property
    def speakers(self) -> list[int]:
        """Those who say something, outside quotation marks."""
        found = [
            child
            for place, item in enumerate(self.items)
            if item.text.lower() in REPORTING_VERBS and not item.quoted
            for child in self._below[place]
            if self.items[child].relation in {"nsubj", "obl", "obl:agent"}
        ]
        return [one for one in found if not self.items[one].quoted]

    def phrase(self, place: int) -> list[int]:
        """A word with what belongs to its name."""
        return sorted(
            [place]
            + [c for c in self._below[place] if self.items[c].relation in {"flat", "compound"}]
        )

    def _tells(self, place: int) -> bool:
        item = self.items[place]
        return bool(item.concepts or item.entities)


def moods_of(word: str) -> set[str]:
    """Whether a word makes an act doubtful, or planned."""
    forms = {word.lower(), _FORMS.sub("", word.lower())}
    return {mood for mood, words in _MOODS.items() if forms & words}


def _role(relation: str) -> Role:
    if relation in _AGENTS:
        return "agent"
    return "patient" if relation in _PATIENTS else "other"


def _joined(words: Sequence[str], place: int) -> str:
    """A word, or all of "twenty-six" for its first part and nothing for its second."""
    for first in (place - 2, place):
        whole = "".join(words[first : first + 3]).lower() if first >= 0 else ""
        if whole in NUMBER_WORDS and "-" in whole:
            return whole if first == place else ""
    return words[place]


def _concepts(word: str, day: date | None) -> frozenset[str]:
    if day is not None:
        return frozenset(concept(name) for name in (*day_names(day), word.lower()))
    if not word or not is_content(word) or word.lower() in PRONOUNS:
        return frozenset()
    plain = "".join(c for c in normalize("NFKD", word) if not combining(c))
    return frozenset((concept(plain),))


class Argument:
    """A name, number or day, with what stands around it."""

    def __init__(self, grammar: Grammar, places: list[int]) -> None:
        self.places = places
        days = [one for one in map(grammar.items.__getitem__, places) if is_time(one)]
        self.is_time = bool(days)
        self.item = days[0] if days else grammar.items[places[-1]]
        self.kind = "time" if self.is_time else "name" if self.item.tag == "PROPN" else "figure"
        before = [one.concepts for one in grammar.items[: places[0]] if one.concepts]
        after = [one.concepts for one in grammar.items[places[-1] + 1 :] if one.concepts]
        self.before = frozenset().union(*before[-_WINDOW:])
        self.after = frozenset().union(*after[:_WINDOW])


def arguments(grammar: Grammar) -> Iterator[Argument]:
    """Names, numbers and days, each with all its words; a date is one, whatever it is made of."""
    run: list[int] = []
    for place, item in enumerate(grammar.items):
        if run and not _goes_on(
            [grammar.items[p] for p in (*run, *range(run[-1] + 1, place))], item
        ):
            yield Argument(grammar, run)
            run = []
        if grammar.is_exact(place):
            run.append(place)
    if run:
        yield Argument(grammar, run)


def _goes_on(run: Sequence[Item], item: Item) -> bool:
    """Whether an item belongs to what stands before it: a name, or a date with its commas."""
    dated = any(map(is_time, (*run, item)))
    if dated and all(is_time(one) or _DAY.fullmatch(one.text) for one in (*run, item)):
        return True
    return item.tag == run[-1].tag == "PROPN"


def is_time(item: Item) -> bool:
    """Whether it names a day, a month or a year."""
    word = item.text.lower()
    day = word in _TIMES and item.text[0].isupper()
    return day or word in _TODAY or _YEAR.fullmatch(word) is not None
