"""Grammar of a sentence: words, roles, numbers, times, negation and mood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Literal
from unicodedata import combining, normalize

from msgspec import Struct

from tatian.text import WORDS, Document, Span, Word
from tatian.text.content import concept, is_content
from tatian.text.datelines import published
from tatian.text.dates import day_names, named_days
from tatian.text.documents import MARKS, quoted_tokens
from tatian.text.lexicon import (
    MONTHS,
    NEGATIONS,
    NUMBER_WORDS,
    PRONOUNS,
    REPORTING_VERBS,
    WEEKDAYS,
    word_set,
)

Role = Literal["agent", "patient", "other"]

_AGENTS = frozenset(("nsubj", "obl:agent", "csubj"))
_PATIENTS = frozenset(("obj", "nsubj:pass", "csubj:pass"))
_CLAUSES = ("root", "conj", "advcl", "acl", "ccomp", "xcomp", "parataxis", "csubj", "dep")
_RELATIVE = frozenset("who which that whom whose".split())
_NOMINAL = frozenset("flat compound amod nummod det case nmod fixed".split())
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
"""Words that make an act doubtful, or planned and asked for, as lemma or as written."""
_PERSONS = word_set("suspect suspects accused order orders")
_NAMING = frozenset(("appos", "flat", "compound"))
_COLOURING = frozenset(("aux", "advmod", "amod", "mark"))
_BOUND = frozenset("xcomp ccomp csubj advcl acl conj obl nmod obj nsubj appos".split())
"""Relations through which an act stays in doubt."""
_DEEP = 5
"""Steps up the tree within which a word can make an act doubtful."""
_REFUSING = word_set("unable declined refused failed declines refuses fails")
_TORN = word_set("couldn didn wasn isn doesn hasn haven hadn wouldn weren aren don shouldn")
"""First part of "couldn't" and the like where a blank splits it."""
_FORMS = re.compile(r"(?:ed|es|s|ing|d)$")
_EDITOR = re.compile(
    r"\b(?:(?:according to|by|in|as) )?(?:(?:one|another|two|three|others?|both|some|several|"
    r"different|(?:a|the) (?:further|second|third|fourth|other|same)) )(?:more )?"
    r"(?:accounts?|reports?|versions?)(?: (?:says?|tells?|puts?|gives?|has|have|calls?|adds?))?\b"
    r"|\b(?:one|another|others?|a (?:second|third|fourth)) (?:says?|tells?|puts?|that)\b"
    r"|\b(?:accounts|reports) (?:differ|disagree|vary|agree)\b",
    re.IGNORECASE,
)
"""Words of an editor about unnamed sources."""
_TIMES = frozenset((*WEEKDAYS, *MONTHS))
_TODAY = word_set("today yesterday tonight tomorrow")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")


class Item(Struct, frozen=True):
    """Word or mark of a sentence."""

    start: int
    end: int
    text: str
    concepts: frozenset[str]
    """Concepts that it stands for, a day by all its names; empty for function words."""
    tag: str
    head: int
    """Position of its head among the items; -1 for none."""
    relation: str
    entities: frozenset[str]
    """Chains, across all documents, of which it heads a mention."""
    quoted: bool

    @property
    def is_predicate(self) -> bool:
        """True if it heads a clause."""
        return self.relation.split(":")[0] in _CLAUSES and (
            self.tag in {"VERB", "AUX"} or self.relation in {"root", "ccomp", "acl:relcl", "advcl"}
        )


class Grammar:
    """Parsed sentence."""

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
        text = span.of(document.text)
        remarks = [range(m.start(), m.end()) for m in _EDITOR.finditer(text)]
        for place, token in enumerate(tokens):
            word = words.get(place)
            is_remark = any(token.start - span.start in remark for remark in remarks)
            head = word.head - first if word and word.head >= 0 else -1
            self.items.append(
                Item(
                    token.start,
                    token.end,
                    token.text,
                    frozenset() if is_remark else _concepts(_joined(texts, place), days.get(place)),
                    word.tag if word else "X",
                    head if 0 <= head < len(tokens) else -1,
                    word.relation if word else "dep",
                    entities.get(token.start, frozenset()),
                    quoted[place] and token.text not in MARKS,
                )
            )

    @cached_property
    def said(self) -> frozenset[str]:
        """Concepts of all its words."""
        return frozenset().union(*(item.concepts for item in self.items))

    @cached_property
    def entities(self) -> frozenset[str]:
        """Chains that it mentions."""
        return frozenset().union(*(item.entities for item in self.items))

    @cached_property
    def is_own(self) -> bool:
        """True if it is in the first person, whose name only a headline may give."""
        return any(item.text in {"I", "my", "My", "we", "We", "our", "Our"} for item in self.items)

    def below(self, place: int) -> list[int]:
        """Return the content words that depend on a word."""
        return [d for h, d, _ in self.arcs if h == place]

    def parts(self, place: int) -> list[tuple[list[int], Role]]:
        """Return agents and patients of a word, each with all its names."""
        participants = [(d, role) for h, d, role in self.arcs if h == place and role != "other"]
        return [
            ([d, *(c for c in self._below[d] if self.items[c].relation in _NAMING)], role)
            for d, role in participants
        ]

    def partners(self, place: int) -> set[int]:
        """Return the content words that depend on a word, and those it depends on."""
        return {*self.below(place), *(h for h, d, _ in self.arcs if d == place)}

    @cached_property
    def _below(self) -> list[list[int]]:
        below: list[list[int]] = [[] for _ in self.items]
        for place, item in enumerate(self.items):
            if item.head >= 0:
                below[item.head].append(place)
        return below

    def predicate(self, place: int) -> int:
        """Return the head of the clause that a word stands in."""
        for _ in self.items:
            if self.items[place].is_predicate or self.items[place].head < 0:
                break
            place = self.items[place].head
        return place

    @cached_property
    def clauses(self) -> dict[int, list[int]]:
        """Words of each clause, by the position of its head."""
        clauses: dict[int, list[int]] = {}
        for place in range(len(self.items)):
            clauses.setdefault(self.predicate(place), []).append(place)
        return clauses

    def extent(self, head: int) -> list[int]:
        """Return the words of a clause and of its complement clauses."""
        places = list(self.clauses[head])
        for other in self.clauses:
            item = self.items[other]
            if item.relation in {"ccomp", "xcomp"} and other != head and item.head in places:
                places += self.extent(other)
        return sorted(set(places))

    @cached_property
    def statements(self) -> dict[int, list[int]]:
        """Words of each statement, by its head: a clause with its subject."""
        statements = {}
        for head in self.clauses:
            if self.items[head].relation in {"ccomp", "xcomp"}:
                continue
            places = set(self.extent(head))
            subject = self.subject(head)
            if subject is not None and subject[0] not in places:
                places.update(self._noun(subject[0]))
            kept = [p for p in sorted(places) if self.items[p].tag != "PUNCT"]
            kept = [p for p in kept if self.items[p].text.lower() not in _RELATIVE]
            if sum(bool(self.items[place].concepts) for place in kept) > 1:
                statements[head] = kept
        return statements or {next(iter(self.clauses)): list(range(len(self.items)))}

    def _noun(self, place: int) -> Iterator[int]:
        """Yield a noun with its modifiers, but no clause."""
        yield place
        for child in self._below[place]:
            if self.items[child].relation.split(":")[0] in _NOMINAL:
                yield from self._noun(child)

    @cached_property
    def arcs(self) -> list[tuple[int, int, Role]]:
        """Dependencies between content words; shared subjects count for each clause."""
        arcs: list[tuple[int, int, Role]] = []
        for place, item in enumerate(self.items):
            if item.head < 0 or not self._has_content(place) or not self._has_content(item.head):
                continue
            if item.relation.startswith(("flat", "punct", "mark", "case", "fixed")):
                continue
            arcs.append((item.head, place, _role(item.relation)))
        for place in self.clauses:
            if not any(h == place and role == "agent" for h, _, role in arcs):
                shared = self.subject(place)
                if shared is not None and shared[0] != place and (place, *shared) not in arcs:
                    arcs.append((place, *shared))
        return arcs

    def subject(self, place: int) -> tuple[int, Role] | None:
        """Return the subject of a clause: its own, or the one it shares with the clause above."""
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
        """Check whether the clause that a word heads is negated."""
        near = [place, *self._below[place]]
        subjects = [c for c in near if self.items[c].relation.startswith(("nsubj", "obj"))]
        near += [c for child in subjects for c in self._below[child]]
        words = [self.items[near_place].text.lower() for near_place in near]
        count = sum(word in NEGATIONS or word in _TORN for word in words)
        item = self.items[place]
        if item.relation == "xcomp" and item.head >= 0:
            count += self.denied(item.head) + (self.items[item.head].text.lower() in _REFUSING)
        return count % 2 == 1

    def nobody(self, place: int) -> bool:
        """Check whether a clause is denied of everyone: "nobody was hurt"."""
        below = [c for c in self._below[place] if self.items[c].relation.startswith("nsubj")]
        words = [self.items[c].text.lower() for n in below for c in (n, *self._below[n])]
        return any(word in {"nobody", "none", "no", "nothing"} for word in words)

    def moods(self, place: int) -> set[str]:
        """Return whether an act is in doubt (alleged, likely) or planned (will, expected).

        An act that somebody is ordered to do, or to announce, is in doubt.
        """
        moods: set[str] = set()
        for step in range(_DEEP):
            item, below = self.items[place], [self.items[child] for child in self._below[place]]
            for child_item in below:
                if child_item.relation.split(":")[0] in _COLOURING:
                    moods |= moods_of(child_item.text)
            has_subject = any(child_item.relation.startswith("nsubj") for child_item in below)
            relation = item.relation.split(":")[0]
            if item.head < 0 and step and not has_subject and place == 0 and item.tag == "VERB":
                moods.add("doubt")
            if item.head < 0 or relation not in _BOUND or (item.relation == "conj" and has_subject):
                break
            place = item.head
            above = self.items[place]
            if above.tag != "PROPN":
                moods |= moods_of(above.text)
            passive = any(self.items[c].relation == "nsubj:pass" for c in self._below[place])
            if relation == "xcomp" and passive and above.text.lower() in REPORTING_VERBS:
                moods.add("doubt")
        return moods

    def mood(self, place: int) -> set[str]:
        """Return the mood that a word adds; none for "the suspect" and "Will Smith"."""
        item = self.items[place]
        word, before = item.text.lower(), self.items[max(0, place - 1)].text.lower()
        called = item.tag == "NOUN" or item.relation in {"amod", "compound"}
        plain = item.tag == "PROPN" or (called and word in _PERSONS)
        plain = plain or (before, word) == ("in", "charge")
        return set() if plain else moods_of(item.text)

    def colours(self, places: Iterable[int]) -> set[str]:
        """Return the moods that some words give what they say."""
        return set().union(*map(self.mood, places))

    def markers(self, place: int) -> set[str]:
        """Return the words that join a word to its head: "from", "before"."""
        below = (self.items[child] for child in self._below[place])
        return {item.text.lower() for item in below if item.relation in {"case", "mark", "advmod"}}

    def is_exact(self, place: int) -> bool:
        """Check whether no other word can replace a word: a name, a number, a day."""
        item = self.items[place]
        return bool(item.concepts) and (item.tag in {"PROPN", "NUM"} or item.text[:1].isdigit())

    @cached_property
    def quotations(self) -> list[list[int]]:
        """Positions of each run of three words or more inside quotation marks."""
        runs: list[list[int]] = [[]]
        for place, item in enumerate(self.items):
            if item.quoted:
                runs[-1].append(place)
            elif item.text in MARKS and runs[-1]:
                runs.append([])
        return [run for run in runs if len(run) > 2]

    @cached_property
    def speakers(self) -> list[int]:
        """Speakers outside quotation marks."""
        speakers = [
            child
            for place, item in enumerate(self.items)
            if item.text.lower() in REPORTING_VERBS and not item.quoted
            for child in self._below[place]
            if self.items[child].relation in {"nsubj", "obl", "obl:agent"}
        ]
        return [speaker for speaker in speakers if not self.items[speaker].quoted]

    def phrase(self, place: int) -> list[int]:
        """Return the positions of a word and the other parts of its name."""
        return sorted(
            [place]
            + [c for c in self._below[place] if self.items[c].relation in {"flat", "compound"}]
        )

    def named(self, place: int) -> list[int]:
        """Return the name in a phrase, by which alone it is known, or else the whole phrase."""
        below = [c for c in self._below[place] if self.items[c].relation == "appos"]
        words = sorted({part for root in (place, *below) for part in self.phrase(root)})
        return [word for word in words if self.items[word].tag == "PROPN"] or self.phrase(place)

    def _has_content(self, place: int) -> bool:
        item = self.items[place]
        return bool(item.concepts or item.entities)


def moods_of(word: str) -> set[str]:
    """Return the moods that a word gives an act: doubt, plan."""
    forms = {word.lower(), _FORMS.sub("", word.lower())}
    return {mood for mood, words in _MOODS.items() if forms & words}


def _role(relation: str) -> Role:
    if relation in _AGENTS:
        return "agent"
    return "patient" if relation in _PATIENTS else "other"


def _joined(words: Sequence[str], place: int) -> str:
    """Return a word; for the first part of "twenty-six" all of it, for the second nothing."""
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


def is_time(item: Item) -> bool:
    """Check whether an item names a day, a month or a year."""
    word = item.text.lower()
    day = word in _TIMES and item.text[0].isupper()
    return day or word in _TODAY or _YEAR.fullmatch(word) is not None
