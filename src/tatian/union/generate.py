"""From sentences to their union: the one path that the command and the benchmarks share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from tatian.progress import Progress, silent
from tatian.text import Document, Metadata, Span
from tatian.union.data import Instance
from tatian.union.models import Merger, Passage, mergers
from tatian.union.reports import Account, account, one_sentence

__all__ = ["Preparation", "generate", "generate_reported", "one_sentence", "passages"]

Preparation = Callable[[Document], Document]


def generate(
    instances: Sequence[Instance],
    model: str | Merger | None = None,
    *,
    prepare: Preparation,
    progress: Progress = silent,
) -> Iterator[Instance]:
    """Each instance with `merged` filled by the model (a name, an object, or the default).

    `prepare` fills the layers that models read: ``tatian.Pipeline.for_sentences().process``.
    """
    for instance, _ in generate_reported(instances, model, prepare=prepare, progress=progress):
        yield instance


def generate_reported(
    instances: Sequence[Instance],
    model: str | Merger | None = None,
    *,
    prepare: Preparation,
    progress: Progress = silent,
    name: str | None = None,
) -> Iterator[tuple[Instance, Callable[[], Account]]]:
    """As `generate`, each instance with a way to ask how its union came about.

    `name` is what reports call the model; by default its name, or that of its class.
    """
    merger = mergers.create(model) if model is None or isinstance(model, str) else model
    known = name or (model if isinstance(model, str) else type(merger).__name__.lower())
    for done, instance in enumerate(instances, 1):
        told = passages(instance, prepare)
        merged = merger.merge(told)
        progress("union", done, len(instances))
        filled = replace(instance, merged=one_sentence(merged))
        yield filled, partial(account, instance.id, merged, told, known)


def passages(instance: Instance, prepare: Preparation) -> list[Passage]:
    """Every sentence as a document of its own, as a merger wants them."""
    found = []
    for number, text in enumerate(instance.sentences, 1):
        document = Document(f"{instance.id}.{number}", text, Metadata(date=instance.date))
        found.append(Passage(prepare(document), Span(0, len(text))))
    return found
