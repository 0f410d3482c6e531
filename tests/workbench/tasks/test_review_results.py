"""What comes of reviews: agreement, settled verdicts, and the files of an export."""

import csv
import io
import json

import pytest
from markdown_it import MarkdownIt

from tatian.text.layers import Authorship
from tatian.text.records import Record
from tatian.workbench.quality.settling import judged
from tatian.workbench.tasks import NewItem
from tatian.workbench.tasks.comparing import Rule
from tatian.workbench.tasks.review import ReviewTask

CONTENT = {
    "sentences": [
        {"text": "A ferry, the Alba, sank.", "opens": True},
        {"text": "Nobody was *hurt*."},
        {"text": "It sank.", "opens": True},
    ],
    "accounts": [
        {
            "id": "wire",
            "letter": "A",
            "name": "Wire",
            "sentences": [
                {"number": 0, "text": "A ferry\nsank.", "fate": "merged", "into": [0]},
                {"number": 1, "text": "Nobody was hurt.", "fate": "kept", "into": [1]},
                {"number": 2, "text": "It sank.", "fate": "kept", "into": [2]},
            ],
        },
        {
            "id": "courier",
            "letter": "B",
            "name": "Courier",
            "sentences": [
                {"number": 0, "text": "The Alba sank.", "fate": "merged", "into": [0]},
                {"number": 1, "text": "It rained.", "fate": "unused", "why": "off topic"},
            ],
        },
    ],
}
KEEP = {"verdict": "accept"}
TWICE = {"verdict": "reject", "reason": "repeats"}
RAIN = [{"document": "courier", "sentence": 1}]


def edit(text):
    return {"verdict": "edit", "text": text}


def review(*sentences, missing=()):
    return {"sentences": list(sentences), "missing": list(missing)}


@pytest.fixture
def task():
    return ReviewTask()


def exported(task, answers, content=CONTENT):
    records = [
        Record(f"r{number}", task.name, "ferry", Authorship(person, kind="person"), answer)
        for number, (person, answer) in enumerate(answers.items())
    ]
    return {one.name: one.data for one in task.export([NewItem("ferry", content)], records)}


def test_kappa_and_alpha_compare_verdicts_sentence_by_sentence(task):
    answers = {"x": {"ann": review(KEEP, KEEP, TWICE), "bob": review(KEEP, TWICE, TWICE)}}
    kappa, alpha, same, missed = task.agreement({"x": CONTENT}, answers)
    assert kappa.value == pytest.approx(0.4)
    assert kappa.pairs == {"ann bob": pytest.approx(0.4)}
    assert alpha.value == pytest.approx(1 - 5 * 2 / (2 * 3 * 3))
    assert (same.value, same.n) == (pytest.approx(2 / 3), 3)
    assert missed.value is None


def test_called_back_sentences_are_compared_where_anybody_called_one_back(task):
    answers = {
        "x": {"ann": review(KEEP, missing=RAIN), "bob": review(KEEP)},
        "y": {"ann": review(KEEP, missing=RAIN), "bob": review(KEEP, missing=RAIN)},
        "z": {"ann": review(KEEP), "bob": review(KEEP)},
    }
    missed = task.agreement({}, answers)[-1]
    assert (missed.value, missed.n) == (0.5, 2)


def test_one_reviewer_has_nobody_to_agree_with(task):
    measures = task.agreement({}, {"x": {"ann": review(KEEP)}})
    assert [one.value for one in measures] == [None] * 4


def test_the_majority_settles_and_every_difference_is_a_dispute(task):
    answers = {
        "ann": review(edit("The ferry Alba sank."), KEEP, TWICE, missing=RAIN),
        "bob": review(edit("The Alba ferry sank fast."), KEEP, TWICE, missing=RAIN),
        "cyd": review(edit("The ferry Alba sank fast."), KEEP, KEEP),
    }
    found = task.settled(CONTENT, answers, Rule())
    assert found.answer == review(edit("The Alba ferry sank fast."), KEEP, TWICE, missing=RAIN)
    assert [one.where.split(":")[0] for one in found.disputes] == [
        "Sentence 1",
        "Sentence 3",
        "Left out, courier",
    ]
    assert found.disputes[1].choices == {
        "ann": "reject",
        "bob": "reject",
        "cyd": "accept",
    }


def test_a_tie_is_left_to_people_with_something_to_start_from(task):
    answers = {"ann": review(KEEP, KEEP, TWICE), "bob": review(KEEP, KEEP, KEEP)}
    verdict = judged(task, CONTENT, answers, Rule())
    assert [one.where for one in verdict.open] == ["Sentence 3: “It sank.”"]
    assert verdict.answer == {"sentences": [KEEP, KEEP, TWICE]}


def test_two_edits_of_one_sentence_are_left_to_people(task):
    answers = {"ann": review(edit("Sank."), KEEP, KEEP), "bob": review(edit("Gone."), KEEP, KEEP)}
    verdict = judged(task, CONTENT, answers, Rule())
    assert len(verdict.open) == 1
    assert verdict.answer["sentences"][0]["verdict"] == "edit"


def test_different_reasons_for_one_rejection_are_no_dispute(task):
    badly = {"verdict": "reject", "reason": "reads-badly"}
    answers = {"ann": review(TWICE, KEEP, KEEP), "bob": review(badly, KEEP, KEEP)}
    assert judged(task, CONTENT, answers, Rule()).settled


def test_nobodys_answers_settle_nothing(task):
    assert task.settled(CONTENT, {}, Rule()).answer is None


def test_the_reviewed_text_has_what_was_accepted_and_edited(task):
    files = exported(task, {"ann": review(edit("The Alba sank."), KEEP, TWICE)})
    assert files["reviewed.txt"].decode() == "The Alba sank. Nobody was *hurt*.\n"
    assert files["reviewed.md"].decode() == "## ferry\n\nThe Alba sank. Nobody was \\*hurt\\*.\n"


@pytest.mark.parametrize("text", ["1. Off he went.", "# It sank.", "- It sank.", "<b>It</b>"])
def test_no_sentence_is_markup_in_markdown(task, text):
    written = exported(task, {"ann": review(edit(text), TWICE, TWICE)})["reviewed.md"].decode()
    paragraph, inline, _ = MarkdownIt().parse(written.removeprefix("## ferry\n\n"))
    assert paragraph.type == "paragraph_open"
    assert "".join(child.content for child in inline.children) == text


def test_a_sentence_that_is_not_settled_stays_and_is_marked(task):
    both = {"ann": review(KEEP, KEEP, KEEP), "bob": review(KEEP, KEEP, TWICE)}
    files = exported(task, both)
    assert files["reviewed.txt"].decode().endswith("\n\nIt sank. [not settled]\n")


def test_every_verdict_is_a_line_with_its_sources(task):
    files = exported(task, {"ann": review(edit("The Alba sank."), KEEP, TWICE, missing=RAIN)})
    lines = [json.loads(line) for line in files["verdicts.jsonl"].splitlines()]
    assert [line["verdict"] for line in lines] == ["edit", "accept", "reject"]
    assert lines[0]["sources"] == ["A ferry\nsank.", "The Alba sank."]
    assert lines[2]["reason"] == "repeats"
    (missing,) = map(json.loads, files["missing.jsonl"].splitlines())
    assert (missing["document"], missing["text"], missing["why"]) == (
        "courier",
        "It rained.",
        "off topic",
    )


def test_the_summary_gives_the_share_of_each_verdict_and_reason(task):
    both = {"ann": review(KEEP, KEEP, TWICE), "bob": review(edit("Sank."), KEEP, TWICE)}
    rows = list(csv.DictReader(io.StringIO(exported(task, both)["summary.csv"].decode())))
    shares = {(row["reviewers"], row["verdict"], row["reason"]): row["share"] for row in rows}
    assert shares["all", "accept", ""] == "0.5000"
    assert shares["all", "edit", ""] == "0.1667"
    assert shares["all", "reject", "repeats"] == "0.3333"
    assert shares["by bob", "accept", ""] == "0.3333"


def test_a_corrected_answer_counts_once_and_strangers_do_not(task):
    made = Authorship("ann", kind="person")
    records = [
        Record("r1", task.name, "ferry", made, review(KEEP, KEEP, KEEP)),
        Record("r2", task.name, "ferry", made, review(KEEP, KEEP, TWICE), replaces="r1"),
        Record("r3", task.name, "gone", made, review(KEEP)),
    ]
    files = {one.name: one.data for one in task.export([NewItem("ferry", CONTENT)], records)}
    assert len(files["verdicts.jsonl"].splitlines()) == 3
    assert b"It sank." not in files["reviewed.txt"]


def test_without_answers_the_files_are_empty_but_readable(task):
    files = exported(task, {})
    assert files["reviewed.md"] == b""
