"""Tables that went through a spreadsheet are shown and imported as they were meant."""

from __future__ import annotations

import gzip

import pytest

from tatian.errors import InputError
from tatian.workbench.campaigns import exports, plans
from tatian.workbench.campaigns.item_files import items, preview
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import NewItem, tasks

from .echo import EchoTask

TASK = EchoTask()


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_the_columns_of_a_table_are_shown_whatever_divides_them(mark: str) -> None:
    lines = ["id;text;right", "a;One.;", ";;", 'b;"Two; 2";Two!']
    data = "\ufeff" + "\r\n".join(lines).replace(";", mark) + "\r\n"
    seen = preview(TASK, "t.csv", data.encode())
    assert (seen.form, seen.fields, seen.problem) == ("csv", ("id", "text", "right"), "")
    assert seen.rows == (("a", "One.", ""), ("b", f"Two{mark} 2", "Two!"))
    assert items(TASK, "t.csv", data.encode()) == [
        NewItem("a", {"text": "One."}),
        NewItem("b", {"text": f"Two{mark} 2"}, {"text": "Two!"}),
    ]


def test_a_packed_file_of_tabs_is_taken_at_its_word() -> None:
    data = gzip.compress(b"id\ttext, said\n1\tHello.\n")
    seen = preview(TASK, "t.TSV.gz", data, {"text": "text, said"})
    assert (seen.fields, seen.items, seen.problem) == (("id", "text, said"), 1, "")


@pytest.mark.parametrize(
    "first",
    [
        '[{"id": 1, "text": "x"}]',
        "@prefix a: <b> , c ;",
        "<DOC>One, two.",
        "# meta::title = One, two",
        "#begin document (a, b); part 000",
        "-DOCSTART- (1 One, two)",
    ],
)
def test_what_is_no_table_shows_no_columns_for_all_its_commas(first: str) -> None:
    seen = preview(TASK, "t", f"{first}\nmore, and more\n".encode())
    assert (seen.form, seen.fields) == ("other", ())


@pytest.mark.parametrize("name", sorted(tasks.builtin))
def test_items_of_every_task_come_back_equal(name: str, database: Database) -> None:
    task = tasks.create(name)
    plan = plans.CampaignPlan(
        "old",
        name,
        "Old",
        CampaignSettings(stages=task.demo_stages),
        ("# One",),
        tuple(task.demo()),
    )
    with database.writing() as connection:
        plans.make(connection, plan, "test")
    data = b"".join(exports.export(database, "old", "items").chunks())
    assert plans.plan("new", [plans.File("old.jsonl", data)]).items == plan.items


def test_wrong_settings_are_told_with_the_right_words() -> None:
    file = plans.File("s.json", b'{"suggestions": "some"}')
    with pytest.raises(InputError, match=r"s.json: not a campaign's settings: .*'half'"):
        file.settings()
