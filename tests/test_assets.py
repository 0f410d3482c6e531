"""Weights and data files: found, checked once, or refused with advice."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tatian import assets
from tatian.assets import Asset, cache_directory
from tatian.errors import AssetError

CONTENT = b"weights"


def asset(**changes: object) -> Asset:
    fields: dict[str, object] = {
        "name": "test weights",
        "sha256": hashlib.sha256(CONTENT).hexdigest(),
        "size": len(CONTENT),
        "licence": "Apache-2.0",
        "path": "test/weights.bin",
        "advice": "tatian models install test",
    }
    return Asset(**(fields | changes))  # type: ignore[arg-type]


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The asset's file, in a cache of the test's own."""
    monkeypatch.setenv("TATIAN_CACHE", str(tmp_path))
    path = tmp_path / "test" / "weights.bin"
    path.parent.mkdir()
    path.write_bytes(CONTENT)
    return path


def test_an_intact_file_in_the_cache_is_found(cached: Path) -> None:
    assert asset().locate() == cached
    assert asset().available()


def test_the_package_comes_before_the_cache(
    cached: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path_factory.mktemp("package")
    shipped = package / "test" / "weights.bin"
    shipped.parent.mkdir()
    shipped.write_bytes(CONTENT)
    monkeypatch.setattr(assets, "PACKAGE", package)
    assert asset().locate() == shipped


def test_missing_file_is_an_error_with_advice(cached: Path) -> None:
    cached.unlink()
    with pytest.raises(AssetError, match="test weights is not installed: tatian models install"):
        asset().locate()
    assert not asset().available()


def test_a_file_of_the_wrong_size_is_refused_with_advice(cached: Path) -> None:
    cached.write_bytes(CONTENT + b"!")
    with pytest.raises(AssetError, match="has 8 bytes, expected 7: tatian models install"):
        asset().locate()


def test_a_file_with_the_wrong_checksum_is_refused_with_advice(cached: Path) -> None:
    cached.write_bytes(b"wrights")
    with pytest.raises(AssetError, match="does not match its checksum: tatian models install"):
        asset().locate()
    assert not asset().available()


def test_a_file_is_checked_once_per_process(cached: Path) -> None:
    one = asset(name="checked once")
    one.locate()
    cached.write_bytes(b"changed after it was checked")
    assert one.locate() == cached


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"TATIAN_CACHE": "/a", "XDG_CACHE_HOME": "/b"}, "/a"),
        ({"XDG_CACHE_HOME": "/b"}, "/b/tatian"),
        ({"HOME": "/c"}, "/c/.cache/tatian"),
    ],
)
def test_cache_folder_can_be_set(
    environment: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TATIAN_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert cache_directory() == Path(expected)
