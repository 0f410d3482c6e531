"""Rules that every union keeps."""

from __future__ import annotations

import pytest

from tatian.union.models.construct.guards import find_faults

FIRST = "The ferry left the harbour at noon."
SECOND = 'The captain of the ferry said "nobody was hurt" and thanked the crew.'


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The ferry left the harbour at noon and sank.", "no source has 'sank'"),
        ("The ferry left the harbour at.", "ends in 'at'"),
        ("The ferry ferry left the harbour at noon.", "'ferry' occurs twice"),
        ('The captain said "nobody was hurt and left.', "not balanced"),
        ('The captain said "nobody left" at noon.', "not as its source has it"),
        ("The ferry left the of the harbour.", "to belong to"),
        ("The ferry left the harbour. The captain thanked the crew.", "a sentence ends within"),
        ("The ferry left the harbour at noon thanked the crew.", "has no subject"),
    ],
)
def test_a_wording_that_breaks_a_rule_is_named(related, wording, text, wrong):
    found = find_faults(wording(text, related(FIRST, SECOND)))
    assert found
    assert wrong in found[0]


@pytest.mark.parametrize(
    "text",
    [
        FIRST,
        SECOND,
        "The ferry left the harbour at noon; the captain thanked the crew.",
        'The captain said "nobody was hurt" and thanked the crew.',
    ],
)
def test_a_sound_wording_has_no_faults(related, wording, text):
    assert find_faults(wording(text, related(FIRST, SECOND))) == []


def test_a_headlines_present_tense_does_not_stand_in_a_report(related, wording):
    pair = related("A storm hit the port on Friday.", "Storm hits port, sinks two boats")
    found = find_faults(wording("A storm hit the port on Friday and sinks two boats.", pair))
    assert found == ["'sinks' is how a headline puts it"]
