"""The shared modules of the annotation pages."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page

from tatian.workbench.tasks import words as server

Call = Callable[..., Any]

ALPHABET = (
    "abcxyzABZ  .,;:!?'’\"“”()-–—/&$%  0123456789éßİıΣσςäÖ\u0301\u0308"
    "אבגד ה،ابت ةनमस्ते ไทย ကခ កខ 日本語かなカナ、。 𠀋😀👩\u200d🚒🇩🇪"
    "\t\n\r\u00a0\u2003\ufeff\u200b_@#*+=<>|"
)


@pytest.fixture
def core(modules: Page) -> Call:
    """Evaluate an expression with a module of ``core`` as `core` and a value as `given`."""

    def evaluate(module: str, expression: str, given: Any = None) -> Any:
        return modules.evaluate(
            f"async (given) => {{ const core = await import('/static/core/{module}.js');"
            f" return ({expression}); }}",
            given,
        )

    return evaluate


def texts(seed: int, count: int) -> list[str]:
    """Return random short texts of many scripts and separators."""
    draw = random.Random(seed)
    return ["".join(draw.choices(ALPHABET, k=draw.randint(0, 40))) for _ in range(count)]


def test_the_page_and_the_server_find_the_same_words(core: Call) -> None:
    given = texts(1, 600)
    found = core("text", "given.map((text) => core.words(text))", given)
    expected = [
        [
            {"start": word.start, "end": word.end, "text": word.text}
            for word in server.find_words(text)
        ]
        for text in given
    ]
    assert found == expected


def test_the_page_and_the_server_have_the_same_vocabularies(core: Call) -> None:
    forms = ["crash", "crashes", "Crashed", "crashing", "party", "parties", "win", "wins", "2010"]
    forms += ["2010s", "dog’s", "dog's", "Iran", "Iranian", "ÉCOLE", "école", "set", "setting"]
    found = core("text", "given.map((a) => given.map((b) => new core.Vocabulary(b).has(a)))", forms)
    assert found == [[a in server.Vocabulary(b) for b in forms] for a in forms]


def test_marks_survive_conversion_to_offsets_and_back(core: Call) -> None:
    stray = core(
        "text",
        """given.filter((text) => {
          const words = core.words(text);
          const chosen = new Set(words.flatMap((_, index) => (index % 3 ? [index] : [])));
          const back = core.indicesWithin(words, core.toSpans(text, words, chosen));
          return JSON.stringify([...chosen]) !== JSON.stringify([...back]);
        })""",
        texts(2, 300),
    )
    assert stray == []


def test_pieces_are_the_whole_text(core: Call) -> None:
    given = texts(3, 300)
    joined = "given.map((text) => core.pieces(text).map((piece) => piece.text).join(''))"
    assert core("text", joined, given) == given


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("A b c.", "A b c.", [("same", "A b c.")]),
        ("A b c", "A c", [("same", "A "), ("removed", "b "), ("same", "c")]),
        ("A c", "A b c", [("same", "A "), ("added", "b "), ("same", "c")]),
        ("", "new", [("added", "new")]),
        ("old", "", [("removed", "old")]),
        ("THE end", "the end", [("same", "the end")]),
    ],
)
def test_a_comparison_names_what_was_removed_and_added(
    core: Call, before: str, after: str, expected: list[tuple[str, str]]
) -> None:
    found = core("diff", "core.diffWords(...given)", [before, after])
    assert [(each["kind"], each["text"]) for each in found] == expected


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("The roof of a school.", "The roof", "The roof [-: of a school.]"),
        ("The roof", "The roof of a school.", "The roof [+: of a school.]"),
        ("The (old) roof", "The (new) roof", "The ([-: old] [+: new]) roof"),
        ("Off Brest yesterday.", "Off Brest.", "Off Brest [-: yesterday]."),
        ("Off Brest.", "Off Brest yesterday.", "Off Brest [+: yesterday]."),
        ("A storm.", "", "[-: A storm.]"),
    ],
)
def test_differences_are_separated_by_spaces(
    core: Call, before: str, after: str, shown: str
) -> None:
    nodes = "core.renderDiff(...given, {removed: '-', added: '+'})"
    said = core("diff", f"{nodes}.map((node) => node.textContent ?? node)", [before, after])
    assert "".join(said) == shown


def test_a_comparison_contains_both_texts(core: Call) -> None:
    given = texts(4, 100)
    pairs = list(pairwise(given))
    found = core("diff", "given.map((pair) => core.diffWords(...pair))", pairs)
    for (_, after), parts in zip(pairs, found, strict=True):
        kept = "".join(part["text"] for part in parts if part["kind"] != "removed")
        assert kept == after


def test_changes_of_one_kind_in_quick_succession_are_undone_together(core: Call) -> None:
    states = core(
        "undo",
        """(() => {
          const history = new core.History({text: ''});
          history.record({text: 'a'}, 'typing');
          history.record({text: 'ab'}, 'typing');
          history.record({text: 'ab', mark: 1});
          return [history.undo(), history.undo(), history.undo(), history.redo(), history.canRedo];
        })()""",
    )
    assert states == [{"text": "ab"}, {"text": ""}, None, {"text": "ab"}, True]


def test_a_new_change_forgets_what_was_undone(core: Call) -> None:
    left = core(
        "undo",
        """(() => {
          const history = new core.History(1);
          history.record(2);
          history.undo();
          history.record(3);
          return [history.redo(), history.undo()];
        })()""",
    )
    assert left == [None, 1]


def test_server_html_is_copied_without_scripts(core: Call) -> None:
    html = (
        "<h2 onclick='x()'>Title</h2><script>x()</script><img src=x onerror=x()>"
        "<a href='javascript:x()'>bad</a><a href='https://example.org'>good</a>"
        "<table><tr><td style='color:red'>cell</td></tr></table><iframe src='//x'></iframe>"
    )
    copy = core(
        "dom",
        "(() => { const box = document.createElement('div');"
        " box.append(core.fromHtml(given)); return box.outerHTML; })()",
        html,
    )
    assert copy == (
        "<div><h2>Title</h2><a>bad</a>"
        '<a href="https://example.org" rel="noopener noreferrer" target="_blank">good</a>'
        "<table><tbody><tr><td>cell</td></tr></tbody></table></div>"
    )


def test_keys_of_input_methods_are_recognised_in_every_browser(core: Call) -> None:
    keys = [{"isComposing": True, "keyCode": 13}, {"isComposing": False, "keyCode": 229}]
    keys.append({"isComposing": False, "keyCode": 13})
    assert core("dom", "given.map(core.isComposing)", keys) == [True, True, False]


def test_text_given_to_an_element_stays_text(core: Call) -> None:
    code = "core.h('p', {class: 'a', hidden: false, title: '\"'}, ['<b>', null, [1]]).outerHTML"
    assert core("dom", code) == '<p class="a" title="&quot;">&lt;b&gt;1</p>'


def test_a_call_is_repeated_only_while_there_is_no_connection(core: Call) -> None:
    result = core(
        "api",
        """(async () => {
          const waits = [];
          let calls = 0;
          const flaky = async () => {
            calls += 1;
            if (calls < 3) throw new core.Offline('away');
            return calls;
          };
          const onwait = (_, wait) => {
            waits.push(wait);
            setTimeout(() => dispatchEvent(new Event('online')));
          };
          const answer = await core.retryOffline(flaky, {onwait});
          const refused = async () => { throw new core.Problem(422, null); };
          const status = await core.retryOffline(refused).catch((error) => error.status);
          return {answer, waits, status};
        })()""",
    )
    assert result == {"answer": 3, "waits": [1, 2], "status": 422}
