"""Creation of campaigns from files and options."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.errors import InputError
from tatian.workbench import demo
from tatian.workbench.accounts import links
from tatian.workbench.campaigns import campaigns, invitations, items, progress
from tatian.workbench.campaigns.plans import CampaignFile, create_planned, plan_campaign
from tatian.workbench.settings import CampaignSettings, CampaignStage, Panel
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.schema import secret
from tatian.workbench.tasks import tasks

from .echo import EchoTask

PLAIN = CampaignFile("folder/plain.csv", b"text\nOne.\nTwo.\n")
GOLD = CampaignFile("gold.csv.gz", b"text,right\nThree.,3\n")


def test_the_task_gives_its_own_guidelines_and_the_id_is_the_title() -> None:
    found = plan_campaign("talk", [PLAIN], task="echo")
    assert (found.title, found.guidelines) == ("talk", EchoTask().guidelines())
    assert found.settings == CampaignSettings()


def test_settings_of_a_file_are_changed_by_options() -> None:
    given = CampaignFile("s.json", b'{"annotators": 2, "lease": 5}').settings()
    found = plan_campaign("talk", [PLAIN], task="echo", settings=given, changes={"annotators": 4})
    assert (found.settings.annotators, found.settings.lease) == (4, 5)


@pytest.mark.parametrize("data", [b"{", b'{"anotators": 2}', b'{"annotators": "two"}', b"\xff"])
def test_invalid_settings_are_refused_with_the_files_name(data: bytes) -> None:
    with pytest.raises(InputError, match=r"s\.json: not a campaign's settings"):
        CampaignFile("s.json", data).settings()


def test_training_files_make_stages_before_production_in_their_order() -> None:
    training = [("easy", GOLD), ("hard", CampaignFile("hard.csv", b"text,right\nFour.,4\n"))]
    found = plan_campaign("talk", [PLAIN], task="echo", training=training)
    easy, hard = CampaignStage("easy", feedback=True), CampaignStage("hard", feedback=True)
    assert found.settings.stages == (easy, hard, CampaignStage("production"))
    assert [item.stage for item in found.items] == [0, 1, None, None]


def test_training_may_fill_stages_that_the_settings_describe() -> None:
    stages = (CampaignStage("easy", feedback=True, pass_mark=0.5), CampaignStage("work"))
    found = plan_campaign(
        "t",
        [PLAIN],
        task="echo",
        settings=CampaignSettings(stages=stages),
        training=[("easy", GOLD)],
    )
    assert found.settings.stages == stages


@pytest.mark.parametrize("name", ["work", "hard"])
def test_a_stage_that_the_settings_do_not_have_before_production_is_refused(name: str) -> None:
    settings = CampaignSettings(stages=(CampaignStage("easy"), CampaignStage("work")))
    with pytest.raises(InputError, match=name):
        plan_campaign("talk", [PLAIN], task="echo", settings=settings, training=[(name, GOLD)])


def test_items_of_one_name_in_two_files_get_the_files_names() -> None:
    found = plan_campaign(
        "talk", [PLAIN, CampaignFile("more.csv", PLAIN.data)], task="echo", tests=[GOLD]
    )
    keys = ["plain:2", "plain:3", "more:2", "more:3", "gold:2"]
    assert [item.key for item in found.items] == keys
    assert [item.test for item in found.items] == [False] * 4 + [True]


def test_an_invalid_plan_creates_nothing(database: Database) -> None:
    settings = CampaignSettings(panel=Panel(redirect="http://example.org"))
    wrong = plan_campaign("talk", [PLAIN], task="echo", settings=settings)
    with pytest.raises(InputError), database.writing() as connection:
        create_planned(connection, wrong, "test")
    with database.reading() as connection:
        assert campaigns.list_campaigns(connection) == []


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        CampaignFile.read(str(tmp_path / "none.csv"))


def test_the_demo_has_an_open_campaign_of_each_task_and_is_made_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "_builtin", {"echo": f"{EchoTask.__module__}:EchoTask"})
    assert demo.create_demos(database)
    assert not demo.create_demos(database)
    with database.reading() as connection:
        (campaign,) = campaigns.list_campaigns(connection)
        assert (campaign.id, campaign.state) == ("demo-echo", "open")
        found = progress.read_status(connection, campaign)
        assert [(stage.name, stage.items) for stage in found.stages] == [
            ("practice", 1),
            ("production", 1),
        ]
    ((title, path),) = demo.demo_paths(database)
    assert title == "Demo: Say it again"
    assert path.startswith("/join/")


def test_the_demo_needs_an_empty_database(database: Database) -> None:
    with database.writing() as connection:
        create_planned(connection, plan_campaign("talk", [PLAIN], task="echo"), "test")
    assert not demo.create_demos(database)


@pytest.mark.parametrize(
    ("kind", "place"), [("personal", "join"), ("open", "join"), ("panel", "panel")]
)
def test_an_invitation_is_a_signed_link(
    kind: invitations.InvitationKind, place: str, database: Database
) -> None:
    with database.writing() as connection:
        campaign = create_planned(connection, plan_campaign("talk", [PLAIN], task="echo"), "test")
        path = invitations.invite(connection, campaign, "test", kind, "for anna")
        (invitation,) = invitations.list_invitations(connection, campaign)
        key = secret(connection)
    _, folder, token = path.partition("?")[0].split("/")
    assert folder == place
    assert links.read_token(key, token, links.INVITATION).subject == invitation.id


def test_items_keep_the_order_of_their_file(database: Database) -> None:
    with database.writing() as connection:
        campaign = create_planned(connection, plan_campaign("talk", [PLAIN], task="echo"), "test")
        assert [one.key for one in items.list_items(connection, campaign)] == ["2", "3"]
