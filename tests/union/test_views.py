"""Unions in the paper's colours (Figure 1), and several systems side by side (Table 7)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian import Pipeline
from tatian.analysis import analysers
from tatian.analysis.installed import unavailable
from tatian.errors import InputError
from tatian.union.data import UnionInstance
from tatian.union.models import mergers
from tatian.union.ratings import Rating
from tatian.union.views import to_html, to_text
from tatian.union.views.colours import ColouredPiece, colour, to_brackets
from tatian.union.views.examples import SystemUnion, by_instance, examples, merge_all

STORE = (
    "The fire has destroyed a large section of the store and fire crews and investigators are "
    "still on the scene."
)
STREET = "A FIRE has badly damaged the Waitrose supermarket in Wellington's High Street."
UNION = (
    "The fire has destroyed a large section of the Waitrose supermarket in Wellington's High "
    "Street and fire crews and investigators are still on the scene."
)
FIRE = UnionInstance("fire", (STORE, STREET), UNION)
SHORT = UnionInstance("short", ("A ferry sank.", "A ferry sank in fog."), "A ferry sank in fog.")


def colours(pieces):
    return {piece.text: piece.sources for piece in pieces if piece.sources}


def test_content_of_one_sentence_has_its_colour():
    union = colours(colour([STORE, STREET], UNION).union)
    assert union["has destroyed a large section"] == (0,)
    assert union["of the Waitrose supermarket in Wellington's High Street"] == (1,)


def test_shared_content_has_one_colour():
    found = colour([STORE, STREET], UNION)
    assert colours(found.sentences[0])["fire"] == (0, 1)
    assert colours(found.sentences[1])["FIRE"] == (0, 1)
    assert colours(found.union)["fire"] == (0, 1)


def test_less_specific_words_have_no_colour():
    first, second = colour([STORE, STREET], UNION).sentences
    assert not any("store" in text for text in colours(first))
    assert not any("damaged" in text for text in colours(second))


def test_synonyms_have_the_colour_of_what_both_say():
    found = colour(["Police killed him.", "Police murdered him."], "Police killed him.")
    assert colours(found.union) == {"Police killed": (0, 1)}


FIRED = (
    "On March 1st, Major General Weightman, Chief of Walter Reed, was fired by Army Secretary "
    "Harvey because the army had lost trust and confidence in him."
)
DISMISSED = (
    "Army Secretary Francis Harvey, who dismissed Walter Reed commander General George Weightman "
    "the previous Thursday, has resigned himself."
)


@pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "")
def test_equivalents_of_the_sentences_have_the_colour_of_what_both_say():
    item = UnionInstance("harvey", (FIRED, DISMISSED), DISMISSED)
    (example,) = examples([item], {}, prepare=Pipeline.for_sentences().process)
    first, second = example.outputs[0].coloured.sentences

    def shared(pieces):
        return " ".join(piece.text for piece in pieces if piece.sources == (0, 1))

    assert "fired" in shared(first)
    assert "Chief" in shared(first)
    assert "dismissed" in shared(second)
    assert "dismissed" in shared(example.outputs[0].coloured.union)
    assert "resigned" not in shared(second)
    assert not any(piece.amiss and "March" in piece.text for piece in first)


def test_another_number_is_not_the_same():
    found = colour(["It took 12 days.", "It took 13 days."], "It took 12 days.")
    assert colours(found.union)["12"] == (0,)


def test_missing_new_and_repeated_words_are_marked():
    lost = colour([STORE, STREET], "The fire has destroyed a large section of the store.")
    assert any(piece.amiss == "missing" for piece in lost.sentences[1])
    new = colour(["A ferry sank."], "A ferry sank in Halverne.")
    assert [piece.text for piece in new.union if piece.amiss == "unfaithful"] == ["Halverne"]
    again = colour([STORE, STREET], f"{STREET} {UNION}")
    assert any(piece.amiss == "repeated" for piece in again.union)


@given(st.text(max_size=50), st.text(max_size=50), st.text(max_size=50))
def test_the_pieces_together_are_the_text_without_its_edges(first, second, union):
    found = colour([first, second], union)
    for text, pieces in zip((first, second, union), (*found.sentences, found.union), strict=True):
        joined = "".join(piece.text for piece in pieces)
        assert joined in text
        assert "".join(joined.split()) in "".join(text.split())


def test_a_model_says_itself_where_its_words_come_from():
    merger = mergers.create("concatenation")
    written = merge_all([SHORT], merger, analysers.create().analyze)["short"]
    assert len(written.origins) > 0
    (example,) = examples([SHORT], {"concatenation": {"short": written}})
    union = example.outputs[1].coloured.union
    assert "".join(piece.text for piece in union) == written.text
    assert (1,) in [piece.sources for piece in union]


def test_an_item_shows_the_gold_union_first_and_then_each_system():
    (example,) = examples([FIRE], {"mine": {"fire": SystemUnion(STREET)}})
    assert [output.name for output in example.outputs] == ["gold union", "mine"]
    names = [figure.name for figure in example.outputs[1].figures]
    assert names == [
        "ROUGE-1",
        "ROUGE-2",
        "ROUGE-L",
        "ΔCR",
        "coverage estimated",
        "faithfulness estimated",
        "redundancy estimated",
    ]


def test_ratings_come_first():
    ratings = [Rating("fire", "mine", "ann", 2, 4, 3, 5), Rating("fire", "mine", "ben", 4, 4, 3, 5)]
    (example,) = examples([FIRE], {"mine": {"fire": SystemUnion(STREET)}}, ratings)
    first = example.outputs[1].figures[0]
    assert (first.name, first.value, first.human) == ("coverage", "3.0", True)


def test_without_gold_only_estimates_are_computed():
    bare = UnionInstance("1", SHORT.sentences)
    (example,) = examples([bare], {"mine": {"1": SystemUnion("A ferry sank.")}})
    assert [figure.name for figure in example.outputs[0].figures] == [
        "coverage estimated",
        "faithfulness estimated",
        "redundancy estimated",
    ]


def test_a_missing_union_is_named():
    with pytest.raises(InputError, match="system 'mine' has no union of item 'fire'"):
        list(examples([FIRE], {"mine": {}}))


def test_predictions_must_be_of_the_same_sentences_in_the_same_order():
    assert by_instance([FIRE, SHORT], [FIRE, SHORT], "mine")["short"].text == SHORT.merged
    with pytest.raises(InputError, match="mine: predictions: 1, gold instances: 2"):
        by_instance([FIRE, SHORT], [FIRE], "mine")
    with pytest.raises(InputError, match="other sentences than gold instance 'fire'"):
        by_instance([FIRE, SHORT], [SHORT, FIRE], "mine")


def test_brackets_stand_for_colours_in_plain_text():
    pieces = [
        ColouredPiece("The "),
        ColouredPiece("fire", (0, 1)),
        ColouredPiece(" in "),
        ColouredPiece("Rome", (1,), "repeated"),
    ]
    assert to_brackets(pieces) == "The [1+2: fire] in [2, repeated: Rome]"
    text = to_text(examples([FIRE], {}))
    assert text.startswith("item fire\nsentence 1: The [1+2: fire] [1: has destroyed")
    assert "gold union: " in text


def test_a_page_marks_each_piece_with_its_meaning():
    html = to_html(examples([FIRE], {"mine": {"fire": SystemUnion(STREET)}}))
    assert '<mark class="all" title="both sentences">fire</mark>' in html
    assert '<mark class="s1" title="only sentence 2">' in html
    assert html.count("<article>") == 1


def test_a_page_is_complete_in_itself():
    html = to_html(examples([FIRE], {}))
    assert "<script" not in html
    assert not re.search(r"(?:src|href)=", html)
    assert "default-src 'none'" in html.replace("&#x27;", "'")


def test_text_in_a_page_is_never_markup():
    nasty = UnionInstance(
        "<b>", ("A <i>ferry</i> | sank.", "A *ferry* sank."), "A <i>ferry</i> | sank."
    )
    html = to_html(examples([nasty], {}))
    assert "<i>" not in html
    assert "<b>" not in html.replace("<b>1", "")


def test_three_sentences_have_three_colours_and_one_for_what_several_say():
    three = UnionInstance(
        "3",
        ("Rain fell in Rome.", "Rain fell in Paris.", "Rain fell in Oslo."),
        "Rain fell in Rome, Paris and Oslo.",
    )
    html = to_html(examples([three], {}))
    for name in ("s0", "s1", "s2"):
        assert f'<mark class="{name}"' in html
    assert 'title="all sentences">Rain fell' in html
