"""The installed language model; skipped where ``tatian models install`` was not run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tatian.errors import AssetError
from tatian.union.models import lm
from tatian.union.models.lm.writing import Reading, Style, write

installed = pytest.mark.skipif(bool(lm.unavailable()), reason="SmolLM2 is not installed")


def test_without_weights_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TATIAN_CACHE", str(tmp_path))
    assert "tatian models install smollm2" in lm.unavailable()
    with pytest.raises(AssetError, match="run 'tatian models install smollm2'"):
        lm.fluency(["The ferry ran aground."])


def test_a_model_is_read_once(gguf_path: Path) -> None:
    assert lm.load(gguf_path) is lm.load(gguf_path)


@installed
def test_a_sentence_reads_better_than_its_words_in_disorder() -> None:
    good, bad = lm.fluency(
        ["The ferry ran aground in thick fog.", "The aground ferry thick ran fog in."]
    )
    assert good > bad + 1


@installed
def test_the_probabilities_are_those_of_the_original_in_float32() -> None:
    text = "The ferry Anna ran aground in thick fog near Halverne on Monday."
    (found,) = lm.likelihoods([text])
    by_transformers = -85.6477
    assert found.tokens == 16
    assert found.total == pytest.approx(by_transformers, abs=0.01)


@installed
def test_llama_cpp_continues_the_same(tmp_path: Path) -> None:
    llama = pytest.importorskip("xllamacpp")
    model = lm.load()
    ids = model.pieces.encode("The capital of France is")
    (ours,) = write(Reading(model.network, ids), Style(ends=frozenset({0, 2}), longest=6))
    parameters = llama.CommonParams()
    parameters.model.path = str(model.path)
    parameters.n_ctx, parameters.n_parallel = 256, 1
    parameters.cpuparams.n_threads = 1
    server = llama.Server(parameters)
    answer = server.handle_completions({"prompt": ids, "max_tokens": 6, "temperature": 0.0})
    theirs = answer["choices"][0]["text"]
    assert theirs[:8] == model.pieces.decode(ours.ids)[:8]


@installed
def test_reading_alone_or_among_others_is_the_same_for_the_real_model() -> None:
    texts = ["The ferry ran aground.", "The ferry ran aground in fog.", "Nobody was hurt."]
    together = lm.fluency(texts)
    assert together == pytest.approx([lm.fluency([text])[0] for text in texts], abs=1e-4)
    assert np.isfinite(together).all()
