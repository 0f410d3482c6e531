"""Coreference by names, apposition, head nouns and pronouns."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis.pieces import RuleAnalyser
from tatian.coreference.models import resolvers
from tatian.coreference.models.match import MatchResolver, same_name
from tatian.mentions.models.names import NameDetector
from tatian.text import CHAINS, MENTIONS, Chain, Document, Mention, Span


def resolved(text: str) -> Document:
    return MatchResolver().resolve(
        NameDetector().detect(RuleAnalyser().analyze(Document("a", text)))
    )


def chains(text: str) -> list[list[str]]:
    """The chains with more than one mention, as the text has them."""
    found = resolved(text).get(CHAINS)
    return [[m.of(text) for m in chain.mentions] for chain in found if len(chain.mentions) > 1]


class TestNames:
    def test_a_surname_alone_is_the_person_named_in_full(self) -> None:
        text = "They asked Jonas Verrick. In the end Verrick answered."
        assert chains(text) == [["Jonas Verrick", "Verrick"]]

    def test_people_who_share_a_surname_are_not_linked(self) -> None:
        text = "They asked Jonas Verrick and then they asked Anna Verrick."
        assert chains(text) == []

    def test_shared_surname_refers_to_the_last_person_mentioned(self) -> None:
        text = "They asked Jonas Verrick and then they asked Anna Verrick. In the end Verrick left."
        assert chains(text) == [["Anna Verrick", "Verrick"]]

    def test_titles_of_different_gender_are_different_people(self) -> None:
        assert chains("They asked Mr. Verrick. They asked Mrs. Verrick.") == []

    def test_a_title_makes_no_other_person(self) -> None:
        text = "They asked Captain Jonas Verrick. They asked Mr. Verrick again."
        assert chains(text) == [["Captain Jonas Verrick", "Mr. Verrick"]]

    def test_a_lone_name_is_a_chain_of_its_own(self) -> None:
        text = "It sank near Halverne."
        assert [[m.of(text) for m in c.mentions] for c in resolved(text).get(CHAINS)] == [
            ["Halverne"]
        ]

    def test_an_institution_is_known_by_its_initials(self) -> None:
        text = "They told the Halverne Transport Authority. Then the HTA called back."
        assert chains(text) == [["Halverne Transport Authority", "HTA"]]

    def test_an_institution_is_known_by_the_first_words_of_its_name(self) -> None:
        text = "They told the Sennick Line Company. Then they told the Sennick Line again."
        assert chains(text) == [["Sennick Line Company", "Sennick Line"]]

    def test_names_of_different_type_are_never_one(self) -> None:
        text = "Sennick met Sennick."
        document = RuleAnalyser().analyze(Document("a", text))
        both = [Mention(0, 7, "PER"), Mention(12, 19, "LOC")]
        document = MatchResolver().resolve(document.with_layer(MENTIONS, both, "somebody"))
        assert [len(chain.mentions) for chain in document.get(CHAINS)] == [1, 1]


class TestSameName:
    @pytest.mark.parametrize(
        ("one", "other", "type_"),
        [
            ("verrick", "jonas verrick", "PER"),
            ("j. verrick", "jonas verrick", "PER"),
            ("hta", "hta", "ORG"),
            ("u.n.", "united nations", "ORG"),
            ("sennick line", "sennick line company", "ORG"),
        ],
    )
    def test_compatible_names_match(self, one: str, other: str, type_: str) -> None:
        assert same_name(one.split(), other.split(), type_)
        assert same_name(other.split(), one.split(), type_)

    @pytest.mark.parametrize(
        ("one", "other", "type_"),
        [
            ("anna verrick", "jonas verrick", "PER"),
            ("jonas", "jonas verrick", "PER"),
            ("sennick", "sennick line", "ORG"),
            ("cape lorn", "cape lorn bay", "LOC"),
            ("", "jonas verrick", "PER"),
        ],
    )
    def test_incompatible_names_do_not_match(self, one: str, other: str, type_: str) -> None:
        assert not same_name(one.split(), other.split(), type_)
        assert not same_name(other.split(), one.split(), type_)


class TestApposition:
    """MUC-6 §5.3."""

    @pytest.mark.parametrize(
        ("text", "role"),
        [
            ("They asked the captain, Jonas Verrick, today.", "the captain"),
            ("They asked Jonas Verrick, the captain, today.", "the captain"),
            ("They asked Jonas Verrick, the captain of the ferry.", "the captain"),
            ("They met the managing director, Carla Benning.", "the managing director"),
            ("They met Carla Benning, the managing director.", "the managing director"),
            ("They met Paul Garrick, the general secretary.", "the general secretary"),
        ],
    )
    def test_a_definite_appositive_is_coreferential(self, text: str, role: str) -> None:
        (chain,) = chains(text)
        assert role in chain

    @pytest.mark.parametrize(
        "text",
        [
            "They asked Jonas Verrick, a captain, today.",
            "They asked a captain, Jonas Verrick, today.",
            "They told the crew a captain, Jonas Verrick, today.",
        ],
    )
    def test_an_indefinite_appositive_is_not_coreferential(self, text: str) -> None:
        assert chains(text) == []

    def test_speaker_is_no_appositive(self) -> None:
        assert chains("The storm killed Peter Aldous, the mayor said.") == []

    def test_of_a_state_senator_the_senator_is_the_head(self) -> None:
        text = "They met Ellen Crane, the state senator. They left the state."
        assert chains(text) == [["Ellen Crane", "the state senator"]]

    def test_the_role_names_the_person_from_then_on(self) -> None:
        text = "They asked the captain, Jonas Verrick. Later the captain left."
        assert chains(text) == [["the captain", "Jonas Verrick", "the captain"]]

    def test_the_minimal_string_of_a_role_is_its_noun(self) -> None:
        text = "They met Carla Benning, the managing director."
        (chain,) = resolved(text).get(CHAINS)
        assert chain.mentions[1].head == Span(text.index("director"), len(text) - 1)


class TestNouns:
    def test_definite_noun_refers_to_an_earlier_one(self) -> None:
        text = "A ferry ran aground. Tugs pulled the ferry free."
        assert chains(text) == [["A ferry", "the ferry"]]

    def test_last_noun_of_a_compound_is_its_head(self) -> None:
        text = "A passenger ferry ran aground. Tugs pulled the ferry free."
        assert chains(text) == [["A passenger ferry", "the ferry"]]

    def test_noun_with_another_is_a_new_entity(self) -> None:
        assert chains("They saw the ferry. Then a ferry came.") == []

    def test_times_are_not_linked(self) -> None:
        assert chains("In the morning it sank. In the morning it rose.") == []

    def test_single_mention_makes_no_chain(self) -> None:
        assert chains("They saw the ferry.") == []


class TestPronouns:
    def test_pronoun_refers_to_the_last_person_mentioned(self) -> None:
        text = "They asked Jonas Verrick. He said nothing."
        assert chains(text) == [["Jonas Verrick", "He"]]

    def test_gender_distinguishes_antecedents(self) -> None:
        text = "They asked Mr. Aldous and then Mrs. Tolle. He left. She stayed."
        assert chains(text) == [["Mr. Aldous", "He"], ["Mrs. Tolle", "She"]]

    def test_pronouns_determine_the_gender_of_a_name(self) -> None:
        text = "They asked Hanna Brode. She left. Then he came."
        assert chains(text) == [["Hanna Brode", "She"]]

    def test_within_the_sentence_the_subject_counts(self) -> None:
        text = "Then Jonas Verrick told Peter Aldous that he knew."
        assert ["Jonas Verrick", "he"] in chains(text)

    def test_pronouns_in_quotations_are_not_linked(self) -> None:
        text = 'They asked Jonas Verrick. "He knew. He sailed," said Hanna Brode.'
        assert chains(text) == []

    def test_a_quotation_nobody_closes_ends_with_its_paragraph(self) -> None:
        text = 'They asked Jonas Verrick "about fog.\n\nHe said nothing.'
        assert chains(text) == [["Jonas Verrick", "He"]]

    def test_it_never_refers_to_a_person(self) -> None:
        assert chains("They asked Jonas Verrick. It was late.") == []

    def test_distant_pronoun_refers_only_to_the_single_person(self) -> None:
        far = "Fog came. " * 5
        alone = f"They asked Jonas Verrick. {far}He said nothing."
        assert chains(alone) == [["Jonas Verrick", "He"]]
        two = f"They asked Jonas Verrick and Peter Aldous. {far}He said nothing."
        assert chains(two) == []

    def test_pronouns_before_the_first_name_are_not_linked(self) -> None:
        assert chains("He said nothing. They asked Jonas Verrick.") == []


def test_chains_are_numbered_in_order_of_appearance() -> None:
    found = resolved("They left Halverne. They asked Jonas Verrick.").get(CHAINS)
    assert [chain.id for chain in found] == ["a#1", "a#2"]


def test_match_resolver_is_registered() -> None:
    assert isinstance(resolvers.create("match"), MatchResolver)


def test_a_document_without_mentions_has_no_chains() -> None:
    assert resolved("").get(CHAINS) == ()


def test_mention_without_a_word_is_ignored() -> None:
    document = RuleAnalyser().analyze(Document("a", "— it sank."))
    document = document.with_layer(MENTIONS, [Mention(0, 1, "MISC"), Mention(1, 1, "MISC")], "odd")
    assert all(isinstance(chain, Chain) for chain in MatchResolver().resolve(document).get(CHAINS))


def test_thousands_of_people_and_pronouns_are_resolved_in_seconds() -> None:
    text = " ".join(f"They asked Jonas Verrick{number}. He left." for number in range(4000))
    begin = time.process_time()
    resolved(text)
    assert time.process_time() - begin < 10


WORDS = [
    "Jonas",
    "Verrick",
    "Mr.",
    "the",
    "captain",
    "a",
    "ferry",
    "he",
    "she",
    "said",
    ".",
    ",",
    '"',
]


@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_no_mention_is_in_two_chains_and_chains_are_sorted(words: list[str]) -> None:
    found = resolved(" ".join(words)).get(CHAINS)
    mentions = [(m.start, m.end) for chain in found for m in chain.mentions]
    assert len(mentions) == len(set(mentions))
    assert all(list(chain.mentions) == sorted(chain.mentions) for chain in found)
    assert [min(c.mentions).start for c in found] == sorted(min(c.mentions).start for c in found)
