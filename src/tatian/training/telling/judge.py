"""How well a model knows what tells what, on annotated bundles: areas, and dropping sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.telling import Told
from tatian.training.telling.stories import Fact, Story, tells

Pair = tuple[str, str]
Tell = Callable[[Sequence[Pair]], list[Told]]
Untold = Callable[[Told], float]
Matrix = dict[tuple[int, int], Told]

PARTNERS = 3
"""Sentences that one is held against together."""


def area(scores: Sequence[float], positive: Sequence[bool]) -> float:
    """The chance that a positive scores above a negative, ties counted half."""
    values, truth = np.asarray(scores, dtype=float), np.asarray(positive, dtype=bool)
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    yes, no = int(truth.sum()), int((~truth).sum())
    return float((ranks[truth].sum() - yes * (yes + 1) / 2) / (yes * no)) if yes and no else 0.5


def matrix(story: Story, tell: Tell) -> Matrix:
    """Every sentence of a story against every other one."""
    count = len(story.sentences)
    places = [(a, b) for a in range(count) for b in range(count) if a != b]
    texts = [one.text for one in story.sentences]
    return dict(zip(places, tell([(texts[a], texts[b]) for a, b in places]), strict=True))


def areas(stories: Sequence[Story], matrices: Sequence[Matrix]) -> dict[str, float]:
    """Areas under the curve: pairs that share a fact, that tell all, words told or not."""
    pairs: list[tuple[float, bool]] = []
    everything: list[tuple[float, bool]] = []
    words: list[tuple[float, bool]] = []
    carriers: list[tuple[float, bool]] = []
    for story, found in zip(stories, matrices, strict=True):
        for (a, b), one in found.items():
            own, other = story.sentences[a], story.sentences[b]
            pairs.append((one.anything, bool(own.facts & other.facts)))
            if own.facts:
                everything.append((one.everything, own.facts <= other.facts))
            for word in one.words:
                if carried := own.carried(word.start, word.end):
                    words.append((word.told, carried <= other.facts))
                carriers.append((word.carries, bool(carried)))
    named = {"shares": pairs, "everything": everything, "words": words, "carries": carriers}
    return {name: area(*zip(*listed, strict=True)) for name, listed in named.items()}


class State(Struct, frozen=True):
    """A text from which sentences were dropped, up to a cost."""

    cost: float
    told: float
    again: float
    kept: int


def dropped(story: Story, known: Matrix, tell: Tell, untold: Untold) -> list[State]:
    """Drop the sentence of which the rest leaves least untold, again and again."""
    texts = [one.text for one in story.sentences]
    count = Counting(story)
    left = list(range(len(texts)))
    seen: dict[tuple[int, tuple[int, ...]], float] = {}
    states = [count.state(0.0, left)]
    while len(left) > 1:
        asked = [(a, partners(known, a, [b for b in left if b != a])) for a in left]
        new = [one for one in asked if one not in seen]
        found = tell([(texts[a], " ".join(texts[b] for b in others)) for a, others in new])
        seen |= {one: untold(judged) for one, judged in zip(new, found, strict=True)}
        cost, worst = min((seen[one], one[0]) for one in asked)
        left.remove(worst)
        states.append(count.state(max(cost, states[-1].cost), left))
        if states[-1].told < 0.7:
            break
    return states


def partners(known: Matrix, place: int, left: Sequence[int]) -> tuple[int, ...]:
    """The sentences that together tell most of what one carries, in their order."""
    carries = np.array([word.carries for word in known[place, left[0]].words])
    each = {b: np.array([word.told for word in known[place, b].words]) for b in left}
    best, chosen = np.zeros(len(carries)), []
    for _ in range(min(PARTNERS, len(left))):
        rest = [b for b in left if b not in chosen]
        following = max(rest, key=lambda b: float((carries * np.maximum(best, each[b])).sum()))
        chosen.append(following)
        best = np.maximum(best, each[following])
    return tuple(sorted(chosen))


class Counting:
    """Which facts a choice of a story's sentences tells, and how often again."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.each = [list(self._told(one.text)) for one in story.sentences]
        self._pairs: dict[tuple[int, int, str], bool] = {}

    def _told(self, text: str) -> Iterator[str]:
        for part in re.split(r";", text):
            yield from (fact.id for fact in self.story.facts if tells(part, fact))

    def _together(self, first: int, second: int, fact: Fact) -> bool:
        key = first, second, fact.id
        if key not in self._pairs:
            both = f"{self.story.sentences[first].text} {self.story.sentences[second].text}"
            self._pairs[key] = tells(both, fact)
        return self._pairs[key]

    def state(self, cost: float, left: Sequence[int]) -> State:
        """The measures of what is left."""
        times = Counter(fact for place in left for fact in self.each[place])
        again = sum(times.values()) - len(times)
        told = len(times)
        for fact in self.story.facts:
            if fact.id not in times:
                told += any(
                    self._together(a, b, fact) for a, b in zip(left, left[1:], strict=False)
                )
        return State(cost, told / len(self.story.facts), again / max(1, told), len(left))


def at_told(paths: Sequence[Sequence[State]], wanted: float) -> tuple[float, float, float]:
    """The cost up to which one may drop so that `wanted` is told on average; told and again."""
    best = (0.0, 1.0, 1.0)
    for limit in sorted({state.cost for path in paths for state in path}):
        ends = [[state for state in path if state.cost <= limit][-1] for path in paths]
        told = float(np.mean([state.told for state in ends]))
        if told >= wanted:
            best = (limit, told, float(np.mean([state.again for state in ends])))
    return best
