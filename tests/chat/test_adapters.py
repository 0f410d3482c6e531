"""Adapters of the local model: where they are found, and what is said if they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.chat.local import adapter_path, open_adapter
from tatian.errors import AssetError


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tatian_adapters"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "judge.gguf").write_bytes(b"another version")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


@pytest.mark.parametrize("name", ["judge", "union"])
def test_a_source_checkout_has_the_adapters(name: str) -> None:
    assert adapter_path(name) is not None


def test_the_installed_package_comes_first(installed: Path) -> None:
    assert adapter_path("judge") == installed / "judge.gguf"
    assert adapter_path("union") != installed / "union.gguf"


def test_a_missing_adapter_is_an_error_with_the_install_command() -> None:
    with pytest.raises(AssetError, match=r"^the adapter 'place' is not installed: run 'pip inst"):
        open_adapter("place", "0" * 64)


@pytest.mark.usefixtures("installed")
def test_an_adapter_of_another_version_is_refused() -> None:
    with pytest.raises(AssetError, match=r"judge\.gguf is damaged or of another version: run 'pip"):
        open_adapter("judge", "0" * 64)
