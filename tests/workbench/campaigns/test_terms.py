"""What people agree to: exactly which text, once, and again when it changes."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from msgspec.structs import replace

from tatian.workbench.campaigns import audit, people, privacy, terms
from tatian.workbench.campaigns.people import Annotator, Consent
from tatian.workbench.settings import CONSENT, CampaignSettings, Panel, Pay
from tatian.workbench.storage.database import Database

from .conftest import Clock, Room
from .test_concurrency import raised, together

Open = Callable[..., Room]
FULL = CampaignSettings(
    requirements="Fluent in *Welsh*.\n", pay=Pay(0.3, 1.25, 100), consent=" May we? "
)


def agree(here: Room, annotator: str) -> Annotator:
    with here.database.writing() as connection:
        return people.consent(connection, here.campaign, annotator)


def exported(here: Room, annotator: str) -> Any:
    with here.database.reading() as connection:
        return privacy.export(connection, here.campaign, annotator)


def kept(here: Room) -> list[str]:
    with here.database.reading() as connection:
        return sorted(terms.read_stored(connection, here.campaign.id).values())


def ask_for(here: Room, consent: str) -> None:
    here.change(settings=replace(here.campaign.settings, consent=consent))


def test_the_terms_are_requirements_pay_and_consent() -> None:
    found = terms.get_terms(FULL)
    assert found.text == (
        "### Who may take part\n\nFluent in *Welsh*.\n\n"
        "You are paid 0.30 USD for each item, and a bonus of 1.25 USD for every 100 items; "
        "training is not paid.\n\nMay we?"
    )
    assert found.hash == sha256(found.text.encode()).hexdigest()


@pytest.mark.parametrize(
    ("settings", "asks"),
    [
        (FULL, True),
        (CampaignSettings(consent="May we?"), True),
        (CampaignSettings(requirements="Fluent."), True),
        (CampaignSettings(pay=Pay(1)), False),
        (CampaignSettings(consent=" \n"), False),
        (CampaignSettings(), False),
    ],
)
def test_people_are_asked_if_there_are_terms(settings: CampaignSettings, asks: bool) -> None:
    assert terms.get_terms(settings).asks is asks


@pytest.mark.parametrize(
    "changed",
    [{"consent": "May we not?"}, {"requirements": "None."}, {"pay": Pay(0.2)}, {"pay": None}],
)
def test_different_terms_have_different_hashes(changed: dict[str, Any]) -> None:
    assert terms.get_terms(replace(FULL, **changed)).hash != terms.get_terms(FULL).hash


def test_other_settings_do_not_change_the_terms() -> None:
    other = replace(FULL, annotators=7, lease=5, panel=Panel(code="X"))
    assert terms.get_terms(other) == terms.get_terms(FULL)


def test_an_agreement_is_recorded_once_with_its_time_and_its_text(room: Open, clock: Clock) -> None:
    here = room(consent="May we?")
    ann = here.person()
    first = agree(here, ann).agreed
    clock.minutes(1)
    assert agree(here, ann).agreed == first
    assert first == (Consent(clock.moment - 60_000, terms.get_terms(here.campaign.settings).hash),)
    assert kept(here) == ["May we?"]


def test_a_text_is_stored_once_for_everybody(database: Database) -> None:
    here = Room(database, CampaignSettings(consent="May we?"))
    crowd = [here.person() for _ in range(6)]
    assert not raised(together([lambda who=who: agree(here, who) for who in crowd]))
    assert kept(here) == ["May we?"]


def test_without_terms_nothing_is_recorded(room: Open) -> None:
    here = room(pay=Pay(1))
    assert agree(here, here.person()).agreed == ()
    assert kept(here) == []


def test_new_terms_are_asked_for_after_the_item_in_hand_and_before_the_next(room: Open) -> None:
    here = room(consent="May we?", shuffled=False)
    here.items(2)
    ann = here.person()
    agree(here, ann)
    mine = here.take(ann)
    ask_for(here, "May we publish it?")
    assert here.take(ann).id == mine.id
    assert here.standing(ann) == "item"
    here.submit(mine)
    assert here.next(ann) is None
    assert here.standing(ann) == "consent"
    assert len(agree(here, ann).agreed) == 2
    assert here.take(ann).key == "item-1"
    assert kept(here) == ["May we publish it?", "May we?"]


def test_later_terms_do_not_interrupt_an_item(room: Open) -> None:
    here = room()
    here.items(2)
    ann = here.person()
    mine = here.take(ann)
    ask_for(here, "May we?")
    here.submit(here.take(ann))
    assert mine.state == "open"
    assert here.next(ann) is None
    assert here.standing(ann) == "consent"


def test_a_lapsed_item_waits_for_the_new_terms(room: Open, clock: Clock) -> None:
    here = room(consent="May we?", lease=10)
    here.items(1)
    ann = here.person()
    agree(here, ann)
    mine = here.take(ann)
    clock.minutes(11)
    here.next(here.person())
    bob = here.person()
    agree(here, bob)
    here.give_back(here.take(bob))
    ask_for(here, "May we publish it?")
    assert here.next(ann) is None
    agree(here, ann)
    assert here.take(ann).id == mine.id


def test_people_with_everything_done_need_not_accept_new_terms(room: Open) -> None:
    here = room(consent="May we?")
    here.items(1)
    ann = here.person()
    agree(here, ann)
    mine = here.take(ann)
    ask_for(here, "May we publish it?")
    here.submit(mine)
    assert here.next(ann) is None
    assert here.standing(ann) == "finished"
    here.items(1, "more")
    assert here.next(ann) is None
    assert here.standing(ann) == "consent"


def test_the_export_of_personal_data_says_what_somebody_agreed_to_and_when(
    room: Open, clock: Clock
) -> None:
    here = room(consent="May we?")
    ann = here.person()
    agree(here, ann)
    ask_for(here, "May we publish it?")
    clock.minutes(1)
    agree(here, ann)
    first = {"at": clock.moment - 60_000, "text": "May we?"}
    second = {"at": clock.moment, "text": "May we publish it?"}
    told = [{"at": one["at"], "text": one["text"]} for one in exported(here, ann)["agreed"]]
    assert told == [first, second]


def test_deletion_anonymizes_agreements(room: Open) -> None:
    here = room(consent="May we?")
    ann = here.person()
    hash = agree(here, ann).agreed[0].terms
    with here.database.writing() as connection:
        fresh = privacy.delete(connection, here.campaign, ann, "test")
        log = audit.entries(connection, here.campaign.id)
        assert people.find(connection, here.campaign, fresh).agreed == ()
    told = [(one.subject, one.detail) for one in log if one.action == "annotator.consent"]
    assert told == [(fresh, {"terms": hash})]


@pytest.mark.parametrize(
    ("settings", "unsaid"),
    [
        (CampaignSettings(pay=Pay(1)), True),
        (CampaignSettings(panel=Panel()), True),
        (CampaignSettings(panel=Panel(), requirements="Fluent."), True),
        (CampaignSettings(panel=Panel(), pay=Pay(1), consent=CONSENT), False),
        (CampaignSettings(), False),
    ],
)
def test_panels_and_pay_need_a_stated_purpose(settings: CampaignSettings, unsaid: bool) -> None:
    assert terms.lacks_purpose(settings) is unsaid


def test_the_default_consent_states_the_purpose_without_blanks() -> None:
    assert "train artificial intelligence models" in CONSENT
    assert "here.*" not in CONSENT
