"""The encoder's files: found, checked, loaded once."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import numpy as np
import pytest

import tatian
from tatian.analysis import installed
from tatian.analysis.encoder import EncoderAnalyser
from tatian.analysis.loading import Weights, load
from tatian.errors import AssetError

from .samples import LABELS, LETTERS, SPECIALS


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Weights without bodies, but with everything else."""
    monkeypatch.setattr(installed.importlib.util, "find_spec", lambda name: name)
    (tmp_path / "labels.json").write_bytes(msgspec.json.encode(LABELS))
    (tmp_path / "vocab.txt").write_text("".join(f"{p}\n" for p in [*SPECIALS, *LETTERS]))
    np.save(tmp_path / "embeddings.npy", np.full((30, 4), 2, dtype=np.int8))
    np.save(tmp_path / "scales.npy", np.linspace(0, 1, 30).astype(np.float16))
    write_checksums(tmp_path)
    return tmp_path


def write_checksums(directory: Path) -> None:
    sums = {
        path.name: {
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "size": path.stat().st_size,
        }
        for path in directory.iterdir()
    }
    (directory / "checksums.json").write_text(json.dumps(sums))


def test_files_are_read_when_they_match_their_checksums(directory: Path) -> None:
    weights = Weights(directory)
    assert weights.labels == LABELS
    assert weights.pieces.rows["z"] == 29
    vectors = weights.embeddings(np.array([[0, 29]]))
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[[0.0] * 4, [2.0] * 4]]


def test_a_damaged_file_is_refused(directory: Path) -> None:
    vocabulary = directory / "vocab.txt"
    vocabulary.write_text(vocabulary.read_text().replace("z", "q"))
    with pytest.raises(AssetError, match=r"vocab\.txt does not match its checksum"):
        _ = Weights(directory).pieces


def test_a_file_that_is_not_listed_is_refused(directory: Path) -> None:
    with pytest.raises(AssetError, match=r"lists no file 'relations\.npy'"):
        _ = Weights(directory).relations


def test_invalid_checksum_list_is_refused(directory: Path) -> None:
    (directory / "checksums.json").write_text("[]")
    with pytest.raises(AssetError, match=r"checksums\.json cannot be read"):
        Weights(directory)


def test_weights_of_another_schema_are_refused(directory: Path) -> None:
    other = msgspec.structs.replace(LABELS, schema=2)
    (directory / "labels.json").write_bytes(msgspec.json.encode(other))
    (directory / "checksums.json").unlink()
    write_checksums(directory)
    with pytest.raises(AssetError, match="of schema 2, this version of tatian reads 1"):
        _ = Weights(directory).labels


def test_a_directory_without_weights_says_so(directory: Path) -> None:
    (directory / "checksums.json").unlink()
    with pytest.raises(AssetError, match="there are no weights of the encoder in"):
        EncoderAnalyser(weights=str(directory))


def test_without_onnxruntime_the_command_that_installs_it_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(installed.importlib.util, "find_spec", lambda name: None)
    assert installed.unavailable() == "the encoder needs onnxruntime: pip install onnxruntime"
    assert installed.best_model() == "rules"


def test_another_directory_can_be_named_in_the_environment(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TATIAN_WEIGHTS", str(directory))
    assert installed.unavailable() == ""
    assert installed.best_model() == "encoder"
    assert load().directory == directory


def test_concurrent_threads_share_the_loaded_weights(directory: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: load(directory), range(32)))
    assert len(found) == 1


def test_sessions_are_cached(weights: None) -> None:
    loaded = load()
    with ThreadPoolExecutor(4) as pool:
        assert len({id(loaded._session("vectors")) for _ in pool.map(str, range(8))}) == 1


def test_the_encoder_fits_its_budget(weights: None) -> None:
    found = load()
    heads = ("edit.onnx", "edit.npz", "edit-rank.npz", "proof.diff.gz", "wording.diff.gz")
    added = sum(found.file(name).stat().st_size for name in heads)
    assert found.size - added < 46 * 10**6


def test_all_shipped_weights_fit_their_budget(weights: None) -> None:
    package = Path(tatian.__file__).parent
    others = [
        path for step in ("aggregation", "mentions") for path in package.glob(f"{step}/weights/*")
    ]
    assert others
    assert load().size + sum(path.stat().st_size for path in others) < 52 * 10**6


@pytest.mark.parametrize("name", ["numpy", "onnxruntime"])
def test_importing_the_analysis_loads_nothing_heavy(name: str) -> None:
    code = f"import sys, tatian.analysis; print({name!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
