"""The libraries that ours are compared with, which take seconds to import: when asked for."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def stats() -> ModuleType:
    """scipy's statistics."""
    return import_module("scipy.stats")


@pytest.fixture(scope="session")
def inter_rater() -> ModuleType:
    """statsmodels' agreement of raters."""
    return import_module("statsmodels.stats.inter_rater")
