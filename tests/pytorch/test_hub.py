"""Entailment by a model of a hub: a tiny one with random weights, saved to a folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tatian.errors import InputError, MissingExtra
from tatian.pytorch.hub import HubEntailment, label_order
from tatian.union.metrics.nli import entail_both_ways, load_judge

PAIRS = [("A ferry ran aground.", "A ferry ran."), ("Fog.", "A ferry ran aground in thick fog.")]
VOCABULARY = "[PAD] [UNK] [CLS] [SEP] [MASK] a ferry ran aground fog in thick .".split()


def save_tiny(folder: Path, labels: dict[int, str]) -> str:
    """A BERT of two layers whose outputs mean `labels`."""
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    config = transformers.BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
        id2label=labels,
        label2id={label: index for index, label in labels.items()},
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    return str(folder)


@pytest.fixture
def model(tmp_path: Path) -> str:
    return save_tiny(tmp_path / "tiny", {0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"})


def test_every_pair_gets_probabilities_that_add_up(model: str) -> None:
    found = list(HubEntailment(model)(PAIRS))
    assert len(found) == 2
    for one in found:
        assert one.entailment + one.neutral + one.contradiction == pytest.approx(1)


def test_the_order_of_labels_is_read_from_the_config(model: str, tmp_path: Path) -> None:
    other = save_tiny(tmp_path / "other", {0: "entailment", 1: "neutral", 2: "contradiction"})
    (first,) = HubEntailment(model)(PAIRS[:1])
    (second,) = HubEntailment(other)(PAIRS[:1])
    assert first.entailment == pytest.approx(second.contradiction)
    assert first.contradiction == pytest.approx(second.entailment)


def test_the_size_of_a_batch_does_not_change_the_figures(model: str) -> None:
    one, many = (list(HubEntailment(model, batch=size)(PAIRS * 3)) for size in (1, 4))
    for left, right in zip(one, many, strict=True):
        assert left.entailment == pytest.approx(right.entailment, abs=1e-5)


def test_texts_too_long_for_the_model_are_cut(model: str) -> None:
    (found,) = HubEntailment(model)([("ferry " * 100, "fog " * 100)])
    assert 0 < found.entailment < 1


def test_a_model_is_named_where_metrics_ask_for_one(model: str) -> None:
    ((forward, backward),) = entail_both_ways(PAIRS[:1], load_judge(model))
    assert 0 < forward < 1
    assert 0 < backward < 1


def test_models_with_two_labels_are_accepted() -> None:
    assert label_order("m", {0: "entailment", 1: "not_entailment"}) == (0, None, None)


def test_a_model_without_entailment_is_refused() -> None:
    with pytest.raises(InputError, match="'m' has no label 'entailment' but LABEL_0, LABEL_1"):
        label_order("m", {0: "LABEL_0", 1: "LABEL_1"})


def test_missing_model_fails_with_one_line(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    pytest.importorskip("torch")
    with pytest.raises(InputError, match="cannot load the entailment model"):
        HubEntailment(str(tmp_path / "nothing"))


def test_missing_transformers_gives_the_install_command(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtra, match=r"pip install 'tatian\[hub\]'"):
        load_judge("some/model")
