"""Whether the encoder can run here, found out without loading anything."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from tatian.assets import PACKAGE

SHIPPED = PACKAGE / "analysis" / "weights"
CHECKSUMS = "checksums.json"


def chosen_directory() -> Path:
    """Where the encoder's weights are: $TATIAN_WEIGHTS, else the package."""
    given = os.environ.get("TATIAN_WEIGHTS")
    return Path(given).resolve() if given else SHIPPED


def unavailable(directory: Path | None = None) -> str:
    """Why the encoder cannot run here, and what to do; empty if it can."""
    if importlib.util.find_spec("onnxruntime") is None:
        return "the encoder needs onnxruntime: pip install onnxruntime"
    found = directory or chosen_directory()
    if not (found / CHECKSUMS).is_file():
        advice = "reinstall tatian" if found == SHIPPED else "name another directory"
        return f"there are no weights of the encoder in {found}: {advice}"
    return ""


def best_model() -> str:
    """The name of the fullest analyser that can run here."""
    return "rules" if unavailable() else "encoder"
