"""Examples by the hundred thousand, in one process or in several, always the same ones."""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from random import Random
from typing import Any, Literal

from tatian.analysis.pieces import WordPieces
from tatian.children import spawning
from tatian.training.edit.data import EditData, ParsedSentence, ParsedUnion, UnionWords
from tatian.training.edit.examples import EditExample, make_example
from tatian.training.edit.synthetic import Synonyms, loose_parts, make_pair
from tatian.union.models.edit.words import stems_of

SHORTEST = 5
"""Words of any sentence that is made."""
MOST = 3
"""Parts taken out of a sentence, one at a time."""
TELLING = 4
"""Letters of a stem by which a part is known again in the other sentence."""

Words = tuple[str, ...]


def variants(union: ParsedUnion, random: Random) -> Iterator[UnionWords]:
    """Pairs whose union follows from this one; each keeps the real wording of real accounts."""
    merged = union.union
    sides = ((union.first, union.second), (union.second, union.first))
    for own, other in sides:
        yield from _with_less(own, other, merged, random)
        yield from _from_union(own, merged, random)
    for own, _ in sides:
        yield _ordered(own.words, merged.words, merged.words, random)


def _with_less(
    own: ParsedSentence, other: ParsedSentence, union: ParsedSentence, random: Random
) -> Iterator[UnionWords]:
    """What only one sentence says goes from it and from the union."""
    told = set(stems_of(other.words)) - {""}
    cuts = loose_parts(own)
    random.shuffle(cuts)
    made = 0
    for cut in cuts:
        words = own.words[cut.start : cut.end]
        stems = [stem for stem in stems_of(words) if len(stem) >= TELLING]
        if not stems or any(stem in told for stem in stems):
            continue
        rest = _minus(union.words, words)
        if rest is None:
            continue
        less = own.words[: cut.start] + own.words[cut.end :]
        if min(len(less), len(rest)) >= SHORTEST:
            yield _ordered(less, other.words, rest, random)
            made += 1
        if made == MOST:
            return


def _from_union(own: ParsedSentence, union: ParsedSentence, random: Random) -> Iterator[UnionWords]:
    """The union without a part that one sentence has, and that sentence: the union again."""
    cuts = loose_parts(union)
    random.shuffle(cuts)
    lost: set[int] = set()
    for cut in cuts:
        if _find(own.words, union.words[cut.start : cut.end]) is not None:
            lost |= cut.places
            if len(lost) > len(union.words) // 3:
                break
    if not lost or len(union.words) - len(lost) < SHORTEST:
        return
    less = tuple(word for place, word in enumerate(union.words) if place not in lost)
    yield _ordered(less, own.words, union.words, random)


def _ordered(one: Words, two: Words, union: Words, random: Random) -> UnionWords:
    return UnionWords(one, two, union) if random.random() >= 0.5 else UnionWords(two, one, union)


def _minus(words: Words, part: Words) -> Words | None:
    at = _find(words, part)
    return None if at is None else words[:at] + words[at + len(part) :]


def _find(words: Sequence[str], part: Sequence[str]) -> int | None:
    """Where `part` stands in `words`, whatever the case; None unless exactly once."""
    wanted = [word.lower() for word in part]
    lowered = [word.lower() for word in words]
    found = [
        at
        for at in range(len(lowered) - len(wanted) + 1)
        if lowered[at : at + len(wanted)] == wanted
    ]
    return found[0] if len(found) == 1 else None


TOGETHER = 200
"""Trees that one task cuts down."""
_PASS = 100_000
"""Seeds of one pass over all trees."""
_CHUNK = 4

Kind = Literal["both_orders", "cut_down", "varied"]


class ExampleMaker:
    """Makes the examples of one task."""

    def __init__(
        self, vocabulary: Sequence[str], shapes: Sequence[str], synonyms: Synonyms, longest: int
    ) -> None:
        self.pieces = WordPieces(vocabulary)
        self.shapes = {shape: number for number, shape in enumerate(shapes)}
        self.synonyms = synonyms
        self.longest = longest

    def examples(self, told: UnionWords, id: int = -1) -> Iterator[EditExample]:
        """The example, unless it is too long."""
        example = make_example(told, self.pieces, self.shapes, id)
        if example is not None and len(example.steps) <= self.longest:
            yield example

    def both_orders(self, number: int, told: UnionWords) -> Iterator[EditExample]:
        """The pair as it is (its id is even) and with its sentences exchanged (odd)."""
        yield from self.examples(told, 2 * number)
        yield from self.examples(UnionWords(told.second, told.first, told.union), 2 * number + 1)

    def cut_down(self, seed: int, trees: Sequence[ParsedSentence]) -> Iterator[EditExample]:
        """Pairs whose union is a tree."""
        random = Random(seed)
        for tree in trees:
            told = make_pair(tree, self.synonyms, random)
            if told is not None:
                yield from self.examples(told)

    def varied(self, number: int, union: ParsedUnion) -> Iterator[EditExample]:
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

    def unions(self) -> list[EditExample]:
        """The real unions in both orders."""
        jobs = enumerate(union.told for union in self.data.unions)
        return list(self._made("both_orders", jobs))

    def joined(self) -> list[EditExample]:
        """Sentences split by people, in both orders."""
        return list(self._made("both_orders", enumerate(self.data.joined)))

    def varied(self) -> list[EditExample]:
        """Variants of the real unions."""
        return list(self._made("varied", enumerate(self.data.unions)))

    def cut_down(self, count: int, seed: int) -> list[EditExample]:
        """So many made pairs, from as many passes over the trees as it takes, shuffled."""
        found: list[EditExample] = []
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

    def _chunks(self, seed: int) -> Iterator[tuple[int, list[ParsedSentence]]]:
        for start in range(0, len(self.data.trees), TOGETHER):
            yield seed + start, self.data.trees[start : start + TOGETHER]

    def _made(
        self, kind: Kind, jobs: Iterable[tuple[int, Any]]
    ) -> Generator[EditExample, None, None]:
        tasks = ((kind, number, given) for number, given in jobs)
        if self.workers <= 1:
            maker = ExampleMaker(*self._with)
            for task in tasks:
                yield from _done(maker, task)
            return
        with ProcessPoolExecutor(self.workers, spawning(), _begin, self._with) as pool:
            for made in pool.map(_work, tasks, chunksize=_CHUNK):
                yield from made


_MAKERS: list[ExampleMaker] = []
"""The one maker of a working process."""


def _begin(*given: Any) -> None:
    _MAKERS[:] = [ExampleMaker(*given)]


def _work(task: tuple[Kind, int, Any]) -> list[EditExample]:
    return _done(_MAKERS[0], task)


def _done(maker: ExampleMaker, task: tuple[Kind, int, Any]) -> list[EditExample]:
    kind, number, given = task
    return list(getattr(maker, kind)(number, given))
