"""Joining, exclusion, readmission and deletion of people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from tatian.workbench.accounts import sessions as signed_in
from tatian.workbench.campaigns import audit, invitations, people, privacy
from tatian.workbench.campaigns.invitations import Invitation
from tatian.workbench.errors import BadRequest, Conflict, Gone, NotFound
from tatian.workbench.storage.tables import annotators, answers, items, metadata

from .conftest import Clock, Trial

Begin = Callable[..., Trial]


def invite(trial: Trial, **options: Any) -> Invitation:
    with trial.database.writing() as connection:
        return invitations.create(connection, trial.campaign, "test", **options)


def count_taken(trial: Trial) -> dict[str, int]:
    with trial.database.reading() as connection:
        return {
            row.key: row.taken for row in connection.execute(select(items.c.key, items.c.taken))
        }


def test_a_personal_invitation_admits_one_person(begin: Begin) -> None:
    trial = begin()
    link = invite(trial, kind="personal", seats=9)
    trial.person(invitation=link.id)
    with pytest.raises(Gone, match="used"):
        trial.person(invitation=link.id)


def test_an_open_invitation_has_as_many_seats_as_it_says(begin: Begin) -> None:
    trial = begin()
    link = invite(trial, kind="open", seats=2)
    assert trial.person(invitation=link.id) != trial.person(invitation=link.id)
    with pytest.raises(Gone):
        trial.person(invitation=link.id)


def test_a_returning_panel_participant_is_the_same_person(begin: Begin) -> None:
    trial = begin()
    link = invite(trial, kind="panel", seats=1)
    first = trial.person(invitation=link.id, external="P1")
    assert trial.person(invitation=link.id, external="P1") == first
    with pytest.raises(Gone):
        trial.person(invitation=link.id, external="P2")


def test_a_revoked_invitation_admits_nobody(begin: Begin) -> None:
    trial = begin()
    link = invite(trial, kind="open")
    with trial.database.writing() as connection:
        invitations.revoke(connection, trial.campaign, link.id, "test")
    with pytest.raises(Gone, match="withdrawn"):
        trial.person(invitation=link.id)


def test_an_expired_invitation_admits_nobody(begin: Begin, clock: Clock) -> None:
    trial = begin()
    link = invite(trial, kind="open", expires=clock.moment + 60_000)
    clock.minutes(1)
    with pytest.raises(Gone, match="expired"):
        trial.person(invitation=link.id)


def test_an_invitation_of_another_campaign_admits_nobody(begin: Begin) -> None:
    trial = begin()
    there = Trial(trial.database, trial.campaign.settings, "elsewhere")
    link = invite(there, kind="open")
    with pytest.raises(NotFound):
        trial.person(invitation=link.id)


@pytest.mark.parametrize(
    "wrong", [{"kind": "secret"}, {"kind": "open", "seats": 0}, {"expires": 1}, {"label": "a\0"}]
)
def test_an_invalid_invitation_is_refused(begin: Begin, wrong: dict[str, Any]) -> None:
    trial = begin()
    with pytest.raises(BadRequest):
        invite(trial, **wrong)


def test_a_closed_campaign_admits_nobody(begin: Begin) -> None:
    trial = begin()
    trial.change(state="closed")
    with pytest.raises(Gone):
        trial.person()


def test_items_of_an_excluded_person_go_to_others_and_the_answers_stay(begin: Begin) -> None:
    trial = begin()
    keys = trial.items(3)
    ann, bob = trial.person(), trial.person()
    trial.work(ann, most=2)
    trial.take(ann)
    trial.exclude(ann)
    assert count_taken(trial) == dict.fromkeys(keys, 0)
    assert len(trial.work(bob)) == 3
    with trial.database.reading() as connection:
        kept = connection.execute(select(answers).where(answers.c.annotator == ann)).all()
    assert len(kept) == 2


def test_excluding_twice_is_excluding_once(begin: Begin) -> None:
    trial = begin()
    trial.items(1)
    ann = trial.person()
    trial.work(ann)
    trial.exclude(ann)
    trial.exclude(ann)
    assert count_taken(trial) == {"item-0": 0}


def test_unreplaced_answers_count_again_after_readmission(begin: Begin) -> None:
    trial = begin(shuffled=False)
    trial.items(2)
    ann, bob = trial.person(), trial.person()
    trial.work(ann)
    trial.exclude(ann)
    trial.work(bob, most=1)
    with trial.database.writing() as connection:
        people.set_state(connection, trial.campaign, ann, "active", "test")
    assert count_taken(trial) == {"item-0": 1, "item-1": 1}
    assert trial.status().done == 2


def test_only_active_and_excluded_can_be_set(begin: Begin) -> None:
    trial = begin()
    ann = trial.person()
    with pytest.raises(BadRequest), trial.database.writing() as connection:
        people.set_state(connection, trial.campaign, ann, "finished", "test")


def test_the_audit_log_has_actions_and_actors(begin: Begin) -> None:
    trial = begin()
    trial.items(1)
    ann = trial.person()
    trial.exclude(ann)
    with trial.database.reading() as connection:
        log = audit.list_entries(connection, trial.campaign.id)
    told = [(entry.actor, entry.action) for entry in reversed(log)]
    assert told == [
        ("test", "guidelines.add"),
        ("test", "campaign.create"),
        ("test", "campaign.change"),
        ("test", "items.add"),
        (f"annotator:{ann}", "annotator.enter"),
        ("test", "annotator.exclude"),
    ]


def known(trial: Trial) -> tuple[str, Invitation]:
    """A person with data in many tables."""
    link = invite(trial, kind="personal", label="Ann Example")
    ann = trial.person(
        invitation=link.id, external="PANEL-77", name="Ann Example", details={"study": "S-1"}
    )
    with trial.database.writing() as connection:
        signed_in.begin(connection, annotator=ann)
    trial.submit(trial.take(ann), {"word": "kept"})
    trial.draft(trial.take(ann), {"word": "unfinished"}, 0)
    return ann, link


def everything(trial: Trial) -> str:
    with trial.database.reading() as connection:
        return "\n".join(
            repr(row)
            for table in metadata.sorted_tables
            for row in connection.execute(select(table))
        )


def test_the_export_of_personal_data_has_all_that_is_stored(begin: Begin) -> None:
    trial = begin()
    trial.items(2)
    ann, link = known(trial)
    with trial.database.reading() as connection:
        data = privacy.export(connection, trial.campaign, ann)
    person = data["annotator"]
    assert (person["name"], person["external"]) == ("Ann Example", "PANEL-77")
    assert (person["invitation"], person["details"]) == (link.id, {"study": "S-1"})
    assert [one["answer"] for one in data["answers"]] == [{"word": "kept"}]
    assert [one["draft"] for one in data["assignments"]] == [None, {"word": "unfinished"}]
    assert len(data["sessions"]) == 1
    assert {one["action"] for one in data["audit"]} == {"annotator.enter"}


def test_deletion_leaves_the_answers_under_a_fresh_name_and_nothing_personal(begin: Begin) -> None:
    trial = begin()
    trial.items(2)
    ann, _ = known(trial)
    with trial.database.writing() as connection:
        fresh = privacy.delete(connection, trial.campaign, ann, f"annotator:{ann}")
    left = everything(trial)
    for personal in (ann, "Ann Example", "PANEL-77", "S-1", "unfinished"):
        assert personal not in left
    with trial.database.reading() as connection:
        kept = connection.execute(select(answers)).one()
        state = connection.execute(select(annotators.c.state)).scalar_one()
    assert (kept.annotator, kept.answer, state) == (fresh, '{"word":"kept"}', "deleted")


def test_deletion_blanks_reasons_of_returned_items(begin: Begin) -> None:
    trial = begin()
    trial.items(2)
    ann = trial.person()
    trial.give_back(trial.take(ann))
    assert "too hard" in everything(trial)
    with trial.database.writing() as connection:
        privacy.delete(connection, trial.campaign, ann, "test")
    assert "too hard" not in everything(trial)
    with trial.database.reading() as connection:
        (returned,) = (
            one for one in audit.list_entries(connection, "trial") if one.action == "item.return"
        )
    assert returned.detail == {"assignment": 1, "reason": ""}


def test_deletion_frees_open_items_and_keeps_answers(begin: Begin) -> None:
    trial = begin()
    trial.items(2)
    ann, _ = known(trial)
    with trial.database.writing() as connection:
        privacy.delete(connection, trial.campaign, ann, "test")
    assert sorted(count_taken(trial).values()) == [0, 1]
    assert len(trial.work(trial.person())) == 1


def test_a_deleted_person_cannot_return_under_either_name(begin: Begin) -> None:
    trial = begin()
    trial.items(2)
    ann, link = known(trial)
    with trial.database.writing() as connection:
        fresh = privacy.delete(connection, trial.campaign, ann, "test")
    with pytest.raises(NotFound):
        trial.next(ann)
    assert trial.next(fresh) is None
    with pytest.raises(Gone):
        trial.person(invitation=link.id)
    with pytest.raises(Conflict), trial.database.writing() as connection:
        people.set_state(connection, trial.campaign, fresh, "active", "test")


def test_answers_of_an_excluded_person_stay_void_after_deletion(begin: Begin) -> None:
    trial = begin()
    trial.items(2)
    ann, _ = known(trial)
    trial.exclude(ann)
    with trial.database.writing() as connection:
        privacy.delete(connection, trial.campaign, ann, "test")
    assert (trial.status().done, trial.status().annotators[0].void) == (0, 2)
    assert "unfinished" not in everything(trial)
