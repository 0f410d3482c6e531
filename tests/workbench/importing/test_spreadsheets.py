"""Import of tables that were saved by spreadsheets."""

from __future__ import annotations

import pytest

from tatian.errors import InputError
from tatian.workbench.campaigns import plans
from tatian.workbench.campaigns.item_files import read_items
from tatian.workbench.tasks import NewItem

from .echo import EchoTask

TASK = EchoTask()


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table_is_read_with_any_separator(mark: str) -> None:
    lines = ["id;text;right", "a;One.;", ";;", 'b;"Two; 2";Two!']
    data = "\ufeff" + "\r\n".join(lines).replace(";", mark) + "\r\n"
    assert read_items(TASK, "t.csv", data.encode()) == [
        NewItem("a", {"text": "One."}),
        NewItem("b", {"text": f"Two{mark} 2"}, {"text": "Two!"}),
    ]


def test_a_tsv_file_is_always_separated_by_tabs() -> None:
    data = b"id\ttext, said\n1\tHello.\n"
    assert read_items(TASK, "t.TSV.gz", data, {"text": "text, said"}) == [
        NewItem("1", {"text": "Hello."})
    ]


def test_wrong_settings_are_refused_with_the_allowed_values() -> None:
    file = plans.CampaignFile("s.json", b'{"suggestions": "some"}')
    with pytest.raises(InputError, match=r"s.json: not a campaign's settings: .*'all'"):
        file.settings()
