"""The relations of Figure 2: equivalent, entailing and disjoint pieces of two sentences."""

import pytest

from tatian import Pipeline
from tatian.analysis.installed import unavailable
from tatian.errors import LayerMissing
from tatian.text import Document, Metadata, Span
from tatian.text.documents import Passage
from tatian.union.data import UnionInstance
from tatian.union.relations import relate, relate_all
from tatian.union.relations.knowledge import PhraseRelation

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable())

CAPTAIN = (
    "On March 14, Captain Verrick, head of the Halverne line, was dismissed by Director Oake "
    "because the crew had lost faith in him."
)
DIRECTOR = (
    "Director Paula Oake, who fired Senior Captain Jonas Verrick of the Halverne line the previous "
    "Tuesday, has resigned herself."
)


@pytest.fixture(scope="module")
def process():
    return Pipeline().process


@pytest.fixture(scope="module")
def passage(process):
    def make(text, id="s", date=None):
        return Passage(process(Document(id, text, Metadata(date=date))), Span(0, len(text)))

    return make


def texts(relations, *kinds):
    return {
        (row.first.text if row.first else "", row.second.text if row.second else "")
        for row in relations.of(*kinds)
    }


@pytest.fixture(scope="module")
def figure(passage):
    return relate(
        passage(CAPTAIN, "a", "2023-03-18"), passage(DIRECTOR, "b", "2023-03-18"), meaning=True
    )


def test_a_fuller_name_is_more_specific(figure):
    assert {("Verrick", "Jonas Verrick"), ("Oake", "Paula Oake")} <= texts(figure, "entailed")


def test_a_role_with_more_words_is_more_specific(figure):
    assert ("Captain", "Senior Captain") in texts(figure, "entailed")


def test_a_day_of_the_week_equals_a_date_once_the_publication_is_known(figure):
    assert ("On March 14", "the previous Tuesday") in texts(figure, "equivalent")


def test_active_and_passive_are_equivalent(figure):
    acts = [pair for pair in texts(figure, "equivalent") if "fired" in pair[1]]
    assert acts == [("Verrick was dismissed by Oake", "Paula Oake fired Jonas Verrick")]


def test_content_of_one_sentence_is_disjoint(figure):
    found = texts(figure, "disjoint")
    assert ("because the crew had lost faith in him", "") in found
    assert ("", "has resigned herself") in found


def test_paraphrases_differ_in_their_words_and_longer_phrases_do_not(figure):
    by_text = {row.first.text: row for row in figure.rows if row.first}
    assert by_text["On March 14"].paraphrastic
    assert not by_text["Verrick"].paraphrastic


def test_every_part_stands_where_it_says(figure, passage):
    for row in figure.rows:
        for part, sentence in ((row.first, CAPTAIN), (row.second, DIRECTOR)):
            if part is not None:
                assert " ".join(span.of(sentence) for span in part.spans) == part.text


def kind_of(relations, first):
    (row,) = (row for row in relations.rows if row.first and row.first.text == first)
    return row.kind


@pytest.mark.parametrize(
    ("first", "second", "part", "kind"),
    [
        ("The store burned.", "The Waitrose supermarket burned.", "The store", "entailed"),
        ("At least 50 people died.", "Dozens of people died.", "At least 50 people", "entails"),
        ("The blast hurt a new doctor.", "The blast hurt a doctor.", "a new doctor", "entails"),
        ("He left in May.", "Jonas Verrick left in May.", "He", "entailed"),
        ("The NFL lost.", "The National Football League lost.", "NFL", "equivalent"),
    ],
)
def test_the_more_specific_phrase_entails_the_other(passage, first, second, part, kind):
    assert kind_of(relate(passage(first), passage(second)), part) == kind


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The ferry hurt 12 people.", "The ferry hurt 13 people."),
        ("The former captain left.", "The captain left."),
        ("The captain did not resign.", "The captain did resign."),
    ],
)
def test_phrases_that_exclude_or_undo_each_other_are_not_related(passage, first, second):
    related = {row.why for row in relate(passage(first), passage(second), meaning=False).rows}
    assert not any("adds" in why or "lacks" in why for why in related)


def test_knowledge_decides_about_names_and_phrases(passage):
    class Geography:
        def compare(self, first, second):
            pair = {first, second}
            return (
                PhraseRelation("equivalent", "a city of Texas")
                if pair == {"Paris", "Texas"}
                else None
            )

    first, second = passage("A storm hit Paris."), passage("A storm hit Texas.")
    assert ("Paris", "Texas") in texts(relate(first, second, knowledge=Geography()), "equivalent")
    assert ("Paris", "Texas") not in texts(relate(first, second), "equivalent")


def test_identical_sentences_have_nothing_of_their_own(passage):
    found = relate(passage(CAPTAIN, "a"), passage(CAPTAIN, "b"))
    assert {row.kind for row in found.rows} == {"equivalent"}


def test_sentences_without_anything_in_common_are_disjoint(passage):
    found = relate(passage("Prices rose sharply."), passage("A ferry sank."))
    assert {row.kind for row in found.rows} == {"disjoint"}


@pytest.mark.parametrize("text", ["...", "A.", "12 13", "Ça va?", "x" * 400])
def test_odd_sentences_are_no_error(passage, text):
    relate(passage(text), passage("A ferry sank near Halverne."))


def test_sentences_without_trees_are_refused():
    plain = Pipeline(analyser="rules").process(Document("a", "A ferry sank."))
    one = Passage(plain, Span(0, len(plain.text)))
    with pytest.raises(LayerMissing):
        relate(one, one)


def test_more_than_two_sentences_are_related_two_by_two(process):
    instance = UnionInstance("x", ("A ferry sank.", "The ferry sank in fog.", "Fog was thick."))
    found = list(relate_all([instance], prepare=process))
    assert [one.numbers for one in found] == [(1, 2), (1, 3), (2, 3)]
    plain = found[0].to_json()
    assert plain["sentences"] == ["A ferry sank.", "The ferry sank in fog."]
    assert {row["kind"] for row in plain["relations"]} == {"equivalent", "disjoint"}
