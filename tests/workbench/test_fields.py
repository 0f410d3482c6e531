"""The description of settings behind commands, forms and documentation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.errors import InputError
from tatian.workbench import fields
from tatian.workbench.fields import SettingField
from tatian.workbench.settings import CampaignSettings, CampaignStage, Pay
from tatian.workbench.tasks import NoOptions, tasks
from tatian.workbench.tasks.judging import JudgingOptions

DOCS = Path(__file__).parents[2] / "docs"


def every() -> list[SettingField]:
    asked = [
        one for name in tasks.names() for one in fields.task_fields(tasks.create(name).options)
    ]
    tops = (*fields.describe_fields(), *asked)
    return [one for top in tops for one in (top, *top.fields)]


def documented(field: SettingField) -> str:
    """Return default, bounds and choices of a setting as documented."""
    if field.kind in ("rows", "json") or field.default == "":
        return ""
    bounds = f"; {field.least:,.10g} to {field.most:,.10g}" if field.most is not None else ""
    words = f"; {', '.join(f'`{word}`' for word in field.choices)}" if field.choices else ""
    return f"`{fields.format_value(field.default)}`{bounds}{words}"


def test_every_setting_has_a_title_and_a_sentence() -> None:
    assert [one.name for one in every() if one.title == one.short_name or not one.text] == []


def test_the_documented_settings_are_current() -> None:
    text = (DOCS / "workbench.md").read_text("utf-8")
    section = text.partition("### Settings\n")[2].partition("\n### ")[0]
    shown = [line for line in section.splitlines() if line.startswith("| `")]
    tops = [field for top in fields.describe_fields() for field in (top, *top.fields)]
    rows = [f"| `{one.name}` | {one.text} | {documented(one)} |" for one in tops]
    assert shown
    assert [row for row in shown if row not in rows] == []


def test_a_value_is_set_by_its_name() -> None:
    given = ["annotators=3", "pay.item=0.3", "corrections=no", "rule=majority", "consent=Yes?"]
    assert fields.change_settings(CampaignSettings(), given, NoOptions) == CampaignSettings(
        annotators=3, pay=Pay(item=0.3), corrections=False, rule="majority", consent="Yes?"
    )


def test_lists_are_written_as_json_and_options_by_their_name() -> None:
    given = ['stages=[{"name": "try"}, {"name": "work"}]', 'options.criteria=["fluency"]']
    changed = fields.change_settings(CampaignSettings(), given, JudgingOptions)
    assert changed.stages == (CampaignStage("try"), CampaignStage("work"))
    assert changed.options == {"criteria": ["fluency"]}


def test_none_removes_a_value() -> None:
    settings = CampaignSettings(pay=Pay(item=1), most=5)
    assert fields.change_settings(settings, ["pay=none", "most="], NoOptions) == CampaignSettings()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("annotator=3", "no setting 'annotator': there are annotators"),
        ("annotators", "write NAME=VALUE"),
        ("annotators=many", "write it as JSON"),
        ("corrections=perhaps", "yes or no"),
        ("rule=all", "one of 'majority'"),
        ("pay.item=[]", "Expected 'float'"),
    ],
)
def test_invalid_answers_are_refused(given: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        fields.change_settings(CampaignSettings(), [given], NoOptions)


def test_a_number_out_of_its_bounds_is_named() -> None:
    settings = CampaignSettings(lease=0, pay=Pay(item=-1), stages=(CampaignStage("a", False, 2),))
    assert list(fields.find_problems(settings)) == [
        "'stages.pass_mark' is 0 to 1, not 2",
        "'lease' is 1 to 525,600, not 0",
        "'pay.item' is 0 to 1,000,000, not -1",
    ]
