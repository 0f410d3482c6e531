"""The fuller sentence, followed by what is new in the other."""

from __future__ import annotations

from tatian.text.layers import render

FULL = "The ferry, which was built in Oslo in 1988, ran aground near Halverne on Monday."
SHORT = "Two divers searched the wreck near Halverne on Monday."


def append_other(pair):
    return [render(tokens) for tokens in pair.append_other()]


def test_phrases_that_the_fuller_sentence_has_are_left_out(related):
    first, *_, last = append_other(related(SHORT, FULL))
    assert first == f"{FULL[:-1]}; two divers searched the wreck."
    assert last == f"{FULL[:-1]}; two divers searched the wreck near Halverne on Monday."


def test_a_sentence_that_opens_with_a_pronoun_follows(related):
    pair = related(
        "She had run the shelter since 2009 with two sons and a dog.", "Ines Vidal resigned."
    )
    assert all(text.startswith("Ines Vidal resigned") for text in append_other(pair))


def test_a_fragment_does_not_follow(related):
    assert append_other(related(FULL, "Two divers near Halverne.")) == []
