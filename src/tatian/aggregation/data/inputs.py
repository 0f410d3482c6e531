"""An instance as one text, as the paper's encoder-decoders read it (§5.3), and its files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal

from tatian.aggregation.data.records import Instance

Input = Literal["background", "context", "entities"]
INPUTS: tuple[Input, ...] = ("background", "context", "entities")
"""Parts of the input; §6.1 leaves out one or two of them."""
WORDS = 750
"""Number of words that the original code kept, counted from the end."""


def join_inputs(
    instance: Instance, inputs: Collection[Input] = INPUTS, *, words: int | None = WORDS
) -> str:
    """Join background, ``title: excerpt`` and the names with commas, as in §5.3.

    Entities without background add nothing. A long text keeps its last `words` words; None keeps
    all of them.
    """
    parts: list[str] = []
    if "background" in inputs:
        parts += [instance.background.get(entity, "") for entity in instance.entities]
    if "context" in inputs:
        parts.append(": ".join(part for part in (instance.title, instance.context) if part))
    if "entities" in inputs:
        parts.append(", ".join(instance.entities))
    tokens = " ".join(parts).split()
    return " ".join(tokens if words is None else tokens[max(0, len(tokens) - words) :])


# Files that fairseq trains BART with, as in the original: to generate (CNN/DM), to classify (RTE).
#
# Generation has a line in ``SPLIT.source`` and one in ``SPLIT.target`` for every right phrase
# (§5.3: "each correct aggregation as a separate target"); classification a row in ``SPLIT.tsv`` for
# every candidate, labelled as GLUE's RTE is. The splits are called what those datasets call them.

Kind = Literal["generative", "discriminative"]
_CALLED: Mapping[Kind, Mapping[str, str]] = {"generative": {}, "discriminative": {"val": "dev"}}
_HEADER = "index\tsentence1\tsentence2\tlabel"


def files(
    kind: Kind, name: str, instances: Iterable[Instance], *, words: int | None = WORDS
) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield the files of the split `name` (train, val, test): file name and lines."""
    listed = list(instances)
    called = _CALLED[kind].get(name, name)
    if kind == "generative":
        yield f"{called}.source", _sources(listed, words)
        yield f"{called}.target", _targets(listed)
    else:
        yield f"{called}.tsv", _rows(listed, words)


def _sources(instances: Iterable[Instance], words: int | None) -> Iterator[str]:
    for instance in instances:
        line = join_inputs(instance, words=words) + "\n"
        yield from (line for _ in instance.aggregations)


def _targets(instances: Iterable[Instance]) -> Iterator[str]:
    for instance in instances:
        yield from (_plain(phrase) + "\n" for phrase in instance.aggregations)


def _rows(instances: Iterable[Instance], words: int | None) -> Iterator[str]:
    yield _HEADER + "\n"
    index = 0
    for instance in instances:
        text = join_inputs(instance, words=words)
        right = set(instance.aggregations)
        for candidate in instance.candidates:
            label = "entailment" if candidate in right else "not_entailment"
            yield f"{index}\t{text}\t{_plain(candidate)}\t{label}\n"
            index += 1


def _plain(phrase: str) -> str:
    return " ".join(phrase.split())
