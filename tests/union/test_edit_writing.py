"""From a walk to a sentence: blanks, capitals and marks as a careful writer sets them."""

from __future__ import annotations

import pytest

from tatian.text.layers import render
from tatian.union.models.edit.decoder import FIRST
from tatian.union.models.edit.words import GLUE
from tatian.union.models.edit.writing import (
    UnionInput,
    is_balanced,
    keeps_names,
    keeps_quotations,
    union_input,
    write,
)


def strands(passage_of, first: str, second: str) -> list[UnionInput]:
    return [union_input(passage_of(first, "a")), union_input(passage_of(second, "b"))]


def walk_of(text: str, given: list[UnionInput]) -> list[int]:
    """The first place of each word of `text`, or the glue."""
    words = [token.text for one in given for token in one.tokens]
    steps: list[int] = []
    for word in text.split():
        places = [FIRST + i for i, w in enumerate(words) if w == word and FIRST + i not in steps]
        steps.append(places[0] if places else GLUE.index(word))
    return steps


def test_words_that_stood_together_keep_their_spacing(passage_of):
    given = strands(passage_of, "The well-known man (aged 40) left.", "He waved.")
    walk = walk_of("The well - known man ( aged 40 ) left .", given)
    assert render(write(walk, given)) == "The well-known man (aged 40) left."


def test_a_joint_gets_a_blank_and_a_comma_none(passage_of):
    given = strands(passage_of, "The ferry sank.", "Divers, too, came.")
    walk = walk_of("The ferry sank , and Divers came .", given)
    assert render(write(walk, given)) == "The ferry sank, and divers came."


def test_a_sentence_moved_inside_loses_its_capital(passage_of):
    given = strands(passage_of, "The ferry sank.", "Rescuers came.")
    walk = walk_of("The ferry sank ; Rescuers came .", given)
    assert render(write(walk, given)) == "The ferry sank; rescuers came."


def test_a_name_moved_inside_keeps_its_capital(passage_of):
    given = strands(passage_of, "The ferry sank.", "London mourned.")
    kept = UnionInput(given[1].tokens, proper=True)
    walk = walk_of("The ferry sank ; London mourned .", given)
    assert render(write(walk, [given[0], kept])) == "The ferry sank; London mourned."


def test_a_missing_full_stop_is_added_where_the_accounts_have_one(passage_of):
    given = strands(passage_of, "The ferry sank.", "It sank at dawn.")
    assert render(write(walk_of("The ferry sank at dawn", given), given)).endswith("dawn.")


def test_headlines_stay_without_a_full_stop(passage_of):
    given = strands(passage_of, "Ferry sinks", "Ferry sinks at dawn")
    assert render(write(walk_of("Ferry sinks at dawn", given), given)) == "Ferry sinks at dawn"


def test_doubled_and_dangling_commas_are_dropped(passage_of):
    given = strands(passage_of, "The ferry, an old one, sank.", "It sank.")
    walk = walk_of("The ferry , , sank , .", given)
    assert render(write(walk, given)) == "The ferry, sank."


@pytest.mark.parametrize(
    ("text", "whole"),
    [('He said "no way" today .', True), ('He said "no today .', False)],
)
def test_marks_need_their_partners(passage_of, text, whole):
    given = strands(passage_of, text, "He spoke .")
    assert is_balanced(given[0].tokens) is whole


def test_a_quotation_is_taken_whole_or_not_at_all(passage_of):
    given = strands(passage_of, 'She called it "a very sad day" on Monday.', "It was sad.")
    everything = tuple(range(FIRST, FIRST + len(given[0].tokens)))
    words = [token.text for token in given[0].tokens]
    very = FIRST + words.index("very")
    assert keeps_quotations(everything, given)
    assert not keeps_quotations(tuple(i for i in everything if i != very), given)
    outside = [i for i in everything if not given[0].tokens[i - FIRST].quoted]
    assert keeps_quotations(outside, given)


def test_names_are_not_interrupted(passage_of):
    given = strands(passage_of, "Hanna Brode spoke.", "Ingrid Tolle spoke.")
    named = [UnionInput(one.tokens, names=((0, 1),)) for one in given]
    assert keeps_names(walk_of("Hanna Brode and Ingrid Tolle spoke", given), named)
    assert keeps_names(walk_of("Brode spoke", given), named)
    assert not keeps_names(walk_of("Hanna Ingrid Tolle Brode spoke", given), named)
