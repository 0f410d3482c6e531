"""Sentences and pairs as arrays, and arrays as padded batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.pieces import WordPieces
from tatian.analysis.words import endings, shape
from tatian.training.data import IGNORED, EntailmentPair, LabelledSentence
from tatian.training.inventory import CASINGS, LabelInventory, derive_script, recased

Ints = npt.NDArray[np.int64]
Scores = dict[str, float]
Batch = dict[str, Any]
"""Arrays (or tensors) by name, all with the batch as first axis."""

NOTHING = -100
"""The target of a word that teaches nothing; PyTorch's losses skip it."""


class TokenExample(Struct, frozen=True):
    """One sentence for the tokens body; `shapes` and `scripts` have one row for each casing."""

    rows: Ints
    words: Ints
    endings: Ints
    shapes: Ints
    scripts: Ints
    upos: Ints
    xpos: Ints
    features: Ints
    heads: Ints
    relations: Ints
    names: Ints
    all_kinds: bool
    style: int


class PairExample(Struct, frozen=True):
    """One premise and hypothesis for the pairs body."""

    rows: Ints
    segments: Ints
    label: int


class TokenEncoder:
    """Turns sentences into examples under one vocabulary and one label inventory."""

    def __init__(self, pieces: WordPieces, labels: LabelInventory) -> None:
        self.pieces = pieces
        self.labels = labels
        self._index = {
            field: {label: i for i, label in enumerate(getattr(labels, field))}
            for field in ("upos", "xpos", "features", "relations", "scripts", "names")
        }
        self._shapes = {item: i for i, item in enumerate(labels.shapes)}
        self._endings = {item: i for i, item in enumerate(labels.endings)}

    def fits(self, sentence: LabelledSentence) -> bool:
        """Whether the sentence's pieces, with specials, have positions."""
        count = sum(len(self.pieces.word(form)) for form in sentence.forms)
        return count + 2 <= self.labels.positions

    def encode(self, sentence: LabelledSentence) -> TokenExample:
        """The arrays of one sentence."""
        rows = [self.pieces.start]
        places: list[tuple[int, int]] = []
        owners = [-1]
        for index, form in enumerate(sentence.forms):
            pieces = self.pieces.word(form)
            places.append((len(rows), len(rows) + len(pieces) - 1))
            rows.extend(pieces)
            owners.extend([index] * len(pieces))
        rows.append(self.pieces.end)
        owners.append(-1)
        return TokenExample(
            rows=np.array(rows),
            words=np.array(places),
            endings=np.array(
                [[self._endings.get(e, 0) for e in endings(form)] for form in sentence.forms]
            ),
            shapes=np.array([self._shape_rows(sentence.forms, owners, c) for c in CASINGS]),
            scripts=np.array([self._scripts(sentence, c) for c in CASINGS]),
            upos=self._targets(sentence, "upos"),
            xpos=self._targets(sentence, "xpos"),
            features=self._targets(sentence, "features"),
            heads=np.array(
                [w.head for w in sentence.words] or [NOTHING] * len(sentence.forms),
                dtype=np.int64,
            ),
            relations=self._targets(sentence, "relation", "relations"),
            names=self._names(sentence),
            all_kinds=sentence.all_kinds,
            style=sentence.style,
        )

    def _shape_rows(self, forms: Sequence[str], owners: list[int], casing: str) -> list[int]:
        known = [self._shapes.get(shape(recased(form, casing)), 0) for form in forms]
        return [known[owner] if owner >= 0 else 0 for owner in owners]

    def _scripts(self, sentence: LabelledSentence, casing: str) -> list[int]:
        index = self._index["scripts"]
        if not sentence.words:
            return [NOTHING] * len(sentence.forms)
        return [
            index.get(derive_script(recased(w.form, casing), w.lemma), NOTHING)
            for w in sentence.words
        ]

    def _targets(self, sentence: LabelledSentence, field: str, inventory: str = "") -> Ints:
        index = self._index[inventory or field]
        found = [index.get(getattr(word, field), NOTHING) for word in sentence.words]
        return np.array(found or [NOTHING] * len(sentence.forms), dtype=np.int64)

    def _names(self, sentence: LabelledSentence) -> Ints:
        index = self._index["names"]
        found = [NOTHING if name == IGNORED else index[name] for name in sentence.names]
        return np.array(found or [NOTHING] * len(sentence.forms), dtype=np.int64)


def encode_pair(
    pair: EntailmentPair, pieces: WordPieces, labels: Sequence[str], longest: int = 256
) -> PairExample:
    """The arrays of one pair, cut from the end of the longer side to fit."""
    premise, hypothesis = pieces.text(pair.premise), pieces.text(pair.hypothesis)
    while len(premise) + len(hypothesis) + 3 > longest:
        (premise if len(premise) >= len(hypothesis) else hypothesis).pop()
    rows = [pieces.start, *premise, pieces.end, *hypothesis, pieces.end]
    segments = [0] * (len(premise) + 2) + [1] * (len(hypothesis) + 1)
    return PairExample(np.array(rows), np.array(segments), labels.index(pair.label))


def token_batch(
    examples: Sequence[TokenExample], casings: Sequence[int] | None = None, pad: int = 0
) -> Batch:
    """Sentences padded to the longest, each in its casing."""
    size = len(examples)
    casings = casings or [0] * size
    time = max(len(e.rows) for e in examples)
    count = max(len(e.words) for e in examples)
    batch: Batch = {
        "rows": np.full((size, time), pad),
        "mask": np.zeros((size, time), dtype=np.int64),
        "shapes": np.zeros((size, time), dtype=np.int64),
        "words": np.zeros((size, count, 2), dtype=np.int64),
        "endings": np.zeros((size, count, 2), dtype=np.int64),
        "all_kinds": np.array([e.all_kinds for e in examples]),
        "styles": np.array([e.style for e in examples]),
    }
    targets = ("upos", "xpos", "features", "heads", "relations", "names")
    for field in (*targets, "scripts"):
        batch[field] = np.full((size, count), NOTHING)
    for i, (example, casing) in enumerate(zip(examples, casings, strict=True)):
        t, w = len(example.rows), len(example.words)
        batch["rows"][i, :t] = example.rows
        batch["mask"][i, :t] = 1
        batch["shapes"][i, :t] = example.shapes[casing]
        batch["words"][i, :w] = example.words
        batch["endings"][i, :w] = example.endings
        batch["scripts"][i, :w] = example.scripts[casing]
        for field in targets:
            batch[field][i, :w] = getattr(example, field)
    return batch


def pair_batch(examples: Sequence[PairExample], pad: int = 0) -> Batch:
    """Pairs padded to the longest."""
    size = len(examples)
    time = max(len(e.rows) for e in examples)
    batch: Batch = {
        "rows": np.full((size, time), pad),
        "mask": np.zeros((size, time), dtype=np.int64),
        "segments": np.zeros((size, time), dtype=np.int64),
    }
    for i, example in enumerate(examples):
        t = len(example.rows)
        batch["rows"][i, :t] = example.rows
        batch["mask"][i, :t] = 1
        batch["segments"][i, :t] = example.segments
    return batch


def batches_by_length(
    lengths: Sequence[int], budget: int, generator: np.random.Generator | None = None
) -> list[list[int]]:
    """Indices in batches of at most `budget` padded pieces; shuffled, but of similar lengths."""
    order = np.arange(len(lengths))
    keys = np.asarray(lengths, dtype=float)
    if generator is not None:
        keys = keys * generator.uniform(0.9, 1.1, len(lengths))
    batches: list[list[int]] = []
    batch: list[int] = []
    longest = 0
    for index in order[np.argsort(keys, kind="stable")].tolist():
        longest = max(longest, lengths[index])
        if batch and longest * (len(batch) + 1) > budget:
            batches.append(batch)
            batch, longest = [], lengths[index]
        batch.append(index)
    if batch:
        batches.append(batch)
    if generator is not None:
        generator.shuffle(batches)
    return batches
