"""Examples by the hundred thousand, in one process or in several, always the same ones."""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from multiprocessing import get_context
from random import Random
from typing import Any, Literal

from tatian.analysis.pieces import WordPieces
from tatian.training.edit.data import EditData, Told, Tree, Union
from tatian.training.edit.examples import Example, make_example
from tatian.training.edit.synthetic import Synonyms, make_pair
from tatian.training.edit.variants import variants

TOGETHER = 200
"""Trees that one task cuts down."""
_PASS = 100_000
"""Seeds of one pass over all trees."""
_CHUNK = 4

Kind = Literal["both_orders", "cut_down", "varied"]


class Maker:
    """Makes the examples of one task."""

    def __init__(
        self, vocabulary: Sequence[str], shapes: Sequence[str], synonyms: Synonyms, longest: int
    ) -> None:
        self.pieces = WordPieces(vocabulary)
        self.shapes = {shape: number for number, shape in enumerate(shapes)}
        self.synonyms = synonyms
        self.longest = longest

    def examples(self, told: Told, id: int = -1) -> Iterator[Example]:
        """The example, unless it is too long."""
        example = make_example(told, self.pieces, self.shapes, id)
        if example is not None and len(example.steps) <= self.longest:
            yield example

    def both_orders(self, number: int, told: Told) -> Iterator[Example]:
        """The pair as it is (its id is even) and with its sentences exchanged (odd)."""
        yield from self.examples(told, 2 * number)
        yield from self.examples(Told(told.second, told.first, told.union), 2 * number + 1)

    def cut_down(self, seed: int, trees: Sequence[Tree]) -> Iterator[Example]:
        """Pairs whose union is a tree."""
        random = Random(seed)
        for tree in trees:
            told = make_pair(tree, self.synonyms, random)
            if told is not None:
                yield from self.examples(told)

    def varied(self, number: int, union: Union) -> Iterator[Example]:
        """Pairs whose union follows from a real one."""
        for told in variants(union, Random(number)):
            yield from self.examples(told)


class Workshop:
    """All examples of one training, made on `workers` processes."""

    def __init__(
        self,
        data: EditData,
        pieces: WordPieces,
        shapes: Sequence[str],
        *,
        longest: int,
        workers: int = 1,
    ) -> None:
        self.data = data
        self.workers = workers
        self._with = (list(pieces.rows), tuple(shapes), data.synonyms, longest)

    def unions(self) -> list[Example]:
        """The real unions in both orders."""
        jobs = enumerate(union.told for union in self.data.unions)
        return list(self._made("both_orders", jobs))

    def joined(self) -> list[Example]:
        """Sentences split by people, in both orders."""
        return list(self._made("both_orders", enumerate(self.data.joined)))

    def varied(self) -> list[Example]:
        """Variants of the real unions."""
        return list(self._made("varied", enumerate(self.data.unions)))

    def cut_down(self, count: int, seed: int) -> list[Example]:
        """So many made pairs, from as many passes over the trees as it takes, shuffled."""
        found: list[Example] = []
        for number in itertools.count():
            if len(found) >= count:
                break
            before = len(found)
            jobs = self._chunks(seed + number * _PASS)
            with closing(self._made("cut_down", jobs)) as made:
                found += itertools.islice(made, count - before)
            if len(found) == before:
                break
        Random(seed).shuffle(found)
        return found

    def _chunks(self, seed: int) -> Iterator[tuple[int, list[Tree]]]:
        for start in range(0, len(self.data.trees), TOGETHER):
            yield seed + start, self.data.trees[start : start + TOGETHER]

    def _made(self, kind: Kind, jobs: Iterable[tuple[int, Any]]) -> Generator[Example, None, None]:
        tasks = ((kind, number, given) for number, given in jobs)
        if self.workers <= 1:
            maker = Maker(*self._with)
            for task in tasks:
                yield from _done(maker, task)
            return
        with get_context("spawn").Pool(self.workers, _begin, self._with) as pool:
            for made in pool.imap(_work, tasks, _CHUNK):
                yield from made


_MAKERS: list[Maker] = []
"""The one maker of a working process."""


def _begin(*given: Any) -> None:
    _MAKERS[:] = [Maker(*given)]


def _work(task: tuple[Kind, int, Any]) -> list[Example]:
    return _done(_MAKERS[0], task)


def _done(maker: Maker, task: tuple[Kind, int, Any]) -> list[Example]:
    kind, number, given = task
    return list(getattr(maker, kind)(number, given))
