"""Index of words, names, numbers and days in the sources, with their surroundings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import log

from tatian.consolidation.verification.evidence import EvidenceSentence
from tatian.consolidation.verification.grammar import Grammar, Item, is_time

_UNKNOWN = 3.0
"""Weight of a word that no passage has."""
_WINDOW = 4
"""Words on either side that describe where a name or number stands."""
_DAY = re.compile(r"[1-3]?\d|,")

At = tuple[int, int]
"""Number of a passage, and position of a word in it."""


class Argument:
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


def arguments(grammar: Grammar) -> Iterator[Argument]:
    """Yield names, numbers and days, each with all its words; a date is one argument."""
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


def whole_words(grammar: Grammar) -> dict[str, int]:
    """Return the words of a sentence with their places, without the parts of "sister-in-law"."""
    after = [item.text[:1] for item in grammar.items[1:]] + [""]
    return {
        item.text.lower(): place
        for place, item in enumerate(grammar.items)
        if after[place] not in ("-", "‑")
    }


def _goes_on(run: Sequence[Item], item: Item) -> bool:
    """Check whether an item continues what precedes it: a name, or a date with its commas."""
    dated = any(map(is_time, (*run, item)))
    if dated and all(is_time(part) or _DAY.fullmatch(part.text) for part in (*run, item)):
        return True
    return item.tag == run[-1].tag == "PROPN"


class Index:
    """Positions of words, numbers and mentions in the sources."""

    def __init__(self, known: Sequence[EvidenceSentence]) -> None:
        self.known = known
        self._places: dict[str, set[At]] = {}
        for number, passage in enumerate(known):
            for place, item in enumerate(passage.grammar.items):
                for key in item.concepts | item.entities:
                    self._places.setdefault(key, set()).add((number, place))
        counts = {key: len({n for n, _ in places}) for key, places in self._places.items()}
        self._rarity = {key: log(1 + len(known) / count) for key, count in counts.items()}

    @cached_property
    def arguments(self) -> list[tuple[int, Argument]]:
        """All names, numbers and days with their passages."""
        return [
            (n, argument)
            for n, passage in enumerate(self.known)
            for argument in arguments(passage.grammar)
        ]

    @cached_property
    def statements(self) -> dict[At, list[tuple[int, int]]]:
        """Statements that have each word, by passage and head."""
        statements: dict[At, list[tuple[int, int]]] = defaultdict(list)
        for number, passage in enumerate(self.known):
            for head, places in passage.grammar.statements.items():
                for place in places:
                    statements[number, place].append((number, head))
        return statements

    @cached_property
    def moods(self) -> dict[At, set[str]]:
        """Moods of each statement: doubt or plan."""
        return {
            (number, head): passage.grammar.colours(places)
            for number, passage in enumerate(self.known)
            for head, places in passage.grammar.statements.items()
        }

    def of(self, item: Item) -> set[At]:
        """Return the positions of the same word or entity."""
        return {at for key in item.concepts | item.entities for at in self._places.get(key, ())}

    def rarity(self, key: str) -> float:
        """Return the weight of a word, by how few passages have it."""
        return self._rarity.get(key, _UNKNOWN)

    def weight(self, keys: Iterable[str]) -> float:
        """Return the total weight of some words."""
        return sum(map(self.rarity, keys))
