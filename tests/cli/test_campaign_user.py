"""`tatian campaign user` shuts people out, lets them in again, and says who is who."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .harness import Command, Inside

pytest.importorskip("sqlalchemy")


@pytest.fixture
def tatian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command, where Anna and Ben are admins."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TATIAN_DATABASE", raising=False)
    command = Inside(tmp_path)
    for name in ("anna", "ben"):
        done = command("campaign", "user", "add", name, "-q", stdin=b"correct horse\n")
        assert done == (0, "", "")
    return command


def states(tatian: Command) -> dict[str, bool]:
    found = json.loads(tatian("campaign", "user", "list", "--format", "json").out)
    return {one["name"]: one["disabled"] for one in found}


def test_somebody_disabled_can_be_enabled_again(tatian: Command) -> None:
    tatian("campaign", "user", "disable", "anna", "-q")
    assert states(tatian) == {"anna": True, "ben": False}
    done = tatian("campaign", "user", "enable", "anna")
    assert done.err == "tatian: note: 'anna' can sign in again\n"
    assert states(tatian) == {"anna": False, "ben": False}
    log = json.loads(tatian("campaign", "audit", "--format", "json").out)
    assert (log[0]["action"], log[0]["subject"]) == ("user.enable", "anna")


def test_nobody_can_be_enabled_who_is_not_there(tatian: Command) -> None:
    assert tatian("campaign", "user", "enable", "eve").error == "there is no such user"


def test_a_new_password_lets_nobody_in_who_is_disabled_and_says_so(tatian: Command) -> None:
    tatian("campaign", "user", "disable", "anna", "-q")
    done = tatian("campaign", "user", "password", "anna", stdin=b"battery staple\n")
    assert done.err == (
        "tatian: note: 'anna' has a new password, but is still disabled: "
        "'tatian campaign user enable anna' lets them in again\n"
    )
    assert states(tatian)["anna"] is True


def test_the_list_tells_role_state_way_in_and_campaigns(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("sentence1Text,sentence2Text\nA ferry.,A boat.\n", "utf-8")
    for id in ("ferries", "boats"):
        tatian("campaign", "create", id, "pairs.csv", "--task", "union", "-q")
    chosen = ["--campaign", "ferries", "--campaign", "boats"]
    add = ["campaign", "user", "add", "mia", "--role", "manager", *chosen, "-q"]
    assert tatian(*add, stdin=b"correct horse\n") == (0, "", "")
    tatian("campaign", "user", "disable", "ben", "-q")
    lines = tatian("campaign", "user", "list").out.splitlines()
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in lines}
    assert rows["anna"] == "admin active password all"
    assert rows["ben"] == "admin disabled password all"
    assert rows["mia"] == "manager active password boats, ferries"


def test_who_has_no_password_is_listed_as_coming_by_a_link(tatian: Command, tmp_path: Path) -> None:
    from tatian.workbench.accounts import users
    from tatian.workbench.storage.database import Database

    database = Database(str(tmp_path / "tatian-workbench.db"))
    with database.writing() as connection:
        users.create(connection, "zoe", "manager")
    database.close()
    assert "link only" in tatian("campaign", "user", "list").out
