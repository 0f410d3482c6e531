"""Training of the mention linker on the candidate phrases and pages of linked texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis.encoder import analyze_all
from tatian.formats import read
from tatian.formats.links import evaluated_parts, links_of, topic_of
from tatian.formats.wiki import resolve_titles
from tatian.knowledge.base import KnowledgeBase
from tatian.mentions.data import split_in_halves
from tatian.mentions.models.ranked import Pair
from tatian.mentions.models.ranked import options as candidate_pairs
from tatian.mentions.models.ranked.features import FEATURES, Matrix
from tatian.mentions.speech import simulate
from tatian.text import Document
from tatian.training.data import has_free_licence
from tatian.training.forest import join_forests, train_trees

Policy = Literal["all", "names"]
"""Linking policy of a corpus: all terms, or names only; then nothing is known about other terms."""
_SYNTAX = tuple(
    FEATURES.index(name)
    for name in (
        "head_propn head_noun head_verb head_adj first_det first_adj argument compound modifier "
        "noun_follows after_det after_modifier"
    ).split()
)
_SIMILARITIES = tuple(
    index
    for index, name in enumerate(FEATURES)
    if name.startswith("similar_") or name in {"nearest_sentence", "nearest_passage"}
)
_LINK_COUNTS = tuple(FEATURES.index(name) for name in ("link_probability", "linked", "seen"))
_NAMED = tuple(FEATURES.index(name) for name in ("capital", "is_name"))


class LinkerExamples(Struct):
    """Rows of features with labels and weights."""

    matrix: Matrix
    labels: npt.NDArray[np.bool_]
    weights: npt.NDArray[np.float32]


def join_corpora(parts: Sequence[LinkerExamples]) -> LinkerExamples:
    """Join the examples of several corpora."""
    return LinkerExamples(
        np.concatenate([part.matrix for part in parts]),
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.weights for part in parts]),
    )


def corpus_examples(
    texts: Iterable[Document], base: KnowledgeBase, *, policy: Policy = "all", weight: float = 1.0
) -> LinkerExamples:
    """Return the examples of one corpus, in its annotated parts."""
    texts = list(texts)
    documents = analyze_all(Document(id=text.id, text=text.text) for text in texts)
    return join_corpora(
        [
            _labelled(text, *candidate_pairs(document, base, topic_of(text)), base, policy, weight)
            for text, document in zip(texts, documents, strict=True)
        ]
    )


def simulate_recognition(texts: Iterable[Document], seed: int) -> list[Document]:
    """Return simulated speech recognition of the texts, with their mentions."""
    recognised = [simulate(text, seed=seed).text for text in texts]
    return [
        replace(text, metadata=replace(text.metadata, topic=topic_of(text).lower() or None))
        for text in recognised
    ]


def without_features(
    examples: LinkerExamples,
    kind: Literal["syntax", "similarity", "link_counts"],
    share: float,
    seed: int,
) -> LinkerExamples:
    """Return a share of the examples without the features of one kind."""
    columns = {"syntax": _SYNTAX, "similarity": _SIMILARITIES, "link_counts": _LINK_COUNTS}[kind]
    chosen = np.random.default_rng(seed).random(len(examples.labels)) < share
    matrix = examples.matrix[chosen].copy()
    matrix[:, columns] = np.nan
    return LinkerExamples(matrix, examples.labels[chosen], examples.weights[chosen])


def _labelled(
    text: Document,
    pairs: Sequence[Pair],
    matrix: Matrix,
    base: KnowledgeBase,
    policy: Policy,
    weight: float,
) -> LinkerExamples:
    gold: dict[tuple[int, int], set[str]] = {}
    for mention in links_of(text):
        titles = {resolved for title in mention.titles if (resolved := base.title_of(title))}
        gold.setdefault((mention.start, mention.end), set()).update(titles)
    annotated_parts = evaluated_parts(text)
    kept: list[int] = []
    labels: list[bool] = []
    for index, (phrase, page) in enumerate(pairs):
        place = (phrase.start, phrase.end)
        is_correct = phrase.pages[page].title in gold.get(place, ())
        if place in gold and not gold[place]:
            continue
        if annotated_parts and not any(
            part.start <= phrase.start and phrase.end <= part.end for part in annotated_parts
        ):
            continue
        if policy == "names" and not is_correct and not matrix[index, _NAMED].any():
            continue
        kept.append(index)
        labels.append(is_correct)
    weights = np.full(len(kept), weight, dtype=np.float32)
    return LinkerExamples(matrix[kept], np.array(labels, dtype=bool), weights)


def run_linker(options: Any) -> None:
    """Run the step ``linker``."""
    base = KnowledgeBase.open(options.kb)
    examples: list[LinkerExamples] = []
    for path in options.names:
        texts = resolve_titles(read(path, about="mention"), base)
        free = (text for text in texts if has_free_licence(text.id))
        examples.append(corpus_examples(free, base, policy="names", weight=0.5))
        print(f"{path}: {len(examples[-1].labels)} examples")
    for path in (*options.all, *options.halves):
        texts = resolve_titles(read(path, about="mention"), base)
        if path in options.halves:
            texts = split_in_halves(texts, seed=1)[0]
        written = corpus_examples(texts, base)
        spoken = corpus_examples(simulate_recognition(texts, seed=1), base, weight=0.5)
        examples += [written, spoken]
        counts = f"{len(written.labels)} examples, {len(spoken.labels)} of simulated speech"
        print(f"{path}: {counts}")

    all_examples = join_corpora(examples)
    reduced = [
        without_features(all_examples, kind, 0.2, seed=1)
        for kind in ("syntax", "similarity", "link_counts")
    ]
    for part in reduced:
        part.weights *= 0.5
    training = join_corpora([all_examples, *reduced])
    trees = train_trees(training.matrix, training.labels, weights=training.weights)
    join_forests([(trees, 1.0)], FEATURES).save(options.out)
    print(f"{len(trees)} trees from {len(all_examples.labels)} examples in {options.out}")
