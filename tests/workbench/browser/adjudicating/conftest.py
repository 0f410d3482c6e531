"""An adjudicator's browser, and annotators who disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tatian.workbench.web.server import admin_link

from ....listening import page_listeners
from ....windows import Windows
from ...crowd import LONG, OTHER, SHORT, UNIONS, Crowd, skipped, written

THREE_WAYS = (
    {"pair-0": written(SHORT), "pair-1": written(SHORT), "pair-2": written(SHORT)},
    {"pair-0": written(SHORT), "pair-1": written(SHORT), "pair-2": written(LONG)},
    {"pair-0": written(SHORT), "pair-1": skipped(), "pair-2": written(OTHER)},
)


@pytest.fixture
def unions(workbench: Any) -> Crowd:
    """Three unions: agreed, two to one, and all different."""
    crowd = Crowd(workbench.database, "union", UNIONS)
    for answers in THREE_WAYS:
        crowd.person(answers)
    return crowd


@pytest.fixture
def adjudicator(workbench: Any, windows: Windows) -> Iterator[Callable[..., Page]]:
    """Open a campaign's queue as the first admin; console messages fail the test.

    `refused` says that the server is expected to refuse something.
    """
    noise: list[str] = []

    def opened(crowd: Crowd, *, refused: bool = False, **options: Any) -> Page:
        page = windows.open(**options)
        windows.on(page, **page_listeners(noise, refused=refused))
        page.goto(workbench.url + admin_link(workbench.app.state.site))
        page.goto(f"{workbench.url}/campaigns/{crowd.campaign.id}/adjudicate")
        return page

    yield opened
    windows.leave(workbench.address)
    assert noise == []
