"""Untrusted files are read in a separate process, which may crash without harm to ours."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tatian import limits
from tatian.corpora import isolation, read_bytes
from tatian.corpora.isolation import read_isolated
from tatian.errors import InputError, NotText

from .file_samples import TEXT, mail


@pytest.fixture
def bad_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder with a module of misbehaving readers, to be used instead of the mail reader."""
    (tmp_path / "bad.py").write_text(
        "import os, signal\n"
        "def hang(*_): signal.pause()\n"
        "def crash(*_): os.abort()\n"
        "def surprise(*_): raise ZeroDivisionError\n"
        "def write(data, *_): open(os.environ['PLACE'], 'wb', 0).write(data)\n"
        "def fill(*_): bytearray(4 * 2**30)\n"
        "def chatter(data, name, warn):\n"
        "    print('x' * 99); os.system('echo y'); warn('careful'); return []\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    isolation._close_all()
    yield tmp_path
    isolation._close_all()


def use_reader(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Have the process use one of the bad readers for mail."""
    bad = f"i.READERS['eml'] = ('bad:{name}', '')"
    command = f"from tatian.corpora import isolation as i; {bad}; i.serve()"
    monkeypatch.setattr(isolation, "_COMMAND", command)


def test_hanging_readers_are_stopped(bad_readers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_reader(monkeypatch, "hang")
    monkeypatch.setattr(limits, "READ_SECONDS", 0.3)
    with pytest.raises(InputError, match=r"a\.eml: takes longer than the limit of 0 seconds"):
        read_isolated("eml", mail(), "a.eml", print)


def test_reading_stops_when_the_client_leaves(
    bad_readers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_reader(monkeypatch, "hang")
    with pytest.raises(InputError, match=r"a\.eml: not read to the end: the sender has left"):
        read_isolated("eml", mail(), "a.eml", print, lambda: False)


def test_more_files_than_may_be_read_at_once_wait_for_their_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken = threading.BoundedSemaphore(1)
    taken.acquire()
    monkeypatch.setattr(isolation, "_slots", taken)
    with pytest.raises(InputError, match="the sender has left"):
        read_isolated("eml", mail(), "a.eml", print, lambda: False)
    taken.release()
    assert read_bytes(mail(), "a.eml")[0].id == "a"
    assert taken.acquire(blocking=False)


def test_an_archive_has_its_own_limit_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ARCHIVE_SECONDS", -1)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("a.txt", TEXT)
    with pytest.raises(InputError, match=r"a\.zip: takes longer than the limit of -1 seconds"):
        read_bytes(content.getvalue(), "a.zip")


def test_web_pages_are_read_in_isolation() -> None:
    isolation._close_all()
    page = b"<html><title>Fog</title><p>The ferry ran aground.</p>"
    (document,) = read_bytes(page, "a.html")
    assert (document.text, document.metadata.title) == ("The ferry ran aground.", "Fog")
    assert len(isolation._idle) == 1


@pytest.mark.parametrize("way", ["crash", "surprise"])
def test_files_that_crash_the_reader_count_as_damaged(
    bad_readers: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    use_reader(monkeypatch, way)
    with pytest.raises(NotText, match=r"a\.eml: a damaged mail"):
        read_isolated("eml", mail(), "a.eml", print)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit memory")
def test_exceeding_the_memory_limit_is_reported(
    bad_readers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_reader(monkeypatch, "fill")
    with pytest.raises(
        InputError, match=r"a\.eml: needs more than the limit of 1024 MiB of memory"
    ):
        read_isolated("eml", mail(), "a.eml", print)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit files")
def test_readers_cannot_write_to_disk(bad_readers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_reader(monkeypatch, "write")
    monkeypatch.setenv("PLACE", str(bad_readers / "written"))
    with pytest.raises(NotText):
        read_isolated("eml", mail(), "a.eml", print)
    assert (bad_readers / "written").read_bytes() == b""


def test_output_of_readers_is_dropped_and_warnings_are_kept(
    bad_readers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_reader(monkeypatch, "chatter")
    heard: list[str] = []
    assert read_isolated("eml", mail(), "a.eml", heard.append) == []
    assert heard == ["careful"]


def test_reader_process_is_reused_and_replaced_when_it_dies() -> None:
    isolation._close_all()
    read_bytes(mail(), "a.eml")
    (first,) = isolation._idle
    read_bytes(mail(), "b.eml")
    assert isolation._idle == [first]
    first.kill()
    first.wait()
    assert read_bytes(mail(), "c.eml")[0].id == "c"
    assert isolation._idle != [first]


def test_threads_read_in_parallel() -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: read_bytes(mail(f"{TEXT} {n}"), f"{n}.eml"), range(8)))
    assert [one[0].text.endswith(str(n)) for n, one in enumerate(found)] == [True] * 8


def test_modules_in_the_current_folder_are_not_imported(tmp_path: Path) -> None:
    (tmp_path / "zipfile.py").write_text("raise SystemExit('taken over')")
    (tmp_path / "a.eml").write_bytes(mail())
    code = "import sys; sys.path.pop(0); import tatian; print(tatian.read('a.eml')[0].id)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.stdout == "a\n", done.stderr
