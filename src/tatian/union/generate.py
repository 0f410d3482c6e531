"""From sentences to their union: the one path that the command and the benchmarks share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from tatian.progress import Progress, silent
from tatian.text import Document, Metadata, Span
from tatian.text.provenance import render
from tatian.union.data import Instance
from tatian.union.models import Merged, Merger, Passage, mergers

Preparation = Callable[[Document], Document]


def generate(
    instances: Sequence[Instance],
    model: str | Merger | None = None,
    *,
    prepare: Preparation,
    progress: Progress = silent,
) -> Iterator[Instance]:
    """Each instance with `merged` filled by the model (a name, an object, or the default).

    `prepare` fills the layers that models read: ``tatian.Pipeline().process``.
    """
    merger = mergers.create(model) if model is None or isinstance(model, str) else model
    for done, instance in enumerate(instances, 1):
        merged = merger.merge(passages(instance, prepare))
        progress("union", done, len(instances))
        yield replace(instance, merged=one_sentence(merged))


def passages(instance: Instance, prepare: Preparation) -> list[Passage]:
    """Every sentence as a document of its own, as a merger wants them."""
    found = []
    for number, text in enumerate(instance.sentences, 1):
        document = Document(f"{instance.id}.{number}", text, Metadata(date=instance.date))
        found.append(Passage(prepare(document), Span(0, len(text))))
    return found


def one_sentence(merged: Merged) -> str:
    """The result as the dataset wants it: several sentences are joined by semicolons."""
    texts = [render(sentence) for sentence in merged.sentences]
    inner = [text.removesuffix(".") for text in texts[:-1]]
    return "; ".join([*inner, *texts[-1:]])
