"""What shares enough becomes one sentence; what does not stays apart, and nothing is lost."""

from __future__ import annotations

from tatian.text.provenance import render
from tatian.union.candidates import Candidate
from tatian.union.models.apart import Apart
from tatian.union.models.copying import copy_tokens


class First:
    """Keeps the first passage and forgets the other."""

    def __init__(self, natural=0.0):
        self.natural = natural

    def propose(self, passages):
        return [Candidate(copy_tokens(passages[0]), "first", 0.0, self.natural)]


def alike(first, second):
    return 1.0 if first.text.split()[1] == second.text.split()[1] else 0.0


def test_passages_that_share_little_stay_sentences_of_their_own(passage_of):
    passages = [passage_of(t, t[:3]) for t in ("The ferry sank.", "The mayor wept.")]
    merged = Apart(First(), alike).merge(passages)
    assert len(merged.sentences) == 2
    assert sorted(outcome.into for outcome in merged.outcomes) == [(0,), (1,)]


def test_passages_that_share_enough_are_merged(passage_of):
    passages = [passage_of(t, t[-6:]) for t in ("The ferry sank fast.", "The ferry sank.")]
    assert len(Apart(First(), alike).merge(passages).sentences) == 1


def test_a_number_that_the_union_lost_brings_its_sentence_back(passage_of):
    passages = [
        passage_of("The ferry sank with all of its crew.", "a"),
        passage_of("The ferry sank at 9:15.", "b"),
    ]
    merged = Apart(First(), alike).merge(passages)
    assert "9:15" in merged.text
    assert merged.outcomes[1].fate == "kept"


def test_a_wording_that_reads_badly_is_not_taken(passage_of):
    passages = [
        passage_of("The ferry sank near the coast at dawn.", "a"),
        passage_of("The ferry sank quickly.", "b"),
    ]
    assert len(Apart(First(natural=-9.0), alike).merge(passages).sentences) == 2


def test_there_is_an_outcome_for_each_passage_in_their_order(passage_of):
    texts = ("The ferry sank.", "The mayor wept.", "The ferry sank twice.")
    passages = [passage_of(text, f"d{n}") for n, text in enumerate(texts)]
    merged = Apart(First(), alike).merge(passages)
    assert len(merged.outcomes) == 3
    for outcome in merged.outcomes:
        assert all(place < len(merged.sentences) for place in outcome.into)


def test_a_dispute_of_sentences_told_apart_is_named_once(passage_of):
    passages = [
        passage_of("The ferry hurt 12 people in fog off the coast of Halverne.", "a"),
        passage_of("The ferry hurt 13 people, a nurse said after a long night.", "b"),
    ]
    merged = Apart(First(natural=-9.0), alike).merge(passages)
    assert len(merged.sentences) == 2
    assert merged.text.count("according to another account") == 1
    assert "people (1" in render(merged.sentences[0])


def test_one_day_is_named_once_in_a_union(passage_of):
    passages = [
        passage_of("The ferry sank today.", "a"),
        passage_of("The ferry sank on Tuesday.", "b"),
    ]

    class Both:
        def propose(self, passages):
            first, second = (copy_tokens(passage) for passage in passages)
            return [Candidate((*first[:-1], *second[3:]), "both", 0.0, 0.0)]

    assert Apart(Both(), alike).merge(passages).text == "The ferry sank on Tuesday."
