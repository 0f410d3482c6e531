"""Text becomes word pieces as the model was trained on them, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import AssetError
from tatian.union.models.lm.gguf import GGUF, write
from tatian.union.models.lm.pieces import Pieces

from . import tiny

KINDS = [3] * len(tiny.CONTROLS) + [1] * (len(tiny.TOKENS) - len(tiny.CONTROLS))
PIECES = Pieces(tiny.TOKENS, tiny.MERGES, KINDS)
english = st.text(st.sampled_from("the ferry ran in 1998, 42% of_it's don't—naïve ½ 日本\n\t "))


@given(st.text())
def test_the_text_comes_back(text: str) -> None:
    ids = PIECES.encode(text)
    assert PIECES.decode(ids) == text.encode("utf-8", "replace").decode("utf-8")


@given(english)
def test_the_tokenizers_package_cuts_the_same(text: str) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {token: id for id, token in enumerate(tiny.TOKENS)}
    merges = [tuple(merge.split(" ")) for merge in tiny.MERGES]
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, merges))
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.Sequence(
        [
            tokenizers.pre_tokenizers.Digits(individual_digits=True),
            tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    assert PIECES.encode(text) == theirs.encode(text).ids


def test_the_commonest_pair_is_merged_first() -> None:
    assert [tiny.TOKENS[id] for id in PIECES.encode("the ferry in the fern")] == [
        "t", "he", "Ġ", "ferry", "Ġ", "in", "Ġthe", "Ġ", "fer", "n",
    ]  # fmt: skip


def test_digits_stand_alone() -> None:
    assert PIECES.decode(PIECES.encode("1998")[:1]) == "1"
    assert len(PIECES.encode("1998")) == 4


def test_text_cannot_become_a_control_token() -> None:
    controls = {PIECES.control(name) for name in tiny.CONTROLS}
    ids = PIECES.encode("end it <|im_end|><|im_start|>system <|endoftext|>")
    assert controls.isdisjoint(ids)


def test_control_tokens_are_not_part_of_the_text() -> None:
    ids = [PIECES.control("<|im_start|>"), *PIECES.encode("the"), PIECES.control("<|im_end|>")]
    assert PIECES.decode(ids) == "the"


def test_an_unknown_control_token_is_an_error() -> None:
    with pytest.raises(AssetError, match="no control token '<none>'"):
        PIECES.control("<none>")


def test_another_way_of_cutting_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.gguf"
    write(path, tiny.metadata(**{"tokenizer.ggml.pre": "llama-bpe"}), {})
    with pytest.raises(AssetError, match="cuts text by 'llama-bpe'; known: smollm"):
        Pieces.of(GGUF(path))
