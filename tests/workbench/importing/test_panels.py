"""Panels: their parameters, codes and addresses."""

from __future__ import annotations

from typing import get_args

import pytest

from tatian.errors import InputError
from tatian.workbench.campaigns import panels
from tatian.workbench.campaigns.panels import Arrival, PanelCompletion
from tatian.workbench.settings import CampaignSettings, Outcome, Panel

BACK = "https://app.prolific.com/submissions/complete?cc={code}"
PROLIFIC = CampaignSettings(panel=Panel(code="C1 2", redirect=BACK))
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
OTHERS = tuple(outcome for outcome in OUTCOMES if outcome != "finished")


def test_prolific_names_person_study_and_session() -> None:
    link = {"PROLIFIC_PID": "5f1", "STUDY_ID": "s2", "SESSION_ID": "x3", "other": "?"}
    assert panels.read_arrival(PROLIFIC, link) == Arrival("5f1", {"study": "s2", "session": "x3"})


def test_another_panels_parameters_are_named_in_the_settings() -> None:
    settings = CampaignSettings(panel=Panel(person="workerId", study="", session="assignmentId"))
    found = panels.read_arrival(settings, {"workerId": "W1", "assignmentId": "A1"})
    assert found == Arrival("W1", {"session": "A1"})


@pytest.mark.parametrize("value", ["", "   ", "{{%PROLIFIC_PID%}}", "<script>", "a b", "x" * 129])
def test_a_link_without_a_person_is_refused(value: str) -> None:
    with pytest.raises(InputError, match="PROLIFIC_PID"):
        panels.read_arrival(PROLIFIC, {"PROLIFIC_PID": value})


def test_people_who_finish_return_with_the_code() -> None:
    assert panels.make_completion(PROLIFIC, {}, "finished") == PanelCompletion(
        "finished", "C1 2", "https://app.prolific.com/submissions/complete?cc=C1%202"
    )


def test_an_address_can_name_the_session_too() -> None:
    settings = CampaignSettings(panel=Panel(redirect="https://example.org/done/{session}"))
    found = panels.make_completion(settings, {"session": "a/b"}, "finished")
    assert found == PanelCompletion("finished", "", "https://example.org/done/a%2Fb")


@pytest.mark.parametrize("settings", [CampaignSettings(), CampaignSettings(panel=Panel())])
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_without_code_and_address_there_is_no_return(
    settings: CampaignSettings, outcome: Outcome
) -> None:
    assert panels.make_completion(settings, {}, outcome) is None


@pytest.mark.parametrize("outcome", OTHERS)
def test_outcomes_have_different_codes(outcome: Outcome) -> None:
    panel = Panel(code="DONE", failed="failed", excluded="excluded", over="over", redirect=BACK)
    found = panels.make_completion(CampaignSettings(panel=panel), {}, outcome)
    assert found == PanelCompletion(outcome, outcome, BACK.format(code=outcome))


@pytest.mark.parametrize("outcome", OTHERS)
@pytest.mark.parametrize("redirect", [BACK, BACK.format(code="DONE")])
def test_only_people_who_finish_get_that_code(outcome: Outcome, redirect: str) -> None:
    settings = CampaignSettings(panel=Panel(code="DONE", redirect=redirect))
    found = panels.make_completion(settings, {}, outcome)
    assert found == PanelCompletion(outcome, "", "https://app.prolific.com/")


def test_other_outcomes_return_to_the_front_page_without_a_placeholder() -> None:
    panel = Panel(code="DONE", failed="NO", redirect=BACK.format(code="DONE"))
    found = panels.make_completion(CampaignSettings(panel=panel), {}, "failed")
    assert found == PanelCompletion("failed", "NO", "https://app.prolific.com/")


def test_a_panels_link_has_placeholders() -> None:
    assert panels.link_query(Panel(study="")) == (
        "PROLIFIC_PID={{%PROLIFIC_PID%}}&SESSION_ID={{%SESSION_ID%}}"
    )


@pytest.mark.parametrize(
    "panel",
    [
        Panel(person=""),
        Panel(redirect="http://example.org/{code}", code="x"),
        Panel(redirect="javascript:alert(1)"),
        Panel(redirect="https://"),
        Panel(redirect="https://[broken/"),
        Panel(redirect='https://example.org/"onclick'),
        Panel(redirect="https://example.org/{code}"),
    ],
)
def test_settings_with_missing_or_unsafe_addresses_are_refused(panel: Panel) -> None:
    with pytest.raises(InputError):
        panels.check(panel)
