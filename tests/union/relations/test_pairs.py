"""Related sentences of several reports, offered to annotators."""

import pytest

from tatian import Pipeline
from tatian.analysis.installed import unavailable
from tatian.errors import InputError
from tatian.text import CHAINS, Chain, Document, Mention, Metadata
from tatian.union.relations.pairs import PairChoice, related_pairs

WIRE = (
    "A passenger ferry ran aground off Halverne on Tuesday, injuring 12 people. "
    "The captain, Jonas Verrick, will be questioned. Yes."
)
COURIER = (
    "The captain of the ferry, Jonas Verrick, was questioned for hours. "
    "The ferry ran aground off Halverne on Tuesday. Prices of wheat rose in the capital."
)


@pytest.fixture(scope="module")
def prepare():
    return Pipeline.for_sentences().process


@pytest.fixture
def cluster():
    return [
        Document("wire", WIRE, Metadata(date="2023-03-14")),
        Document("courier", COURIER, Metadata(date="2023-03-14")),
    ]


def found(clusters, prepare, **choice):
    return list(related_pairs(clusters, prepare=prepare, choice=PairChoice(**choice)))


def test_sentences_that_report_the_same_are_paired_across_documents(cluster, prepare):
    pairs = found([cluster], prepare)
    assert {one.id for one in pairs} == {"wire:1 + courier:2", "wire:2 + courier:1"}
    assert all(one.merged is None for one in pairs)


def test_a_pair_says_where_its_sentences_stand_and_when_they_were_published(cluster, prepare):
    texts = {document.id: document.text for document in cluster}
    for pair in found([cluster], prepare):
        assert [origin.of(texts[origin.document]) for origin in pair.sources] == list(
            pair.sentences
        )
        assert pair.date == "2023-03-14"


def test_reports_of_different_days_give_a_pair_no_date(cluster, prepare):
    other = Document("courier", COURIER, Metadata(date="2023-03-15"))
    assert {pair.date for pair in found([[cluster[0], other]], prepare)} == {None}


@pytest.mark.usefixtures("read_anew")
def test_the_best_pairs_come_first_and_again_the_same(cluster, prepare):
    pairs = found([cluster], prepare)
    chances = [one.relatedness.chance for one in pairs]
    assert chances == sorted(chances, reverse=True)
    assert found([cluster], prepare) == pairs


def test_sentences_of_one_document_make_no_pair(prepare):
    document = Document("a", "The ferry ran aground off Halverne. " * 2 + WIRE)
    assert found([[document]], prepare) == []


def test_documents_of_different_clusters_make_no_pair(cluster, prepare):
    assert found([[one] for one in cluster], prepare) == []


def test_repeated_sentence_makes_no_pair(prepare):
    text = "The ferry ran aground off Halverne on Tuesday."
    assert found([[Document("a", text), Document("b", text)]], prepare) == []


def test_thresholds_leave_out_less_related_sentences(cluster, prepare):
    assert len(found([cluster], prepare, least=1.0)) == 0
    if not unavailable():
        assert len(found([cluster], prepare, least_meaning=0.99)) == 0


def test_a_sentence_stands_in_so_many_pairs_at_most(prepare):
    text = "The {} ferry ran aground off Halverne on Tuesday."
    cluster = [Document(word, text.format(word)) for word in ("red", "big", "old", "new")]
    pairs = found([cluster], prepare, most=1)
    used = [origin.document for pair in pairs for origin in pair.sources]
    assert sorted(used) == ["big", "new", "old", "red"]


def test_lengths_are_limits(cluster, prepare):
    assert found([cluster], prepare, shortest=13) == []
    assert found([cluster], prepare, longest=5) == []


def test_unfit_pairs_can_be_left_out(prepare):
    if unavailable():
        pytest.skip(unavailable())
    cluster = [
        Document("a", "A ferry ran aground off Halverne, injuring 12 people."),
        Document("b", "A ferry ran aground off Halverne, injuring 13 people."),
    ]
    assert len(found([cluster], prepare)) == 1
    assert found([cluster], prepare, only_fit=True) == []


def marked(id, text, event):
    start = text.index("ran")
    chain = Chain(event, (Mention(start, start + 3, "ACTION"),), "ACT")
    return Document(id, text).with_layer(CHAINS, [chain], "people")


def test_events_that_people_marked_can_be_required(prepare):
    cluster = [
        marked("a", "A ferry ran aground off Halverne on Tuesday.", "ACT1"),
        marked("b", "The big ferry ran aground off Halverne on Tuesday.", "ACT1"),
        marked("c", "The old ferry ran aground off Halverne on Tuesday.", "ACT2"),
    ]
    (pair,) = found([cluster], prepare, least_events=1)
    assert pair.id == "a:1 + b:1"
    assert pair.relatedness.events == 1


@pytest.mark.parametrize(
    "choice", [{"least": 2}, {"least_meaning": -2}, {"most": 0}, {"shortest": 9, "longest": 3}]
)
def test_impossible_choices_are_refused(choice):
    with pytest.raises(InputError):
        PairChoice(**choice)
