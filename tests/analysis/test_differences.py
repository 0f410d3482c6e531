"""Bodies stored as differences."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tatian.analysis.loading import load, read_header, restore_body
from tatian.errors import AssetError


def test_a_body_is_restored_to_the_byte(weights: None, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    int8 = pytest.importorskip("tatian.training.int8")
    model, base = load().model("proof"), load().model("pairs")
    assert isinstance(model, bytes)
    assert isinstance(base, bytes)
    int8.write_differences(model, base, "pairs", tmp_path / "proof.diff.gz")
    packed = (tmp_path / "proof.diff.gz").read_bytes()
    differences, rest = read_header(gzip.decompress(packed))
    assert differences.base == "pairs"
    assert restore_body(differences, rest, base) == model
    changed = bytearray(base)
    changed[differences.places[0].base_matrix] ^= 0x40
    with pytest.raises(AssetError, match="another training of 'pairs'"):
        restore_body(differences, rest, bytes(changed))
    assert len(packed) < 0.75 * len(gzip.compress(model, 1))


def test_a_damaged_file_is_no_file_of_differences() -> None:
    with pytest.raises(AssetError, match="not a file of differences"):
        read_header(b"ONNX")
