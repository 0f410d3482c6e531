"""Export and import of items and answers, for every task and format."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tatian.errors import InputError
from tatian.workbench.campaigns import exports
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.exchange import TOOLS, add_answers, read_answers
from tatian.workbench.campaigns.plans import CampaignFile, create_planned, plan_campaign
from tatian.workbench.campaigns.records import read_records
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.schema import prepare
from tatian.workbench.tasks import Json, NewItem, tasks

from ..crowd import Crowd

SPANNED = ("coreference", "mentions.detect")
each_task = pytest.mark.parametrize("name", tasks.names())


def answer_of(item: NewItem) -> Json:
    gold = {field: value for field, value in (item.gold or {}).items() if field != "note"}
    if "phrases" in gold:
        gold["phrases"] = gold["phrases"][:2]
    if "verdicts" in gold:
        gold["verdicts"] = [
            {name: said for name, said in one.items() if name != "why"} for one in gold["verdicts"]
        ]
    return gold


@pytest.fixture
def crowd(tmp_path: Path, request: pytest.FixtureRequest) -> Any:
    """Return a function that creates a demo campaign with answers of two people."""
    database = Database(str(tmp_path / "one.db"))
    prepare(database)

    def answered(name: str) -> Crowd:
        known = [one for one in tasks.create(name).demo() if one.gold is not None][:2]
        new = [NewItem(one.key, one.content, one.gold) for one in known]
        crowd = Crowd(database, name, new)
        for _ in range(2):
            crowd.person({one.key: answer_of(one) for one in known})
        return crowd

    yield answered
    database.close()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Any:
    """Return a function that imports exported items into another database."""
    database = Database(str(tmp_path / "two.db"))
    prepare(database)

    def import_copy(crowd: Crowd, form: Any = "items") -> tuple[Database, Campaign]:
        download = exports.export(crowd.database, crowd.campaign.id, form)
        file = CampaignFile(download.name, b"".join(download.chunks()))
        planned = plan_campaign("copy", [file], task=crowd.campaign.task)
        with database.writing() as connection:
            return database, create_planned(connection, planned, "test")

    yield import_copy
    database.close()


def answers(database: Database, campaign: Campaign, *, names: bool = True) -> list[Any]:
    with database.reading() as connection:
        found = read_records(connection, campaign)
        return sorted(
            (one.item, one.made.by if names else "", msgspec.json.encode(one.answer))
            for one in found
        )


def imported(
    database: Database, campaign: Campaign, name: str, data: bytes, by: str | None = None
) -> Any:
    task = tasks.create(campaign.task)
    with database.writing() as connection:
        return add_answers(connection, campaign, task, read_answers(task, name, data, by), "test")


@each_task
@pytest.mark.parametrize("form", ["items", "items-csv"])
def test_exported_items_stay_unchanged(crowd: Any, elsewhere: Any, name: str, form: str) -> None:
    first = crowd(name)
    database, campaign = elsewhere(first, form)
    both = []
    for where, which in ((first.database, first.campaign), (database, campaign)):
        download = exports.export(where, which.id, "items")
        both.append(b"".join(download.chunks()))
    assert both[0] == both[1]


@each_task
@pytest.mark.parametrize("form", ["records", "csv"])
def test_exported_answers_stay_unchanged(crowd: Any, elsewhere: Any, name: str, form: Any) -> None:
    first = crowd(name)
    database, campaign = elsewhere(first)
    download = exports.export(first.database, first.campaign.id, form)
    done = imported(database, campaign, download.name, b"".join(download.chunks()))
    assert (done.added, done.known, done.people) == (4, 0, 2)
    assert answers(database, campaign) == answers(first.database, first.campaign)
    again = exports.export(first.database, first.campaign.id, form)
    done = imported(database, campaign, again.name, b"".join(again.chunks()))
    assert (done.added, done.known) == (0, 4)


@pytest.mark.parametrize("name", SPANNED)
@pytest.mark.parametrize("tool", TOOLS)
def test_files_of_a_tool_stay_unchanged(crowd: Any, elsewhere: Any, name: str, tool: Any) -> None:
    first = crowd(name)
    database, campaign = elsewhere(first)
    files = {one.name: one.data for one in exports.export_files(first.database, "crowd", tool)}
    for file, data in files.items():
        if file.endswith((".tsv", ".xmi")):
            imported(database, campaign, file, data, by=file.partition("/")[0])
        elif file.endswith(".json"):
            imported(database, campaign, file, data)
    before = [_spans(one) for one in answers(first.database, first.campaign)]
    assert [_spans(one) for one in answers(database, campaign)] == before


def _spans(one: Any) -> Any:
    """Return an answer without MIN and OPT, which tools do not store."""
    item, by, answer = one
    plain = msgspec.json.decode(answer)
    for markable in plain.get("markables", ()):
        markable.pop("head", None)
        markable.pop("optional", None)
        markable.pop("id", None)
        markable.pop("antecedent", None)
    return item, by, plain


@pytest.mark.parametrize("tool", TOOLS)
def test_a_project_of_a_tool_can_be_imported(tmp_path: Path, crowd: Any, tool: Any) -> None:
    first = crowd("coreference")
    files = {one.name: one.data for one in exports.export_files(first.database, "crowd", tool)}
    name, data = next(
        (name, data) for name, data in files.items() if name.endswith((".tsv", ".xmi", ".json"))
    )
    file = CampaignFile(Path(name).name, data)
    planned = plan_campaign("begun", [file], task="coreference", mapping={"gold": "chains"})
    assert planned.items[0].gold is not None


def test_answers_in_a_file_of_items_belong_to_the_named_person(crowd: Any, elsewhere: Any) -> None:
    first = crowd("union")
    database, campaign = elsewhere(first)
    right = {"type": "skipped", "reason": "disagreement"}
    line = {"id": "training-roof", "sentences": ["A.", "B."], "gold": right}
    data = msgspec.json.encode(line)
    with pytest.raises(InputError, match="Say so with --by"):
        imported(database, campaign, "gold.jsonl", data)
    assert imported(database, campaign, "gold.jsonl", data, by="eve").added == 1


def _recorded(crowd: Crowd) -> Any:
    with crowd.database.reading() as connection:
        return list(read_records(connection, crowd.campaign))


def test_another_answer_of_the_same_person_is_refused(crowd: Any, elsewhere: Any) -> None:
    first = crowd("union.skips")
    database, campaign = elsewhere(first)
    one = _recorded(first)[0]
    imported(database, campaign, "a.jsonl", msgspec.json.encode(one))
    other = msgspec.structs.replace(one, answer={"chosen": {"category": "disagreement"}})
    with pytest.raises(InputError, match="another answer is there already"):
        imported(database, campaign, "a.jsonl", msgspec.json.encode(other))


def test_a_name_of_a_tool_is_kept_apart_from_the_pseudonym(crowd: Any, elsewhere: Any) -> None:
    first = crowd("coreference")
    database, campaign = elsewhere(first)
    files = list(exports.export_files(first.database, "crowd", "webanno"))
    imported(database, campaign, files[0].name, files[0].data, by="eve@example.org")
    ((_, by, _),) = answers(database, campaign)
    assert by.startswith("a")
    assert "eve" not in by


def test_a_task_without_spans_is_refused_for_tools(crowd: Any) -> None:
    with pytest.raises(InputError, match="webanno holds spans and links"):
        list(exports.export_files(crowd("union").database, "crowd", "webanno"))


def test_a_download_for_a_tool_is_an_archive(crowd: Any) -> None:
    download = exports.export(crowd("mentions.detect").database, "crowd", "xmi")
    with zipfile.ZipFile(io.BytesIO(b"".join(download.chunks()))) as archive:
        assert "TypeSystem.xml" in archive.namelist()
