"""Aggregation by the nouns that titles share."""

from __future__ import annotations

import pytest

from tatian.aggregation.models import aggregators
from tatian.aggregation.models.facts.aggregator import HeadAggregator
from tatian.text import CHAINS, Chain, Document, EntitySet, Mention, Span


def people(*titled: tuple[str, str]) -> tuple[EntitySet, Document]:
    """A document that names some people with their titles, and the set of them."""
    text = ""
    chains = []
    for number, (title, name) in enumerate(titled, 1):
        start = len(text)
        head = start + len(title) + 1 if title else start
        text += f"{title} {name}" if title else name
        mention = Mention(start, len(text), "PER", Span(head, len(text)) if title else None)
        chains.append(Chain(f"a#{number}", (mention,), "PER"))
        text += ", "
    entities = EntitySet(
        tuple(chain.id for chain in chains), tuple(name for _, name in titled), "PER"
    )
    return entities, Document("a", text).with_layer(CHAINS, chains, "test")


def phrases(*titled: tuple[str, str]) -> list[str]:
    return [phrase for phrase, _ in HeadAggregator().aggregate(*people(*titled))]


def test_shared_office_names_the_set() -> None:
    assert phrases(
        ("Finance Minister", "Held"), ("Defence Minister", "Garrick"), ("Minister", "Rowe")
    ) == ["the three ministers"]


def test_different_offices_give_no_phrase() -> None:
    assert phrases(("Minister", "Held"), ("Mayor", "Rowe")) == []


def test_set_with_an_untitled_member_gets_no_phrase() -> None:
    assert phrases(("Minister", "Held"), ("", "Anna Rowe")) == []


def test_the_last_noun_of_a_title_is_used() -> None:
    assert phrases(("Attorney General", "Held"), ("Brigadier General", "Rowe")) == [
        "the two generals"
    ]


def test_the_head_of_secretary_of_state_is_secretary() -> None:
    assert phrases(("Secretary of State", "Held"), ("Army Secretary", "Rowe")) == [
        "the two secretaries"
    ]


def test_an_office_of_two_words_takes_its_plural_in_the_first() -> None:
    assert phrases(("Secretary-General", "Held"), ("Secretary-General", "Rowe")) == [
        "the two secretaries-general"
    ]


def test_forms_of_address_are_not_used() -> None:
    assert phrases(("Mr.", "Held"), ("Mr.", "Rowe")) == []


def test_a_title_that_any_mention_gives_counts() -> None:
    entities, document = people(("Minister", "Held"), ("Minister", "Rowe"))
    first, second = document.get(CHAINS)
    bare = Chain(second.id, (*second.mentions, Mention(0, 0, "PER")), "PER")
    document = document.with_layer(CHAINS, [first, bare], "test")
    assert HeadAggregator().aggregate(entities, document) == (("the two ministers", 1.0),)


@pytest.mark.parametrize(
    ("office", "plural"),
    [
        ("Congressman", "congressmen"),
        ("Spokeswoman", "spokeswomen"),
        ("Secretary", "secretaries"),
        ("Attorney", "attorneys"),
        ("Coach", "coaches"),
        ("Captain", "captains"),
    ],
)
def test_the_noun_is_in_the_plural(office: str, plural: str) -> None:
    assert phrases((office, "Held"), (office, "Rowe")) == [f"the two {plural}"]


def test_numbers_above_twelve_are_written_in_digits() -> None:
    assert phrases(*[("Mayor", f"Held{n}") for n in range(12)]) == ["the twelve mayors"]
    assert phrases(*[("Mayor", f"Held{n}") for n in range(13)]) == ["the 13 mayors"]


def test_empty_set_gets_no_phrase() -> None:
    assert phrases() == []


def test_a_phrase_has_the_mentions_of_the_text_as_support() -> None:
    (found,) = HeadAggregator().explain(*people(("Minister", "Held"), ("Minister", "Rowe")))
    assert found.support == ("the text: “Minister Held”", "the text: “Minister Rowe”")


def test_heads_aggregator_is_registered() -> None:
    assert isinstance(aggregators.create("heads"), HeadAggregator)
