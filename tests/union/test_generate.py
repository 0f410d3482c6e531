"""From instances to instances with their unions."""

import pytest

from tatian.pipeline import Pipeline
from tatian.union.data import UnionInstance
from tatian.union.generate import generate, one_sentence
from tatian.union.models import Merged
from tatian.union.models.whole import Concatenation

FIRE = UnionInstance(
    "7", ("A fire broke out.", "Crews came early.", "It rained!"), date="2007-03-02"
)


PIPELINE = Pipeline()


def merged(instance, model=None, prepare=PIPELINE.process):
    (found,) = generate([instance], model, prepare=prepare)
    return found


def test_union_is_filled_and_the_rest_unchanged():
    found = merged(FIRE, "longer")
    assert found.merged == "Crews came early."
    assert (found.id, found.sentences, found.date) == (FIRE.id, FIRE.sentences, FIRE.date)


def test_several_sentences_become_one():
    assert merged(FIRE, "concatenation").merged == (
        "A fire broke out; Crews came early; it rained!"
    )


def test_names_and_quotations_keep_their_capital_after_a_semicolon():
    told = UnionInstance(
        "1", ("It rained.", "Halverne flooded.", '"The end," she said.', "I left.")
    )
    assert merged(told, "concatenation").merged == (
        'It rained; Halverne flooded; "The end," she said; I left.'
    )


def test_after_a_question_a_new_sentence_begins():
    told = UnionInstance("1", ("Did it rain?", "It rained."))
    assert merged(told, "concatenation").merged == "Did it rain? It rained."


@pytest.mark.parametrize("model", ["edit", "longer-or-both", "longer", "concatenation"])
def test_the_union_with_an_empty_sentence_is_the_other(model):
    told = UnionInstance("1", ("", "A fire broke out.", " "))
    assert merged(told, model).merged == "A fire broke out."


def test_a_union_already_there_is_replaced():
    assert merged(UnionInstance("1", ("Abc.", "Abcd."), "gold"), "longer").merged == "Abcd."


def test_a_model_may_be_an_object():
    assert merged(FIRE, Concatenation()).merged.startswith("A fire")


def test_the_default_model_runs_on_what_the_pipeline_prepares():
    assert "fire" in merged(FIRE).merged


def test_every_sentence_becomes_a_document_that_knows_its_date():
    seen = []

    def prepare(document):
        seen.append((document.id, document.metadata.date))
        return PIPELINE.process(document)

    merged(FIRE, "longer", prepare)
    assert seen == [("7.1", "2007-03-02"), ("7.2", "2007-03-02"), ("7.3", "2007-03-02")]


def test_progress_is_reported():
    calls = []

    def watch(*call):
        calls.append(call)

    list(generate([FIRE, FIRE], "longer", prepare=PIPELINE.process, progress=watch))
    assert calls == [("union", 1, 2), ("union", 2, 2)]


def test_no_sentences_give_an_empty_union():
    assert one_sentence(Merged((), ())) == ""
