"""Linking of terms to pages: what is refused, stored, scored, compared and exported."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.formats.labels import DETECTIONS, read_detections
from tatian.mentions.annotation import agreement
from tatian.text.layers import Authorship, Record
from tatian.workbench.tasks import NewItem
from tatian.workbench.tasks.agreement import VotingRule
from tatian.workbench.tasks.detection import DetectionTask
from tatian.workbench.tasks.detection.pages import campaign_base, find_page, search
from tatian.workbench.tasks.detection.rules import is_pronoun

TEXT = "The US taxes video games; he loves games, and games love us."
TOPIC = "We should ban violent video games"
CONTENT = {"text": TEXT, "topic": TOPIC}


def link(term, title, nth=0, text=TEXT):
    start = -1
    for _ in range(nth + 1):
        start = text.index(term, start + 1)
    return {"start": start, "end": start + len(term), "term": term, "title": title}


VIDEO_GAMES = link("video games", "Video game")
GAMES = link("games", "Game", 1)
TAXES = link("taxes", "Tax")


@pytest.fixture
def task():
    return DetectionTask()


def test_links_are_stored_as_they_came(task):
    answer = {"mentions": [TAXES, VIDEO_GAMES, GAMES]}
    assert task.from_page(CONTENT, 1, {}, answer) == answer
    assert task.answer_to_page(CONTENT, 1, {}, answer) == answer


def test_redirects_and_spellings_of_a_title_lead_to_its_page(task):
    given = {**VIDEO_GAMES, "title": "video_game"}
    (stored,) = task.from_page(CONTENT, 1, {}, {"mentions": [given]})["mentions"]
    assert stored["title"] == "Video game"


def test_a_page_missing_from_the_base_is_kept(task):
    given = {**GAMES, "title": "game_(playing)"}
    (stored,) = task.from_page(CONTENT, 1, {}, {"mentions": [given]})["mentions"]
    assert stored["title"] == "Game (playing)"


def test_a_term_may_have_several_pages(task):
    answer = {"mentions": [GAMES, {**GAMES, "title": "Sport"}]}
    assert len(task.from_page(CONTENT, 1, {}, answer)["mentions"]) == 2


@pytest.mark.parametrize(
    ("mentions", "message"),
    [
        ([{**GAMES, "term": "Games"}], "the text has 'games' at 35..40, not 'Games'"),
        ([{**GAMES, "start": 900, "end": 905}], "the text has ''"),
        ([VIDEO_GAMES, TAXES], "terms must be in the order of the text"),
        ([TAXES, TAXES], "the same term, place and title twice"),
        ([VIDEO_GAMES, link("games", "Game")], "'games' lies within 'video games'"),
        ([link("he", "Person", 1)], "'he' is a pronoun"),
        ([link("us", "United States")], "'us' is a pronoun"),
        ([link(" taxes", "Tax")], "begins or ends with a blank"),
        ([{**TAXES, "title": "Tax#History"}], "section"),
        ([{**TAXES, "title": "List_of_taxes"}], "list"),
        ([{**TAXES, "title": "Tax (disambiguation)"}], "disambiguation"),
        ([{**TAXES, "title": " "}], "without a Wikipedia title"),
        ([{**TAXES, "title": "x" * 301}], "title of over 300"),
        ("all", "not an answer of this page"),
    ],
)
def test_links_against_the_guidelines_are_refused(task, mentions, message):
    with pytest.raises(InputError, match=message):
        task.from_page(CONTENT, 1, {}, {"mentions": mentions})


def test_names_in_capitals_are_no_pronouns(task):
    assert not is_pronoun("US")
    assert is_pronoun("I")
    answer = {"mentions": [link("US", "United States")]}
    assert task.from_page(CONTENT, 1, {}, answer) == answer


def test_terms_that_cross_each_other_are_not_nested(task):
    text = "New York City Hall"
    answer = {
        "mentions": [link("New York City", "New York City", text=text),
                     link("City Hall", "City hall", text=text)]
    }  # fmt: skip
    assert len(task.from_page({"text": text}, 1, {}, answer)["mentions"]) == 2


def test_an_answer_survives_a_missing_base(task, tmp_path):
    options = {"base": str(tmp_path / "gone.db")}
    stored = task.from_page(CONTENT, 1, options, {"mentions": [TAXES]})
    assert stored == {"mentions": [TAXES]}
    with pytest.raises(InputError, match="cannot be opened: tell whoever invited you") as failed:
        campaign_base(options)
    assert "gone" not in str(failed.value)


def test_any_gold_page_of_a_term_is_right(task):
    gold = {"mentions": [GAMES, {**GAMES, "title": "Sport"}]}
    assert task.score(CONTENT, gold, {"mentions": [GAMES]}) == 1
    assert task.score(CONTENT, gold, {"mentions": [{**GAMES, "title": "sport"}]}) == 1


def test_the_score_is_the_f1_of_links(task):
    gold = {"mentions": [TAXES, VIDEO_GAMES]}
    assert task.score(CONTENT, gold, {"mentions": [TAXES, GAMES]}) == 0.5
    assert task.score(CONTENT, gold, {"mentions": []}) == 0
    assert task.score(CONTENT, {"mentions": []}, {"mentions": []}) == 1
    wrong = {"mentions": [{**TAXES, "title": "Tariff"}]}
    assert task.score(CONTENT, gold, wrong) == 0


def test_the_linker_suggests_a_valid_answer(task):
    draft = task.suggest({"text": "Students pay taxes in France.", "topic": "We should cut taxes"})
    assert "France" in [one["title"] for one in draft["mentions"]]
    assert draft["none"] is False
    assert task.suggest({"text": "Hm, oh well."}) is None


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("voters", "Voting"),
        ("death penalty", "Capital punishment"),
        ("close proximity", "Distance"),
        ("the Monarchy", "Monarchy"),
        ("monarc", "Monarchy"),
        ("buses", "Bus"),
        ("elected", "Election"),
    ],
)
def test_the_search_finds_forms_other_names_parts_and_beginnings(words, title):
    assert title in [page.title for page in search(campaign_base({}), words)]


def test_the_search_accepts_any_words():
    base = campaign_base({})
    for words in ("", "  ", "🚢", "\ud800", "%", "x" * 300, "a " * 150, "'; --"):
        assert isinstance(search(base, words), list)
        find_page(base, words)


def test_a_search_respects_the_limit_and_lists_pages_once():
    found = search(campaign_base({}), "s", limit=4)
    assert len(found) == 4
    assert len({page.title for page in found}) == 4


def test_texts_are_read_from_lines_and_tables(task):
    line = {"id": 7, **CONTENT, "stage": 0, "gold": {"mentions": [TAXES]}}
    (item,) = task.read("f", json.dumps(line).encode(), {})
    assert item == NewItem("7", CONTENT, {"mentions": [TAXES]}, 0)
    table = f'id,text,subject,stage\ng,"{TEXT}",{TOPIC},\n'.encode()
    (item,) = task.read("f.csv", table, {"topic": "subject"})
    assert item == NewItem("g", CONTENT)


def test_mentions_of_a_file_are_gold(task):
    taxes = {"start": TAXES["start"], "end": TAXES["end"], "titles": ["Tax", "Taxation"]}
    line = {"text": TEXT, "mentions": [taxes]}
    (item,) = task.read("f", json.dumps(line).encode(), {})
    assert item.key == "1"
    assert item.content == {"text": TEXT}
    assert item.gold == {"mentions": [TAXES, {**TAXES, "title": "Taxation"}]}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"topic": TOPIC}, "f:1: no field 'text'"),
        ({"text": " "}, "no text to annotate"),
        ({"text": 3}, "not a text"),
        ({"text": TEXT, "mentions": [{"start": 90, "end": 99}]}, "90..99 lies outside the text"),
        ({"text": TEXT, "gold": {"mentions": [{**GAMES, "term": "gamez"}]}}, "not 'gamez'"),
    ],
)
def test_invalid_links_are_named_by_file_and_line(task, line, message):
    with pytest.raises(InputError, match=message):
        list(task.read("f", json.dumps(line).encode(), {}))


def record(id, by, *mentions, replaces=None):
    author = Authorship(by, kind="person")
    return Record(id, "mentions.detect", "1", author, {"mentions": list(mentions)}, replaces)


def test_the_export_is_what_the_mention_commands_read(task):
    records = [
        record("r1", "ann", TAXES),
        record("r2", "ann", TAXES, VIDEO_GAMES, replaces="r1"),
        record("r3", "bob", TAXES, {**GAMES, "title": "Sport"}),
    ]
    detections, union = task.export([NewItem("1", CONTENT), NewItem("2", CONTENT)], records)
    lines = detections.data.decode()
    read = list(read_detections(lines, detections.name))
    assert [(one.id, len(one.answer.mentions)) for one in read] == [("r2", 2), ("r3", 2)]
    assert [one.metadata.topic for one in DETECTIONS.read(lines)] == [TOPIC, TOPIC]
    (line,) = union.data.decode().splitlines()
    assert [one["titles"] for one in json.loads(line)["mentions"]] == [
        ["Tax"], ["Video game"], ["Sport"]
    ]  # fmt: skip
    assert agreement(read).detection.value == pytest.approx(task_kappa(task, read))


def task_kappa(task, records):
    answers = {"1": {one.made.by: {"mentions": [plain(m) for m in one.answer.mentions]}
                     for one in records}}  # fmt: skip
    (measure,) = task.agreement({"1": CONTENT}, answers)
    assert measure.n == 3
    assert list(measure.pairs) == ["ann bob"]
    return measure.value


def plain(mention):
    return {name: getattr(mention, name) for name in ("start", "end", "term", "title")}


def test_agreement_of_one_person_says_nothing(task):
    (measure,) = task.agreement({"1": CONTENT}, {"1": {"ann": {"mentions": [TAXES]}}})
    assert (measure.value, measure.n) == (None, 0)


def test_agreed_links_are_settled_and_the_others_differ(task):
    sport = {**GAMES, "title": "Sport"}
    answers = {
        "ann": {"mentions": [TAXES, GAMES]},
        "bob": {"mentions": [TAXES, sport]},
        "eve": {"mentions": [TAXES, VIDEO_GAMES, sport]},
    }
    settled = task.settle(CONTENT, answers, VotingRule())
    assert settled.answer == {"mentions": [TAXES, sport]}
    first, second = settled.differences
    assert first.where == f"“video games” ({VIDEO_GAMES['start']}–{VIDEO_GAMES['end']})"
    assert first.choices == {"ann": "not linked", "bob": "not linked", "eve": "Video game"}
    assert second.choices == {"ann": "Game", "bob": "Sport", "eve": "Sport"}
    assert task.settle(CONTENT, {}, VotingRule()).answer is None


def test_of_agreed_nested_terms_the_longer_is_kept(task):
    inner = link("games", "Game")
    answers = {"ann": {"mentions": [VIDEO_GAMES]}, "bob": {"mentions": [inner]}}
    settled = task.settle(CONTENT, answers, VotingRule(share=0.5, reached=True))
    assert settled.answer == {"mentions": [VIDEO_GAMES]}


spans = st.tuples(st.integers(0, len(TEXT) - 1), st.integers(1, 12))


@given(st.lists(spans, max_size=8))
def test_accepted_answers_are_accepted_again(places):
    task = DetectionTask()
    mentions = [
        {"start": start, "end": min(start + size, len(TEXT)), "title": "Thing",
         "term": TEXT[start : start + size]}
        for start, size in sorted(set(places), key=lambda one: (one[0], one[0] + one[1]))
    ]  # fmt: skip
    try:
        stored = task.from_page(CONTENT, 1, {}, {"mentions": mentions})
    except InputError:
        return
    again = task.from_page(CONTENT, 2, {}, task.answer_to_page(CONTENT, 2, {}, stored))
    assert again == stored
    assert task.score(CONTENT, stored, again) == 1
