"""Folder of the public data that benchmarks read."""

from __future__ import annotations

import os
from pathlib import Path

_BESIDE_CHECKOUT = Path(__file__).resolve().parents[2] / "shared" / "data"
DATA = Path(os.environ.get("TATIAN_DATA") or _BESIDE_CHECKOUT)
