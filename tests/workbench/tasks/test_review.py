"""Reviews of woven texts: items out of consolidations, checked answers, scores."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from tatian.consolidation import consolidate
from tatian.consolidation.annotation import REASONS
from tatian.errors import InputError
from tatian.text import Document
from tatian.workbench.campaigns import importing
from tatian.workbench.tasks import Task, tasks
from tatian.workbench.tasks.comparing import Comparable
from tatian.workbench.tasks.review import ReviewTask
from tatian.workbench.tasks.review_content import Content

TEXTS = {
    "wire": "The ferry Alba ran aground off Osk on Monday. Two men were hurt. Fog lay on the sea.",
    "courier": "The Alba, a ferry with 40 people on board, ran aground off Osk. Two men were hurt.",
}
ACCEPTED = {"verdict": "accept"}


@pytest.fixture
def task():
    return ReviewTask()


@pytest.fixture(scope="module")
def woven():
    documents = [Document(id, text) for id, text in TEXTS.items()]
    return json.loads(msgspec.json.encode(consolidate(documents).to_json()))


@pytest.fixture
def content(task, woven):
    return task.content(woven)


def accept_all(content):
    return {"sentences": [ACCEPTED] * len(content["sentences"])}


def read(task, given, mapping=None, name="woven.json"):
    data = given if isinstance(given, bytes) else json.dumps(given).encode()
    return importing.items(task, name, data, mapping)


def test_the_task_is_known_by_its_name_and_can_be_compared():
    task: Task = tasks.create("consolidation.review")
    assert isinstance(task, ReviewTask)
    assert isinstance(task, Comparable)


def test_every_word_of_an_item_points_at_the_same_words_as_the_consolidation(woven, content):
    accounts = {one["id"]: one["text"] for one in woven["documents"]}
    for sentence, made in zip(woven["sentences"], content["sentences"], strict=True):
        assert made["text"] == woven["text"][sentence["start"] : sentence["end"]]
        for token, (start, end, *origins) in zip(sentence["tokens"], made["words"], strict=True):
            assert made["text"][start:end] == woven["text"][token["start"] : token["end"]]
            quoted = [
                content["accounts"][account]["sentences"][number]["text"][first:last]
                for account, number, first, last, *_ in (origins[0] if origins else [])
            ]
            assert quoted == [
                accounts[source["document"]][source["start"] : source["end"]]
                for source in token["sources"]
            ]


def test_what_the_command_writes_is_one_item_named_by_its_file(task, woven):
    pretty = json.dumps(woven, indent=2).encode()
    assert [item.key for item in read(task, pretty, name="ferry.json")] == ["ferry"]


def test_several_consolidations_come_as_lines_or_as_an_array(task, woven):
    lines = "\n".join(json.dumps({**woven, "id": id}) for id in ("one", "two"))
    assert [item.key for item in read(task, lines.encode())] == ["one", "two"]
    assert [item.key for item in read(task, [woven, woven])] == ["woven", "woven-2"]


def test_an_item_can_be_one_sentence_with_its_own_sources(task, woven, content):
    items = read(task, woven, {"each": "sentence"})
    assert len(items) == len(content["sentences"])
    for index, item in enumerate(items):
        (sentence,) = item.content["sentences"]
        assert sentence["text"] == content["sentences"][index]["text"]
        behind = [one for account in item.content["accounts"] for one in account["sentences"]]
        assert behind
        if index:
            assert item.content["before"] == content["sentences"][index - 1]["text"]


def test_a_sentence_by_itself_quotes_the_same_words_of_its_sources(task):
    for item in task.demo():
        whole = msgspec.convert(item.content, Content)
        for index, sentence in enumerate(whole.sentences):
            part = whole.only(index)
            for before, after in zip(sentence.words, part.sentences[0].words, strict=True):
                assert quoted(part, after) == quoted(whole, before)


def quoted(content, word):
    return [
        (
            content.accounts[one.account].id,
            content.accounts[one.account].sentences[one.sentence].text[one.start : one.end],
        )
        for one in word.origins
    ]


def test_fields_can_have_other_names(task, woven):
    items = read(task, {**woven, "name": "alba"}, {"id": "name"})
    assert [item.key for item in items] == ["alba"]


def test_another_kind_of_item_is_refused(task, woven):
    with pytest.raises(InputError, match="there are each=text, each=sentence"):
        read(task, woven, {"each": "word"})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a,b\n1,2\n", "tatian consolidate --to json"),
        (b"[1, 2]", "tatian consolidate --to json"),
        (b'{"text": "x"}', "not a text to review"),
        (b'{"documents": [], "sentences": []}', "not a consolidation"),
        (b'{"sentences": [], "accounts": []}', "no sentence to review"),
    ],
)
def test_other_files_are_refused(task, data, message):
    with pytest.raises(InputError, match=message):
        read(task, data)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 9}, "schema 9"),
        ({"documents": []}, "which is not there"),
        ({"sentences": []}, "no sentence to review"),
    ],
)
def test_a_consolidation_that_contradicts_itself_is_refused(task, woven, change, message):
    with pytest.raises(InputError, match=message):
        read(task, {**woven, **change})


def test_offsets_outside_an_account_are_refused(task, woven):
    shortened = [{**one, "text": one["text"][:10]} for one in woven["documents"]]
    with pytest.raises(InputError, match="lies outside"):
        read(task, {**woven, "documents": shortened})


def test_an_answer_is_kept_squeezed_and_comes_back_as_it_was(task, content):
    answer = accept_all(content)
    answer["sentences"] = [
        {"verdict": "edit", "text": " All  is\nwell. "},
        *answer["sentences"][1:],
    ]
    stored = task.received(content, 1, {}, answer)
    assert stored["sentences"][0] == {"verdict": "edit", "text": "All is well."}
    assert task.restored(content, 1, {}, stored) == stored


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"sentences": []}, "0 verdicts on"),
        ({"sentences": [{"verdict": "perhaps"}]}, "not a review"),
        ({"sentences": [{"verdict": "reject"}]}, "a rejected sentence has a reason"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(task, content, answer, message):
    with pytest.raises(InputError, match=message):
        task.received(content, 1, {}, answer)


def test_missing_sentences_must_be_there_and_come_in_order(task, content):
    answer = accept_all(content)
    places = [{"document": "courier", "sentence": 1}, {"document": "wire", "sentence": 0}]
    stored = task.received(content, 1, {}, {**answer, "missing": places})
    assert [one["document"] for one in stored["missing"]] == ["wire", "courier"]
    with pytest.raises(InputError, match="no source sentence 9"):
        task.received(content, 1, {}, {**answer, "missing": [{"document": "wire", "sentence": 9}]})


def test_the_score_is_the_share_of_right_verdicts_and_missing_sentences(task, content):
    count = len(content["sentences"])
    right = [{"verdict": "reject", "reason": "loses"}] + [ACCEPTED] * (count - 1)
    gold = {"sentences": right, "missing": [{"document": "wire", "sentence": 0}]}
    given = task.received(content, 1, {}, accept_all(content))
    assert task.score(content, gold, given) == (count - 1) / (count + 1)
    perfect = task.received(content, 1, {}, gold)
    assert task.score(content, gold, perfect) == 1
    lenient = {**gold, "sentences": [{**right[0], "also": ["accept"]}, *right[1:]]}
    assert task.score(content, lenient, given) == count / (count + 1)


def test_gold_that_does_not_fit_its_text_is_refused(task, woven):
    with pytest.raises(InputError, match="gold: 1 verdicts on"):
        read(task, {**woven, "gold": {"sentences": [ACCEPTED]}})
    with pytest.raises(InputError, match="gold: a rejected sentence has a reason"):
        read(task, {**woven, "gold": {"sentences": [{"verdict": "reject"}]}})


def test_gold_of_a_text_is_divided_among_its_sentences(task, woven, content):
    verdicts = [
        {"verdict": "reject", "reason": "loses", "why": str(number)}
        for number in range(len(content["sentences"]))
    ]
    missing = [{"document": "wire", "sentence": 2}]
    given = {**woven, "gold": {"sentences": verdicts, "missing": missing}, "stage": 0}
    items = read(task, given, {"each": "sentence"})
    assert [item.stage for item in items] == [0] * len(verdicts)
    assert [item.gold["sentences"] for item in items] == [[one] for one in verdicts]
    assert [item.gold["missing"] for item in items if "missing" in item.gold] == [missing]


def test_options_are_refused(task):
    with pytest.raises(InputError, match="unknown field 'sources'"):
        task.check_options({"sources": True})


def test_the_demo_trains_on_gold_that_accepting_everything_does_not_pass(task):
    items = task.demo()
    assert [item.stage for item in items] == [0, 0, None, None, None]
    scores = [task.score(item.content, item.gold, accept_all(item.content)) for item in items[:2]]
    assert sum(scores) / 2 < task.demo_stages[0].pass_mark
    for item in items[:2]:
        asked = {key: item.gold.get(key, []) for key in ("sentences", "missing")}
        own = [
            {key: value for key, value in one.items() if key in ("verdict", "text", "reason")}
            for one in asked["sentences"]
        ]
        given = task.received(item.content, 1, {}, {**asked, "sentences": own})
        assert task.feedback(item.content, item.gold, given)["score"] == 1


def test_page_and_guidelines_name_the_reasons_that_answers_may_have(task):
    pages = Path(importing.__file__).parents[1] / "web" / "static" / "tasks"
    listed = re.search(
        r"REASONS = \[(.*?)\n\];", (pages / "review-sources.js").read_text(), re.DOTALL
    )
    reasons = dict(re.findall(r'\["([\w-]+)", "([^"]+)"\]', listed[1]))
    assert tuple(reasons) == REASONS
    numbered = [f"{number}. **{label}.**" for number, label in enumerate(reasons.values(), start=1)]
    assert [line for line in numbered if line not in task.guidelines()] == []
