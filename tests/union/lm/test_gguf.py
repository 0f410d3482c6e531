"""GGUF files are read and written as llama.cpp and the ``gguf`` package do."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tatian.errors import AssetError
from tatian.union.models.lm import gguf
from tatian.union.models.lm.gguf import GGUF, KINDS, Value, fits, quantise_q8_0

values = st.one_of(
    st.text(max_size=20),
    st.booleans(),
    st.integers(0, 2**32 - 1),
    st.floats(width=32, allow_nan=False),
    st.lists(st.text(max_size=5), max_size=4),
    st.lists(st.integers(0, 100), min_size=1, max_size=4),
)
shapes = st.tuples(st.integers(1, 4), st.sampled_from([32, 64]))
numbers = shapes.flatmap(
    lambda shape: arrays(np.float32, shape, elements=st.floats(-8, 8, width=16))
)


@given(st.dictionaries(st.text(min_size=1, max_size=10), values, max_size=5))
def test_metadata_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, metadata: dict[str, Value]
) -> None:
    path = tmp_path_factory.mktemp("gguf") / "file.gguf"
    gguf.write(path, metadata, {})
    assert GGUF(path).metadata == metadata


@given(numbers, st.sampled_from(["F32", "F16"]))
def test_floats_come_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, tensor: gguf.Floats, kind: str
) -> None:
    path = tmp_path_factory.mktemp("gguf") / "file.gguf"
    gguf.write(path, {}, {"before": ("F16", np.zeros((3, 5), np.float32)), "t": (kind, tensor)})
    assert np.array_equal(GGUF(path).tensor("t"), tensor)


@given(numbers)
def test_int8_loses_at_most_half_a_step(
    tmp_path_factory: pytest.TempPathFactory, tensor: gguf.Floats
) -> None:
    path = tmp_path_factory.mktemp("gguf") / "file.gguf"
    gguf.write(path, {}, {"t": ("Q8_0", tensor)})
    steps = np.abs(tensor.reshape(-1, 32)).max(1, keepdims=True) / 127
    lost = np.abs(GGUF(path).tensor("t") - tensor).reshape(-1, 32)
    assert (lost <= 0.51 * steps + 0.08 * steps + 1e-6).all()


def test_tiny_numbers_are_not_cut_off_by_a_scale_that_is_rounded(tmp_path: Path) -> None:
    tensor = np.full((1, 32), 1e-5, np.float32)
    gguf.write(tmp_path / "file.gguf", {}, {"t": ("Q8_0", tensor)})
    assert np.abs(GGUF(tmp_path / "file.gguf").tensor("t") - tensor).max() < 1e-7


def test_four_bit_numbers_are_low_halves_first_under_scale_and_offset() -> None:
    packed = bytes(range(16))
    block = np.frombuffer(struct.pack("<ee", 0.5, -1.0) + packed, np.uint8)[None]
    low = [0.5 * (n & 15) - 1 for n in packed]
    high = [0.5 * (n >> 4) - 1 for n in packed]
    assert KINDS["Q4_1"].decode(block)[0].tolist() == low + high


def test_four_bit_numbers_without_offset_are_centred_on_eight() -> None:
    block = np.frombuffer(struct.pack("<e", 0.5) + bytes([0x8F] * 16), np.uint8)[None]
    assert KINDS["Q4_0"].decode(block)[0].tolist() == [3.5] * 16 + [0.0] * 16


def test_the_gguf_package_reads_what_is_written(gguf_path: Path) -> None:
    package = pytest.importorskip("gguf")
    ours = GGUF(gguf_path)
    theirs = package.GGUFReader(gguf_path)
    assert {t.name for t in theirs.tensors} == set(ours.tensors)
    for tensor in theirs.tensors:
        expected = package.dequantize(tensor.data, tensor.tensor_type)
        assert np.allclose(
            ours.tensor(tensor.name), expected.reshape(ours.tensors[tensor.name].shape)
        )


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(b"not a model, whatever its name says")
    with pytest.raises(AssetError, match="is not a GGUF file"):
        GGUF(path)


def test_an_empty_or_absent_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.gguf").touch()
    for name in ("empty.gguf", "absent.gguf"):
        with pytest.raises(AssetError, match="cannot be read"):
            GGUF(tmp_path / name)


@pytest.mark.parametrize("kept", [30, 200, 5000])
def test_a_file_cut_short_is_refused(gguf_path: Path, tmp_path: Path, kept: int) -> None:
    path = tmp_path / "cut.gguf"
    path.write_bytes(gguf_path.read_bytes()[:kept])
    with pytest.raises(AssetError, match=r"not a whole GGUF file|ends inside"):
        [GGUF(path).tensor(name) for name in GGUF(path).tensors]


def test_what_is_not_there_is_named(file: GGUF) -> None:
    with pytest.raises(AssetError, match="has no tensor 'nothing'"):
        file.tensor("nothing")
    for read in (file.text, file.number, file.items):
        with pytest.raises(AssetError, match="'nothing'"):
            read("nothing")


def test_only_whole_blocks_fit_a_quantised_kind() -> None:
    assert fits((4, 576), "Q8_0")
    assert not fits((576, 4), "Q8_0")
    assert fits((576, 4), "F16")


def test_a_block_of_zeros_stays_zero() -> None:
    assert quantise_q8_0(np.zeros((1, 32), np.float32)) == bytes(34)
