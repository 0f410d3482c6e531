"""What people type into forms becomes values, or mistakes that name their field."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tatian.workbench.settings import CampaignSettings, CampaignStage, Panel
from tatian.workbench.web.admin import settings as settings_form
from tatian.workbench.web.admin.common import Form

names = some.text("abcdefgh é", min_size=1, max_size=8).map(str.strip).filter(bool)
marks = some.none() | some.integers(0, 1000).map(lambda tenth: tenth / 1000)
training = some.lists(
    some.builds(CampaignStage, names, some.booleans(), marks),
    max_size=6,
    unique_by=lambda one: one.name,
)
panels = some.builds(
    Panel,
    person=names,
    study=names,
    session=names,
    **dict.fromkeys(("code", "failed", "excluded", "over"), some.text("ABC123", max_size=6)),
    redirect=some.sampled_from(["", "https://panel.example/done?cc={code}"]),
)
settings = some.builds(
    CampaignSettings,
    annotators=some.integers(1, 50),
    seed=some.integers(0, 2**31 - 1),
    shuffled=some.booleans(),
    batch=some.integers(0, 500),
    in_turn=some.booleans(),
    most=some.none() | some.integers(1, 500),
    lease=some.integers(1, 5000),
    deadline=some.none() | some.integers(1, 60_000_000).map(lambda minutes: minutes * 60_000),
    stages=training.map(lambda found: (*found, CampaignStage("the last one"))),
    test_every=some.sampled_from([0, 2, 10]),
    test_mark=marks,
    corrections=some.booleans(),
    suggestions=some.sampled_from(["none", "half", "all"]),
    panel=some.none() | panels,
    consent=some.sampled_from(["", "I agree.\n\n- to this"]),
    options=some.sampled_from([{}, {"shuffled": False}]),
)


def sent(values: dict[str, Any]) -> dict[str, str]:
    """What a browser sends of a form filled in like this: boxes only where they are ticked."""
    return {
        name: "yes" if value is True else str(value).replace("\n", "\r\n")
        for name, value in values.items()
        if value is not False
    }


@given(settings)
def test_settings_come_back_from_their_form_as_they_were(before: CampaignSettings) -> None:
    form = Form(sent(settings_form.shown(before)))
    assert settings_form.read(form) == before
    assert form.problems == {}


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("annotators", ""),
        ("annotators", "0"),
        ("annotators", "two"),
        ("most", "0"),
        ("lease", "1.5"),
        ("deadline", "tomorrow"),
        ("test_every", "1"),
        ("test_mark", "101"),
        ("test_mark", "nan"),
        ("stage_0_mark", "50"),
        ("suggestions", "sometimes"),
        ("consent", "x" * 50_001),
        ("options", "[1]"),
        ("options", "{"),
    ],
)
def test_a_wrong_setting_is_a_mistake_in_its_own_field(field: str, typed: str) -> None:
    form = Form({**sent(settings_form.shown(CampaignSettings())), field: typed})
    settings_form.read(form)
    assert list(form.problems) in ([field], ["stage_0_name"])


def test_a_panels_way_back_must_be_https() -> None:
    typed = {"panel": "yes", "panel_redirect": "javascript:alert(1)"}
    form = Form({**sent(settings_form.shown(CampaignSettings())), **typed})
    settings_form.read(form)
    assert list(form.problems) == ["panel_redirect"]


@pytest.mark.parametrize("field", ["pay_item", "pay_bonus", "pay_least_hourly"])
def test_an_amount_of_pay_without_the_box_ticked_is_a_mistake(field: str) -> None:
    form = Form({**sent(settings_form.shown(CampaignSettings())), field: "0.30"})
    assert settings_form.read(form).pay is None
    assert form.problems == {field: "Tick the box to pay, or clear this."}


def test_a_percent_sign_may_be_typed_or_left_out() -> None:
    form = Form({"with": "62.5 %", "without": "62.5"})
    assert form.share("with") == form.share("without") == 0.625


@given(some.text(max_size=30))
def test_whatever_is_typed_for_a_number_is_one_within_its_limits_or_a_mistake(typed: str) -> None:
    form = Form({"number": typed})
    number = form.whole("number", 1, 9)
    assert number is None or 1 <= number <= 9
    assert (number is None) == (not typed.strip() or "number" in form.problems)


@given(some.text(max_size=30))
def test_whatever_is_typed_for_a_moment_is_one_or_a_mistake(typed: str) -> None:
    form = Form({"at": typed})
    assert (form.moment("at") is None) == (not typed.strip() or "at" in form.problems)
