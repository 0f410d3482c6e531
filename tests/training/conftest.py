"""A tiny encoder and a few sentences, enough to train in seconds on a CPU."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tatian.training.data import EntailmentPair, LabelledSentence, TreebankWord

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

ROWS = (
    ("Anna", "Anna", "PROPN", "NNP", "Number=Sing", 2, "nsubj", "B-PER"),
    ("sees", "see", "VERB", "VBZ", "Number=Sing|Person=3", 0, "root", "O"),
    ("old", "old", "ADJ", "JJ", "Degree=Pos", 4, "amod", "O"),
    ("Paris", "Paris", "PROPN", "NNP", "Number=Sing", 2, "obj", "B-LOC"),
)
OTHER = (
    ("The", "the", "DET", "DT", "Definite=Def|PronType=Art", 2, "det", "O"),
    ("dogs", "dog", "NOUN", "NNS", "Number=Plur", 3, "nsubj", "O"),
    ("slept", "sleep", "VERB", "VBD", "Tense=Past", 0, "root", "O"),
)


def sentence_of(name: str, rows: Any) -> LabelledSentence:
    words = tuple(TreebankWord(*row[:7]) for row in rows)
    return LabelledSentence(
        name, tuple(w.form for w in words), words, tuple(row[7] for row in rows)
    )


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> Iterator[None]:
    """Products this small only wait for each other's threads."""
    if importlib.util.find_spec("torch") is None:
        yield
        return
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def sentences() -> list[LabelledSentence]:
    return [sentence_of("one", ROWS), sentence_of("two", OTHER)]


@pytest.fixture(scope="session")
def pairs() -> list[EntailmentPair]:
    return [
        EntailmentPair("Anna sees old Paris", "Anna sees Paris", "entailment", "a"),
        EntailmentPair("Anna sees Paris", "The dogs slept", "neutral", "a"),
        EntailmentPair("The dogs slept", "Anna slept", "contradiction", "b"),
    ]


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Any:
    pytest.importorskip("torch")
    from tatian.training.model import TINY
    from tatian.training.pretrained import Start

    from .tiny import prepare_tiny

    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    vocabulary = [*SPECIALS, *letters, *(f"##{c}" for c in letters), "the", "dogs", "sees", "old"]
    directory: Path = tmp_path_factory.mktemp("start")
    prepare_tiny(directory, vocabulary, TINY)
    return Start(directory)
