"""`benchmarks/attack.py` from end to end, without its bombs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tatian.workbench.web.server import ROUTES

from .roles import ROLES, answered_rightly

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "attack.py"
CLASSES = (
    *("roles", "tokens", "hosts", "origins", "nesting", "traversal", "oversized"),
    *("kills", "full disk"),
)
"""All but the bombs, which have tests of their own."""
SKIPPABLE = {"full disk"}
"""Classes without a single attack where no file system may be mounted."""


@pytest.mark.long(30)
def test_every_attack_on_running_servers_fails() -> None:
    command = [sys.executable, str(BENCHMARK), "--only", *CLASSES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = [line.rsplit(None, 3) for line in done.stdout.splitlines()[1:] if line]
    assert [row[0].strip() for row in rows] == list(CLASSES)
    for name, tried, held, _ in rows:
        assert tried == held, name
        assert int(tried) > 0 or name in SKIPPABLE, name


@pytest.mark.parametrize("role", ROLES)
def test_a_leaked_answer_is_noticed(role: str) -> None:
    for route in ROUTES:
        let_in, kept_out = (
            answered_rightly(route, role, status, place)
            for status, place in ((200, ""), (401, "/sign-in?to=/"))
        )
        assert not (let_in and kept_out), route.path
