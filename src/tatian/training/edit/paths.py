"""How a reference union walks through its two sentences: the labels that an edit model learns.

Nearly every word of a reference stands in one of the sentences. Among all ways to copy it from
there, the one with the fewest jumps is what an editor would have done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from tatian.union.models.edit.words import SourceWord, stems_of

EXACT, INFLECTED, GLUED, LEFT_OUT = 0.0, 0.6, 2.0, 3.0
"""What it costs to copy a word, to copy another form of it, to add it, to do without it."""
FORWARD, OTHER_SENTENCE, BACK = 1.0, 1.2, 1.6
"""What it costs to go on elsewhere than at the next word."""
KEPT = 60
"""Ways that are followed side by side."""

Way = tuple[int | str, ...]


class Path(Struct, frozen=True):
    """A union as a sequence of steps through the words of its sentences."""

    steps: tuple[int, ...]
    """A word's index; or, below zero, ``-1 - index`` of a word of glue."""
    left_out: tuple[str, ...] = ()
    """Words of the union that have no place in it."""


def find_path(words: Sequence[SourceWord], union: Sequence[str], glue: Mapping[str, int]) -> Path:
    """The cheapest walk that says `union` with `words` and some glue (index by word)."""
    exact, inflected = _places(words)
    best: dict[int, tuple[float, Way]] = {-1: (0.0, ())}
    for text, stem in zip(union, stems_of(union), strict=True):
        lower = text.lower()
        options = [(place, EXACT) for place in exact.get(lower, ())]
        options += [(place, INFLECTED) for place in inflected.get(stem, ())]
        following: dict[int, tuple[float, Way]] = {}
        for last, (cost, way) in best.items():
            if lower in glue:
                _keep(following, last, cost + GLUED, (*way, -1 - glue[lower]))
            else:
                _keep(following, last, cost + LEFT_OUT, (*way, text))
            for place, price in options:
                if place not in way:
                    jump = _jump(words, last, place)
                    _keep(following, place, cost + price + jump, (*way, place))
        best = dict(sorted(following.items(), key=lambda item: item[1][0])[:KEPT])
    _, way = min(best.values(), key=lambda found: found[0])
    return Path(
        tuple(step for step in way if isinstance(step, int)),
        tuple(step for step in way if isinstance(step, str)),
    )


def _keep(found: dict[int, tuple[float, Way]], last: int, cost: float, way: Way) -> None:
    """Remember the cheapest way to each last place."""
    if last not in found or cost < found[last][0]:
        found[last] = (cost, way)


def _places(words: Sequence[SourceWord]) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Where each form and each stem stands."""
    forms: dict[str, list[int]] = {}
    stems: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        forms.setdefault(word.text.lower(), []).append(place)
        if word.stem:
            stems.setdefault(word.stem, []).append(place)
    return forms, stems


def _jump(words: Sequence[SourceWord], last: int, place: int) -> float:
    if last < 0:
        return 0.0 if place == 0 or words[place].sentence != words[place - 1].sentence else FORWARD
    if words[last].sentence != words[place].sentence:
        return OTHER_SENTENCE
    if place == last + 1:
        return 0.0
    return FORWARD if place > last else BACK
