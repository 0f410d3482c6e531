"""The files fairseq trains BART with, as in the original: to generate (CNN/DM), to classify (RTE).

Generation has a line in ``SPLIT.source`` and one in ``SPLIT.target`` for every right phrase (§5.3:
"each correct aggregation as a separate target"); classification a row in ``SPLIT.tsv`` for every
candidate, labelled as GLUE's RTE is. The splits are called what those datasets call them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from tatian.aggregation.data.inputs import WORDS, joined
from tatian.aggregation.data.records import Instance

Kind = Literal["generative", "discriminative"]
_CALLED: Mapping[Kind, Mapping[str, str]] = {"generative": {}, "discriminative": {"val": "dev"}}
_HEADER = "index\tsentence1\tsentence2\tlabel"


def files(
    kind: Kind, name: str, instances: Iterable[Instance], *, words: int | None = WORDS
) -> Iterator[tuple[str, Iterator[str]]]:
    """The files of the split called `name` (train, val, test): each one's name and its lines."""
    listed = list(instances)
    called = _CALLED[kind].get(name, name)
    if kind == "generative":
        yield f"{called}.source", _sources(listed, words)
        yield f"{called}.target", _targets(listed)
    else:
        yield f"{called}.tsv", _rows(listed, words)


def _sources(instances: Iterable[Instance], words: int | None) -> Iterator[str]:
    for instance in instances:
        line = joined(instance, words=words) + "\n"
        yield from (line for _ in instance.aggregations)


def _targets(instances: Iterable[Instance]) -> Iterator[str]:
    for instance in instances:
        yield from (_plain(phrase) + "\n" for phrase in instance.aggregations)


def _rows(instances: Iterable[Instance], words: int | None) -> Iterator[str]:
    yield _HEADER + "\n"
    index = 0
    for instance in instances:
        text = joined(instance, words=words)
        right = set(instance.aggregations)
        for candidate in instance.candidates:
            label = "entailment" if candidate in right else "not_entailment"
            yield f"{index}\t{text}\t{_plain(candidate)}\t{label}\n"
            index += 1


def _plain(phrase: str) -> str:
    return " ".join(phrase.split())
