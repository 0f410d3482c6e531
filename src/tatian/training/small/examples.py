"""What the adapter learns from: unions in both orders, joined sentences, sentences told twice."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.union.models.lm.pieces import Pieces
from tatian.union.models.small import END, TASK, TURN, prompt

Arrays = dict[str, npt.NDArray[np.generic]]
SEPARATOR = "<::::>"


class Example(Struct, frozen=True):
    """Sentences and what is to be written for them."""

    sentences: tuple[str, ...]
    union: str


class Encoded(Struct, frozen=True):
    """An example as the model reads it."""

    ids: tuple[int, ...]
    prompt: int
    """How many tokens are given; the others are learned."""


class Data(Struct, frozen=True):
    """Examples to learn from, and held-out unions by which to stop."""

    train: list[Example]
    dev: list[Example]


class Mixture(Struct, frozen=True, kw_only=True):
    """How much of what."""

    held_out: float = 0.1
    """Share of the unions by which to stop."""
    joined: int = 2000
    """Sentences of WikiSplit put together again."""
    told_twice: float = 0.3
    """Share of the unions that are also shown beside one of their own sentences."""
    limit: int | None = None
    """Use so many of each only (a dry run)."""


def load(folder: Path, mixture: Mixture, seed: int) -> Data:
    """Read ``union/train.csv`` and ``union/extra/wikisplit-*.tsv`` under a folder of data."""
    generator = np.random.default_rng(seed)
    unions = read_unions(folder / "union" / "train.csv")[: mixture.limit]
    parts = joined_sentences(folder / "union" / "extra")[: mixture.limit]
    kept, dev = hold_out(unions, mixture.held_out, generator)
    train = [Example(order, one.union) for one in kept for order in _orders(one.sentences)]
    count = min(mixture.joined, len(parts))
    train += [parts[int(index)] for index in generator.choice(len(parts), count, replace=False)]
    for one in kept:
        if generator.random() < mixture.told_twice:
            again = one.sentences[int(generator.integers(len(one.sentences)))]
            train += [Example(order, one.union) for order in _orders((one.union, again))]
    return Data(train, dev)


def _orders(sentences: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return sentences, sentences[::-1]


def hold_out(
    unions: Sequence[Example], share: float, generator: np.random.Generator
) -> tuple[list[Example], list[Example]]:
    """Two parts that have no sentence in common."""
    groups = _groups(unions)
    order = generator.permutation(len(groups))
    wanted = max(1, round(share * len(unions)))
    dev: list[Example] = []
    kept: list[Example] = []
    for index in order:
        (dev if len(dev) < wanted else kept).extend(groups[int(index)])
    return kept, dev


def _groups(unions: Sequence[Example]) -> list[list[Example]]:
    """Unions that share a sentence, directly or through others, together."""
    group_of: dict[str, list[Example]] = {}
    for union in unions:
        merged = [union]
        for sentence in union.sentences:
            other = group_of.get(sentence, [])
            if other and other is not merged:
                merged += [one for one in other if all(one is not each for each in merged)]
        for one in merged:
            for sentence in one.sentences:
                group_of[sentence] = merged
    return list({id(group): group for group in group_of.values()}.values())


def read_unions(path: Path) -> list[Example]:
    """The pairs of the Sentence Union dataset."""
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        found = [
            Example((row["sentence1Text"], row["sentence2Text"]), row["mergedText"]) for row in rows
        ]
    except (OSError, KeyError) as error:
        raise InputError(f"cannot be read as unions: {error}", path=str(path)) from error
    if not found:
        raise EmptyInput("no unions in it", path=str(path))
    return found


def joined_sentences(folder: Path) -> list[Example]:
    """WikiSplit turned round: two sentences and the one they were made from."""
    found: list[Example] = []
    for path in sorted(folder.glob("wikisplit-tune.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            whole, _, parts = line.partition("\t")
            first, separator, second = parts.partition(SEPARATOR)
            if separator:
                sentences = (_untokenised(first), _untokenised(second))
                found.append(Example(sentences, _untokenised(whole)))
    return found


def _untokenised(text: str) -> str:
    """English spacing; the corpus has a blank around every mark."""
    from tatian.text import detokenize

    return detokenize(text.split())[0]


def encode(example: Example, pieces: Pieces) -> Encoded:
    """The prompt that is used when writing, the union and its end."""
    opening = [pieces.control(TURN), *pieces.encode(TASK)]
    given = [*opening, *prompt(pieces, example.sentences)]
    written = [*pieces.encode(" ".join(example.union.split())), pieces.control(END)]
    return Encoded((*given, *written), len(given))


def batches(
    examples: Sequence[Encoded], budget: int, padding: int, generator: np.random.Generator | None
) -> list[Arrays]:
    """Examples of like length together, at most `budget` tokens with padding; shuffled."""
    noise = generator.random(len(examples)) * 8 if generator else np.zeros(len(examples))
    order = sorted(range(len(examples)), key=lambda index: len(examples[index].ids) + noise[index])
    groups: list[list[Encoded]] = []
    for index in order:
        example = examples[index]
        if not groups or len(example.ids) * (len(groups[-1]) + 1) > budget:
            groups.append([])
        groups[-1].append(example)
    if generator:
        groups = [groups[int(index)] for index in generator.permutation(len(groups))]
    return [_padded(group, padding) for group in groups]


def _padded(group: Sequence[Encoded], padding: int) -> Arrays:
    width = max(len(one.ids) for one in group)
    ids = np.full((len(group), width), padding, np.int64)
    counted = np.zeros((len(group), width), np.bool_)
    for row, one in enumerate(group):
        ids[row, : len(one.ids)] = one.ids
        counted[row, one.prompt : len(one.ids)] = True
    return {"ids": ids, "counted": counted}
