"""Small stand-ins: trees written by hand, and weights whose answers a test decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tatian.analysis.loading import Arrays, Labels
from tatian.analysis.pieces import WordPieces
from tatian.formats.conllu import parse
from tatian.text import Document

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
LETTERS = [chr(code) for code in range(ord("a"), ord("z") + 1)]
LABELS = Labels(
    upos=("NOUN", "VERB"),
    xpos=("NN", "VB"),
    features=("_", "Number=Sing"),
    relations=("obj", "root", "nsubj"),
    names=("O", "B-PER", "I-PER", "B-LOC", "I-LOC"),
    scripts=("l|0|", "l|1|y"),
    shapes=("", "xx", "Xxx"),
    endings=("", "og", "dog"),
    entailment=("entailment", "neutral", "contradiction"),
    width=4,
    positions=64,
    word_pieces=16,
)


def tree(text: str) -> Document:
    """A document from lines of ``form tag head relation``.

    Behind them may stand ``+`` (no blank follows), ``NER=...`` and features.
    """
    lines = []
    for number, line in enumerate(text.strip().splitlines(), start=1):
        form, tag, head, relation, *rest = line.split()
        spacing = ["SpaceAfter=No"] if "+" in rest else []
        misc = "|".join([*spacing, *(item for item in rest if item.startswith("NER="))]) or "_"
        features = next((item for item in rest if item != "+" and item[:4] != "NER="), "_")
        columns = (number, form, form.lower(), tag, "_", features, head, relation, "_", misc)
        lines.append("\t".join(map(str, columns)))
    return next(parse([*lines, ""]))


class FakeWeights:
    """Weights with a vocabulary of single letters, whose tokens body a function plays."""

    def __init__(self, play: Callable[[int, Arrays], Arrays]) -> None:
        self.labels = LABELS
        self.pieces = WordPieces([*SPECIALS, *LETTERS, *(f"##{letter}" for letter in LETTERS)])
        self.relations = np.zeros((3, 3, 3), dtype=np.float32)
        self.seen: list[Arrays] = []
        self._play = play

    def embeddings(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        return np.repeat(rows[..., None], 4, axis=-1).astype(np.float32)

    def run(self, body: str, inputs: Arrays, outputs: tuple[str, ...]) -> Arrays:
        self.seen.append(inputs)
        played: dict[str, Any] = self._play(inputs["words"].shape[1], inputs)
        return {name: played[name] for name in outputs}


def random_body(seed: int) -> Callable[[int, Arrays], Arrays]:
    """A body that answers at random, the same for the same sentence."""

    def play(count: int, inputs: Arrays) -> Arrays:
        size = len(inputs["mask"])
        generator = np.random.default_rng([seed, count, int(inputs["embeddings"].sum())])

        def scores(*shape: int) -> npt.NDArray[np.float32]:
            return generator.normal(size=(size, *shape)).astype(np.float32)

        return {
            "upos": scores(count, 2),
            "xpos": scores(count, 2),
            "features": scores(count, 2),
            "scripts": scores(count, 2),
            "names": scores(count, 5),
            "arcs": scores(count, count + 1),
            "dependents": scores(count, 2),
            "heads": scores(count + 1, 2),
        }

    return play
