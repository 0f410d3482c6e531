"""Development scores, both for a model in training and for its int8 export."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tatian.analysis.coverage import Coverage
from tatian.analysis.loading import Labels
from tatian.analysis.pieces import lemma_of
from tatian.analysis.sentences import NO_NAME, best_names, best_relations, best_tree
from tatian.scoring.metric import ratios
from tatian.text.spans import name_spans
from tatian.training.data import EntailmentPair, LabelledSentence, TreebankWord
from tatian.training.examples import (
    Batch,
    PairExample,
    Scores,
    TokenExample,
    batches_by_length,
    pair_batch,
    token_batch,
)
from tatian.training.stories import AnnotatedStory

Arrays = dict[str, npt.NDArray[Any]]
Predict = Callable[[Batch], Arrays]
"""Maps a batch to the outputs of a body as NumPy arrays."""

SCORED_KINDS = ("PER", "LOC", "ORG")
EVALUATION_BUDGET = 8192
"""Maximum number of pieces in a batch, with padding."""


def token_outputs(
    predict: Predict, examples: Sequence[TokenExample]
) -> Iterator[tuple[int, Arrays]]:
    """Yield each example's index and its outputs, cut to its words."""
    for batch in batches_by_length([len(e.rows) for e in examples], EVALUATION_BUDGET):
        outputs = predict(token_batch([examples[i] for i in batch]))
        for place, index in enumerate(batch):
            count = len(examples[index].words)
            cut = {name: values[place, :count] for name, values in outputs.items()}
            cut["arcs"] = cut["arcs"][:, : count + 1]
            cut["heads"] = outputs["heads"][place, : count + 1]
            yield index, cut


def evaluate_trees(
    predict: Predict,
    relations: npt.NDArray[Any],
    sentences: Sequence[LabelledSentence],
    examples: Sequence[TokenExample],
    labels: Labels,
) -> Scores:
    """Return accuracies per word on a treebank with gold tokens, including punctuation.

    `las` compares relations without their subtypes, as in the CoNLL 2018 shared task.
    """
    tags = ("upos", "xpos", "features", "lemma")
    correct: dict[str, int] = dict.fromkeys((*tags, "uas", "las", "las_full"), 0)
    total = 0
    for index, out in token_outputs(predict, examples):
        words = sentences[index].words
        total += len(words)
        predicted_words = parse_outputs(sentences[index].forms, out, relations, labels)
        for word, predicted in zip(words, predicted_words, strict=True):
            for name in tags:
                correct[name] += getattr(predicted, name) == getattr(word, name)
            attached = predicted.head == word.head
            universal, gold = (w.relation.partition(":")[0] for w in (predicted, word))
            correct["uas"] += attached
            correct["las_full"] += attached and predicted.relation == word.relation
            correct["las"] += attached and universal == gold
    return {name: 100 * count / max(1, total) for name, count in correct.items()}


def parse_outputs(
    forms: Sequence[str], out: Arrays, relations: npt.NDArray[Any], labels: Labels
) -> list[TreebankWord]:
    """Return the words of a sentence with the predicted tags and tree."""
    heads, root = best_tree(out["arcs"]), labels.relations.index("root")
    weights = relations.astype(np.float32)
    best = best_relations(weights, out["dependents"], out["heads"][heads], heads, root)
    tags = {name: out[name].argmax(-1) for name in ("upos", "xpos", "features", "scripts")}
    return [
        TreebankWord(
            form=form,
            lemma=lemma_of(form, labels.scripts[tags["scripts"][i]]),
            upos=labels.upos[tags["upos"][i]],
            xpos=labels.xpos[tags["xpos"][i]],
            features=labels.features[tags["features"][i]],
            head=int(heads[i]),
            relation=labels.relations[best[i]],
        )
        for i, form in enumerate(forms)
    ]


def evaluate_names(
    predict: Predict,
    sentences: Sequence[LabelledSentence],
    examples: Sequence[TokenExample],
    labels: Labels,
    transitions: npt.NDArray[Any],
) -> Scores:
    """Return precision, recall and F1 of whole names of `SCORED_KINDS`, in percent."""
    steps = tuple(tuple(row) for row in transitions.tolist())
    correct = predicted_count = gold = 0
    for index, out in token_outputs(predict, examples):
        best = best_names(out["names"], labels.names, steps, NO_NAME)
        predicted = {s for s in name_spans([labels.names[i] for i in best]) if s[2] in SCORED_KINDS}
        expected = {s for s in name_spans(sentences[index].names) if s[2] in SCORED_KINDS}
        correct += len(predicted & expected)
        predicted_count += len(predicted)
        gold += len(expected)
    rates = ratios((correct, gold, correct, predicted_count))
    return {name: 100 * value for name, value in rates._asdict().items()}


def pair_probabilities(
    predict: Predict, examples: Sequence[PairExample]
) -> npt.NDArray[np.float64]:
    """Return the probabilities of the three labels for each pair."""
    result = np.zeros((len(examples), 3))
    for batch in batches_by_length([len(e.rows) for e in examples], EVALUATION_BUDGET):
        logits = predict(pair_batch([examples[i] for i in batch]))["logits"].astype(np.float64)
        shifted = np.exp(logits - logits.max(1, keepdims=True))
        result[batch] = shifted / shifted.sum(1, keepdims=True)
    return result


def evaluate_pairs(
    predict: Predict, pairs: Sequence[EntailmentPair], examples: Sequence[PairExample]
) -> Scores:
    """Return accuracy over all pairs and over those of each source, in percent."""
    best = pair_probabilities(predict, examples).argmax(1)
    correct = best == np.array([e.label for e in examples])
    scores = {"accuracy": 100 * float(correct.mean())}
    for source in sorted({pair.source for pair in pairs}):
        chosen = np.array([pair.source == source for pair in pairs])
        scores[source] = 100 * float(correct[chosen].mean())
    return scores


CoverageFunction = Callable[[Sequence[tuple[str, str]]], Sequence[Coverage]]
"""Returns the coverage of the first text of each pair by the second."""
CoverageMatrix = dict[tuple[int, int], Coverage]
"""Coverage of each sentence of a story (first index) by each other one (second)."""


def coverage_matrix(story: AnnotatedStory, cover: CoverageFunction) -> CoverageMatrix:
    """Return the coverage of every sentence of a story by every other one."""
    texts = [sentence.text for sentence in story.sentences]
    pairs = list(itertools.permutations(range(len(texts)), 2))
    return dict(zip(pairs, cover([(texts[a], texts[b]) for a, b in pairs]), strict=True))


def areas_under_curve(
    stories: Sequence[AnnotatedStory], matrices: Sequence[CoverageMatrix]
) -> dict[str, float]:
    """Return areas under the curve over all ordered pairs of different sentences.

    The targets are: ``shares``, the pair shares a fact; ``everything``, the second covers all facts
    of the first; ``words``, all facts of a word are covered; ``carries``, a word carries a fact.
    """
    by_measure: dict[str, list[tuple[float, bool]]] = {
        name: [] for name in ("shares", "everything", "words", "carries")
    }
    for story, coverages in zip(stories, matrices, strict=True):
        for (a, b), coverage in coverages.items():
            sentence, other = story.sentences[a], story.sentences[b]
            by_measure["shares"].append((coverage.anything, bool(sentence.facts & other.facts)))
            if sentence.facts:
                by_measure["everything"].append(
                    (coverage.everything, sentence.facts <= other.facts)
                )
            for word in coverage.words:
                carried = sentence.carried(word.start, word.end)
                if carried:
                    by_measure["words"].append((word.covered, carried <= other.facts))
                by_measure["carries"].append((word.carries, bool(carried)))
    return {name: area_under_curve(scored) for name, scored in by_measure.items() if scored}


def area_under_curve(scored: Sequence[tuple[float, bool]]) -> float:
    """Return the area under the ROC curve; ties count half."""
    values = np.array([score for score, _ in scored])
    truth = np.array([true for _, true in scored])
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    yes, no = int(truth.sum()), int((~truth).sum())
    return float((ranks[truth].sum() - yes * (yes + 1) / 2) / (yes * no)) if yes and no else 0.5
