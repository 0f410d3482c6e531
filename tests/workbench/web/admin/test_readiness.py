"""Warnings on the overview of a campaign."""

from __future__ import annotations

from typing import Any

from tatian.workbench.settings import CampaignSettings

WARNING = "One in 5 items is to be a hidden test, and there is none"


def test_the_overview_warns_until_the_campaign_works_as_set(world: Any) -> None:
    world.campaign("birds", test_every=5)
    admin = world.signed_in(world.user())
    assert WARNING in admin.get("/campaigns/birds").text
    world.change("birds", settings=CampaignSettings())
    assert WARNING not in admin.get("/campaigns/birds").text


def test_a_closed_campaign_has_no_warnings(world: Any) -> None:
    world.campaign("birds", test_every=5)
    admin = world.signed_in(world.user())
    world.change("birds", state="closed")
    assert WARNING not in admin.get("/campaigns/birds").text
