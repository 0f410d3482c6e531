"""Folder of the public data that benchmarks read."""

from __future__ import annotations

import os
from pathlib import Path

DATA = Path(os.environ.get("TATIAN_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
