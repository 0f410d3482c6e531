"""Python processes that we start import nothing from the current folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from tatian import children

from .engine.conftest import jobs  # noqa: F401 - a fixture

PLANTED = "import pathlib; pathlib.Path(__file__).with_suffix('.run').touch()\nraise SystemExit\n"
NAMES = ("click", "msgspec", "numpy", "pickle", "pip", "selectors", "signal", "zipfile")
Run = Callable[[], list[str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Which of the files planted in the current folder have been run."""
    folder = tmp_path / "strange"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(PLANTED)
    monkeypatch.chdir(folder)
    return lambda: sorted(path.stem for path in folder.glob("*.run"))


def test_child_command_imports_nothing_from_the_current_folder(run: Run) -> None:
    code = "import msgspec, pickle, sys; print(msgspec.__file__)"
    told = subprocess.check_output(
        children.command("-c", code), env=children.environment(), text=True
    )
    import msgspec

    assert told == f"{msgspec.__file__}\n"
    assert run() == []


def test_grandchildren_import_nothing_from_the_current_folder(run: Run) -> None:
    inner = f"import subprocess; subprocess.run([{sys.executable!r}, '-c', 'import pickle'])"
    subprocess.run(children.command("-c", inner), env=children.environment(), check=True)
    assert run() == []


def test_engine_workers_import_nothing_from_the_current_folder(run: Run, jobs: ModuleType) -> None:  # noqa: F811
    from tatian.engine import open_engine

    job = jobs.Doubling(parts=(([1], [2]),))
    assert list(open_engine(processes=1).run(job, ordered=True)) == [[2], [4]]
    assert run() == []


def test_pool_workers_import_nothing_from_the_current_folder(run: Run) -> None:
    with ProcessPoolExecutor(1, children.spawning()) as pool:
        assert pool.submit(abs, -1).result() == 1
    assert run() == []


def test_desk_worker_imports_nothing_from_the_current_folder(run: Run) -> None:
    from tatian.workbench.desk.process import ModelProcess

    models = ModelProcess()
    process = models._running_process()
    assert process.stdin
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    models.close()
    assert run() == []


def test_module_command_imports_nothing_from_the_current_folder(run: Run) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    command = [sys.executable, "-m", "tatian", "--version"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "0." in done.stdout, done.stderr
    assert not {"click", "msgspec", "numpy"} & {*run()}


def test_environment_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    with children.safe_path():
        assert os.environ["PYTHONSAFEPATH"] == "1"
    assert "PYTHONSAFEPATH" not in os.environ
