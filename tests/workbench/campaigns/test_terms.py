"""Consent to terms, and to changed terms."""

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

from .conftest import Clock, Trial
from .test_concurrency import raised, together

Begin = Callable[..., Trial]
FULL = CampaignSettings(
    requirements="Fluent in *Welsh*.\n", pay=Pay(0.3, 1.25, 100), consent=" May we? "
)


def agree(trial: Trial, annotator: str) -> Annotator:
    with trial.database.writing() as connection:
        return people.consent(connection, trial.campaign, annotator)


def exported(trial: Trial, annotator: str) -> Any:
    with trial.database.reading() as connection:
        return privacy.export(connection, trial.campaign, annotator)


def stored_texts(trial: Trial) -> list[str]:
    with trial.database.reading() as connection:
        return sorted(terms.read_stored(connection, trial.campaign.id).values())


def ask_for(trial: Trial, consent: str) -> None:
    trial.change(settings=replace(trial.campaign.settings, consent=consent))


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


def test_an_agreement_is_recorded_once_with_time_and_text(begin: Begin, clock: Clock) -> None:
    trial = begin(consent="May we?")
    ann = trial.person()
    first = agree(trial, ann).agreed
    clock.minutes(1)
    assert agree(trial, ann).agreed == first
    assert first == (Consent(clock.moment - 60_000, terms.get_terms(trial.campaign.settings).hash),)
    assert stored_texts(trial) == ["May we?"]


def test_a_text_is_stored_once_for_everybody(database: Database) -> None:
    trial = Trial(database, CampaignSettings(consent="May we?"))
    crowd = [trial.person() for _ in range(6)]
    assert not raised(together([lambda who=who: agree(trial, who) for who in crowd]))
    assert stored_texts(trial) == ["May we?"]


def test_without_terms_nothing_is_recorded(begin: Begin) -> None:
    trial = begin(pay=Pay(1))
    assert agree(trial, trial.person()).agreed == ()
    assert stored_texts(trial) == []


def test_new_terms_are_asked_for_after_the_item_in_hand_and_before_the_next(begin: Begin) -> None:
    trial = begin(consent="May we?", shuffled=False)
    trial.items(2)
    ann = trial.person()
    agree(trial, ann)
    assignment = trial.take(ann)
    ask_for(trial, "May we publish it?")
    assert trial.take(ann).id == assignment.id
    assert trial.work_state(ann) == "item"
    trial.submit(assignment)
    assert trial.next(ann) is None
    assert trial.work_state(ann) == "consent"
    assert len(agree(trial, ann).agreed) == 2
    assert trial.take(ann).key == "item-1"
    assert stored_texts(trial) == ["May we publish it?", "May we?"]


def test_later_terms_do_not_interrupt_an_item(begin: Begin) -> None:
    trial = begin()
    trial.items(2)
    ann = trial.person()
    assignment = trial.take(ann)
    ask_for(trial, "May we?")
    trial.submit(trial.take(ann))
    assert assignment.state == "open"
    assert trial.next(ann) is None
    assert trial.work_state(ann) == "consent"


def test_a_lapsed_item_waits_for_the_new_terms(begin: Begin, clock: Clock) -> None:
    trial = begin(consent="May we?", lease=10)
    trial.items(1)
    ann = trial.person()
    agree(trial, ann)
    assignment = trial.take(ann)
    clock.minutes(11)
    trial.next(trial.person())
    bob = trial.person()
    agree(trial, bob)
    trial.give_back(trial.take(bob))
    ask_for(trial, "May we publish it?")
    assert trial.next(ann) is None
    agree(trial, ann)
    assert trial.take(ann).id == assignment.id


def test_people_with_everything_done_need_not_accept_new_terms(begin: Begin) -> None:
    trial = begin(consent="May we?")
    trial.items(1)
    ann = trial.person()
    agree(trial, ann)
    assignment = trial.take(ann)
    ask_for(trial, "May we publish it?")
    trial.submit(assignment)
    assert trial.next(ann) is None
    assert trial.work_state(ann) == "finished"
    trial.items(1, "more")
    assert trial.next(ann) is None
    assert trial.work_state(ann) == "consent"


def test_the_export_of_personal_data_says_what_somebody_agreed_to_and_when(
    begin: Begin, clock: Clock
) -> None:
    trial = begin(consent="May we?")
    ann = trial.person()
    agree(trial, ann)
    ask_for(trial, "May we publish it?")
    clock.minutes(1)
    agree(trial, ann)
    first = {"at": clock.moment - 60_000, "text": "May we?"}
    second = {"at": clock.moment, "text": "May we publish it?"}
    told = [{"at": one["at"], "text": one["text"]} for one in exported(trial, ann)["agreed"]]
    assert told == [first, second]


def test_deletion_anonymizes_agreements(begin: Begin) -> None:
    trial = begin(consent="May we?")
    ann = trial.person()
    hash = agree(trial, ann).agreed[0].terms
    with trial.database.writing() as connection:
        fresh = privacy.delete(connection, trial.campaign, ann, "test")
        log = audit.list_entries(connection, trial.campaign.id)
        assert people.find(connection, trial.campaign, fresh).agreed == ()
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
