"""An output file is replaced whole, or stays as it was."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

import tatian
from tatian import atomic
from tatian.atomic import in_use, open_replaced, put_in_place, replaced, same_file
from tatian.errors import InputError
from tatian.limits import PARTIAL_FILE_HOURS


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "out.txt"
    path.write_text("old")
    return path


def write(path: Path | str, text: str = "new") -> None:
    with open_replaced(path) as file:
        file.write(text.encode())


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_takes_the_place_of_an_old_one(old: Path) -> None:
    write(old)
    assert old.read_text() == "new"
    assert names(old.parent) == ["out.txt"]


def _break_off(file: BinaryIO, error: type[BaseException]) -> None:
    file.write(b"half of the n")
    raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_interrupted_write_keeps_the_old_file(error: type[BaseException], old: Path) -> None:
    with pytest.raises(error), open_replaced(old) as file:
        _break_off(file, error)
    assert old.read_text() == "old"
    assert names(old.parent) == ["out.txt"]


def test_old_file_stays_until_the_new_one_is_complete(old: Path) -> None:
    with open_replaced(old) as file:
        file.write(b"new")
        file.flush()
        assert old.read_text() == "old"


def test_full_disk_fails_with_one_line_and_keeps_the_old_file(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"out\.txt: cannot be written: no space left on device$"):
        write(old)
    assert old.read_text() == "old"
    assert names(old.parent) == ["out.txt"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(place)]
    try:
        made = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        made = False
    if not made:
        pytest.skip("file systems cannot be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_really_full_disk_keeps_the_old_file(small_disk: Path) -> None:
    write(small_disk / "out.txt", "old")
    with pytest.raises(InputError, match="no space left on device"):
        write(small_disk / "out.txt", "new" * 2**16)
    assert (small_disk / "out.txt").read_text() == "old"
    assert names(small_disk) == ["out.txt"]


def test_writing_to_a_symbolic_link_replaces_its_target(old: Path) -> None:
    link = old.with_name("link.txt")
    link.symlink_to(old.name)
    write(link)
    assert link.is_symlink()
    assert old.read_text() == "new"


def test_writing_to_a_symbolic_link_that_leads_nowhere_makes_its_target(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link.txt"
    link.symlink_to("folder/made.txt")
    write(link)
    assert (tmp_path / "folder" / "made.txt").read_text() == "new"
    assert names(tmp_path) == ["folder", "link.txt"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o660])
def test_the_mode_of_an_existing_file_is_kept(mode: int, old: Path) -> None:
    old.chmod(mode)
    with open_replaced(old):
        (partial,) = (path for path in old.parent.iterdir() if path != old)
        assert stat.S_IMODE(partial.stat().st_mode) & ~mode == 0
    assert stat.S_IMODE(old.stat().st_mode) == mode


def test_a_new_file_has_the_mode_that_the_umask_says(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(tmp_path / "out.txt")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out.txt").stat().st_mode) == 0o640


def test_a_private_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    with replaced(tmp_path / "out.txt", private=True) as partial:
        assert stat.S_IMODE(partial.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "out.txt").stat().st_mode) == 0o600


def test_a_pipe_is_written_to_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write(pipe)
    reader.join()
    assert read == ["new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_an_open_stream_is_written_to_directly(old: Path) -> None:
    with old.open("r+b") as opened:
        write(f"/dev/fd/{opened.fileno()}")
        assert opened.read() == b"new"
    assert old.read_text() == "new"


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    write("/dev/null")
    finished = tmp_path / "finished"
    finished.write_text("new")
    put_in_place(finished, "/dev/null")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    assert not finished.exists()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none/out.txt", "no such file or directory"),
        ("folder", "is a directory"),
        ("folder/", "is a directory"),
        ("new/", "is a directory"),
        ("out.txt/out.txt", "not a directory"),
        ("x" * 300, "file name too long"),
    ],
)
def test_unwritable_place_fails_with_one_line(name: str, reason: str, old: Path) -> None:
    (old.parent / "folder").mkdir()
    path = f"{old.parent}/{name}"
    with pytest.raises(InputError) as refused:
        write(path)
    assert str(refused.value) == f"{path}: cannot be written: {reason}"
    assert names(old.parent) == ["folder", "out.txt"]


def test_a_name_as_long_as_the_system_allows_can_be_written_to(tmp_path: Path) -> None:
    write(tmp_path / ("x" * 255))
    assert (tmp_path / ("x" * 255)).read_text() == "new"


@pytest.mark.parametrize("reason", [errno.EBUSY, errno.EXDEV, errno.EPERM])
def test_a_file_that_may_not_be_renamed_is_copied(
    reason: int, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr(Path, "replace", refuse)
    write(old)
    assert old.read_text() == "new"
    assert names(old.parent) == ["out.txt"]


def test_file_in_a_read_only_folder_can_be_replaced(
    old: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.setattr(atomic.tempfile, "gettempdir", lambda: str(elsewhere))
    real = os.open

    def refuse(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT and Path(path).parent == old.parent:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    write(old)
    assert old.read_text() == "new"
    assert not names(elsewhere)


@pytest.mark.parametrize("by", ["name", "symbolic link"])
def test_a_database_that_is_in_use_is_not_written_over(by: str, old: Path) -> None:
    Path(f"{old}-wal").write_bytes(b"log")
    path = old
    if by == "symbolic link":
        path = old.with_name("link")
        path.symlink_to(old)
    assert in_use(path)
    with pytest.raises(InputError, match="is a database that is in use: write to another file"):
        write(path)
    assert old.read_text() == "old"


def test_links_of_either_kind_are_the_same_file(old: Path) -> None:
    hard, soft, copy = (old.with_name(name) for name in ("hard", "soft", "copy"))
    hard.hardlink_to(old)
    soft.symlink_to(old)
    copy.write_text("old")
    assert same_file(old, hard)
    assert same_file(old, soft)
    assert not same_file(old, copy)
    assert same_file(old.with_name("none"), old.parent / "." / "none")


def test_commands_write_files_only_through_atomic() -> None:
    place = Path(tatian.__file__).parent / "cli"
    own = ('.open("w', '.open("x', '.open("a', ".write_text(", ".write_bytes(", 'open(output, "')
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted(place.rglob("*.py"))
        for line in path.read_text().splitlines()
        if any(call in line for call in own)
    ]
    assert found == ['output.py: file = closing.enter_context(_closing(place.open("wb"), output))']


PARTIAL = f".tatian-{'0a' * 16}.part"


def write_old(folder: Path, name: str, hours: float) -> Path:
    """A file that was written to so many hours ago for the last time."""
    path = folder / name
    path.write_text("half")
    then = time.time() - hours * 3600
    os.utime(path, (then, then))
    return path


def test_partial_files_are_removed_after_a_day_by_the_next_write(
    tmp_path: Path,
) -> None:
    write_old(tmp_path, PARTIAL, PARTIAL_FILE_HOURS + 0.1)
    write(tmp_path / "out.txt")
    assert names(tmp_path) == ["out.txt"]


@pytest.mark.parametrize(
    ("name", "hours"),
    [
        (PARTIAL, PARTIAL_FILE_HOURS - 0.1),
        (".tatian-notes.part", 99),
        (f"my{PARTIAL}", 99),
        (f"{PARTIAL}.txt", 99),
    ],
)
def test_other_files_are_not_removed(name: str, hours: float, tmp_path: Path) -> None:
    kept = write_old(tmp_path, name, hours)
    write(tmp_path / "out.txt")
    assert kept.read_text() == "half"


def test_folders_and_links_are_not_removed(tmp_path: Path) -> None:
    (tmp_path / PARTIAL).symlink_to("elsewhere")
    (tmp_path / f".tatian-{'1b' * 16}.part").mkdir()
    write(tmp_path / "out.txt")
    assert len(names(tmp_path)) == 3
