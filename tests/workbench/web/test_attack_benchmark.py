"""The short part of `benchmarks/attack.py`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tatian.workbench.web.server import ROUTES

from .roles import ROLES, answered_rightly

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "attack.py"
SHORT = ("roles", "tokens", "hosts", "origins", "nesting")


def run(*classes: str) -> str:
    """Return the benchmark's output for classes of attack."""
    command = [sys.executable, str(BENCHMARK), "--only", *classes]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_every_attack_of_the_short_part_fails() -> None:
    rows = [line.split() for line in run(*SHORT).splitlines()[1:] if line]
    assert [row[0] for row in rows] == list(SHORT)
    for name, tried, held, _ in rows:
        assert tried == held, name
        assert int(tried) > 0, name


@pytest.mark.long(30)
def test_paths_large_bodies_kills_and_a_full_disk_do_no_harm() -> None:
    run("traversal", "oversized", "kills", "full disk")


@pytest.mark.parametrize("role", ROLES)
def test_a_leaked_answer_is_noticed(role: str) -> None:
    for route in ROUTES:
        let_in, kept_out = (
            answered_rightly(route, role, status, place)
            for status, place in ((200, ""), (401, "/sign-in?to=/"))
        )
        assert not (let_in and kept_out), route.path
