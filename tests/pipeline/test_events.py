"""Events across documents."""

from __future__ import annotations

import pytest

from tatian.analysis import analyze
from tatian.pipeline import link_events
from tatian.text import Document, Mention

FERRY = "A ferry struck a sandbank near Halverne on Tuesday. Tugs pulled it free."
OTHER = "The ferry struck the sandbank at dawn, the ministry said. A tug pulled the ferry away."


def told(*texts: str, **options: bool) -> list[tuple[str, list[str]]]:
    """The events: what each is called, and the words for it with their documents."""
    documents = [analyze(Document(chr(97 + n), text)) for n, text in enumerate(texts)]
    by_id = {document.id: document.text for document in documents}
    return [
        (event.name, [f"{id}:{one.of(by_id[id])}" for id, one in event.mentions()])
        for event in link_events(documents, **options)
    ]


def test_one_event_is_told_in_several_accounts() -> None:
    found = told(FERRY, OTHER)
    assert ["a:struck", "b:struck"] in [words for _, words in found]
    assert ("pull", ["a:pulled", "b:pulled"]) in found


def test_a_noun_meets_the_verb_of_its_stem() -> None:
    found = told("Police arrested a man in Leeds on Sunday.", "The arrest in Leeds came on Sunday.")
    assert [words for _, words in found] == [["a:arrested", "b:arrest"]]


def test_speaking_of_different_things_is_not_one_event() -> None:
    assert told("The minister said little.", "Doctors said the boy was safe.") == []


def test_what_is_denied_is_not_what_is_told() -> None:
    assert told("The union agreed to the offer.", "The owners did not agree to terms.") == []


def test_events_told_once_are_there_if_asked_for() -> None:
    assert told("Fog lay over the bay.") == []
    assert told("Fog lay over the bay.", lone=True) == [("lie", ["a:lay"])]


def test_events_can_be_given() -> None:
    documents = [analyze(Document(name, FERRY)) for name in "ab"]
    given = {name: [Mention(FERRY.index("sandbank"), FERRY.index(" near"))] for name in "ab"}
    (event,) = link_events(documents, given=given)
    assert [one.of(FERRY) for _, one in event.mentions()] == ["sandbank", "sandbank"]


@pytest.mark.parametrize("texts", [(), ("",), ("", "Fog.")])
def test_without_events_there_are_none(texts: tuple[str, ...]) -> None:
    assert told(*texts) == []
