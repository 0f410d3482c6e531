"""How well a model knows what tells what, by annotated stories: areas under the curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tatian.analysis.telling import Told
from tatian.training.stories import Story

Tell = Callable[[Sequence[tuple[str, str]]], Sequence[Told]]
"""What the second text of each pair tells of the first."""
Matrix = dict[tuple[int, int], Told]
"""What each sentence of a story (the second place) tells of each other one (the first)."""


def matrix(story: Story, tell: Tell) -> Matrix:
    """Every sentence of a story against every other one."""
    texts = [one.text for one in story.sentences]
    places = [(a, b) for a in range(len(texts)) for b in range(len(texts)) if a != b]
    return dict(zip(places, tell([(texts[a], texts[b]) for a, b in places]), strict=True))


def areas(stories: Sequence[Story], matrices: Sequence[Matrix]) -> dict[str, float]:
    """Areas under the curve over all ordered pairs of different sentences.

    ``shares``: the pair shares a fact; ``everything``: the second tells all facts of the first;
    ``words``: a word's facts are all told; ``carries``: a word carries a fact.
    """
    found: dict[str, list[tuple[float, bool]]] = {
        name: [] for name in ("shares", "everything", "words", "carries")
    }
    for story, known in zip(stories, matrices, strict=True):
        for (a, b), one in known.items():
            own, other = story.sentences[a], story.sentences[b]
            found["shares"].append((one.anything, bool(own.facts & other.facts)))
            if own.facts:
                found["everything"].append((one.everything, own.facts <= other.facts))
            for word in one.words:
                carried = own.carried(word.start, word.end)
                if carried:
                    found["words"].append((word.told, carried <= other.facts))
                found["carries"].append((word.carries, bool(carried)))
    return {name: area(listed) for name, listed in found.items() if listed}


def area(scored: Sequence[tuple[float, bool]]) -> float:
    """The chance that a true one scores above a false one, ties counted half."""
    values = np.array([score for score, _ in scored])
    truth = np.array([true for _, true in scored])
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    yes, no = int(truth.sum()), int((~truth).sum())
    return float((ranks[truth].sum() - yes * (yes + 1) / 2) / (yes * no)) if yes and no else 0.5
