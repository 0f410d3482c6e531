"""What is known of a chain beside its mentions."""

from __future__ import annotations

import pytest

from tatian.analysis.pieces import RuleAnalyser
from tatian.pipeline.profiles import Profile, is_name, profiles
from tatian.text import CHAINS, Chain, Document, Mention, Span

TEXT = "Police found Mrs. Holm, the old mayor of Halverne, at noon. She spoke of three ferries."


def at(phrase: str, head: str = "", type: str = "") -> Mention:
    start, least = TEXT.index(phrase), TEXT.index(head or phrase)
    span = Span(least, least + len(head)) if head else None
    return Mention(start, start + len(phrase), type, head=span)


def profile(*mentions: Mention, type: str = "") -> Profile:
    document = RuleAnalyser().analyze(Document("a", TEXT))
    chain = Chain("a#1", tuple(sorted(mentions)), type)
    (found,) = profiles(document.with_layer(CHAINS, [chain], "test"))
    return found


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        (at("Mrs. Holm", "Holm"), True),
        (at("Police"), False),
        (at("Police", type="ORG"), True),
        (at("She"), False),
        (at("the old mayor", "mayor"), False),
    ],
)
def test_a_capital_makes_a_name_but_not_at_the_start_of_a_sentence(
    mention: Mention, expected: bool
) -> None:
    assert is_name(RuleAnalyser().analyze(Document("a", TEXT)), mention) is expected


def test_names_nouns_and_modifiers_come_from_all_mentions() -> None:
    found = profile(at("Mrs. Holm", "Holm"), at("the old mayor of Halverne", "mayor"), at("She"))
    assert found.names == (("holm",),)
    assert found.heads == {"mayor"}
    assert {"old", "halvern"} <= found.modifiers
    assert found.genders == {"female"}


def test_context_words_are_the_other_concepts_of_its_sentences() -> None:
    company = profile(at("She")).context_words
    assert {"spoke", "3"} <= company


def test_chains_of_pronouns_have_no_keys() -> None:
    assert profile(at("She")).keys() == []


def test_numbers_are_compared_by_value() -> None:
    found = profile(at("three ferries", "ferries"))
    assert found.numbers == {"3"}
    assert found.plural
