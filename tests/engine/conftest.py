"""A job that every engine can run: it lies in a module of its own, which workers import."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

TEXT = '''
import os, signal, time
from msgspec import Struct
from tatian.engine import Failed, WorkChunk
from tatian.errors import InputError


class Doubling(Struct, frozen=True):
    """Gives twice every number, unless it is told something else."""

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
    if item == "sleep":
        while True:
            time.sleep(0.01)
    if item == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if item == "slow":
        time.sleep(0.3)
        return "slow"
    return 2 * item
'''


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (tmp_path / "doubling_job.py").write_text(TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(importlib.sys.modules, "doubling_job", raising=False)
    return importlib.import_module("doubling_job")
