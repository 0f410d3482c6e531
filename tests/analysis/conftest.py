"""The encoder's own weights, for tests of what it says; skipped where they are not installed."""

from __future__ import annotations

import pytest

from tatian.analysis.installed import unavailable


@pytest.fixture(scope="session")
def weights() -> None:
    """The shipped weights can be loaded."""
    if problem := unavailable():
        pytest.skip(problem)


@pytest.fixture(autouse=True)
def always_read(read_anew: None) -> None:
    """Nothing that the encoder said before."""
