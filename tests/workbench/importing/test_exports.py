"""Exports of answers as records, tables and files of the task."""

from __future__ import annotations

import csv
import io
import zipfile

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tatian
from tatian.errors import InputError
from tatian.text.layers import Record
from tatian.workbench.campaigns import exports
from tatian.workbench.campaigns.exchange import TOOLS
from tatian.workbench.campaigns.exports import Download, export
from tatian.workbench.campaigns.records import CampaignRecord, to_iso
from tatian.workbench.errors import NoSuchCampaign
from tatian.workbench.storage.database import Database, now

from .conftest import create_campaign


def data(download: Download) -> bytes:
    return b"".join(download.chunks())


def read_export(database: Database, **options: bool) -> list[CampaignRecord]:
    lines = data(export(database, "talk", **options)).splitlines()
    return [msgspec.json.decode(line, type=CampaignRecord) for line in lines]


def table(database: Database) -> list[dict[str, str]]:
    text = data(export(database, "talk", "csv")).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_record_has_annotator_times_and_guidelines(database: Database) -> None:
    begun = now()
    create_campaign(database)
    first = read_export(database)[0]
    assert (first.task, first.item, first.campaign) == ("echo", "p", "talk")
    assert (first.stage, first.guideline, first.made.version) == ("practice", 1, "guidelines 1")
    assert (first.seconds, first.score, first.answer) == (2.5, 1.0, {"text": "Try."})
    assert to_iso(begun) <= first.given <= (first.made.at or "") <= to_iso(now())
    assert first.software == f"tatian {tatian.__version__}"


def test_people_appear_by_pseudonym_only(database: Database) -> None:
    create_campaign(database)
    for form in set(exports.EXPORT_FORMS) - set(TOOLS):
        assert b"Name0" not in data(export(database, "talk", form))


def test_corrections_and_excluded_people_are_marked(database: Database) -> None:
    create_campaign(database)
    found = read_export(database)
    ids = {one.id for one in found}
    assert [one.answer for one in found if one.replaces in ids] == [{"text": "Corrected."}]
    assert len({one.made.by for one in found if one.excluded}) == 1


def test_final_answers_leave_out_training_corrected_and_excluded(database: Database) -> None:
    create_campaign(database)
    found = read_export(database, everything=False)
    assert {(one.stage, one.excluded) for one in found} == {("production", False)}
    assert len(found) == 2
    assert {"text": "Corrected."} in [one.answer for one in found]


def test_the_tasks_own_format_has_final_answers_unless_all_are_asked_for(
    database: Database,
) -> None:
    create_campaign(database)
    assert len(msgspec.json.decode(data(export(database, "talk", "task")))) == 2
    whole = export(database, "talk", "task", everything=True)
    assert whole.name == "talk.said.json"
    assert len(msgspec.json.decode(data(whole))) == 7


def test_several_files_come_as_an_archive_with_safe_names(database: Database) -> None:
    create_campaign(database, task="two")
    download = export(database, "talk", "task")
    assert (download.name, download.media) == ("talk.zip", "application/zip")
    packed = data(download)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == ["said.json", "_.._items.txt"]
        assert archive.read("_.._items.txt").decode().split() == ["i0", "i1", "i2", "i3"]
    assert data(export(database, "talk", "task")) == packed


def test_a_table_has_a_column_for_each_field_of_the_answer(database: Database) -> None:
    create_campaign(database)
    rows = table(database)
    assert [row["answer.text"] for row in rows[:1]] == ["Try."]
    assert {row["stage"] for row in rows} == {"practice", "production"}
    assert {row["excluded"] for row in rows} == {"true", "false"}
    assert rows[0]["seconds"] == "2.5"


def test_exported_cells_are_no_formulas(database: Database) -> None:
    create_campaign(database)
    cells = [row["answer.text"] for row in table(database)]
    assert any(cell.startswith("'=1+1") for cell in cells)
    assert not any(cell.startswith("=") for cell in cells)


@given(st.text())
def test_text_never_becomes_a_formula(text: str) -> None:
    cell = exports._cell(text)
    assert not cell.lstrip(" \u00a0\ufeff").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert cell in (text, f"'{text}")


def test_an_empty_campaign_has_empty_exports(database: Database) -> None:
    from tatian.workbench.campaigns import campaigns
    from tatian.workbench.settings import CampaignSettings

    with database.writing() as connection:
        campaigns.create(connection, "talk", "echo", "T", CampaignSettings(), "g", "test")
    assert data(export(database, "talk")) == b""
    assert data(export(database, "talk", "task")) == b"[]"
    assert len(data(export(database, "talk", "csv")).splitlines()) == 1


def test_the_size_is_known_before_the_file_is_read(database: Database) -> None:
    create_campaign(database)
    download = export(database, "talk")
    assert download.size == len(data(download))


def test_a_large_export_goes_to_disk(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    create_campaign(database)
    whole = data(export(database, "talk"))
    monkeypatch.setattr(exports, "_IN_MEMORY", 100)
    download = export(database, "talk")
    assert download.file._rolled  # type: ignore[attr-defined]
    assert data(download) == whole


def test_a_missing_campaign_is_reported_before_sending(database: Database) -> None:
    with pytest.raises(NoSuchCampaign):
        export(database, "none")


def test_an_unknown_form_is_refused(database: Database) -> None:
    with pytest.raises(InputError, match="no export called 'pdf'"):
        export(database, "none", "pdf")  # type: ignore[arg-type]


def test_a_record_is_read_by_programs_that_know_records_only(database: Database) -> None:
    create_campaign(database)
    for line in data(export(database, "talk")).splitlines():
        full = msgspec.json.decode(line, type=CampaignRecord)
        plain = msgspec.json.decode(line, type=Record[dict[str, str]])
        assert (plain.id, plain.made.kind, plain.answer) == (full.id, "person", full.answer)
