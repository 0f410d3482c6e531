"""How people come in, are excluded and taken back, and how their data leaves."""

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

from .conftest import Clock, Room

Open = Callable[..., Room]


def invite(here: Room, **options: Any) -> Invitation:
    with here.database.writing() as connection:
        return invitations.create(connection, here.campaign, "test", **options)


def taken(here: Room) -> dict[str, int]:
    with here.database.reading() as connection:
        return {
            row.key: row.taken for row in connection.execute(select(items.c.key, items.c.taken))
        }


def test_a_personal_invitation_admits_one_person(room: Open) -> None:
    here = room()
    link = invite(here, kind="personal", seats=9)
    here.person(invitation=link.id)
    with pytest.raises(Gone, match="used"):
        here.person(invitation=link.id)


def test_an_open_invitation_has_as_many_seats_as_it_says(room: Open) -> None:
    here = room()
    link = invite(here, kind="open", seats=2)
    assert here.person(invitation=link.id) != here.person(invitation=link.id)
    with pytest.raises(Gone):
        here.person(invitation=link.id)


def test_a_returning_panel_participant_is_the_same_person(room: Open) -> None:
    here = room()
    link = invite(here, kind="panel", seats=1)
    first = here.person(invitation=link.id, external="P1")
    assert here.person(invitation=link.id, external="P1") == first
    with pytest.raises(Gone):
        here.person(invitation=link.id, external="P2")


def test_a_revoked_invitation_admits_nobody(room: Open) -> None:
    here = room()
    link = invite(here, kind="open")
    with here.database.writing() as connection:
        invitations.revoke(connection, here.campaign, link.id, "test")
    with pytest.raises(Gone, match="withdrawn"):
        here.person(invitation=link.id)


def test_an_expired_invitation_admits_nobody(room: Open, clock: Clock) -> None:
    here = room()
    link = invite(here, kind="open", expires=clock.moment + 60_000)
    clock.minutes(1)
    with pytest.raises(Gone, match="expired"):
        here.person(invitation=link.id)


def test_an_invitation_of_another_campaign_admits_nobody(room: Open) -> None:
    here = room()
    there = Room(here.database, here.campaign.settings, "elsewhere")
    link = invite(there, kind="open")
    with pytest.raises(NotFound):
        here.person(invitation=link.id)


@pytest.mark.parametrize(
    "wrong", [{"kind": "secret"}, {"kind": "open", "seats": 0}, {"expires": 1}, {"label": "a\0"}]
)
def test_an_invalid_invitation_is_refused(room: Open, wrong: dict[str, Any]) -> None:
    here = room()
    with pytest.raises(BadRequest):
        invite(here, **wrong)


def test_a_closed_campaign_admits_nobody(room: Open) -> None:
    here = room()
    here.change(state="closed")
    with pytest.raises(Gone):
        here.person()


def test_items_of_an_excluded_person_go_to_others_and_the_answers_stay(room: Open) -> None:
    here = room()
    keys = here.items(3)
    ann, bob = here.person(), here.person()
    here.work(ann, most=2)
    here.take(ann)
    here.exclude(ann)
    assert taken(here) == dict.fromkeys(keys, 0)
    assert len(here.work(bob)) == 3
    with here.database.reading() as connection:
        kept = connection.execute(select(answers).where(answers.c.annotator == ann)).all()
    assert len(kept) == 2


def test_excluding_twice_is_excluding_once(room: Open) -> None:
    here = room()
    here.items(1)
    ann = here.person()
    here.work(ann)
    here.exclude(ann)
    here.exclude(ann)
    assert taken(here) == {"item-0": 0}


def test_unreplaced_answers_count_again_after_readmission(room: Open) -> None:
    here = room(shuffled=False)
    here.items(2)
    ann, bob = here.person(), here.person()
    here.work(ann)
    here.exclude(ann)
    here.work(bob, most=1)
    with here.database.writing() as connection:
        people.set_state(connection, here.campaign, ann, "active", "test")
    assert taken(here) == {"item-0": 1, "item-1": 1}
    assert here.status().done == 2


def test_other_states_than_excluded_and_active_cannot_be_set(room: Open) -> None:
    here = room()
    ann = here.person()
    with pytest.raises(BadRequest), here.database.writing() as connection:
        people.set_state(connection, here.campaign, ann, "finished", "test")


def test_the_audit_log_has_actions_and_actors(room: Open) -> None:
    here = room()
    here.items(1)
    ann = here.person()
    here.exclude(ann)
    with here.database.reading() as connection:
        log = audit.entries(connection, here.campaign.id)
    told = [(entry.actor, entry.action) for entry in reversed(log)]
    assert told == [
        ("test", "guidelines.add"),
        ("test", "campaign.create"),
        ("test", "campaign.change"),
        ("test", "items.add"),
        (f"annotator:{ann}", "annotator.enter"),
        ("test", "annotator.exclude"),
    ]


def known(here: Room) -> tuple[str, Invitation]:
    """Somebody about whom much is stored."""
    link = invite(here, kind="personal", label="Ann Example")
    ann = here.person(
        invitation=link.id, external="PANEL-77", name="Ann Example", details={"study": "S-1"}
    )
    with here.database.writing() as connection:
        signed_in.begin(connection, annotator=ann)
    here.submit(here.take(ann), {"word": "kept"})
    here.draft(here.take(ann), {"word": "unfinished"}, 0)
    return ann, link


def everything(here: Room) -> str:
    with here.database.reading() as connection:
        return "\n".join(
            repr(row)
            for table in metadata.sorted_tables
            for row in connection.execute(select(table))
        )


def test_the_export_of_personal_data_has_all_that_is_stored(room: Open) -> None:
    here = room()
    here.items(2)
    ann, link = known(here)
    with here.database.reading() as connection:
        data = privacy.export(connection, here.campaign, ann)
    person = data["annotator"]
    assert (person["name"], person["external"]) == ("Ann Example", "PANEL-77")
    assert (person["invitation"], person["details"]) == (link.id, {"study": "S-1"})
    assert [one["answer"] for one in data["answers"]] == [{"word": "kept"}]
    assert [one["draft"] for one in data["assignments"]] == [None, {"word": "unfinished"}]
    assert len(data["sessions"]) == 1
    assert {one["action"] for one in data["audit"]} == {"annotator.enter"}


def test_deletion_leaves_the_answers_under_a_fresh_name_and_nothing_personal(room: Open) -> None:
    here = room()
    here.items(2)
    ann, _ = known(here)
    with here.database.writing() as connection:
        fresh = privacy.delete(connection, here.campaign, ann, f"annotator:{ann}")
    left = everything(here)
    for personal in (ann, "Ann Example", "PANEL-77", "S-1", "unfinished"):
        assert personal not in left
    with here.database.reading() as connection:
        kept = connection.execute(select(answers)).one()
        state = connection.execute(select(annotators.c.state)).scalar_one()
    assert (kept.annotator, kept.answer, state) == (fresh, '{"word":"kept"}', "deleted")


def test_deletion_blanks_reasons_of_returned_items(room: Open) -> None:
    here = room()
    here.items(2)
    ann = here.person()
    here.give_back(here.take(ann))
    assert "too hard" in everything(here)
    with here.database.writing() as connection:
        privacy.delete(connection, here.campaign, ann, "test")
    assert "too hard" not in everything(here)
    with here.database.reading() as connection:
        (returned,) = (
            one for one in audit.entries(connection, "room") if one.action == "item.return"
        )
    assert returned.detail == {"assignment": 1, "reason": ""}


def test_deletion_frees_open_items_and_keeps_answers(room: Open) -> None:
    here = room()
    here.items(2)
    ann, _ = known(here)
    with here.database.writing() as connection:
        privacy.delete(connection, here.campaign, ann, "test")
    assert sorted(taken(here).values()) == [0, 1]
    assert len(here.work(here.person())) == 1


def test_a_deleted_person_cannot_return_under_either_name(room: Open) -> None:
    here = room()
    here.items(2)
    ann, link = known(here)
    with here.database.writing() as connection:
        fresh = privacy.delete(connection, here.campaign, ann, "test")
    with pytest.raises(NotFound):
        here.next(ann)
    assert here.next(fresh) is None
    with pytest.raises(Gone):
        here.person(invitation=link.id)
    with pytest.raises(Conflict), here.database.writing() as connection:
        people.set_state(connection, here.campaign, fresh, "active", "test")


def test_answers_of_an_excluded_person_stay_void_after_deletion(room: Open) -> None:
    here = room()
    here.items(2)
    ann, _ = known(here)
    here.exclude(ann)
    with here.database.writing() as connection:
        privacy.delete(connection, here.campaign, ann, "test")
    assert (here.status().done, here.status().annotators[0].void) == (0, 2)
    assert "unfinished" not in everything(here)
