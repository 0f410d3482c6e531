"""The protocols of papers: settings and references."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.errors import InputError
from tatian.workbench import fields
from tatian.workbench.campaigns import campaigns
from tatian.workbench.campaigns.plans import CampaignFile, plan_campaign
from tatian.workbench.protocols import PROTOCOLS, Protocol, explain, get_protocol, initial_settings
from tatian.workbench.tasks import tasks

PAIRS = CampaignFile(
    "pairs.csv", b"sentence1Text,sentence2Text\nA ferry sank.,An old ferry sank.\n"
)
DOCS = Path(__file__).parents[2] / "docs"
each = pytest.mark.parametrize("one", PROTOCOLS.values(), ids=list(PROTOCOLS))


@each
def test_a_protocol_can_run(one: Protocol) -> None:
    campaigns.check_settings(initial_settings(one.name), one.task)


@each
def test_every_setting_that_is_not_the_default_has_a_reference(one: Protocol) -> None:
    asked = fields.task_fields(tasks.create(one.task).options)
    every = [field for top in (*fields.describe_fields(), *asked) for field in top.with_subfields()]
    known = {field.name: field for field in every if field.kind not in ("group", "json")}
    values = {name: fields.value_of(one.settings, name) for name in known}
    chosen = {
        name for name, value in values.items() if value is not None and value != known[name].default
    }
    assert chosen <= one.places.keys() <= known.keys()


@each
def test_the_measure_of_agreement_is_one_of_the_task(one: Protocol) -> None:
    task = tasks.create(one.task)
    item = next(item for item in task.demo() if item.gold is not None)
    gold = item.gold or {}
    answer = {name: value for name, value in gold.items() if name != "note"}
    answer |= {"phrases": gold["phrases"][:2]} if "phrases" in gold else {}
    measures = task.agreement({item.key: item.content}, {item.key: {"ann": answer, "bo": answer}})
    assert one.agreement in [measure.name for measure in measures]


@each
def test_the_page_of_protocols_has_a_command_for_it(one: Protocol) -> None:
    assert f"--protocol {one.name}" in (DOCS / "protocols.md").read_text("utf-8")


def test_a_protocol_sets_task_and_settings() -> None:
    planned = plan_campaign("x", [PAIRS], protocol="union-2023", values=["annotators=2"])
    assert (planned.task, planned.settings.annotators, planned.settings.protocol) == (
        "union",
        2,
        "union-2023",
    )
    assert planned.settings.pay == PROTOCOLS["union-2023"].settings.pay


def test_another_task_beside_a_protocol_is_refused() -> None:
    with pytest.raises(InputError, match="is for the task 'union', not for 'coreference'"):
        plan_campaign("x", [PAIRS], protocol="union-2023", task="coreference")


def test_an_unknown_protocol_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="there are union-2023, "):
        get_protocol("union-2024")


def test_an_explanation_names_reference_and_changes() -> None:
    settings = fields.change_settings(
        initial_settings("tesa-2020"), ["annotators=5"], tasks.create("aggregation").options
    )
    found = {one.name: one for one in explain(settings, tasks.create("aggregation").options)}
    assert found["least"].place.startswith("§3.3")
    assert found["annotators"].place.startswith("changed from 3 (§3.3")
    assert found["lease"].place == ""
