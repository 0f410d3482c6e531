"""An adjudicator's browser, and people who do not agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tatian.workbench.web.server import admin_link

from ....listening import ears
from ....windows import Windows
from ...crowd import LONG, OTHER, SHORT, UNIONS, Crowd, skipped, written

THREE_WAYS = (
    {"pair-0": written(SHORT), "pair-1": written(SHORT), "pair-2": written(SHORT)},
    {"pair-0": written(SHORT), "pair-1": written(SHORT), "pair-2": written(LONG)},
    {"pair-0": written(SHORT), "pair-1": skipped(), "pair-2": written(OTHER)},
)


@pytest.fixture
def unions(bench: Any) -> Crowd:
    """Three unions: of one mind, two to one, and three ways."""
    crowd = Crowd(bench.database, "union", UNIONS)
    for answers in THREE_WAYS:
        crowd.person(answers)
    return crowd


@pytest.fixture
def adjudicator(bench: Any, windows: Windows) -> Iterator[Callable[..., Page]]:
    """Opens a campaign's queue as the first admin; whatever it says on the console fails.

    `refused` says that the server is expected to refuse something.
    """
    noise: list[str] = []

    def opened(crowd: Crowd, *, refused: bool = False, **options: Any) -> Page:
        page = windows.open(**options)
        windows.on(page, **ears(noise, refused=refused))
        page.goto(bench.url + admin_link(bench.app.state.site))
        page.goto(f"{bench.url}/campaigns/{crowd.campaign.id}/adjudicate")
        return page

    yield opened
    windows.leave(bench.address)
    assert noise == []
