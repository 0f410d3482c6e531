"""The arrays that the trained resolver reads off an analysed document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis import analyze
from tatian.coreference.words import (
    FEMALE,
    HUMAN,
    INDEFINITE,
    MALE,
    PLURAL,
    POSSESSED,
    QUANTIFIED,
    RELATION,
    SINGULAR,
    TAG,
    THE,
    THING,
    THIS,
    UNKNOWN,
    WORD_SIZES,
    Analysis,
    Text,
    relation_number,
)
from tatian.errors import LayerMissing
from tatian.text import Document

from .trained_samples import CAPTAIN, COOKS, analysis, sample


def test_each_word_has_the_number_of_its_sentence() -> None:
    text = Text(CAPTAIN)
    assert text.sentence.tolist() == [0] * 8 + [1] * 3
    assert text.begin.tolist() == [0] * 8 + [8] * 3
    assert text.end.tolist() == [8] * 8 + [11] * 3


def test_a_word_outside_all_sentences_stands_alone() -> None:
    text = Text(analysis("A B C", sentences=[(0, 1), (2, 3)]))
    assert (text.begin[1], text.end[1], text.sentence[1]) == (1, 2, 0)


def test_the_reach_of_a_word_is_its_subtree() -> None:
    left, right = Text(CAPTAIN).reach
    captain = CAPTAIN.tokens.index("captain")
    assert (left[captain], right[captain]) == (2, 6)
    sold = CAPTAIN.tokens.index("sold")
    assert (left[sold], right[sold]) == (0, 7)


def test_the_edges_of_a_phrase_exclude_additions() -> None:
    text = Text(
        sample(
            "with/ADP/case/2 the/DET/det/2 boat/NOUN/root/-1 ,/PUNCT/punct/4 sold/VERB/acl:relcl/2"
        )
    )
    begin, end, short = text.edges
    assert (begin[2], end[2], short[2]) == (1, 4, 2)


def test_the_phrase_of_a_word_is_its_name_or_its_compounds() -> None:
    text = Text(CAPTAIN)
    assert text.phrases[0] == text.phrases[1] == "jonas verrick"
    assert text.phrases[5] == "ferry captain"
    assert text.phrases[4] == "ferry"


def test_pronouns_have_person_gender_and_number() -> None:
    text = Text(CAPTAIN)
    he = CAPTAIN.tokens.index("He")
    assert (text.person[he], text.gender[he], text.number[he]) == (3, MALE, SINGULAR)


@pytest.mark.parametrize(
    ("phrase", "gender"),
    [
        ("Mrs./PROPN/compound/1 Holt/PROPN/root/-1", FEMALE),
        ("Holt/PROPN/root/-1 ,/PUNCT/punct/2 widow/NOUN/appos/0", FEMALE),
        ("king/NOUN/root/-1", MALE),
        ("boat/NOUN/root/-1", UNKNOWN),
    ],
)
def test_titles_and_nouns_in_or_below_the_phrase_decide_gender(phrase: str, gender: int) -> None:
    text = Text(sample(phrase))
    root = text.relation.tolist().index(RELATION["root"])
    assert text.gender[root] == gender


@pytest.mark.parametrize(("kind", "gender"), [("PER", HUMAN), ("ORG", THING), ("MISC", UNKNOWN)])
def test_a_name_distinguishes_people_from_things(kind: str, gender: int) -> None:
    text = Text(analysis("Holt", tags=["PROPN"], names=[(0, 1, kind)]))
    assert text.gender.tolist() == [gender]


@pytest.mark.parametrize(
    ("name", "gender"),
    [
        ("Anna Holm", FEMALE),
        ("Peter Holt", MALE),
        ("Holt Peter", HUMAN),
        ("Mrs. Peter Holt", FEMALE),
    ],
)
def test_a_given_name_decides_gender_without_a_title(name: str, gender: int) -> None:
    count = len(name.split())
    assert Text(analysis(name, names=[(0, count, "PER")])).gender.tolist() == [gender] * count
    both = Text(analysis("Anna Martin Martin", names=[(0, 2, "PER"), (2, 3, "PER")]))
    assert both.gender.tolist() == [FEMALE, FEMALE, HUMAN]
    thing = Text(analysis("Anna", names=[(0, 1, "ORG")]))
    assert thing.gender.tolist() == [THING]


@pytest.mark.parametrize(("name", "gender"), [("Lady Ann Ann", FEMALE), ("Mrs. Ann Ann", HUMAN)])
def test_the_given_name_after_lady_is_not_a_surname(name: str, gender: int) -> None:
    text = Text(analysis(name, names=[(0, 2, "PER"), (2, 3, "PER")]))
    assert text.gender.tolist()[2] == gender


def test_a_coordinated_phrase_is_plural() -> None:
    text = Text(COOKS)
    assert text.number.tolist()[:3] == [PLURAL, 0, SINGULAR]


@pytest.mark.parametrize(
    ("phrase", "kind"),
    [
        ("the/DET/det/1 boat/NOUN/root/-1", THE),
        ("an/DET/det/1 oar/NOUN/root/-1", INDEFINITE),
        ("those/DET/det/1 oars/NOUN/root/-1", THIS),
        ("her/PRON/nmod:poss/1 boat/NOUN/root/-1", POSSESSED),
        ("every/DET/det/1 boat/NOUN/root/-1", QUANTIFIED),
        ("old/ADJ/amod/1 boats/NOUN/root/-1", 0),
    ],
)
def test_the_first_determiner_or_owner_counts(phrase: str, kind: int) -> None:
    assert Text(sample(phrase)).determiner[1] == kind


def test_subject_and_objects_exclude_each_other_unless_reflexive() -> None:
    met = "Ann/PROPN/nsubj/1 met/VERB/root/-1 {}/PRON/obj/1"
    assert Text(sample(met.format("her"))).exclusions == {
        0: {2: "one-clause"},
        2: {0: "one-clause"},
    }
    assert Text(sample(met.format("herself"))).exclusions == {}


@pytest.mark.parametrize(("after", "end"), [("of", 3), ("in", 0)])
def test_an_of_after_a_noun_completes_its_phrase(after: str, end: int) -> None:
    given = f"captain/NOUN/root/-1 {after}/ADP/case/3 the/DET/det/3 ferry/NOUN/nmod/0"
    assert Text(sample(given)).completed_by.tolist() == [end, 1, 2, 3]


def test_the_head_of_a_phrase_is_attached_outside_it() -> None:
    text = Text(CAPTAIN)
    assert text.head_of(3, 6) == 5
    assert text.head_of(0, 7) == 0


def test_a_phrase_of_punctuation_has_its_first_word_as_head() -> None:
    assert Text(analysis(", ,", tags=["PUNCT", "PUNCT"])).head_of(0, 2) == 0


@pytest.mark.parametrize(
    ("relation", "same_as"), [("nmod:unmarked", "nmod"), ("acl:relcl", "acl:relcl"), ("new", "dep")]
)
def test_an_unknown_relation_counts_as_its_main_type(relation: str, same_as: str) -> None:
    assert relation_number(relation) == RELATION[same_as]


def test_a_document_gives_the_same_arrays_as_its_words() -> None:
    document = analyze("Jonas Verrick, the captain, sold his boat. He wept.")
    text = Text.of(document)
    assert list(text.tokens) == [token.text for token in document.tokens]
    assert text.tag[0] == TAG["PROPN"]
    assert text.phrases[0] == "jonas verrick"


def test_a_document_that_is_not_analysed_is_refused() -> None:
    with pytest.raises(LayerMissing):
        Text.of(Document("a", "He wept."))


def test_a_cyclic_tree_is_handled() -> None:
    text = Text(analysis("a b c", heads=[1, 0, 2]))
    assert text.depth.max() <= 100
    assert text.features.shape == (3, len(WORD_SIZES))


@given(st.lists(st.integers(-1, 11), min_size=1, max_size=12))
def test_features_stay_within_their_inventories_whatever_the_tree(heads: list[int]) -> None:
    text = Text(analysis(" ".join("w" * len(heads)), heads=heads))
    assert (text.features < WORD_SIZES).all()
    assert (text.features >= 0).all()


def test_features_of_an_empty_text_are_empty() -> None:
    empty = Text(Analysis([], [], [], [], [], [], [], []))
    assert empty.features.shape == (0, len(WORD_SIZES))
