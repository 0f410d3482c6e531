"""Training of tiny models: it learns, repeats itself, resumes, and exports what it computes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from tatian.errors import AssetError
from tatian.training.data import EntailmentPair, LabelledSentence

torch = pytest.importorskip("torch")

from tatian.training.examples import encode_pair  # noqa: E402
from tatian.training.loop import Recipe, cosine  # noqa: E402
from tatian.training.model import PairsModel  # noqa: E402
from tatian.training.pairs import PairData, near_copies, turn_pair  # noqa: E402
from tatian.training.tokens import TokenData, TokensConfig, train_tokens  # noqa: E402

RECIPE = Recipe(epochs=80, lr=3e-3, head_lr=1e-2, average=0.5, budget=64, every=80)
SMALL = {"hidden": 16, "arc": 16, "rank": 8, "ending_width": 4}
TOKENS = TokensConfig(
    recipe=RECIPE, attention_heads=4, casing_noise=0.0, masked_words=0.0, head_options=SMALL
)


@pytest.fixture
def token_data(sentences: list[LabelledSentence]) -> TokenData:
    return TokenData([*sentences, *sentences], sentences, {"uner": sentences})


@pytest.fixture
def pair_data(pairs: list[EntailmentPair]) -> PairData:
    return PairData(pairs, pairs, pairs[:2])


def test_heads_learn_their_training_sentences(
    start: Any, token_data: TokenData, tmp_path: Path
) -> None:
    scores = train_tokens(TOKENS, start, token_data, tmp_path)
    for name in ("upos", "xpos", "features", "lemma", "las", "names_uner"):
        assert scores[name] == 100.0, name


def test_a_larger_encoder_labels_further_sentences(
    start: Any, token_data: TokenData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tatian.training import tokens
    from tatian.training.model import BodyShape
    from tatian.training.mpnet import MpnetBody

    shape = BodyShape(width=32, layers=2, heads=4, inner=64)
    monkeypatch.setattr(tokens, "MPNET", shape)
    larger = MpnetBody(structs.replace(shape, segments=4))
    monkeypatch.setattr(tokens, "read_teacher", lambda checkpoint, pieces: (larger, start.table))
    learned: list[int] = []
    train = tokens._train

    def counted(
        config: Any, recipe: Any, model: Any, table: Any, data: TokenData, *rest: Any
    ) -> Any:
        learned.append(len(data.train))
        assert all(len(one.words) == len(one.names) == len(one.forms) for one in data.train)
        return train(config, recipe, model, table, data, *rest)

    monkeypatch.setattr(tokens, "_train", counted)
    short = structs.replace(RECIPE, epochs=2, every=2)
    config = structs.replace(TOKENS, recipe=short, teacher=short)
    plain = [" ".join(one.forms) for one in token_data.trees] + [""]
    train_tokens(config, start, token_data, tmp_path, teacher=tmp_path, unlabelled=plain)
    known = len(token_data.train)
    assert learned == [known, known + len(plain) - 1]
    assert (tmp_path / "teacher" / "log.jsonl").exists()


@pytest.mark.parametrize(
    ("given", "said"), [(["--unlabelled", "x"], "needs the --teacher"), ([], "en_ewt-train")]
)
def test_a_missing_file_gives_one_line(
    given: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tatian.training.__main__ import main

    config = tmp_path / "config.json"
    config.write_text('{"recipe": {"epochs": 1, "lr": 1e-4, "head_lr": 1e-3}}')
    folders = [word for name in ("start", "data", "out") for word in (f"--{name}", str(tmp_path))]
    assert main(["tokens", str(config), *folders, *given]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_token_training_is_deterministic(start: Any, token_data: TokenData, tmp_path: Path) -> None:
    config = structs.replace(TOKENS, recipe=structs.replace(RECIPE, epochs=3))
    for name in ("a", "b"):
        train_tokens(config, start, token_data, tmp_path / name)
    first, second = (torch.load(tmp_path / name / "tokens.pt") for name in ("a", "b"))
    assert all(torch.equal(first[key], second[key]) for key in first)


def test_an_interrupted_run_ends_as_an_uninterrupted_one(
    start: Any, token_data: TokenData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tatian.training import loop

    config = structs.replace(TOKENS, recipe=structs.replace(RECIPE, epochs=4, every=1))
    train_tokens(config, start, token_data, tmp_path / "whole")
    saved = loop.Checkpoint.save

    def save_and_stop(self: Any, epoch: int, scores: Any) -> None:
        saved(self, epoch, scores)
        if epoch == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(loop.Checkpoint, "save", save_and_stop)
        with pytest.raises(KeyboardInterrupt):
            train_tokens(config, start, token_data, tmp_path / "parts")
    train_tokens(config, start, token_data, tmp_path / "parts")
    whole, parts = (torch.load(tmp_path / n / "tokens.pt") for n in ("whole", "parts"))
    assert all(torch.equal(whole[key], parts[key]) for key in whole)
    lines = (tmp_path / "parts" / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["epoch"] for line in lines] == [1, 2, 3, 4]


def test_a_turned_pair_reads_the_hypothesis_first(start: Any, pairs: list[EntailmentPair]) -> None:
    back = EntailmentPair(pairs[0].hypothesis, pairs[0].premise, "neutral", "a")
    found = turn_pair(encode_pair(pairs[0], start.pieces, ("entailment",)))
    expected = encode_pair(back, start.pieces, ("neutral",))
    assert found.rows.tolist() == expected.rows.tolist()
    assert found.segments.tolist() == expected.segments.tolist()


def test_copies_keep_the_frame_of_a_pair(start: Any, pairs: list[EntailmentPair]) -> None:
    example = encode_pair(pairs[0], start.pieces, ("entailment",))
    generator = np.random.default_rng(0)
    for copy in near_copies([example], start.table, start.pieces, 3, generator):
        assert copy.rows[0] == start.pieces.start
        assert (copy.rows == start.pieces.end).sum() == 2
        assert len(copy.rows) == len(copy.segments)


def test_the_rate_rises_and_falls() -> None:
    rates = [cosine(step, 100, 0.1) for step in range(101)]
    assert max(rates) == rates[9] == 1.0
    assert rates[100] == pytest.approx(0.0)


def test_exported_bodies_compute_what_pytorch_does(
    start: Any, token_data: TokenData, pair_data: PairData, tmp_path: Path
) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    from tatian.training.export import check_weights, export_weights, load_trained

    short = structs.replace(RECIPE, epochs=8)
    train_tokens(structs.replace(TOKENS, recipe=short), start, token_data, tmp_path / "t")
    shape = structs.replace(start.shape(heads=4), segments=4)
    (tmp_path / "p").mkdir()
    torch.save(PairsModel(shape).state_dict(), tmp_path / "p" / "pairs.pt")
    trained = load_trained(start, tmp_path / "t", tmp_path / "p", attention_heads=4)
    weights = tmp_path / "weights"
    export_weights(start, trained, "licence", weights)
    scores = check_weights(weights, start, trained, token_data, pair_data)
    assert scores["int8"]["vector_cosine"] > 0.98
    listed = json.loads((weights / "checksums.json").read_text())
    assert set(listed) == {path.name for path in weights.iterdir()} - {"checksums.json"}


def test_int8_that_costs_too_much_is_refused() -> None:
    pytest.importorskip("onnxruntime")
    from tatian.training.export import CHECKED_SCORES, check_scores

    before = dict.fromkeys(CHECKED_SCORES, 90.0)
    after = {**before, "las": 89.0, "vector_cosine": 1.0}
    with pytest.raises(AssetError, match=r"las from 90\.00 to 89\.00"):
        check_scores({"float32": before, "int8": after})


def test_a_directory_that_is_no_start_says_how_to_make_one(tmp_path: Path) -> None:
    from tatian.training.pretrained import Start

    with pytest.raises(AssetError, match=r"python -m tatian\.training prepare"):
        Start(tmp_path)
