"""Fitting of the weights of `tatian.union.metrics.estimates` on corrupted unions.

    python benchmarks/union_estimates.py DIRECTORY    (with train.csv and eval.csv)

A reference union says everything once: people found 98% coverage and nearly no repetition. So what
it omits was not missing, and what is cut out of it is. What is inserted from a source is redundant;
what is inserted from elsewhere is unfaithful. Logistic regression by Newton's method; prints the
weights to put into the module, and the area under the curve on eval.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from regression import area_under_curve, logistic
from tatian.union.data import UnionInstance, read
from tatian.union.metrics.estimates import (
    Missing,
    Repeated,
    SignWeights,
    Unfaithful,
    WordComparison,
)
from tatian.union.metrics.wording import ContentWord, Wording, share_origin, wording

Numbers = npt.NDArray[np.float64]
CUTS_PER_UNION = 2
INSERTIONS_PER_UNION = 3
LONGEST = 8
"""Most words that are cut or inserted at a time."""
WHOLE = 3.0
"""Weight of an example from an intact union or sentence: most unions are more like these."""

SUPPORTED = 20.0
"""Weight of a reference's own word: as much as all foreign words together."""


class Example(Struct, frozen=True):
    """A suspicious word, whether the suspicion is right, and its weight."""

    signs: Missing | Repeated | Unfaithful
    label: bool
    weight: float = 1.0


Examples = Callable[[Sequence[UnionInstance]], Iterator[Example]]


def main() -> None:
    """Fit all three models and print them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    options = parser.parse_args()
    train, held = (read(options.data / f"{part}.csv") for part in ("train", "eval"))
    for name, make in (
        ("MISSING", missing_examples),
        ("UNFAITHFUL", unfaithful_examples),
        ("REPEATED", repeated_examples),
    ):
        weights = fit(list(make(train)))
        figures = ", ".join(f"{value:.2f}" for value in weights.signs)
        print(f"{name} = Weights({weights.bias:.2f}, ({figures}))")
        print(f"# area under the curve on eval: {area(weights, list(make(held))):.3f}")


def missing_examples(instances: Sequence[UnionInstance]) -> Iterator[Example]:
    """Yield words that a union lacks: missing if the reference has them."""
    generator = random.Random(1)
    for instance in instances:
        reference = wording(instance.merged or "")
        for union, weight in _shortened(instance, generator):
            for _, word, signs in WordComparison(instance.sentences, union).missing():
                yield Example(signs, _has(reference, word), weight)


def _shortened(instance: UnionInstance, generator: random.Random) -> Iterator[tuple[str, float]]:
    words = (instance.merged or "").split()
    yield " ".join(words), WHOLE
    yield max(instance.sentences, key=len), 1.0
    yield min(instance.sentences, key=len), 1.0
    for _ in range(CUTS_PER_UNION if len(words) > LONGEST else 0):
        length = generator.randint(1, min(LONGEST, len(words) // 2))
        start = generator.randrange(len(words) - length)
        yield " ".join(words[:start] + words[start + length :]), 1.0


def repeated_examples(instances: Sequence[UnionInstance]) -> Iterator[Example]:
    """Yield words like earlier ones: repeated if a source's words were inserted."""
    generator = random.Random(1)
    for instance in instances:
        sentences, reference = instance.sentences, instance.merged or ""
        for whole in (reference, max(sentences, key=len)):
            for *_, signs in WordComparison(sentences, whole).repeated():
                yield Example(signs, False, WHOLE)
        for order in (sentences, sentences[::-1]):
            compared = WordComparison(sentences, " ".join(order))
            for word, earlier, signs in compared.repeated():
                often = _too_often(word, earlier, compared.union, wording(reference))
                yield Example(signs, often)
        for _ in range(INSERTIONS_PER_UNION):
            union, start, end = _inserted(reference, generator.choice(sentences), generator)
            for word, earlier, signs in WordComparison(sentences, union).repeated():
                inserted = any(start <= place.start < end for place in (word, earlier))
                yield Example(signs, inserted)


def _too_often(word: ContentWord, earlier: ContentWord, union: Wording, reference: Wording) -> bool:
    if word.concept != earlier.concept:
        return not {word.concept, earlier.concept} <= reference.places.keys()
    before = sum(w.concept == word.concept for w in union.words if w.start <= word.start)
    return before > max(1, reference.counts[word.concept])


def unfaithful_examples(instances: Sequence[UnionInstance]) -> Iterator[Example]:
    """Yield words that no source has: a reference's own are supported, another pair's are not."""
    generator = random.Random(1)
    for instance in instances:
        for _, signs in WordComparison(instance.sentences, instance.merged or "").unfaithful():
            yield Example(signs, False, SUPPORTED)
        stranger = generator.choice(instances)
        span, _, _ = _inserted("", stranger.sentences[0], generator)
        for _, signs in WordComparison(instance.sentences, span).unfaithful():
            yield Example(signs, stranger is not instance)


def _inserted(union: str, source: str, generator: random.Random) -> tuple[str, int, int]:
    """Insert neighbouring words of the source in the union; return it and their span."""
    words, places = source.split(), union.split()
    length = generator.randint(min(2, len(words)), min(LONGEST, len(words)))
    start = generator.randint(0, len(words) - length)
    span = " ".join(words[start : start + length])
    slot = generator.randint(0, len(places))
    before = " ".join(places[:slot])
    begin = len(before) + bool(before)
    text = " ".join(part for part in (before, span, " ".join(places[slot:])) if part)
    return text, begin, begin + len(span)


def _has(reference: Wording, word: ContentWord) -> bool:
    return any(
        word.concept == concept or share_origin(word.concept, concept)
        for concept in reference.places
    )


def fit(examples: Sequence[Example]) -> SignWeights:
    """Return the weights of greatest likelihood."""
    signs, labels, weights = _arrays(examples)
    bias, *rest = logistic(np.c_[np.ones(len(signs)), signs], labels, 1.0, weights).tolist()
    return SignWeights(bias, tuple(rest))


def area(weights: SignWeights, examples: Sequence[Example]) -> float:
    """Return the area under the curve: rightly against wrongly suspected words."""
    signs, labels, _ = _arrays(examples)
    return area_under_curve(signs @ np.array(weights.signs), labels)


def _arrays(examples: Sequence[Example]) -> tuple[Numbers, Numbers, Numbers]:
    fields = examples[0].signs.__struct_fields__
    signs = [[float(getattr(example.signs, name)) for name in fields] for example in examples]
    return (
        np.array(signs),
        np.array([example.label for example in examples], dtype=np.float64),
        np.array([example.weight for example in examples]),
    )


if __name__ == "__main__":
    main()
