"""The short part of `benchmarks/file_fuzz.py`: a damaged file of each kind, or two."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "file_fuzz.py"


def test_damaged_files_of_every_kind_give_accounts_or_one_line() -> None:
    command = [sys.executable, str(BENCHMARK), "--each", "2", "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert ".docx" in done.stdout
