"""A job that every engine can run: it lies in a module of its own, which workers import."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

TEXT = '''
import os, signal
from pathlib import Path
from msgspec import Struct
from tatian.engine import Failed, WorkChunk
from tatian.errors import InputError


DONE = Path(__file__).with_name("done")


class Doubling(Struct, frozen=True):
    """Gives twice every number, unless it is told something else; "slow" waits for another."""

    parts: tuple
    unloadable: bool = False

    def read(self, part):
        for number, items in enumerate(part):
            if items == "broken":
                raise InputError("cannot be read on", path="part")
            yield WorkChunk(f"{part[0]}-{number}", tuple(items), 1)

    def begin(self):
        if self.unloadable:
            raise InputError("no such weights")
        return double

    def end(self, chunk, results):
        return [one.error if isinstance(one, Failed) else one for one in results]


def double(item):
    if item == "error":
        raise ValueError("what is\\nthis?")
    if item == "memory":
        raise MemoryError
    if item == "endless":
        while True:
            pass
    if item == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if item == "slow":
        while not DONE.exists():
            os.sched_yield()
        return "slow"
    DONE.touch()
    return 2 * item
'''


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (tmp_path / "doubling_job.py").write_text(TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(importlib.sys.modules, "doubling_job", raising=False)
    return importlib.import_module("doubling_job")
