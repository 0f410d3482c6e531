"""Checks whether the encoder can run, without loading it."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from tatian.assets import PACKAGE

SHIPPED = PACKAGE / "analysis" / "weights"
CHECKSUMS = "checksums.json"


def weights_directory() -> Path:
    """Return the directory of the encoder's weights: $TATIAN_WEIGHTS, else the package."""
    directory = os.environ.get("TATIAN_WEIGHTS")
    return Path(directory).resolve() if directory else SHIPPED


def unavailable(directory: Path | None = None) -> str:
    """Return the reason why the encoder cannot run, and advice; empty if it can."""
    if importlib.util.find_spec("onnxruntime") is None:
        return "the encoder needs onnxruntime: pip install onnxruntime"
    weights = directory or weights_directory()
    if not (weights / CHECKSUMS).is_file():
        advice = "reinstall tatian" if weights == SHIPPED else "name another directory"
        return f"there are no weights of the encoder in {weights}: {advice}"
    return ""


def best_model() -> str:
    """Return the name of the best analyser that can run."""
    return "rules" if unavailable() else "encoder"
