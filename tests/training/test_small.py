"""Training of the adapter: it learns, stops in time, and is written as it is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

torch = pytest.importorskip("torch")

from tatian.errors import EmptyInput, InputError  # noqa: E402
from tatian.training.small import examples  # noqa: E402
from tatian.training.small.__main__ import main  # noqa: E402
from tatian.training.small.examples import Example, Mixture  # noqa: E402
from tatian.training.small.model import Trainee  # noqa: E402
from tatian.training.small.train import SmallConfig, export, train_small  # noqa: E402
from tatian.union.models.lm.adapter import read_adapter  # noqa: E402
from tatian.union.models.lm.gguf import GGUF, write  # noqa: E402
from tatian.union.models.lm.model import LanguageModel  # noqa: E402
from tatian.union.models.lm.network import Cache  # noqa: E402

from ..union.lm import tiny  # noqa: E402

PAIRS = [
    ("the ferry ran", "a ferry ran in", "the ferry ran in"),
    ("the ferry", "in a ferry", "in the ferry"),
    ("ran in a ferry", "ran the ferry", "ran in the ferry"),
    ("a the in", "ran the", "a ran the in"),
]
CONFIG = SmallConfig(
    rank=2, lr=0.05, epochs=30, budget=600, dropout=0.0, mixture=Mixture(held_out=0.25, joined=1)
)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("small") / "tiny.gguf"
    write(path, tiny.metadata(), tiny.tensors())
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root: Path = tmp_path_factory.mktemp("data")
    (root / "union" / "extra").mkdir(parents=True)
    rows = ["sentence1Text,sentence2Text,mergedText", *(",".join(pair) for pair in PAIRS)]
    (root / "union" / "train.csv").write_text("\n".join(rows))
    line = "The ferry , a ship , ran in .\tThe ferry ran in . <::::> It was a ship .\nbroken\n"
    (root / "union" / "extra" / "wikisplit-tune.tsv").write_text(line)
    return root


def torch_states(model: Any, ids: list[int]) -> Any:
    with torch.no_grad():
        return model.eval()(torch.tensor([ids]))[0].T.numpy()


def numpy_states(model: LanguageModel, ids: list[int], adapter: Any = None) -> Any:
    places = np.arange(len(ids))
    visible = np.tri(len(ids), dtype=np.bool_).T
    cache = Cache(model.network.shape)
    return model.network.extend(cache, np.array(ids), places, visible, adapter)


def test_it_computes_what_is_computed_when_writing(weights: Path) -> None:
    ids = [1, 50, 60, 261, 70, 2]
    trainee = Trainee(GGUF(weights), rank=2, alpha=4)
    expected = numpy_states(LanguageModel(weights), ids)
    assert np.allclose(torch_states(trainee, ids), expected, atol=1e-4)


def test_an_adapter_is_read_as_it_was_trained(weights: Path, tmp_path: Path) -> None:
    torch.manual_seed(0)
    trainee = Trainee(GGUF(weights), rank=2, alpha=4)
    for _, matrix in trainee.adapted():
        torch.nn.init.normal_(matrix.up, std=0.2)
    export(trainee, tmp_path / "a.gguf", "a test")
    model = LanguageModel(weights)
    ids = [1, 50, 60, 261, 70, 2]
    adapted = numpy_states(model, ids, read_adapter(tmp_path / "a.gguf", model.network))
    assert np.allclose(adapted, torch_states(trainee, ids), atol=0.05)
    assert not np.allclose(adapted, numpy_states(model, ids), atol=0.05)
    assert GGUF(tmp_path / "a.gguf").text("general.description") == "a test"


def test_only_the_adapter_learns(weights: Path) -> None:
    trainee = Trainee(GGUF(weights), rank=2, alpha=4, matrices=("attn_q", "ffn_down"))
    names = {name.split(".", 2)[2] for name, _ in trainee.named_parameters()}
    assert names == {"attn_q.down", "attn_q.up", "ffn_down.down", "ffn_down.up"}


def test_it_learns_and_keeps_the_best_epoch(weights: Path, folder: Path, tmp_path: Path) -> None:
    best = train_small(CONFIG, weights, folder, tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert best == pytest.approx(min(line["dev"] for line in lines), abs=1e-4)
    assert best < lines[0]["dev"]
    assert lines[-1]["train"] < lines[1]["train"]
    described = json.loads(GGUF(tmp_path / "small.gguf").text("general.description"))
    assert described["held_out_loss"] == pytest.approx(best, abs=1e-4)


def test_it_stops_when_held_out_unions_get_no_better(
    weights: Path, folder: Path, tmp_path: Path
) -> None:
    config = structs.replace(CONFIG, lr=3.0, epochs=50, patience=1)
    train_small(config, weights, folder, tmp_path)
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) < 40


def test_the_same_seed_gives_the_same_adapter(weights: Path, folder: Path, tmp_path: Path) -> None:
    config = structs.replace(CONFIG, epochs=2)
    for name in ("a", "b"):
        train_small(config, weights, folder, tmp_path / name)
    first, second = ((tmp_path / name / "small.gguf").read_bytes() for name in ("a", "b"))
    assert first == second


def test_unions_are_shown_in_both_orders(folder: Path) -> None:
    mixture = Mixture(held_out=0.25, joined=0, told_twice=0.0)
    data = examples.load(folder, mixture, seed=1)
    shown = {example.sentences for example in data.train}
    assert len(data.dev) == 1
    assert len(data.train) == 6
    assert all(sentences[::-1] in shown for sentences in shown)


def test_a_union_beside_its_own_sentence_stays_what_it_is(folder: Path) -> None:
    data = examples.load(folder, Mixture(held_out=0.25, joined=0, told_twice=1.0), seed=1)
    again = [example for example in data.train if example.union in example.sentences]
    assert len(again) == 6


def test_split_sentences_are_put_together_with_english_spacing(folder: Path) -> None:
    (only,) = examples.joined_sentences(folder / "union" / "extra")
    assert only == Example(("The ferry ran in.", "It was a ship."), "The ferry, a ship, ran in.")


def test_held_out_unions_share_no_sentence_with_the_others() -> None:
    chain = [Example((f"s{n}", f"s{n + 1}"), "u") for n in range(4)]
    apart = [Example((f"t{n}", f"u{n}"), "u") for n in range(16)]
    kept, dev = examples.hold_out([*chain, *apart], 0.2, np.random.default_rng(0))
    assert len(kept) + len(dev) == 20
    known = {sentence for one in kept for sentence in one.sentences}
    assert all(known.isdisjoint(one.sentences) for one in dev)


def test_only_the_union_and_its_end_are_learned(weights: Path) -> None:
    pieces = LanguageModel(weights).pieces
    encoded = examples.encode(Example(("the ferry", "ran in"), "the ferry ran in"), pieces)
    learned = encoded.ids[encoded.prompt :]
    assert pieces.decode(learned) == "the ferry ran in"
    assert learned[-1] == pieces.control("<|im_end|>")
    (batch,) = examples.batches([encoded], 100, 2, None)
    assert batch["counted"].sum() == len(learned)


def test_the_command_reads_a_config(weights: Path, folder: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    given = ["--weights", str(weights), "--data", str(folder), "--out", str(tmp_path / "run")]
    config.write_text('{"epochs": 1, "rank": 1, "budget": 500}')
    assert main([str(config), *given]) == 0
    config.write_text('{"epoch": 1}')
    assert main([str(config), *given]) == 2


def test_data_that_are_none_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read as unions"):
        examples.read_unions(tmp_path / "absent.csv")
    (tmp_path / "empty.csv").write_text("sentence1Text,sentence2Text,mergedText\n")
    with pytest.raises(EmptyInput, match="no unions in it"):
        examples.read_unions(tmp_path / "empty.csv")
