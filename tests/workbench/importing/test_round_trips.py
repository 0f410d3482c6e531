"""What leaves a campaign comes back the same, on either database and between them."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.workbench.campaigns import audit, campaigns, exports, items, plans, progress
from tatian.workbench.campaigns.answer_files import Imported, add_records
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.portable import CampaignLine
from tatian.workbench.campaigns.records import Answered, milliseconds, moment
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import NewItem, tasks

from .conftest import TRAINED, filled, say


def exported(database: Database, id: str, form: exports.Form, **options: Any) -> bytes:
    return b"".join(exports.export(database, id, form, **options).chunks())


def bring(database: Database, id: str, data: bytes) -> Imported:
    with database.writing() as connection:
        campaign = campaigns.get(connection, id)
        task = tasks.create(campaign.task)
        return add_records(connection, campaign, task, "records.jsonl", data, "test")


def again(database: Database, data: bytes, id: str = "talk") -> Campaign:
    """A campaign made of an exported one."""
    plan = plans.plan(id, [plans.File("talk.campaign.jsonl", data)])
    with database.writing() as connection:
        return plans.make(connection, plan, "test")


def refused(database: Database, data: bytes, id: str = "talk") -> str:
    with pytest.raises(InputError) as caught:
        bring(database, id, data)
    return str(caught.value)


@pytest.mark.parametrize("there", ["sqlite", "postgresql"])
@pytest.mark.parametrize("here", ["sqlite", "postgresql"])
def test_a_campaign_and_its_answers_move_to_another_database_without_loss(
    here: str,
    there: str,
    new_database: Callable[[str], Database],
) -> None:
    old, new = new_database(here), new_database(there)
    filled(old)
    whole, records = exported(old, "talk", "items"), exported(old, "talk", "records")
    again(new, whole)
    assert bring(new, "talk", records) == Imported(added=7, known=0)
    assert exported(new, "talk", "items") == whole
    assert exported(new, "talk", "records") == records
    assert exported(new, "talk", "task") == exported(old, "talk", "task")
    assert exported(new, "talk", "csv") == exported(old, "talk", "csv")


def test_figures_are_the_same_after_the_move(new_database: Callable[[str], Database]) -> None:
    old, new = new_database("sqlite"), new_database("sqlite")
    filled(old)
    again(new, exported(old, "talk", "items"))
    bring(new, "talk", exported(old, "talk", "records"))

    def counted(database: Database) -> tuple[Any, ...]:
        with database.reading() as connection:
            found = progress.status(connection, campaigns.get(connection, "talk"))
        people = {
            (one.id, one.state == "excluded", one.done, one.void, one.seconds, one.training_score)
            for one in found.annotators
        }
        return found.items, found.wanted, found.done, found.complete, people

    assert counted(new) == counted(old)


def order(database: Database, id: str = "talk") -> list[tuple[str, int, int, Any]]:
    """The items in the order of work: key, place, batch, suggestion."""
    with database.reading() as connection:
        found = items.listed(connection, campaigns.get(connection, id))
    placed = sorted(found, key=lambda one: one.position)
    return [(one.key, one.position, one.batch, one.suggestion) for one in placed]


def in_two_batches(database: Database) -> None:
    """A campaign whose items came in two goes, with suggestions."""
    settings = CampaignSettings(seed=3, batch=2)
    with database.writing() as connection:
        made = campaigns.create(connection, "talk", "echo", "Talk", settings, "# One", "test")
        for start in (0, 5):
            new = [NewItem(f"i{n}", {"text": f"Text {n}."}) for n in range(start, start + 5)]
            items.add(connection, made, new, "test")
        items.change(connection, made, "i3", "test", retired=True)
    items.suggest(database, made, tasks.create("echo"), "test")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_order_of_work_and_suggestions_move_along(
    kind: str, new_database: Callable[[str], Database]
) -> None:
    old, new = new_database(kind), new_database("sqlite")
    in_two_batches(old)
    again(new, exported(old, "talk", "items"))
    assert order(new) == order(old)
    assert order(new)[0][3] == {"text": f"Text {order(new)[0][0][1:]}."}
    assert exported(new, "talk", "items") == exported(old, "talk", "items")


def test_another_seed_orders_a_moved_campaign_anew(database: Database) -> None:
    in_two_batches(database)
    file = plans.File("talk.jsonl", exported(database, "talk", "items"))
    plan = plans.plan("other", [file], changes={"seed": 8})
    with database.writing() as connection:
        plans.make(connection, plan, "test")
    keys = [one[0] for one in order(database, "other")]
    assert sorted(keys) == sorted(one[0] for one in order(database))
    assert keys != [one[0] for one in order(database)]
    assert all(one[3] for one in order(database, "other"))


def test_a_campaign_file_of_before_the_order_was_kept_is_read(database: Database) -> None:
    in_two_batches(database)
    lines = exported(database, "talk", "items").splitlines()
    header, *rest = [msgspec.json.decode(line) for line in lines]
    for line in rest:
        del line["position"]
        line.pop("batch", None)
        line.pop("suggestion", None)
    old = b"\n".join(msgspec.json.encode(line) for line in (header, *rest))
    again(database, old, "other")
    assert sorted(one[1] for one in order(database, "other")) == list(range(10))


def test_records_can_be_imported_twice(database: Database) -> None:
    filled(database)
    records = exported(database, "talk", "records")
    assert bring(database, "talk", gzip.compress(records)) == Imported(added=0, known=7)
    assert exported(database, "talk", "records") == records


def test_records_come_in_whatever_their_order(new_database: Callable[[str], Database]) -> None:
    old, new = new_database("sqlite"), new_database("sqlite")
    filled(old)
    records = exported(old, "talk", "records")
    again(new, exported(old, "talk", "items"))
    bring(new, "talk", b"".join(reversed(records.splitlines(keepends=True))))
    assert exported(new, "talk", "records") == records


def test_what_was_imported_counts_as_taken(new_database: Callable[[str], Database]) -> None:
    old, new = new_database("sqlite"), new_database("sqlite")
    filled(old)
    again(new, exported(old, "talk", "items"))
    bring(new, "talk", exported(old, "talk", "records"))
    with new.writing() as connection:
        campaign = campaigns.change(connection, "talk", "test", state="open")
        found = progress.status(connection, campaign)
    for person in found.annotators:
        if person.state == "active":
            for _ in range(3):
                say(new, campaign, person.id, "Again.")
    with new.reading() as connection:
        found = progress.status(connection, campaign)
    assert (found.done, found.complete, found.wanted) == (8, 4, 8)


def test_an_import_is_noted_in_the_log(database: Database) -> None:
    filled(database)
    bring(database, "talk", exported(database, "talk", "records"))
    with database.reading() as connection:
        entry = audit.entries(connection, "talk")[0]
    assert (entry.action, entry.subject) == ("records.import", "records.jsonl")
    assert entry.detail == {"added": 0, "known": 7}


def changed(records: bytes, **fields: Any) -> bytes:
    """The first record with other fields."""
    first = msgspec.json.decode(records.splitlines()[0])
    return msgspec.json.encode({**first, **fields})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"task": "union"}, "an answer to 'union', and the campaign asks for 'echo'"),
        ({"item": "none"}, "the campaign has no item 'none': import the items first"),
        ({"answer": {"text": "Other."}}, "another answer '"),
        ({"id": "new"}, "has item 'p' already"),
        ({"id": "new", "answer": {}}, "record 'new' has no text"),
        ({"id": "new", "made": {"by": "b", "at": "yesterday"}}, "not a time as"),
        ({"id": "new", "made": {"by": "b"}}, "not a time as"),
        ({"id": "new", "made": {"by": ""}}, "the id of the annotator"),
        ({"id": "new", "made": {"by": "b\0"}}, "NUL"),
        ({"id": "new", "seconds": -1}, "-1.0 seconds at work cannot be"),
        ({"id": "new", "replaces": "gone"}, "corrects 'gone', which is not there"),
        ({"id": "new", "guideline": 2**40}, "no campaign has such a version"),
        ({"id": "new", "item": "p\0"}, "NUL"),
        ({"answer": [1]}, "not a record: Expected `object`"),
    ],
)
def test_a_record_that_does_not_fit_is_refused_with_its_line(
    fields: dict[str, Any], message: str, database: Database
) -> None:
    filled(database)
    records = exported(database, "talk", "records")
    told = refused(database, b"\n" + changed(records, **fields))
    assert told.startswith("records.jsonl:2: ")
    assert message in told


def test_one_answer_is_not_corrected_twice(database: Database) -> None:
    filled(database)
    lines = exported(database, "talk", "records").splitlines()
    (correction,) = (line for line in lines if b'"replaces"' in line)
    again = msgspec.json.encode({**msgspec.json.decode(correction), "id": "second"})
    assert "which another record corrects already" in refused(database, again)


def test_nothing_is_imported_where_one_record_does_not_fit(
    new_database: Callable[[str], Database],
) -> None:
    old, new = new_database("sqlite"), new_database("sqlite")
    filled(old)
    again(new, exported(old, "talk", "items"))
    records = exported(old, "talk", "records")
    refused(new, records + changed(records, id="x", item="none"))
    assert exported(new, "talk", "records") == b""


def test_another_campaigns_annotator_is_refused(database: Database) -> None:
    filled(database)
    again(database, exported(database, "talk", "items"), "other")
    record = changed(exported(database, "talk", "records"), id="new")
    assert "is one of campaign 'talk'" in refused(database, record, "other")


def test_two_records_of_one_id_are_refused(database: Database) -> None:
    filled(database)
    first = exported(database, "talk", "records").splitlines(keepends=True)[0]
    assert "records.jsonl:2: a second record" in refused(database, first * 2)


KEYS = st.text("abcé=,\"' /", min_size=1, max_size=12)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
NEW = st.builds(
    NewItem,
    KEYS,
    st.fixed_dictionaries({"text": TEXTS}),
    st.fixed_dictionaries({"text": TEXTS}),
    st.sampled_from([None, 0]),
    st.just(False),
    st.integers(-5, 5),
    st.one_of(st.none(), st.integers(0, 2**50)),
)


@settings(
    max_examples=settings.default.max_examples // 10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    new=st.lists(NEW, min_size=1, max_size=8, unique_by=lambda one: one.key),
    texts=st.lists(TEXTS, min_size=1, max_size=3),
)
def test_any_campaign_comes_back_the_same(
    new: list[NewItem], texts: list[str], new_database: Callable[[str], Database]
) -> None:
    plan = plans.CampaignPlan("talk", "echo", "T", TRAINED, tuple(dict.fromkeys(texts)), tuple(new))
    old, other = new_database("sqlite"), new_database("sqlite")
    with old.writing() as connection:
        plans.make(connection, plan, "test")
    whole = exported(old, "talk", "items")
    again(other, whole)
    assert exported(other, "talk", "items") == whole


def test_retired_items_are_retired_in_the_new_campaign(
    new_database: Callable[[str], Database],
) -> None:
    kept = (CampaignLine("a", {"text": "x"}, retired=True),)
    plan = plans.CampaignPlan(
        "talk", "echo", "T", TRAINED, ("g",), (NewItem("a", {"text": "x"}),), kept
    )
    old, new = new_database("sqlite"), new_database("sqlite")
    with old.writing() as connection:
        plans.make(connection, plan, "test")
    whole = exported(old, "talk", "items")
    again(new, whole)
    assert b'"retired":true' in whole
    assert exported(new, "talk", "items") == whole


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"file":"tatian.campaign","version":9,"software":"tatian 9"}', ":1: written by a newer"),
        (b'{"file":"tatian.campaign"}', ":1: not a campaign's first line: Object missing"),
    ],
)
def test_a_campaign_that_cannot_be_read_says_why(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        plans.plan("x", [plans.File("c.jsonl", data)])


@given(st.integers(0, 2**45))
def test_times_are_written_to_the_millisecond(time: int) -> None:
    assert milliseconds(moment(time)) == time


def test_a_record_is_read_by_programs_that_know_records_only(database: Database) -> None:
    from tatian.text.layers import Record

    filled(database)
    for line in exported(database, "talk", "records").splitlines():
        full = msgspec.json.decode(line, type=Answered)
        plain = msgspec.json.decode(line, type=Record[dict[str, str]])
        assert (plain.id, plain.made.kind, plain.answer) == (full.id, "person", full.answer)
