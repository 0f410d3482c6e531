"""An editor merges partly redundant sentences and orders the text, each step verified."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tatian.analysis.installed import unavailable
from tatian.chat import Answer, Client, KeptAnswers, Request
from tatian.consolidation import consolidate
from tatian.consolidation.editor import MergeLimits, TextEditor, merge_candidates, open_editor
from tatian.consolidation.layout import lay_out
from tatian.consolidation.model_order import read_order
from tatian.consolidation.plan import Plan
from tatian.consolidation.report import build_result
from tatian.consolidation.result import Layout
from tatian.consolidation.weave import plan
from tatian.errors import InputError, TatianError
from tatian.pipeline import Pipeline
from tatian.text import Document

from .promises import tokens_are_where_they_say

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "-")

WIRE = "The ferry Anna ran aground off Halverne on Monday with 80 people on board."
ECHO = "The ferry Anna, built in 1988, ran aground off Halverne in thick fog."
UNION = (
    "The ferry Anna, built in 1988, ran aground off Halverne in thick fog on Monday with 80 people "
    "on board."
)
LONG = (
    f"{WIRE} Mayor Ruth Hale visited passengers in Orme. Divers from Tolvik will inspect the hull "
    "on Thursday. Harbour master Ib Lund closed the channel for two days. A tug from Orme pulled "
    "the Anna free at noon."
)


class Model:
    """A language model that gives one answer to merges and one to orders, or fails."""

    def __init__(self, merge: str = "no", order: str = "", fails: bool = False) -> None:
        self.merge, self.order, self.fails = merge, order, fails
        self.asked: list[Request] = []

    def ask(self, request: Request) -> Answer:
        if self.fails:
            raise TatianError("the server is gone")
        self.asked.append(request)
        merges = "Sentence 1:" in request.messages[1]["content"]
        return Answer(self.merge if merges else self.order)


def editor(model: Model, **limits: float) -> TextEditor:
    client = Client(model, "a model", transcript=KeptAnswers())
    return TextEditor(client, limits=MergeLimits(**limits))


def planned(*texts: str) -> Plan:
    process = Pipeline().process
    return plan(
        [process(Document(f"source{n}", text)) for n, text in enumerate(texts)], interleaved=True
    )


@pytest.fixture(scope="module")
def pair() -> Plan:
    return planned(WIRE, ECHO)


@pytest.fixture(scope="module")
def layout(pair: Plan) -> Layout:
    return lay_out(pair)


@pytest.fixture(scope="module")
def story() -> Plan:
    return planned(LONG)


def edited(model: Model, pair: Plan, layout: Layout) -> Layout:
    return editor(model, per_words=10).word(pair, layout)


def test_sentences_that_share_much_are_candidates(pair: Plan, layout: Layout) -> None:
    (candidate,) = merge_candidates(pair, layout, MergeLimits())
    assert (candidate.first, candidate.second) == (0, 1)
    assert merge_candidates(pair, layout, MergeLimits(covered=0.99)) == []


def test_a_verified_union_replaces_both(pair: Plan, layout: Layout) -> None:
    found = edited(Model(UNION), pair, layout)
    assert found.text == UNION
    assert set(found.places.values()) == {(0,)}
    result = build_result(pair, found)
    tokens_are_where_they_say(result)
    (sentence,) = result.sentences
    assert {s.document for token in sentence.tokens for s in token.sources} == {
        "source0",
        "source1",
    }
    assert {one.fate for document in result.documents for one in document.sentences} == {"merged"}


@pytest.mark.parametrize(
    ("draft", "why"),
    [
        (f"{WIRE[:-1]}; {ECHO}", "it is too long"),
        (UNION.replace("80", "88"), "no source has '88'"),
        (UNION.replace("Anna", "Berta"), "no source has 'Berta'"),
        (
            UNION.replace(" ran", " did not run"),
            "adds a negation, or omits one that all sources have",
        ),
        (UNION.replace(" with 80 people on board", ""), "it does not say all that"),
    ],
)
def test_a_faulty_union_is_refused_with_the_reason(
    pair: Plan, layout: Layout, draft: str, why: str
) -> None:
    found = edited(Model(draft), pair, layout)
    assert found.text == layout.text
    assert found.writer is not None
    (refused,) = found.writer.refused
    assert refused.text == draft
    assert refused.why.startswith(why)


def test_a_model_may_decline(pair: Plan, layout: Layout) -> None:
    found = edited(Model("No."), pair, layout)
    assert found.text == layout.text
    assert found.writer is not None
    assert found.writer.drafts == ()


def test_a_plain_word_of_its_own_is_no_fault(pair: Plan, layout: Layout) -> None:
    draft = UNION.replace("in thick fog on Monday", "in thick fog on Monday, carrying")
    draft = draft.replace("carrying with 80 people on board", "carrying 80 people on board")
    assert edited(Model(draft), pair, layout).text == draft


def test_the_model_reads_the_sentences_as_data_with_their_context(
    pair: Plan, layout: Layout
) -> None:
    model = Model()
    edited(model, pair, layout)
    asked = model.asked[0].messages[1]["content"].split("\n")
    assert asked == [
        f"Sentence 1: <<<{WIRE}>>>",
        f"Before sentence 2: <<<{WIRE}>>>",
        f"Sentence 2: <<<{ECHO}>>>",
    ]


def test_few_words_are_asked_about_rarely(pair: Plan, layout: Layout) -> None:
    model = Model(UNION)
    assert editor(model, per_words=100).word(pair, layout).text == layout.text
    assert model.asked == []


def test_a_model_that_cannot_be_asked_is_an_error(pair: Plan, layout: Layout) -> None:
    with pytest.raises(TatianError, match="the server is gone"):
        edited(Model(fails=True), pair, layout)


def test_the_order_and_the_paragraphs_are_the_models(story: Plan) -> None:
    before = lay_out(story)
    count = len(before.sentences)
    backwards = " ".join(map(str, range(count, 1, -1)))
    found = editor(Model(order=f"1\n{backwards}")).word(story, before)
    assert found.text.split("\n\n")[0] == WIRE
    assert found.text.endswith("passengers in Orme.")
    assert sorted(found.text.split()) == sorted(before.text.split())
    result = build_result(story, found)
    tokens_are_where_they_say(result)
    assert {sentence.why for sentence in result.sentences} == {"in the order of a model"}


@pytest.mark.parametrize("answer", ["", "1 2 2 3 4 5", "1 2 3 4 5 99", "1", "as it is"])
def test_an_order_that_cannot_be_used_changes_nothing(story: Plan, answer: str) -> None:
    before = lay_out(story)
    assert editor(Model(order=answer)).word(story, before).text == before.text


def test_omitted_sentence_is_restored_if_uncovered(story: Plan) -> None:
    before = lay_out(story)
    found = editor(Model(order="1 2 3 4")).word(story, before)
    assert found.text.replace("\n\n", " ") == before.text.replace("\n\n", " ")


def test_omitted_sentence_is_dropped_if_covered() -> None:
    twice = planned(f"{LONG} Ruth Hale, the mayor, visited passengers.")
    found = editor(Model(order="1 2 3 4 5")).word(twice, lay_out(twice))
    assert found.text.replace("\n\n", " ") == LONG
    (document,) = build_result(twice, found).documents
    assert (document.sentences[-1].fate, document.sentences[-1].into) == ("redundant", (1,))


@pytest.mark.parametrize(
    ("answer", "paragraphs"),
    [
        ("2 1\n3", [[1, 0], [2]]),
        ("2, 1.\n\n3", [[1, 0], [2]]),
        ("1 3", [[0, 2]]),
        ("1", []),
        ("1 1 2 3", []),
        ("0 1 2", []),
    ],
)
def test_an_order_is_read_from_numbers_alone(answer: str, paragraphs: Sequence[object]) -> None:
    assert read_order(answer, 3) == paragraphs


def test_an_editor_beside_a_writer_is_refused() -> None:
    with pytest.raises(InputError, match="do without an editor"):
        consolidate([Document("a", WIRE)], writer="http://x/v1", editor="http://x/v1")


def test_the_local_model_is_no_editor() -> None:
    with pytest.raises(InputError, match="the local model is no editor"):
        open_editor("local")
