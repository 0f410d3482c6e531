"""Reproducible generation of training examples, in one process or several."""

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
from tatian.training.edit.synthetic import Synonyms, make_pair, removable_parts
from tatian.union.models.edit.words import stems_of

MIN_WORDS = 5
"""Minimum number of words of a generated sentence."""
MAX_PARTS = 3
"""Maximum number of parts that are removed from a sentence, one in each variant."""
MIN_STEM_LENGTH = 4
"""Minimum length of stems by which a part is recognised in the other sentence, in characters."""

Words = tuple[str, ...]


def variants(union: ParsedUnion, random: Random) -> Iterator[UnionWords]:
    """Yield pairs whose union follows from a real union."""
    merged = union.union
    sides = ((union.first, union.second), (union.second, union.first))
    for sentence, other in sides:
        yield from _without_part(sentence, other, merged, random)
        yield from _union_without_parts(sentence, merged, random)
    for sentence, _ in sides:
        yield _in_random_order(sentence.words, merged.words, merged.words, random)


def _without_part(
    sentence: ParsedSentence, other: ParsedSentence, union: ParsedSentence, random: Random
) -> Iterator[UnionWords]:
    """Yield pairs without a part that only one sentence and the union have."""
    other_stems = set(stems_of(other.words)) - {""}
    cuts = removable_parts(sentence)
    random.shuffle(cuts)
    count = 0
    for cut in cuts:
        words = sentence.words[cut.start : cut.end]
        stems = [stem for stem in stems_of(words) if len(stem) >= MIN_STEM_LENGTH]
        if not stems or any(stem in other_stems for stem in stems):
            continue
        shorter_union = _without_words(union.words, words)
        if shorter_union is None:
            continue
        shortened = sentence.words[: cut.start] + sentence.words[cut.end :]
        if min(len(shortened), len(shorter_union)) >= MIN_WORDS:
            yield _in_random_order(shortened, other.words, shorter_union, random)
            count += 1
        if count == MAX_PARTS:
            return


def _union_without_parts(
    sentence: ParsedSentence, union: ParsedSentence, random: Random
) -> Iterator[UnionWords]:
    """Yield the union without some parts of a sentence, paired with that sentence."""
    cuts = removable_parts(union)
    random.shuffle(cuts)
    removed: set[int] = set()
    for cut in cuts:
        if _find(sentence.words, union.words[cut.start : cut.end]) is not None:
            removed |= cut.places
            if len(removed) > len(union.words) // 3:
                break
    if not removed or len(union.words) - len(removed) < MIN_WORDS:
        return
    shortened = tuple(word for place, word in enumerate(union.words) if place not in removed)
    yield _in_random_order(shortened, sentence.words, union.words, random)


def _in_random_order(first: Words, second: Words, union: Words, random: Random) -> UnionWords:
    return (
        UnionWords(first, second, union)
        if random.random() >= 0.5
        else UnionWords(second, first, union)
    )


def _without_words(words: Words, part: Words) -> Words | None:
    place = _find(words, part)
    return None if place is None else words[:place] + words[place + len(part) :]


def _find(words: Sequence[str], part: Sequence[str]) -> int | None:
    """Return the only position of `part` in `words`, without case; None if there is none."""
    part_words = [word.lower() for word in part]
    lowered = [word.lower() for word in words]
    places = [
        place
        for place in range(len(lowered) - len(part_words) + 1)
        if lowered[place : place + len(part_words)] == part_words
    ]
    return places[0] if len(places) == 1 else None


TREES_PER_TASK = 200
"""Number of trees per task."""
_PASS = 100_000
"""Number of seeds per pass over all trees."""
_CHUNK = 4
"""Number of tasks that a worker gets at once."""

Kind = Literal["both_orders", "cut_down", "varied"]


class ExampleMaker:
    """Makes the examples of one task; the seed or number of the task fixes them."""

    def __init__(
        self, vocabulary: Sequence[str], shapes: Sequence[str], synonyms: Synonyms, longest: int
    ) -> None:
        self.pieces = WordPieces(vocabulary)
        self.shapes = {shape: number for number, shape in enumerate(shapes)}
        self.synonyms = synonyms
        self.longest = longest

    def examples(self, pair: UnionWords, id: int = -1) -> Iterator[EditExample]:
        """Yield the example, unless it is too long."""
        example = make_example(pair, self.pieces, self.shapes, id)
        if example is not None and len(example.steps) <= self.longest:
            yield example

    def both_orders(self, number: int, pair: UnionWords) -> Iterator[EditExample]:
        """Yield the pair with an even id, and with its sentences exchanged and an odd id."""
        yield from self.examples(pair, 2 * number)
        yield from self.examples(UnionWords(pair.second, pair.first, pair.union), 2 * number + 1)

    def cut_down(self, seed: int, trees: Sequence[ParsedSentence]) -> Iterator[EditExample]:
        """Yield synthetic pairs: two shortened forms of a sentence, which is their union."""
        random = Random(seed)
        for tree in trees:
            pair = make_pair(tree, self.synonyms, random)
            if pair is not None:
                yield from self.examples(pair)

    def varied(self, number: int, union: ParsedUnion) -> Iterator[EditExample]:
        """Yield pairs whose union follows from a real one."""
        for variant in variants(union, Random(number)):
            yield from self.examples(variant)


class Workshop:
    """Generator of a training run's examples, in `workers` processes."""

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
        self._maker_arguments = (list(pieces.rows), tuple(shapes), data.synonyms, longest)

    def unions(self) -> list[EditExample]:
        """Return the real unions in both orders."""
        jobs = enumerate(union.words for union in self.data.unions)
        return list(self._make("both_orders", jobs))

    def joined(self) -> list[EditExample]:
        """Return the joined pairs in both orders."""
        return list(self._make("both_orders", enumerate(self.data.joined)))

    def varied(self) -> list[EditExample]:
        """Return variants of the real unions."""
        return list(self._make("varied", enumerate(self.data.unions)))

    def cut_down(self, count: int, seed: int) -> list[EditExample]:
        """Return `count` synthetic pairs in random order, from as many passes as needed."""
        examples: list[EditExample] = []
        for number in itertools.count():
            if len(examples) >= count:
                break
            before = len(examples)
            jobs = self._chunks(seed + number * _PASS)
            with closing(self._make("cut_down", jobs)) as produced:
                examples += itertools.islice(produced, count - before)
            if len(examples) == before:
                break
        Random(seed).shuffle(examples)
        return examples

    def _chunks(self, seed: int) -> Iterator[tuple[int, list[ParsedSentence]]]:
        for start in range(0, len(self.data.trees), TREES_PER_TASK):
            yield seed + start, self.data.trees[start : start + TREES_PER_TASK]

    def _make(
        self, kind: Kind, jobs: Iterable[tuple[int, Any]]
    ) -> Generator[EditExample, None, None]:
        tasks = ((kind, number, argument) for number, argument in jobs)
        if self.workers <= 1:
            maker = ExampleMaker(*self._maker_arguments)
            for task in tasks:
                yield from _run_task(maker, task)
            return
        with ProcessPoolExecutor(
            self.workers, spawning(), _start_worker, self._maker_arguments
        ) as pool:
            for examples in pool.map(_work, tasks, chunksize=_CHUNK):
                yield from examples


_MAKERS: list[ExampleMaker] = []
"""The maker of a worker process."""


def _start_worker(*arguments: Any) -> None:
    _MAKERS[:] = [ExampleMaker(*arguments)]


def _work(task: tuple[Kind, int, Any]) -> list[EditExample]:
    return _run_task(_MAKERS[0], task)


def _run_task(maker: ExampleMaker, task: tuple[Kind, int, Any]) -> list[EditExample]:
    kind, number, argument = task
    return list(getattr(maker, kind)(number, argument))
