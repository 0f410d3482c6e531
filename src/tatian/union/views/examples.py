"""Items to look at: sentences, their unions by people and systems, and the scores.

The layout of Hirsch et al. 2023, Table 7, with human scores beside computed ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from tatian.errors import InputError
from tatian.progress import Progress, silent
from tatian.scoring.compression import compression_difference
from tatian.scoring.rouge import ROUGE, rouge
from tatian.union.data import UnionInstance
from tatian.union.generate import Preparation, one_sentence, passages
from tatian.union.metrics.estimates import estimate
from tatian.union.metrics.mistakes import CRITERIA
from tatian.union.metrics.score import pair_predictions
from tatian.union.models import Merger
from tatian.union.ratings import HUMAN, Rating, means
from tatian.union.relations import equivalents
from tatian.union.views.colours import Coloured, Equivalents, Sources, colour, find_origins

GOLD = "gold union"
NAMES = {
    "rouge1": "ROUGE-1",
    "rouge2": "ROUGE-2",
    "rougeL": "ROUGE-L",
    "delta_cr": "ΔCR",
}


class ShownScore(Struct, frozen=True):
    """A score of one output, formatted."""

    name: str
    value: str
    human: bool = False
    """True if people gave it."""


class Output(Struct, frozen=True):
    """One union of an item, in colours and with its scores."""

    name: str
    text: str
    coloured: Coloured
    figures: tuple[ShownScore, ...] = ()


class UnionExample(Struct, frozen=True):
    """An item with all its unions."""

    id: str
    sentences: tuple[str, ...]
    outputs: tuple[Output, ...]


class SystemUnion(Struct, frozen=True):
    """A union that a system wrote, with the origin of each of its tokens if known."""

    text: str
    origins: tuple[Sources, ...] = ()


def examples(
    instances: Sequence[UnionInstance],
    systems: Mapping[str, Mapping[str, SystemUnion]],
    ratings: Iterable[Rating] = (),
    *,
    prepare: Preparation | None = None,
) -> Iterator[UnionExample]:
    """Yield each instance with its own union, if any, and those of `systems` (by name, by id).

    `prepare`, such as ``tatian.Pipeline.for_sentences().process``, fills the layers that show
    equivalent words of the sentences; without it, only identical words get a common colour.
    """
    human = means(ratings)
    for instance in instances:
        outputs = []
        same = {} if prepare is None else equivalents(passages(instance, prepare))
        if instance.merged is not None:
            coloured = colour(instance.sentences, instance.merged, same=same)
            figures = tuple(_estimates(instance.sentences, instance.merged))
            outputs.append(Output(GOLD, instance.merged, coloured, figures))
        for system, unions in systems.items():
            written = unions.get(instance.id)
            if written is None:
                raise InputError(f"system '{system}' has no union of item '{instance.id}'")
            judged = human.get(system, {}).get(instance.id, {})
            outputs.append(_output(instance, system, written, judged, same))
        yield UnionExample(instance.id, instance.sentences, tuple(outputs))


def merge_all(
    instances: Sequence[UnionInstance],
    merger: Merger,
    prepare: Preparation,
    progress: Progress = silent,
) -> dict[str, SystemUnion]:
    """Merge each instance with a model, and keep the provenance."""
    unions = {}
    for done, instance in enumerate(instances, 1):
        sentences = passages(instance, prepare)
        merged = merger.merge(sentences)
        text = one_sentence(merged)
        unions[instance.id] = SystemUnion(text, tuple(find_origins(merged, sentences, text)))
        progress("union", done, len(instances))
    return unions


def by_instance(
    instances: Sequence[UnionInstance], predictions: Sequence[UnionInstance], name: str
) -> dict[str, SystemUnion]:
    """Return the unions of a file of predictions, in the order of the instances."""
    pairs = pair_predictions(instances, predictions, name)
    return {instance.id: SystemUnion(guess.merged or "") for instance, guess in pairs}


def _output(
    instance: UnionInstance,
    system: str,
    written: SystemUnion,
    judged: Mapping[str, float],
    same: Equivalents,
) -> Output:
    figures = [
        ShownScore(name, f"{judged[name]:.1f}", human=True) for name in HUMAN if name in judged
    ]
    if instance.merged is not None:
        scores = rouge([(instance.merged, written.text)])[0]
        figures += [ShownScore(NAMES[name], _percent(scores[name])) for name in ROUGE]
        change = compression_difference(instance.sentences, instance.merged, written.text)
        figures.append(ShownScore(NAMES["delta_cr"], f"{100 * change:+.0f}"))
    figures += _estimates(instance.sentences, written.text)
    coloured = colour(instance.sentences, written.text, written.origins, same)
    return Output(system, written.text, coloured, tuple(figures))


def _estimates(sentences: Sequence[str], union: str) -> Iterator[ShownScore]:
    estimated = estimate(sentences, union)
    for name in CRITERIA:
        yield ShownScore(f"{name} estimated", _percent(getattr(estimated, name)))


def _percent(value: float) -> str:
    return f"{100 * value:.0f}"
