"""Documents for the coreference task from every kind of file."""

from __future__ import annotations

import json

import pytest

from tatian.errors import InputError
from tatian.workbench.tasks.coreference import CoreferenceTask

TEXT = "Ines came in. She sat down."
GOLD = {"markables": [
    {"id": "1", "start": 0, "end": 4},
    {"id": "2", "start": 14, "end": 17, "antecedent": "1"},
]}  # fmt: skip
CONLL = """#begin document (story); part 000
story\t0\t0\tInes\t-\t(3)
story\t0\t1\tcame\t-\t-
story\t0\t2\t.\t-\t-

story\t0\t0\tShe\t-\t(3)
story\t0\t1\tsat\t-\t-
story\t0\t2\t.\t-\t-

#end document
"""
CONLLU = """# newdoc id = story
# global.Entity = eid-etype-head-other
# sent_id = 1
# text = Ines came.
1\tInes\t_\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tcame\t_\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_

# sent_id = 2
# text = She sat.
1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tsat\t_\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""


@pytest.fixture
def task() -> CoreferenceTask:
    return CoreferenceTask()


def read(task, name, text, mapping=None):
    return list(task.read(name, text.encode(), mapping or {}))


def test_a_text_file_is_one_document(task):
    (item,) = read(task, "folder/story.txt", TEXT)
    assert (item.key, item.content, item.gold) == ("story", {"text": TEXT}, None)


def test_a_text_of_an_unknown_ending_is_one_document_too(task):
    (item,) = read(task, "story", TEXT)
    assert item.content["text"] == TEXT


def test_lines_of_json_may_have_gold_and_a_stage(task):
    line = json.dumps({"id": 7, "text": TEXT, "title": "In", "gold": GOLD, "stage": 0})
    (item,) = read(task, "f.jsonl", line)
    assert (item.key, item.stage, item.gold) == ("7", 0, GOLD)
    assert item.content == {"text": TEXT, "title": "In"}


def test_a_table_has_a_column_of_texts(task):
    (item,) = read(task, "f.csv", f'name,body\na,"{TEXT}"\n', {"id": "name", "text": "body"})
    assert (item.key, item.content) == ("a", {"text": TEXT})


def test_a_table_may_be_divided_by_tabs(task):
    (item,) = read(task, "f.tsv", f"id\ttext\tstage\na\t{TEXT}\t2\n")
    assert (item.key, item.content, item.stage) == ("a", {"text": TEXT}, 2)


def test_a_file_of_gap_is_divided_by_tabs_and_no_table(task):
    columns = (
        "ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset",
        "B-coref", "URL",
    )  # fmt: skip
    cells = ("g-1", "Ines saw Eva. She left.", "She", 14, "Ines", 0, "TRUE", "Eva", 9, "FALSE", "x")
    lines = ("\t".join(map(str, row)) + "\n" for row in (columns, cells))
    (item,) = read(task, "gap.tsv", "".join(lines), {"gold": "chains"})
    assert item.key == "g-1"
    assert len(item.gold["markables"]) >= 2


@pytest.mark.parametrize(("name", "text"), [("a.conll", CONLL), ("a.conllu", CONLLU)])
def test_corpus_files_keep_their_words_and_hide_their_chains(task, name, text):
    (item,) = read(task, name, text)
    assert item.key.startswith("story")
    assert item.gold is None
    shown = task.to_page(item.content, 1, {})
    places = zip(shown["tokens"][::2], shown["tokens"][1::2], strict=True)
    assert [shown["text"][a:b] for a, b in places] == ["Ines", "came", ".", "She", "sat", "."]


@pytest.mark.parametrize(("name", "text"), [("a.conll", CONLL), ("a.conllu", CONLLU)])
def test_chains_are_gold_if_the_mapping_says_so(task, name, text):
    (item,) = read(task, name, text, {"gold": "chains"})
    first, second = item.gold["markables"]
    words = item.content["text"]
    assert [words[one["start"] : one["end"]] for one in (first, second)] == ["Ines", "She"]
    assert second["antecedent"] == first["id"]
    assert task.score(item.content, item.gold, {"markables": item.gold["markables"]}) == 1


@pytest.mark.parametrize(
    ("name", "text", "mapping", "message"),
    [
        ("f.txt", "  \n", {}, r"f.txt: .*no text to annotate"),
        ("f.txt", TEXT, {"gold": "chains"}, "cannot be mapped"),
        ("f.sgm", "<TXT>Ines</TXT>", {"text": "body"}, "its chains are gold with gold=chains"),
        ("f.sgm", "<TXT><COREF ID='1'>Ines</TXT>", {}, "f.sgm:1: .*never closed|f.sgm:1"),
        ("f.jsonl", '{"text": "Ines", "gold": {"markables": [{"id": "1", "start": 0, "end": 9}]}}',
         {}, "f.jsonl:1: markable '1' lies outside the text"),
        ("f.jsonl", '{"text": "Ines", "tokens": [3, 1]}', {}, "not in the order of the text"),
        ("f.jsonl", '{"text": "Ines", "tokens": [0, 9]}', {}, "reach beyond the text"),
        ("f.jsonl", '{"text": "Ines", "tokens": [0]}', {}, "must alternate starts and ends"),
    ],
)  # fmt: skip
def test_errors_in_a_file_name_it(task, name, text, mapping, message):
    with pytest.raises(InputError, match=message):
        read(task, name, text, mapping)
