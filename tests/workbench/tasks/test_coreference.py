"""The coreference task: documents, markup, scores, export."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.coreference.metrics import score
from tatian.errors import InputError
from tatian.formats import find
from tatian.text.layers import Authorship, Record
from tatian.workbench.tasks import NewItem
from tatian.workbench.tasks.coreference import EXPORTS, CoreferenceTask

TEXT = "Harbour master Ines Tal closed the port. She kept it shut, and it stayed so."
CONTENT = {"text": TEXT}


def place(phrase: str, after: int = 0) -> dict[str, int]:
    start = TEXT.index(phrase, after)
    return {"start": start, "end": start + len(phrase)}


INES = {"id": "1", **place("Harbour master Ines Tal"), "head": place("Ines Tal")}
PORT = {"id": "2", **place("the port")}
SHE = {"id": "3", **place("She"), "antecedent": "1"}
IT = {"id": "4", **place("it shut")}
IT["end"] = IT["start"] + 2
IT["antecedent"] = "2"
LATER = {"id": "5", **place("it stayed"), "antecedent": "4"}
LATER["end"] = LATER["start"] + 2
RIGHT = {"markables": [INES, PORT, SHE, IT, LATER]}


@pytest.fixture
def task() -> CoreferenceTask:
    return CoreferenceTask()


def test_the_page_gets_the_words_but_not_the_file_they_came_from(task):
    sgml = b"<DOC><DOCNO> a-1 </DOCNO><TXT>Ines came. <COREF ID='7'>She</COREF> sat.</TXT></DOC>"
    (item,) = task.read("a.sgm", sgml, {})
    shown = task.to_page(item.content, 1, {})
    assert "COREF" not in json.dumps(shown)
    tokens = shown["tokens"]
    words = [shown["text"][a:b] for a, b in zip(tokens[::2], tokens[1::2], strict=True)]
    assert words[-3:] == ["She", "sat", "."]


def test_excluded_parts_cannot_be_marked(task):
    sgml = b"<DOC><DOCNO> a-1 </DOCNO><TXT>Ines came.</TXT></DOC>"
    (item,) = task.read("a.sgm", sgml, {})
    text = item.content["text"]
    ((start, end),) = [
        one for one in task.to_page(item.content, 1, {})["closed"] if "a-1" in text[slice(*one)]
    ]
    where = text.index("a-1")
    assert start <= where < end
    answer = {"markables": [{"id": "1", "start": where, "end": where + 3}]}
    with pytest.raises(InputError, match="lies in <DOCNO>, which is not annotated"):
        task.from_page(item.content, 1, {}, answer)


def test_links_are_stored_in_the_order_that_the_definition_recommends(task):
    loose = [INES, {**SHE, "optional": True}, PORT, {**IT, "antecedent": "5"},
             {**LATER, "antecedent": "2"}]  # fmt: skip
    stored = task.from_page(CONTENT, 1, {}, {"markables": loose})
    links = {one["id"]: one.get("antecedent") for one in stored["markables"]}
    assert links == {"1": None, "2": None, "3": "1", "4": "2", "5": "4"}
    assert next(one for one in stored["markables"] if one["id"] == "3")["optional"] is True


def test_an_optional_phrase_is_never_an_antecedent(task):
    doubted = [INES, PORT, SHE, {**IT, "optional": True}, LATER]
    stored = task.from_page(CONTENT, 1, {}, {"markables": doubted})
    links = {one["id"]: one.get("antecedent") for one in stored["markables"]}
    assert links["4"] == links["5"] == "2"


def test_min_equal_to_the_phrase_is_not_stored(task):
    stored = task.from_page(CONTENT, 1, {}, {"markables": [{**PORT, "head": place("the port")}]})
    assert stored == {"markables": [PORT]}


spans = st.tuples(st.integers(0, len(TEXT) - 1), st.integers(1, 30)).map(
    lambda pair: (pair[0], min(len(TEXT), pair[0] + pair[1]))
)


@st.composite
def markups(draw):
    places = draw(st.lists(spans.filter(lambda one: TEXT[slice(*one)].strip()), unique=True))
    found = []
    for number, (start, end) in enumerate(places):
        others = [str(one) for one in range(len(places)) if one != number]
        antecedent = draw(st.sampled_from([None, *others]))
        optional = antecedent is not None and draw(st.booleans())
        found.append({"id": str(number), "start": start, "end": end,
                      "antecedent": antecedent, "optional": optional})  # fmt: skip
    return {"markables": found}


@given(markups())
def test_an_answer_comes_back_as_it_is_stored(answer):
    task = CoreferenceTask()
    stored = task.from_page(CONTENT, 1, {}, answer)
    assert task.from_page(CONTENT, 1, {}, task.answer_to_page(CONTENT, 1, {}, stored)) == stored
    assert task.score(CONTENT, stored, stored) == 1


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"markables": [{"id": "1", "start": 0, "end": 999}]}, "lies outside the text"),
        ({"markables": [{"id": "1", "start": 3, "end": 3}]}, "is empty"),
        ({"markables": [{"id": "1", "start": 7, "end": 8}]}, "nothing but white space"),
        ({"markables": [INES, {**PORT, "id": "1"}]}, "two markables of one id"),
        ({"markables": [INES, {**INES, "id": "2"}]}, "two markables on one string"),
        ({"markables": [SHE]}, "refers to '1', which is not marked"),
        ({"markables": [{**INES, "optional": True}]}, "OPT without REF"),
        ({"markables": [{**PORT, "head": place("Ines")}]}, "MIN of markable '2'"),
        (None, "not an answer of this page"),
    ],
)
def test_markup_that_does_not_fit_is_refused(task, answer, message):
    with pytest.raises(InputError, match=message):
        task.from_page(CONTENT, 1, {}, answer)


def test_the_score_is_conll_f1_by_min(task):
    assert task.score(CONTENT, RIGHT, RIGHT) == 1
    shorter = {"markables": [{"id": "1", **place("Ines Tal")}, PORT, SHE, IT, LATER]}
    assert task.score(CONTENT, RIGHT, shorter) == 1
    assert task.score(CONTENT, RIGHT, {"markables": []}) == 0
    assert task.score(CONTENT, {"markables": []}, {"markables": []}) == 1
    half = task.score(CONTENT, RIGHT, {"markables": [INES, SHE]})
    assert 0 < half < 1


def test_feedback_names_each_difference(task):
    found = task.feedback(CONTENT, {**RIGHT, "note": "Why."}, {"markables": [INES, PORT, SHE, IT]})
    assert found["note"] == "Why."
    (difference,) = found["differences"]
    assert (difference["kind"], difference["gold"]) == ("missing-mention", ["it"])


def test_feedback_names_a_different_min_without_counting_it(task):
    answer = {"markables": [{**INES, "head": place("Ines")}, PORT, SHE, IT, LATER]}
    found = task.feedback(CONTENT, {"markables": [{**INES, "head": place("Tal")},
                                                  *RIGHT["markables"][1:]]}, answer)  # fmt: skip
    named = {"phrase": "Harbour master Ines Tal", "gold": "Tal", "own": "Ines"}
    assert (found["minima"], found["differences"], found["score"]) == ([named], [], 1)


def test_min_without_the_article_is_no_different_min(task):
    answer = {"markables": [INES, {**PORT, "head": place("port")}, SHE, IT, LATER]}
    assert task.feedback(CONTENT, RIGHT, answer)["minima"] == []


@pytest.mark.parametrize(("ending", "format"), EXPORTS.items())
def test_exports_of_two_annotators_can_be_scored(task, ending, format):
    ann, ben = Authorship("ann", kind="person"), Authorship("ben", kind="person")
    less = {"markables": [INES, PORT, SHE, IT]}
    records = [
        Record("r1", "coreference", "d", ann, {"markables": []}),
        Record("r2", "coreference", "d", ann, task.from_page(CONTENT, 1, {}, RIGHT), "r1"),
        Record("r3", "coreference", "d", ben, task.from_page(CONTENT, 1, {}, less)),
    ]
    exported = {
        one.name: one.data.decode() for one in task.export([NewItem("d", CONTENT)], records)
    }
    key = list(find(format).read(exported[f"ann.{ending}"], f"ann.{ending}"))
    response = list(find(format).read(exported[f"ben.{ending}"], f"ben.{ending}"))
    rates = score(key, response, match="exact").rates("mentions")
    assert (rates.recall, rates.precision) == (pytest.approx(4 / 5), 1)


def test_an_sgml_export_changes_only_the_markup(task):
    source = (
        "<DOC>\n<DOCNO> a-1 </DOCNO>\n<TXT>\n<p>Ines came. She sat &amp; ate.</p>\n</TXT>\n</DOC>\n"
    )
    (item,) = task.read("a.sgm", source.encode(), {})
    text = item.content["text"]
    ines, she = text.index("Ines"), text.index("She")
    answer = task.from_page(item.content, 1, {}, {"markables": [
        {"id": "1", "start": ines, "end": ines + 4},
        {"id": "2", "start": she, "end": she + 3, "antecedent": "1"},
    ]})  # fmt: skip
    record = Record("r", "coreference", item.key, Authorship("ann", kind="person"), answer)
    sgml = next(one for one in task.export([item], [record]) if one.name == "ann.sgm").data.decode()
    assert '<COREF ID="1">Ines</COREF>' in sgml
    plain = sgml
    for tag in ('<COREF ID="1">', '<COREF ID="2" TYPE="IDENT" REF="1">', "</COREF>"):
        plain = plain.replace(tag, "")
    assert plain == source


def test_marking_nothing_does_not_pass_the_training(task):
    subtle = [item for item in task.demo() if item.stage == 1]
    scores = [task.score(item.content, item.gold, {"markables": []}) for item in subtle]
    assert sum(scores) / len(scores) < task.demo_stages[1].pass_mark


def test_the_instructions_cover_every_section_of_the_definition(task):
    text = task.guidelines()
    sections = [f"{chapter}.{number}" for chapter, last in ((3, 7), (4, 3), (5, 7))
                for number in range(1, last + 1)]  # fmt: skip
    missing = [one for one in (*sections, "1.1", "1.2", "1.4", "1.5", "2", "6", "7")
               if f"§{one}" not in text]  # fmt: skip
    assert missing == []
    tabs = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert tabs == ["Overview", "What to mark", "How much to mark", "Who is who",
                    "Kinds, amounts, stand-ins", "How to work"]  # fmt: skip
