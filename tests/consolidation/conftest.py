"""What several tests of the consolidation share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tatian.union import judging


@pytest.fixture(scope="module")
def unjudged() -> Iterator[None]:
    """Rules alone decide what says the same, whether or not a model of meaning is installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "_available", lambda: False)
        yield
