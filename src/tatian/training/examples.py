"""Label inventories; sentences and premise-hypothesis pairs as arrays in padded batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from rapidfuzz.distance import Prefix

from tatian.analysis.loading import Labels
from tatian.analysis.pieces import WordPieces, endings, in_case, shape, word_rows
from tatian.training.data import ENTAILMENT, IGNORED, NAME_LABELS, EntailmentPair, LabelledSentence

POSITIONS, WORD_PIECES = 512, 16
"""Default number of positions of an encoder, and maximum number of pieces of a word."""
CASINGS = ("kept", "lower", "upper", "title")
"""Casings of a training sentence; all but the first are noise."""


def recase(form: str, casing: str) -> str:
    """Return a word in another casing."""
    if casing == "lower":
        return form.lower()
    if casing == "upper":
        return form.upper()
    return in_case(form, "f") if casing == "title" else form


def learn_labels(
    sentences: Sequence[LabelledSentence], *, width: int = 384, least: int = 2
) -> Labels:
    """Return the inventories of a training set, without rare lemma scripts."""
    words = [word for sentence in sentences for word in sentence.words]
    forms = [form for sentence in sentences for form in sentence.forms]
    ends = Counter(ending for form in forms for ending in endings(form))
    scripts: Counter[str] = Counter()
    for word in words:
        scripts.update({derive_script(recase(word.form, c), word.lemma) for c in CASINGS})
    return Labels(
        upos=tuple(sorted({word.upos for word in words})),
        xpos=tuple(sorted({word.xpos for word in words})),
        features=_frequent(Counter(word.features for word in words), 1),
        relations=tuple(sorted({word.relation for word in words})),
        scripts=_frequent(scripts, least),
        shapes=make_inventory(Counter(map(shape, forms)), least=20, most=127),
        endings=make_inventory(ends, least=10, most=1023),
        names=NAME_LABELS,
        entailment=ENTAILMENT,
        width=width,
        positions=POSITIONS,
        word_pieces=WORD_PIECES,
    )


def _frequent(counts: Counter[str], least: int) -> tuple[str, ...]:
    """Return the items that occur at least so often, the most frequent first."""
    kept = [item for item, count in counts.items() if count >= least]
    return tuple(sorted(kept, key=lambda item: (-counts[item], item)))


def make_inventory(counts: Counter[str], *, least: int, most: int) -> tuple[str, ...]:
    """Return the most frequent items, after an empty string that stands for all others."""
    return ("", *[item for item in _frequent(counts, least) if item][:most])


def derive_script(form: str, lemma: str) -> str:
    """Return the shortest edit script from `form` to `lemma`, preferably with lower case.

    The cases are those of `in_case`: "l" lower, "k" kept, "f" first letter upper.
    """
    return min((_script(case, form, lemma) for case in "lkf"), key=_cost)


def _script(case: str, form: str, lemma: str) -> str:
    cased = in_case(form, case)
    shared = Prefix.similarity(cased, lemma)
    return f"{case}|{len(cased) - shared}|{lemma[shared:]}"


def _cost(script: str) -> int:
    _, drop, append = script.split("|", 2)
    return int(drop) + len(append)


Ints = npt.NDArray[np.int64]
Scores = dict[str, float]
Batch = dict[str, Any]
"""Arrays or tensors by name, with the batch as first axis."""

IGNORE_INDEX = -100
"""Target of a word without a label, which PyTorch's losses ignore."""


class TokenExample(Struct, frozen=True):
    """A sentence for the tokens body; `shapes` and `scripts` have a row for each casing."""

    rows: Ints
    words: Ints
    endings: Ints
    shapes: Ints
    scripts: Ints
    targets: dict[str, Ints]
    """Targets of each word: tags, features, heads, relations and names."""
    all_kinds: bool
    style: int


class PairExample(Struct, frozen=True):
    """A premise and a hypothesis for the pairs body."""

    rows: Ints
    segments: Ints
    label: int


class TokenEncoder:
    """Converter of sentences to examples, with a vocabulary and label inventories."""

    def __init__(self, pieces: WordPieces, labels: Labels) -> None:
        self.pieces = pieces
        self.labels = labels
        self._index = {
            field: {label: i for i, label in enumerate(getattr(labels, field))}
            for field in ("upos", "xpos", "features", "relations", "scripts", "names")
        }
        self._shapes = {item: i for i, item in enumerate(labels.shapes)}
        self._endings = {item: i for i, item in enumerate(labels.endings)}

    def fits(self, sentence: LabelledSentence) -> bool:
        """Return whether a sentence is short enough for the encoder."""
        count = sum(len(self.pieces.word(form)) for form in sentence.forms)
        return count + 2 <= self.labels.positions

    def encode(self, sentence: LabelledSentence) -> TokenExample:
        """Return the example of a sentence."""
        rows, _, places = word_rows(self.pieces, sentence.forms, {})
        casings = [[recase(form, casing) for form in sentence.forms] for casing in CASINGS]
        return TokenExample(
            rows=np.array(rows),
            words=np.array(places),
            endings=np.array(
                [[self._endings.get(end, 0) for end in endings(form)] for form in sentence.forms]
            ),
            shapes=np.array([self._shape_rows(forms, places) for forms in casings]),
            scripts=np.array([self._scripts(sentence, c) for c in CASINGS]),
            targets={
                name: np.array(list(values) or [IGNORE_INDEX] * len(sentence.forms), dtype=np.int64)
                for name, values in self._targets(sentence)
            },
            all_kinds=sentence.all_kinds,
            style=sentence.style,
        )

    def _shape_rows(self, forms: Sequence[str], places: Sequence[tuple[int, int]]) -> list[int]:
        """Return the shape of each piece's word, with 0 for the special pieces."""
        shapes = [self._shapes.get(shape(form), 0) for form in forms]
        counts = [last - first + 1 for first, last in places]
        return [0, *np.repeat(shapes, counts).tolist(), 0]

    def _scripts(self, sentence: LabelledSentence, casing: str) -> list[int]:
        index = self._index["scripts"]
        if not sentence.words:
            return [IGNORE_INDEX] * len(sentence.forms)
        return [
            index.get(derive_script(recase(w.form, casing), w.lemma), IGNORE_INDEX)
            for w in sentence.words
        ]

    def _targets(self, sentence: LabelledSentence) -> Iterator[tuple[str, Iterable[int]]]:
        for name in ("upos", "xpos", "features", "relations"):
            index, field = self._index[name], "relation" if name == "relations" else name
            yield name, (index.get(getattr(word, field), IGNORE_INDEX) for word in sentence.words)
        yield "heads", (word.head for word in sentence.words)
        names = {**self._index["names"], IGNORED: IGNORE_INDEX}
        yield "names", (names[label] for label in sentence.names)


def encode_pair(
    pair: EntailmentPair, pieces: WordPieces, labels: Sequence[str], longest: int = 256
) -> PairExample:
    """Return the example of a pair; the longer side is cut at its end to fit."""
    premise, hypothesis = pieces.text(pair.premise), pieces.text(pair.hypothesis)
    while len(premise) + len(hypothesis) + 3 > longest:
        (premise if len(premise) >= len(hypothesis) else hypothesis).pop()
    rows = [pieces.start, *premise, pieces.end, *hypothesis, pieces.end]
    segments = [0] * (len(premise) + 2) + [1] * (len(hypothesis) + 1)
    return PairExample(np.array(rows), np.array(segments), labels.index(pair.label))


def stack(arrays: Sequence[Any], filler: float = 0, dtype: type = np.int64) -> npt.NDArray[Any]:
    """Return arrays of different lengths as one array, padded at the ends."""
    longest = max(map(len, arrays))
    padded = np.full((len(arrays), longest, *arrays[0].shape[1:]), filler, dtype)
    for row, array in zip(padded, arrays, strict=True):
        row[: len(array)] = array
    return padded


def token_batch(examples: Sequence[TokenExample], casings: Sequence[int] | None = None) -> Batch:
    """Return a batch of sentences, padded to the longest, each in its casing."""
    cased = list(zip(examples, casings or [0] * len(examples), strict=True))
    return {
        "rows": stack([e.rows for e in examples]),
        "mask": stack([np.ones_like(e.rows) for e in examples]),
        "shapes": stack([e.shapes[casing] for e, casing in cased]),
        "words": stack([e.words for e in examples]),
        "endings": stack([e.endings for e in examples]),
        "all_kinds": np.array([e.all_kinds for e in examples]),
        "styles": np.array([e.style for e in examples]),
        "scripts": stack([e.scripts[casing] for e, casing in cased], IGNORE_INDEX),
        **{
            name: stack([e.targets[name] for e in examples], IGNORE_INDEX)
            for name in examples[0].targets
        },
    }


def pair_batch(examples: Sequence[Any]) -> Batch:
    """Return a batch of pairs of any task, padded to the longest."""
    return {
        "rows": stack([e.rows for e in examples]),
        "mask": stack([np.ones_like(e.rows) for e in examples]),
        "segments": stack([e.segments for e in examples]),
    }


def batches_by_length(
    lengths: Sequence[int], budget: int, generator: np.random.Generator | None = None
) -> list[list[int]]:
    """Return batches of indices with similar lengths and at most `budget` pieces with padding.

    With a generator, the batches are shuffled.
    """
    keys = np.asarray(lengths, dtype=float)
    if generator is not None:
        keys = keys * generator.uniform(0.9, 1.1, len(lengths))
    batches: list[list[int]] = []
    batch: list[int] = []
    longest = 0
    for index in np.argsort(keys, kind="stable").tolist():
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
