"""What several tests share: the data directory, and how hypothesis searches."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("tatian", deadline=None, derandomize=True)
settings.load_profile("tatian")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that reads the shared data sets."""
    for item in items:
        if "data" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.data)


@pytest.fixture(scope="session")
def data() -> Path:
    """The directory of the shared data sets; the test is skipped where there is none."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    directory = Path(os.environ.get("TATIAN_DATA") or beside)
    if not directory.is_dir():
        pytest.skip("the shared data sets are neither beside the checkout nor at $TATIAN_DATA")
    return directory
