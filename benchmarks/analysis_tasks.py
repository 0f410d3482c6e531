"""Tasks that measure the analysis: data, metrics and scores."""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from regression import area_under_curve
from tatian.analysis import analyze_all, entails_all, vectors
from tatian.analysis.loading import load
from tatian.analysis.pieces import token_ranges
from tatian.formats.conllu import parse
from tatian.statistics import Score, micro_f1
from tatian.text import NAMES, SENTENCES, TOKENS, WORDS, Document, Word
from tatian.text.spans import name_spans
from tatian.training.data import (
    LabelledSentence,
    content_stems,
    read_names,
    read_pairs,
    read_unions,
)
from tatian.training.unions import deletion_test

KINDS = ("PER", "LOC", "ORG")
NAME_CORPORA = {
    "UNER-EWT dev": "names/uner-ewt-dev.iob2.gz",
    "WNUT17 dev": "names/wnut17-dev.conll.gz",
    "WikiGold (trained on)": "names/wikigold.conll.gz",
}
Floats = npt.NDArray[np.float64]


class Options(Struct, frozen=True):
    """Data folder, number of items to use, and number of threads."""

    data: Path
    limit: int | None
    threads: int


def read_treebank_documents(options: Options) -> list[Document]:
    """Return the documents of EWT's development part."""
    with gzip.open(options.data / "syntax/en_ewt-dev.conllu.gz", "rt", encoding="utf-8") as file:
        return list(parse(file))[: options.limit]


def with_tokens_only(document: Document) -> Document:
    """Return a copy of the document with its tokens and sentences only."""
    plain = Document(document.id, document.text)
    plain = plain.with_layer(TOKENS, document.tokens, "gold")
    return plain.with_layer(SENTENCES, document.sentences, "gold")


def score_trees(gold: Sequence[Document], options: Options) -> dict[str, Score]:
    """Score the shares of right words, with gold tokens; punctuation counts.

    LAS compares universal relations without their subtypes, as the CoNLL 2018 shared task did.
    """
    answers = analyze_all(map(with_tokens_only, gold), threads=options.threads)
    counts: dict[str, list[tuple[float, float, float]]] = {}
    for right, ours in zip(gold, answers, strict=True):
        expected, answered = right.get(WORDS), ours.get(WORDS)
        for places in token_ranges(right):
            pairs = [(expected[i], answered[i]) for i in places]
            for name, agrees in _AGREEMENTS.items():
                total = float(len(pairs))
                hits = float(sum(agrees(a, b) for a, b in pairs))
                counts.setdefault(name, []).append((hits, total, total))
    return {name: Score.of(name, rows, micro_f1) for name, rows in counts.items()}


def _universal(word: Word) -> str:
    return word.relation.partition(":")[0]


_AGREEMENTS = {
    "UPOS": lambda a, b: a.tag == b.tag,
    "XPOS": lambda a, b: a.fine == b.fine,
    "features": lambda a, b: a.features == b.features,
    "lemma": lambda a, b: a.lemma == b.lemma,
    "UAS": lambda a, b: a.head == b.head,
    "LAS": lambda a, b: a.head == b.head and _universal(a) == _universal(b),
}


def name_corpora(options: Options) -> dict[str, list[LabelledSentence]]:
    """Return sentences with names, by corpus."""
    return {
        name: read_names(options.data / path)[: options.limit]
        for name, path in NAME_CORPORA.items()
    }


def find_names(
    corpus: Sequence[LabelledSentence], options: Options
) -> list[set[tuple[int, int, str]]]:
    """Return the names that our analysis finds in each sentence, by word indices."""
    document = next(analyze_all([[sentence.forms for sentence in corpus]], threads=options.threads))
    result = []
    for places in token_ranges(document):
        starts = {document.tokens[i].start: i - places.start for i in places}
        ends = {document.tokens[i].end: i - places.start + 1 for i in places}
        result.append(
            {
                (starts[name.start], ends[name.end], name.type)
                for name in document.get(NAMES)
                if name.start in starts
            }
        )
    return result


def score_names(
    corpus: Sequence[LabelledSentence], answers: Iterable[set[tuple[int, int, str]]]
) -> Score:
    """Return F1 of whole names of persons, places and organisations."""
    rows = []
    for sentence, spans in zip(corpus, answers, strict=True):
        gold = {span for span in name_spans(sentence.names) if span[2] in KINDS}
        ours = {span for span in spans if span[2] in KINDS}
        rows.append((float(len(gold & ours)), float(len(ours)), float(len(gold))))
    return Score.of("F1", rows, micro_f1)


def score_entailment(options: Options) -> dict[str, Score]:
    """Return accuracy over all pairs and over those of each source."""
    pairs = read_pairs(options.data / "entailment/dev.jsonl.gz")
    pairs = pairs[:: max(1, len(pairs) // options.limit)] if options.limit else pairs
    texts = [(pair.premise, pair.hypothesis) for pair in pairs]
    right: dict[str, list[float]] = {"all": []}
    for pair, verdict in zip(pairs, entails_all(texts, threads=options.threads), strict=True):
        hit = float(verdict.label == pair.label)
        right["all"].append(hit)
        right.setdefault(pair.source, []).append(hit)
    return {source: Score.of("accuracy", hits) for source, hits in right.items()}


def score_deletions(options: Options) -> tuple[dict[str, float], int]:
    """Return the AUC of whole unions against ones without a span, and the number of cuts."""
    unions = read_unions(options.data / "union/eval.csv")[: options.limit]
    pairs = deletion_test(unions)
    texts = [(pair.premise, pair.hypothesis) for pair in pairs]
    judged = entails_all(texts, threads=options.threads)
    whole = np.array([pair.label == "entailment" for pair in pairs])
    chances = np.array([verdict.entailment for verdict in judged])
    covered = np.array([_coverage(*pair) for pair in texts])
    areas = {
        "encoder": area_under_curve(chances, whole),
        "share of content words": area_under_curve(covered, whole),
    }
    return areas, int((~whole).sum())


def _coverage(premise: str, hypothesis: str) -> float:
    wanted = content_stems(hypothesis)
    return len(wanted & content_stems(premise)) / max(1, len(wanted))


def cosine_correlation(options: Options, checkpoint: Path) -> tuple[float, int]:
    """Return the rank correlation of our cosines with the unmodified encoder's, on SICK pairs."""
    pairs = [
        pair
        for pair in read_pairs(options.data / "entailment/dev.jsonl.gz")
        if pair.source == "sick"
    ][: options.limit]
    texts = [text for pair in pairs for text in (pair.premise, pair.hypothesis)]
    ours = vectors(texts, threads=options.threads)
    theirs = Original(checkpoint).vectors(texts)
    cosines = [np.einsum("ij,ij->i", v[::2], v[1::2]) for v in (ours, theirs)]
    return spearman(*cosines), len(pairs)


def spearman(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> float:
    """Return the rank correlation, without correction for ties, which cosines hardly have."""
    ranks = [values.argsort().argsort().astype(float) for values in (first, second)]
    return float(np.corrcoef(*ranks)[0, 1])


class Original:
    """The pretrained encoder in float32, computed in numpy from its checkpoint."""

    def __init__(self, directory: Path) -> None:
        self.weights = _safetensors(directory / "model.safetensors")
        pieces = (directory / "vocab.txt").read_text("utf-8").split("\n")
        self.rows = {piece: row for row, piece in enumerate(pieces)}
        self.heads = json.loads((directory / "config.json").read_text())["num_attention_heads"]
        shipped = load().pieces
        self.text = shipped.text
        self.names = {row: piece for piece, row in shipped.rows.items()}

    def vectors(self, texts: Sequence[str]) -> Floats:
        """Return normalised means over pieces."""
        return np.array([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Floats:
        pieces = ["[CLS]", *(self.names[row] for row in self.text(text, 510)), "[SEP]"]
        w = self.weights
        e = "embeddings."
        x = w[f"{e}word_embeddings.weight"][[self.rows[piece] for piece in pieces]]
        x = x + w[f"{e}position_embeddings.weight"][: len(pieces)]
        x = self._norm(x + w[f"{e}token_type_embeddings.weight"][0], f"{e}LayerNorm")
        layer = 0
        while f"encoder.layer.{layer}.attention.self.query.weight" in w:
            x = self._layer(x, f"encoder.layer.{layer}.")
            layer += 1
        mean = x.mean(0)
        return np.asarray(mean / np.linalg.norm(mean), dtype=np.float64)

    def _layer(self, x: Any, at: str) -> Any:
        q, k, v = (
            self._linear(x, f"{at}attention.self.{name}")
            .reshape(len(x), self.heads, -1)
            .transpose(1, 0, 2)
            for name in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
        chances = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (chances / chances.sum(-1, keepdims=True)) @ v
        mixed = mixed.transpose(1, 0, 2).reshape(len(x), -1)
        attended = self._linear(mixed, f"{at}attention.output.dense")
        x = self._norm(x + attended, f"{at}attention.output.LayerNorm")
        inner = self._linear(x, f"{at}intermediate.dense")
        return self._norm(
            x + self._linear(_gelu(inner), f"{at}output.dense"), f"{at}output.LayerNorm"
        )

    def _linear(self, x: Any, name: str) -> Any:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def _norm(self, x: Any, name: str) -> Any:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def _gelu(x: Any) -> Any:
    """Apply GELU with the error function, to seven digits (Abramowitz and Stegun 7.1.26)."""
    z = np.abs(x) / np.sqrt(2)
    t = 1 / (1 + 0.3275911 * z)
    series = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    return 0.5 * x * (1 + np.sign(x) * (1 - series * np.exp(-z * z)))


def _safetensors(path: Path) -> dict[str, npt.NDArray[np.float32]]:
    """Read the float32 tensors of a file: a length, a JSON header, then the numbers."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    arrays = {}
    for name, about in header.items():
        if about.get("dtype") == "F32":
            begin, end = (8 + length + offset for offset in about["data_offsets"])
            values = np.frombuffer(data[begin:end], dtype=np.float32)
            arrays[name.removeprefix("bert.")] = values.reshape(about["shape"])
    return arrays
