"""`tatian campaign` makes, watches, exports and looks after campaigns."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from .harness import Command, Inside

pytest.importorskip("sqlalchemy")

PAIRS = """sentence1Text,sentence2Text
A ferry ran aground in fog.,A ferry ran aground near Halverne.
A ferry sank.,The old ferry sank in May.
"""
GOLD = {
    "id": "g1",
    "sentences": ["A boat sank.", "A boat sank off Brest."],
    "gold": {"type": "written", "base": 1, "merged": "A boat sank off Brest."},
}


@pytest.fixture
def tatian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TATIAN_DATABASE", raising=False)
    return Inside(tmp_path)


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text(PAIRS, "utf-8")
    (tmp_path / "other.csv").write_text("one,two\nA.,B.\n", "utf-8")
    (tmp_path / "gold.jsonl").write_text(json.dumps(GOLD) + "\n", "utf-8")


@pytest.fixture
def ferries(tatian: Command) -> Command:
    """The command, where there is a campaign of two pairs."""
    done = tatian("campaign", "create", "ferries", "pairs.csv", "--task", "union", "-q", "--open")
    assert done == (0, "", "")
    return tatian


def status(tatian: Command, id: str = "ferries") -> dict[str, object]:
    done = tatian("campaign", "status", id, "--format", "json")
    assert done.status == 0, done
    found: dict[str, object] = json.loads(done.out)
    return found


def test_a_campaign_is_a_draft_until_it_is_opened(tatian: Command) -> None:
    done = tatian("campaign", "create", "ferries", "pairs.csv", "--task", "union")
    assert done.err == (
        "tatian: note: campaign 'ferries' has 2 items and is a draft: 'tatian campaign open "
        "ferries' lets people begin\n"
    )
    states = [status(tatian)["state"]]
    for command in ("open", "close"):
        tatian("campaign", command, "ferries", "-q")
        states.append(status(tatian)["state"])
    assert states == ["draft", "open", "closed"]


def test_training_stages_and_settings_come_from_options(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"annotators": 2, "test_every": 5, "seed": 7}')
    done = tatian(
        "campaign", "create", "ferries", "pairs.csv", "--task", "union", "--annotators", "3",
        "--stage", "practice=gold.jsonl", "--settings", "settings.json", "--title", "Ferries!",
    )  # fmt: skip
    assert done.status == 0, done
    found = status(tatian)
    assert (found["items"], found["wanted"]) == (2, 6)
    assert [stage["name"] for stage in found["stages"]] == ["practice", "production"]  # type: ignore[attr-defined]
    (listed,) = json.loads(tatian("campaign", "status", "--format", "json").out)
    assert listed["title"] == "Ferries!"
    settings = listed["settings"]
    assert (settings["annotators"], settings["test_every"], settings["seed"]) == (3, 5, 7)


def test_unions_of_a_table_are_gold_for_training_where_the_mapping_says_so(
    tatian: Command, tmp_path: Path
) -> None:
    (tmp_path / "gold.csv").write_text(
        "sentence1Text,sentence2Text,mergedText\nA boat sank.,A boat sank off Brest.,"
        "A boat sank off Brest.\n"
    )
    done = tatian(
        "campaign", "create", "ferries", "pairs.csv", "--task", "union",
        "--stage", "practice=gold.csv", "--map", "gold=mergedText",
    )  # fmt: skip
    assert done.err.startswith("tatian: note: campaign 'ferries' has 3 items"), done


def test_columns_are_mapped(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("a,b\nOne fire.,One big fire.\n")
    done = tatian(
        "campaign", "create", "fires", "other.csv", "--task", "union",
        "--map", "sentence1Text=a", "--map", "sentence2Text=b",
    )  # fmt: skip
    assert done.status == 0, done
    assert status(tatian, "fires")["items"] == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["create", "x", "pairs.csv"], "say what is asked, with one of the tasks"),
        (["create", "x", "pairs.csv", "--task", "nonsense"], "no workbench task named 'nonsense'"),
        (["create", "X y", "none.csv", "--task", "union"], "'X y' is not a campaign id"),
        (
            ["create", "x", "other.csv", "--task", "union"],
            "other.csv:2: no column 'sentence1Text' (in JSONL: no field 'sentences'), only 'one', "
            "'two': a mapping such as sentence1Text=NAME says which column it is",
        ),
        (["create", "x", "none.csv", "--task", "union"], "none.csv: no such file or directory"),
        (["create", "x", "gold.jsonl", "--task", "union", "--stage", "a"], "'a' is not a stage"),
        (
            ["create", "x", "pairs.csv", "--task", "union", "--stage", "a=pairs.csv"],
            "pairs.csv: item '1' is an item of a training stage without a right answer",
        ),
        (
            ["create", "x", "pairs.csv", "--task", "union", "--settings", "gold.jsonl"],
            "gold.jsonl: not a campaign's settings: Object contains unknown field 'id'",
        ),
        (["create", "x", "pairs.csv", "--task", "union", "--map", "a"], "'a' maps nothing"),
    ],
)
def test_invalid_campaigns_fail_with_one_line(
    args: list[str], message: str, tatian: Command
) -> None:
    assert message in tatian("campaign", *args).error


def test_looking_at_a_missing_database_does_not_create_it(tatian: Command, tmp_path: Path) -> None:
    assert tatian("campaign", "status").error.startswith(
        "tatian-workbench.db: there is no workbench database"
    )
    assert not (tmp_path / "tatian-workbench.db").exists()


def test_missing_campaign_fails_with_one_line(ferries: Command) -> None:
    assert ferries("campaign", "status", "none").error == "there is no campaign 'none'"


def test_links_are_printed_one_a_line(ferries: Command) -> None:
    done = ferries("campaign", "invite", "ferries", "--count", "3")
    assert len({*done.out.split()}) == 3
    assert all(line.startswith("http://127.0.0.1:8000/join/") for line in done.out.splitlines())


def test_labelled_links_show_their_label(ferries: Command, tmp_path: Path) -> None:
    url = "https://annotate.example.org"
    (tmp_path / "people.txt").write_text("anna\n\nben\n")
    done = ferries("campaign", "invite", "ferries", "--labels", "people.txt", "--public-url", url)
    rows = [line.split("\t") for line in done.out.splitlines()]
    assert [row[0] for row in rows] == ["anna", "ben"]
    assert all(row[1].startswith(f"{url}/join/") for row in rows)


def test_a_panels_link_has_places_for_its_parameters(ferries: Command) -> None:
    done = ferries("campaign", "invite", "ferries", "--panel", "--seats", "20")
    assert "/panel/" in done.out
    assert done.out.endswith("&SESSION_ID={{%SESSION_ID%}}\n")


def test_personal_links_and_shared_ones_exclude_each_other(ferries: Command) -> None:
    assert "--count" in ferries("campaign", "invite", "ferries", "--count", "2", "--panel").error


def test_more_items_can_be_imported_under_other_names(ferries: Command) -> None:
    assert "has items of these keys" in ferries("campaign", "import", "ferries", "pairs.csv").error
    done = ferries("campaign", "import", "ferries", "pairs.csv", "--prefix", "may-")
    assert done.err == (
        "tatian: note: pairs.csv: 2 items\n"
        "tatian: warning: 2 of these items were in the campaign already, with another id: "
        "'may-1' is '1'\n"
    )
    assert status(ferries)["items"] == 4


def test_exports_go_to_standard_output_or_a_file(ferries: Command, tmp_path: Path) -> None:
    assert ferries("campaign", "export", "ferries") == (0, "", "")
    done = ferries("campaign", "export", "ferries", "--to", "csv")
    assert done.out.startswith("id,campaign,task,item,")
    missing = ferries("campaign", "export", "ferries", "-o", "none/x.jsonl")
    assert missing.error == "none/x.jsonl: cannot be written: no such file or directory"


def test_guidelines_are_printed_and_replaced(ferries: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("## Rules\n\nBe brief.\n")
    done = ferries("campaign", "guidelines", "ferries", "mine.md")
    assert done.err == "tatian: note: campaign 'ferries' has version 2 of its guidelines\n"
    assert ferries("campaign", "guidelines", "ferries").out == "## Rules\n\nBe brief.\n"


def test_the_log_says_what_the_command_line_did(ferries: Command) -> None:
    done = ferries("campaign", "audit", "ferries", "--format", "json")
    actions = [entry["action"] for entry in json.loads(done.out)]
    assert {"campaign.create", "campaign.change", "items.add"} <= set(actions)
    assert {entry["actor"] for entry in json.loads(done.out)} == {"command line"}


def test_a_backup_is_restored_into_an_empty_database(ferries: Command) -> None:
    assert ferries("campaign", "backup", "-o", "all.backup", "-q").status == 0
    assert ferries("campaign", "restore", "all.backup", "--database", "new.db", "-q").status == 0
    old = ferries("campaign", "status", "ferries").out
    assert ferries("campaign", "status", "ferries", "--database", "new.db").out == old
    again = ferries("campaign", "restore", "all.backup", "--database", "new.db")
    assert again.error.startswith("the database is not empty: name a new one with --database")
    once_more = ferries("campaign", "backup", "-o", "all.backup")
    assert once_more.err.endswith("bytes), in place of an earlier one\n")


def test_restoring_an_invalid_backup_creates_no_database(ferries: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello, this is no database")
    (tmp_path / "spoilt.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    for name, said in (
        ("missing", "no such backup"),
        ("notes.txt", "not a backup of the workbench"),
        ("spoilt.db", "not a backup of the workbench"),
    ):
        done = ferries("campaign", "restore", name, "--database", "new.db")
        assert done.status == 2
        assert name in done.error
        assert said in done.error
        assert not (tmp_path / "new.db").exists()


def test_people_are_added_with_a_password_from_standard_input(ferries: Command) -> None:
    done = ferries("campaign", "user", "add", "Anna", stdin=b"correct horse\n")
    assert done.err == "tatian: note: admin 'anna' can sign in\n"
    assert "already" in ferries("campaign", "user", "add", "anna", stdin=b"correct horse\n").error


def test_a_link_signs_a_person_in_without_a_password(ferries: Command, tmp_path: Path) -> None:
    from tatian.workbench.accounts import users
    from tatian.workbench.storage.database import Database

    ferries("campaign", "user", "add", "anna", stdin=b"correct horse\n")
    place = "https://example.org"
    done = ferries("campaign", "user", "link", "anna", "--public-url", place)
    assert done.out.startswith(f"{place}/sign-in/")
    ferries("campaign", "user", "add", "ben", stdin=b"correct horse\n")
    with (
        contextlib.closing(Database(str(tmp_path / "tatian-workbench.db"))) as database,
        database.writing() as connection,
    ):
        users.set_role(connection, users.find_by_name(connection, "anna"), "admin", disabled=True)
    refused = ferries("campaign", "user", "link", "anna").error
    assert refused == "'anna' can no longer sign in: allow it with 'campaign user change --enabled'"


def test_a_password_that_is_short_or_missing_is_refused(ferries: Command) -> None:
    assert "10 to" in ferries("campaign", "user", "add", "ben", stdin=b"short\n").error
    assert "no password" in ferries("campaign", "user", "add", "ben").error


def test_a_manager_runs_the_campaigns_that_are_named(ferries: Command) -> None:
    add = ["campaign", "user", "add", "mia", "--role", "manager", "--campaign"]
    assert "no campaign 'none'" in ferries(*add, "none", stdin=b"correct horse\n").error
    assert ferries(*add, "ferries", "-q", stdin=b"correct horse\n") == (0, "", "")


@pytest.mark.parametrize("command", ["exclude", "forget"])
def test_unknown_people_cannot_be_changed(command: str, ferries: Command) -> None:
    assert "no such annotator" in ferries("campaign", "person", "ferries", "a0", command).error


SKIP: dict[str, Any] = {"type": "skipped", "reason": "unnatural"}


def entered(
    directory: Path,
    name: str,
    id: str = "ferries",
    *answers: dict[str, Any],
    database: str = "tatian-workbench.db",
) -> str:
    """Somebody in a campaign who has answered an item or more; gives their pseudonym."""
    from tatian.workbench.campaigns import allocation, campaigns, people, submission
    from tatian.workbench.storage.database import Database
    from tatian.workbench.tasks import tasks

    opened = Database(str(directory / database))
    with opened.writing() as connection:
        campaign = campaigns.get(connection, id)
        task = tasks.create(campaign.task)
        person = people.enter(connection, campaign, name=name)
        people.consent(connection, campaign, person.id)
        for answer in answers or (SKIP,):
            given = allocation.assign_next(connection, campaign, person.id)[1]
            assert given
            nonce = f"{given.id}"
            submission.submit(connection, campaign, task, person.id, given.id, nonce, answer, 4.0)
    opened.close()
    return person.id


def test_excluded_person_is_marked_in_the_export(ferries: Command, tmp_path: Path) -> None:
    id = entered(tmp_path, "Anna")
    done = ferries("campaign", "person", "ferries", id, "exclude")
    assert done.err == f"tatian: note: '{id}' is excluded, and their items are asked again\n"
    (record,) = ferries("campaign", "export", "ferries").out.splitlines()
    assert json.loads(record)["excluded"] is True
    assert ferries("campaign", "export", "ferries", "--final").out == ""


def test_deleted_person_leaves_only_answers(ferries: Command, tmp_path: Path) -> None:
    id = entered(tmp_path, "Anna")
    assert "Anna" in ferries("campaign", "status", "ferries", "--names").out
    assert "Anna" not in ferries("campaign", "status", "ferries").out
    assert ferries("campaign", "person", "ferries", id, "forget", "-q") == (0, "", "")
    assert "Anna" not in ferries("campaign", "status", "ferries", "--names").out
    (record,) = ferries("campaign", "export", "ferries").out.splitlines()
    assert json.loads(record)["made"]["by"] != id


def test_deleted_person_is_in_no_file_of_an_open_database(ferries: Command, tmp_path: Path) -> None:
    from tatian.workbench.storage.database import Database

    server = Database(str(tmp_path / "tatian-workbench.db"))
    id = entered(tmp_path, "Ottoline Featherstonehaugh")
    ferries("campaign", "person", "ferries", id, "forget", "-q")
    kept = [path.read_bytes() for path in tmp_path.glob("tatian-workbench.db*")]
    server.close()
    assert len(kept) == 3
    assert not any(b"Ottoline" in one for one in kept)


def test_the_tasks_files_go_into_a_folder(ferries: Command, tmp_path: Path) -> None:
    entered(tmp_path, "Anna")
    assert ferries("campaign", "export", "ferries", "--to", "task", "-o", "out/") == (0, "", "")
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"unions.csv", "skipped.jsonl"}
    ferries("campaign", "export", "ferries", "--to", "task", "-o", "deep/er")
    assert (tmp_path / "deep" / "er" / "unions.csv").is_file()
    ferries("campaign", "export", "ferries", "--to", "task", "-o", "all.zip")
    assert (tmp_path / "all.zip").read_bytes().startswith(b"PK")


def test_settings_are_printed_and_changed_by_name(ferries: Command, tmp_path: Path) -> None:
    (tmp_path / "changes.json").write_text('{"annotators": 4, "consent": "May we?"}')
    done = ferries("campaign", "settings", "ferries", "changes.json")
    assert done.err == "tatian: note: campaign 'ferries' has changed: annotators, consent\n"
    found = json.loads(ferries("campaign", "settings", "ferries").out)
    assert (found["annotators"], found["consent"], found["lease"]) == (4, "May we?", 60)
    (tmp_path / "changes.json").write_text('{"anotators": 4}')
    refused = ferries("campaign", "settings", "ferries", "changes.json").error
    assert "changes.json: not a campaign's settings: Object contains unknown field" in refused


def test_roles_and_campaigns_of_users_can_be_changed(ferries: Command) -> None:
    for name in ("anna", "ben"):
        ferries("campaign", "user", "add", name, "-q", stdin=b"correct horse\n")
    change = ("campaign", "user", "change")
    given = ferries(*change, "ben", "--role", "manager", "--campaign", "ferries")
    assert given.err == "tatian: note: manager 'ben' can sign in\n"
    assert "no campaign 'fires'" in ferries(*change, "ben", "--campaign", "fires").error
    off = ferries(*change, "ben", "--disabled")
    assert off.err == "tatian: note: manager 'ben' can no longer sign in\n"
    assert (
        "allow it with 'campaign user change --enabled'"
        in ferries("campaign", "user", "link", "ben").error
    )
    assert ferries(*change, "ben", "--enabled", "-q") == (0, "", "")
    assert ferries("campaign", "user", "link", "ben").status == 0
    assert "the last admin stays" in ferries(*change, "anna", "--role", "manager").error
    log = ferries("campaign", "audit", "--format", "json").out
    assert '"user.change"' in log
    assert "horse" not in log
