"""Training of the mention linker: examples from linked texts, and trees from examples."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tatian.formats import find
from tatian.formats.links import build_document as linked_text
from tatian.formats.links import links_of
from tatian.knowledge.base import KnowledgeBase
from tatian.mentions.models.ranked.features import FEATURES
from tatian.text import Document, Link, Span
from tatian.training.linker import (
    LinkerExamples,
    corpus_examples,
    join_corpora,
    simulate_recognition,
    without_features,
)

from ..mentions.ranked_world import world

TEXT = "In Israel the air force struck. Teeth matter in New York City."


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return world(tmp_path_factory.mktemp("linking"))


def make_linked(*terms: tuple[str, str], evaluated: tuple[Span, ...] = ()) -> Document:
    mentions = tuple(
        Link(at, at + len(term), (title,) if title else ())
        for term, title in terms
        for at in [TEXT.index(term)]
    )
    return linked_text("t", TEXT, mentions, evaluated=evaluated)


def test_the_gold_page_is_right_and_every_other_is_wrong(base: KnowledgeBase) -> None:
    found = corpus_examples(
        [make_linked(("air force", "Israeli Air Force"), ("Israel", "Israel"))], base
    )
    special = found.matrix[:, FEATURES.index("special")] == 1
    assert found.labels.sum() == 2
    assert found.labels[special].any()
    assert len(found.labels) > 4


def test_pages_are_compared_by_where_they_lead(base: KnowledgeBase) -> None:
    assert corpus_examples([make_linked(("Israel", "israel"))], base).labels.sum() == 1


def test_gold_without_a_page_says_nothing_of_its_place(base: KnowledgeBase) -> None:
    every = corpus_examples([make_linked()], base)
    fewer = corpus_examples([make_linked(("Israel", ""))], base)
    assert len(fewer.labels) < len(every.labels)


def test_only_what_was_annotated_is_learned_from(base: KnowledgeBase) -> None:
    part = corpus_examples([make_linked(evaluated=(Span(0, 31),))], base)
    assert 0 < len(part.labels) < len(corpus_examples([make_linked()], base).labels)


def test_a_corpus_of_names_says_nothing_of_other_terms(base: KnowledgeBase) -> None:
    names = corpus_examples([make_linked(("Israel", "Israel"))], base, policy="names")
    capital = names.matrix[:, FEATURES.index("capital")] == 1
    assert capital.all()
    assert names.labels.any()


def test_examples_have_the_weight_of_their_corpus(base: KnowledgeBase) -> None:
    assert set(corpus_examples([make_linked()], base, weight=0.25).weights) == {np.float32(0.25)}


def test_simulated_recognition_keeps_mentions() -> None:
    (heard,) = simulate_recognition([make_linked(("Israel", "Israel"))], seed=1)
    assert heard.text == heard.text.lower()
    assert all(one.titles == ("Israel",) for one in links_of(heard))


@pytest.mark.parametrize(("what", "column"), [("link_counts", "linked"), ("syntax", "head_noun")])
def test_features_are_removed_from_a_share_of_examples(
    base: KnowledgeBase, what: str, column: str
) -> None:
    whole = corpus_examples([make_linked()] * 1, base)
    lacking = without_features(whole, what, 0.5, seed=1)  # type: ignore[arg-type]
    assert 0 < len(lacking.labels) < len(whole.labels)
    assert np.isnan(lacking.matrix[:, FEATURES.index(column)]).all()
    assert not np.isnan(whole.matrix[:, FEATURES.index("prior")]).any()


def test_corpora_are_joined(base: KnowledgeBase) -> None:
    one = corpus_examples([make_linked()], base)
    both: LinkerExamples = join_corpora([one, one])
    assert len(both.labels) == len(both.weights) == len(both.matrix) == 2 * len(one.labels)


@pytest.mark.long
def test_the_command_trains_trees_that_the_linker_reads(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    pytest.importorskip("lightgbm")
    pytest.importorskip("onnx")
    from tatian.trees import Trees

    gold = make_linked(("Israel", "Israel"), ("New York City", "New York City"))
    texts = [linked_text(f"t{n}", gold.text, links_of(gold)) for n in range(12)]
    corpus, output = tmp_path / "gold.jsonl", tmp_path / "linker.npz"
    corpus.write_text("".join(find("jsonl", "mention").write(texts)), encoding="utf-8")
    command = [sys.executable, "-m", "tatian.training", "linker", "--kb", base.path]
    done = subprocess.run(
        [*command, "--all", str(corpus), "--out", str(output)], check=True, capture_output=True
    )
    trees = Trees.load(output)
    assert trees.names == FEATURES
    assert b"trees from" in done.stdout
    found = corpus_examples(texts[:1], base)
    likely = trees.probability(found.matrix)
    assert likely[found.labels].min() > likely[~found.labels].max()
