"""Grammar of a sentence: words, roles, numbers, times, negation and mood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Literal
from unicodedata import combining, normalize

from msgspec import Struct

from tatian.text import WORDS, Document, Span
from tatian.text.content import concept, is_content
from tatian.text.datelines import publication_day
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
"""Words that make an act doubtful, or planned and asked for, as lemmas or as written."""
_PERSONS = word_set("suspect suspects accused order orders")
_NAMING = frozenset(("appos", "flat", "compound"))
_MODIFYING = frozenset(("aux", "advmod", "amod", "mark"))
_EMBEDDED = frozenset("xcomp ccomp csubj advcl acl conj obl nmod obj nsubj appos".split())
"""Relations through which an act stays in doubt."""
_MAX_MOOD_STEPS = 5
"""Maximum number of steps from an act up the tree to a word that makes it doubtful."""
_REFUSING = word_set("unable declined refused failed declines refuses fails")
_SPLIT_NEGATIONS = word_set(
    "couldn didn wasn isn doesn hasn haven hadn wouldn weren aren don shouldn"
)
"""First parts of "couldn 't" and the like, split by a blank."""
_INFLECTION = re.compile(r"(?:ed|es|s|ing|d)$")
_UNNAMED_SOURCE = re.compile(
    r"\b(?:(?:according to|by|in|as) )?(?:(?:one|another|two|three|others?|both|some|several|"
    r"different|(?:a|the) (?:further|second|third|fourth|other|same)) )(?:more )?"
    r"(?:accounts?|reports?|versions?)(?: (?:says?|tells?|puts?|gives?|has|have|calls?|adds?))?\b"
    r"|\b(?:one|another|others?|a (?:second|third|fourth)) (?:says?|tells?|puts?|that)\b"
    r"|\b(?:accounts|reports) (?:differ|disagree|vary|agree)\b",
    re.IGNORECASE,
)
"""Phrases that attribute a statement to unnamed sources."""
_CALENDAR_NAMES = frozenset((*WEEKDAYS, *MONTHS))
_RELATIVE_DAYS = frozenset(("today", "yesterday", "tonight", "tomorrow"))
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")


class Item(Struct, frozen=True):
    """Word or mark of a sentence."""

    start: int
    end: int
    text: str
    concepts: frozenset[str]
    """Concepts that it expresses, for a day all its names; empty for function words."""
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
        first = next((n for n, t in enumerate(document.tokens) if t.start >= span.start), 0)
        parsed = document.get(WORDS)[first : first + len(tokens)] if document.has(WORDS) else ()
        words = {word.token - first: word for word in parsed}
        days = named_days(tokens, publication_day(document))
        quoted = quoted_tokens(document.text, tokens)
        self.items: list[Item] = []
        texts = [token.text for token in tokens]
        remarks = [range(*m.span()) for m in _UNNAMED_SOURCE.finditer(span.of(document.text))]
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
    def concepts(self) -> frozenset[str]:
        """Concepts of all its words."""
        return frozenset().union(*(item.concepts for item in self.items))

    @cached_property
    def entities(self) -> frozenset[str]:
        """Chains that it mentions."""
        return frozenset().union(*(item.entities for item in self.items))

    @cached_property
    def is_first_person(self) -> bool:
        """True if it is in the first person."""
        return any(item.text in {"I", "my", "My", "we", "We", "our", "Our"} for item in self.items)

    def content_dependents(self, place: int) -> list[int]:
        """Return the content words that depend on a word."""
        return [d for h, d, _ in self.arcs if h == place]

    def participants(self, place: int) -> list[tuple[list[int], Role]]:
        """Return agents and patients of a word, each with all its names."""
        participants = [(d, role) for h, d, role in self.arcs if h == place and role != "other"]
        return [
            ([d, *(c for c in self._children[d] if self.items[c].relation in _NAMING)], role)
            for d, role in participants
        ]

    def linked_words(self, place: int) -> set[int]:
        """Return the content words that depend on a word, and those it depends on."""
        return {*self.content_dependents(place), *(h for h, d, _ in self.arcs if d == place)}

    @cached_property
    def _children(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in self.items]
        for place, item in enumerate(self.items):
            if item.head >= 0:
                children[item.head].append(place)
        return children

    def clause_head(self, place: int) -> int:
        """Return the head of the clause that contains a word."""
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
            clauses.setdefault(self.clause_head(place), []).append(place)
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
        """Words of each statement (a clause with its subject), by its head."""
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
        for child in self._children[place]:
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
        """Return the subject of a clause, or the one it shares with the clause that governs it."""
        for _ in range(4):
            item = self.items[place]
            for child in self._children[place]:
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

    def is_negated(self, place: int) -> bool:
        """Check whether the clause that a word heads is negated."""
        words = [place, *self._children[place]]
        subjects = [c for c in words if self.items[c].relation.startswith(("nsubj", "obj"))]
        words += [c for child in subjects for c in self._children[child]]
        texts = [self.items[position].text.lower() for position in words]
        count = sum(word in NEGATIONS or word in _SPLIT_NEGATIONS for word in texts)
        item = self.items[place]
        if item.relation == "xcomp" and item.head >= 0:
            count += self.is_negated(item.head) + (self.items[item.head].text.lower() in _REFUSING)
        return count % 2 == 1

    def denies_everyone(self, place: int) -> bool:
        """Check whether the subject of a clause is "nobody" or the like."""
        subjects = [c for c in self._children[place] if self.items[c].relation.startswith("nsubj")]
        words = [word for subject in subjects for word in (subject, *self._children[subject])]
        return any(self.items[n].text.lower() in {"nobody", "none", "no", "nothing"} for n in words)

    def act_moods(self, place: int) -> set[str]:
        """Return whether an act is in doubt (alleged, likely) or planned (will, expected).

        An act that somebody is ordered to do, or to announce, is in doubt.
        """
        moods: set[str] = set()
        for step in range(_MAX_MOOD_STEPS):
            item = self.items[place]
            children = [self.items[child] for child in self._children[place]]
            for child in children:
                if child.relation.split(":")[0] in _MODIFYING:
                    moods |= moods_of(child.text)
            has_subject = any(child.relation.startswith("nsubj") for child in children)
            relation = item.relation.split(":")[0]
            if item.head < 0 and step and not has_subject and place == 0 and item.tag == "VERB":
                moods.add("doubt")
            is_independent = item.relation == "conj" and has_subject
            if item.head < 0 or relation not in _EMBEDDED or is_independent:
                break
            place = item.head
            governor = self.items[place]
            if governor.tag != "PROPN":
                moods |= moods_of(governor.text)
            passive = any(self.items[c].relation == "nsubj:pass" for c in self._children[place])
            if relation == "xcomp" and passive and governor.text.lower() in REPORTING_VERBS:
                moods.add("doubt")
        return moods

    def word_moods(self, place: int) -> set[str]:
        """Return the moods that a word expresses; none for "the suspect" and "Will Smith"."""
        item = self.items[place]
        word, previous = item.text.lower(), self.items[max(0, place - 1)].text.lower()
        is_nominal = item.tag == "NOUN" or item.relation in {"amod", "compound"}
        is_moodless = item.tag == "PROPN" or (is_nominal and word in _PERSONS)
        is_moodless = is_moodless or (previous, word) == ("in", "charge")
        return set() if is_moodless else moods_of(item.text)

    def moods_at(self, places: Iterable[int]) -> set[str]:
        """Return the moods that some words express."""
        return set().union(*map(self.word_moods, places))

    def markers(self, place: int) -> set[str]:
        """Return the markers of a word, such as "from" or "before"."""
        children = (self.items[child] for child in self._children[place])
        return {c.text.lower() for c in children if c.relation in {"case", "mark", "advmod"}}

    def is_exact(self, place: int) -> bool:
        """Check whether a word is a name, number or day, which no other word can replace."""
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
        return [
            child
            for place, item in enumerate(self.items)
            if item.text.lower() in REPORTING_VERBS and not item.quoted
            for child in self._children[place]
            if self.items[child].relation in {"nsubj", "obl", "obl:agent"}
            and not self.items[child].quoted
        ]

    def full_name(self, place: int) -> list[int]:
        """Return the positions of a word and the other parts of its name."""
        parts = [c for c in self._children[place] if self.items[c].relation in {"flat", "compound"}]
        return sorted([place, *parts])

    def name_in(self, place: int) -> list[int]:
        """Return the name within a phrase, or the whole phrase if it has none."""
        appositions = [c for c in self._children[place] if self.items[c].relation == "appos"]
        words = sorted({part for head in (place, *appositions) for part in self.full_name(head)})
        return [word for word in words if self.items[word].tag == "PROPN"] or self.full_name(place)

    def _has_content(self, place: int) -> bool:
        item = self.items[place]
        return bool(item.concepts or item.entities)


def moods_of(word: str) -> set[str]:
    """Return the moods that a word expresses: doubt, plan."""
    forms = {word.lower(), _INFLECTION.sub("", word.lower())}
    return {mood for mood, words in _MOODS.items() if forms & words}


def _role(relation: str) -> Role:
    if relation in _AGENTS:
        return "agent"
    return "patient" if relation in _PATIENTS else "other"


def _joined(words: Sequence[str], place: int) -> str:
    """Return a word, with "twenty-six" in place of its first part and nothing for the others."""
    for first in (place - 2, place):
        joined = "".join(words[first : first + 3]).lower() if first >= 0 else ""
        if joined in NUMBER_WORDS and "-" in joined:
            return joined if first == place else ""
    return words[place]


def _concepts(word: str, day: date | None) -> frozenset[str]:
    if day is not None:
        return frozenset(map(concept, (*day_names(day), word.lower())))
    if not word or not is_content(word) or word.lower() in PRONOUNS:
        return frozenset()
    return frozenset((concept("".join(c for c in normalize("NFKD", word) if not combining(c))),))


def is_time(item: Item) -> bool:
    """Check whether an item names a day, a month or a year."""
    word = item.text.lower()
    is_calendar_name = word in _CALENDAR_NAMES and item.text[0].isupper()
    return is_calendar_name or word in _RELATIVE_DAYS or _YEAR.fullmatch(word) is not None
