"""Index of the words of the sources, and of their names, numbers and days with context."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import log

from tatian.consolidation.verification.evidence import EvidenceSentence
from tatian.consolidation.verification.grammar import Grammar, Item, is_time

_UNKNOWN = 3.0
"""Rarity of a word that no passage has."""
_WINDOW = 4
"""Content words on either side that count as the context of a name or number."""
_DAY = re.compile(r"[1-3]?\d|,")

Position = tuple[int, int]
"""Number of a passage, and index of a word in it."""


class Detail:
    """Name, number or day, with the words around it."""

    def __init__(self, grammar: Grammar, places: list[int]) -> None:
        self.places = places
        days = [item for item in map(grammar.items.__getitem__, places) if is_time(item)]
        self.is_time = bool(days)
        self.item = days[0] if days else grammar.items[places[-1]]
        self.kind = "time" if self.is_time else "name" if self.item.tag == "PROPN" else "figure"
        before = [item.concepts for item in grammar.items[: places[0]] if item.concepts]
        after = [item.concepts for item in grammar.items[places[-1] + 1 :] if item.concepts]
        self.before = frozenset().union(*before[-_WINDOW:])
        self.after = frozenset().union(*after[:_WINDOW])


def details(grammar: Grammar) -> Iterator[Detail]:
    """Yield names, numbers and days, each with all its words; a date is one detail."""
    run: list[int] = []
    for place, item in enumerate(grammar.items):
        between = range(run[-1] + 1, place) if run else ()
        if run and not _continues([grammar.items[p] for p in (*run, *between)], item):
            yield Detail(grammar, run)
            run = []
        if grammar.is_exact(place):
            run.append(place)
    if run:
        yield Detail(grammar, run)


def lone_words(grammar: Grammar) -> dict[str, int]:
    """Return the words of a sentence with their places, without those before a hyphen.

    So "sister-in-law" gives only "law".
    """
    after = [item.text[:1] for item in grammar.items[1:]] + [""]
    return {
        item.text.lower(): place
        for place, item in enumerate(grammar.items)
        if after[place] not in ("-", "‑")
    }


def _continues(run: Sequence[Item], item: Item) -> bool:
    """Check whether an item continues what precedes it: a name, or a date with its commas."""
    is_date = any(map(is_time, (*run, item)))
    if is_date and all(is_time(part) or _DAY.fullmatch(part.text) for part in (*run, item)):
        return True
    return item.tag == run[-1].tag == "PROPN"


class Index:
    """Positions of words, numbers and mentions in the sources."""

    def __init__(self, passages: Sequence[EvidenceSentence]) -> None:
        self.passages = passages
        self._positions: dict[str, set[Position]] = {}
        for number, passage in enumerate(passages):
            for place, item in enumerate(passage.grammar.items):
                for key in item.concepts | item.entities:
                    self._positions.setdefault(key, set()).add((number, place))
        counts = {key: len({n for n, _ in places}) for key, places in self._positions.items()}
        self._rarity = {key: log(1 + len(passages) / count) for key, count in counts.items()}

    @cached_property
    def details(self) -> list[tuple[int, Detail]]:
        """All names, numbers and days with their passages."""
        return [
            (n, detail)
            for n, passage in enumerate(self.passages)
            for detail in details(passage.grammar)
        ]

    @cached_property
    def statements(self) -> dict[Position, list[tuple[int, int]]]:
        """For each word, the statements that contain it, as pairs of a passage and a head."""
        statements: dict[Position, list[tuple[int, int]]] = defaultdict(list)
        for number, passage in enumerate(self.passages):
            for head, places in passage.grammar.statements.items():
                for place in places:
                    statements[number, place].append((number, head))
        return statements

    @cached_property
    def moods(self) -> dict[Position, set[str]]:
        """Moods of each statement: doubt or plan."""
        return {
            (number, head): passage.grammar.moods_at(places)
            for number, passage in enumerate(self.passages)
            for head, places in passage.grammar.statements.items()
        }

    def positions(self, item: Item) -> set[Position]:
        """Return the positions of the same word or entity."""
        return {at for key in item.concepts | item.entities for at in self._positions.get(key, ())}

    def rarity(self, key: str) -> float:
        """Return the rarity of a word: log(1 + N/n), where n of the N passages contain it."""
        return self._rarity.get(key, _UNKNOWN)

    def total_rarity(self, keys: Iterable[str]) -> float:
        """Return the total weight of some words."""
        return sum(map(self.rarity, keys))
