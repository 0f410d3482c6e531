"""The rules of the detection page, compared with the server's."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tatian.errors import InputError
from tatian.formats.labels import LinkedTerm
from tatian.workbench.tasks.detection.rules import NEVER_LINKED, is_pronoun

TEXT = "Voters vote: as voters, C# users and voters in the US use C."


@pytest.fixture
def page(modules: Any) -> Any:
    """A page that evaluates expressions."""
    return modules


FILES = "/static/tasks/mentions.detect"


def ask(page: Page, module: str, expression: str, *values: Any) -> Any:
    """Evaluate an expression over a module `m` and the values `v` in the browser."""
    return page.evaluate(
        f"async (v) => {{ const m = await import('{FILES}/{module}');"
        f" const r = await import('{FILES}/rules.js'); return {expression}; }}",
        list(values),
    )


def parsed(page: Page, typed: str, text: str = TEXT) -> Any:
    return ask(page, "lines.js", "m.parse(new r.Text(v[0]), v[1])", text, typed)


def terms(page: Page, typed: str, text: str = TEXT) -> list[tuple[int, str, str]]:
    found = parsed(page, typed, text)
    assert found["problems"] == []
    return [(m["start"], text[m["start"] : m["end"]], m["title"]) for m in found["mentions"]]


def problem(page: Page, typed: str, text: str = TEXT) -> tuple[int, str]:
    (found,) = parsed(page, typed, text)["problems"]
    return found["line"], found["message"]


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("https://en.wikipedia.org/wiki/Free_software", "Free software"),
        ("http://en.m.wikipedia.org/wiki/Open-source_software?action=raw", "Open-source software"),
        ("//en.wikipedia.org/wiki/Caf%C3%A9", "Café"),
        ("en.wikipedia.org/wiki/C_Sharp", "C Sharp"),
        ("https://en.wikipedia.org/w/index.php?title=voting_age", "Voting age"),
        ("http://dbpedia.org/resource/Edwin_Meese", "Edwin Meese"),
        ("uri:Air_force", "Air force"),
        ("  air   force ", "Air force"),
        ("iPhone", "IPhone"),
        ("https://en.wikipedia.org/wiki/Voting#History", "Voting#History"),
        ("https://example.org/elsewhere", ""),
        ("https://", ""),
        ("100%", "100%"),
    ],
)
def test_addresses_and_titles_name_a_page(page: Page, written: str, title: str) -> None:
    assert ask(page, "rules.js", "m.parseTitle(v[0])", written) == title


def test_repeated_terms_mean_successive_places(page: Page) -> None:
    typed = "Voters#Voting\n\nvoters#Voting\nvoters#Electorate\nUS#United States"
    assert terms(page, typed) == [
        (0, "Voters", "Voting"),
        (16, "voters", "Voting"),
        (16, "voters", "Electorate"),
        (51, "US", "United States"),
    ]
    assert [start for start, *_ in terms(page, "voters#Voting\nvoters#Voting")] == [16, 37]


def test_a_place_can_be_given_by_its_offsets(page: Page) -> None:
    assert terms(page, "voters(37,43)#Voting") == [(37, "voters", "Voting")]
    message = "“voters” is not at 36 to 42."
    assert problem(page, "voters(36,42)#Voting") == (1, message)


def test_a_term_may_contain_the_separator(page: Page) -> None:
    typed = "C##C Sharp (programming language)\nC#https://en.wikipedia.org/wiki/C"
    assert terms(page, typed) == [
        (24, "C#", "C Sharp (programming language)"),
        (58, "C", "C"),
    ]


@pytest.mark.parametrize(
    ("typed", "line", "message"),
    [
        ("voters", 1, "Write term#page, such as ferry#Ferry."),
        ("#Voting", 1, "There is no term before the #."),
        ("voters#", 1, "That is no page: give a Wikipedia address or a title."),
        ("voters#https://en.wikipedia.org/wiki/Voting#History", 1,
         "“Voting#History” is a section of a page: link the page."),
        ("voters#List of voters", 1, "“List of voters” is a list: link the thing itself."),
        ("voters#Vote_(disambiguation)", 1,
         "“Vote (disambiguation)” is a disambiguation page: link the meaning."),
        ("\nelections#Election", 2, "The text does not have “elections” exactly like this."),
        ("VOTE#Voting", 1, "The text does not have “VOTE” exactly like this: it has “Vote”."),
        ("US#United States\nvote#Voting", 2,
         "“vote” stands before “US”: write terms in the order of the text."),
        ("US#United States\nUS#United_States", 2,
         "“US” is linked to “United States” at all its places already."),
    ],
)  # fmt: skip
def test_an_invalid_line_gets_a_reason(page: Page, typed: str, line: int, message: str) -> None:
    assert problem(page, typed) == (line, message)


def test_offsets_count_astral_characters_once(page: Page) -> None:
    assert terms(page, "vote#Voting", "🗳🗳 vote 🗳") == [(3, "vote", "Voting")]


def test_words_of_scripts_without_spaces_are_found(page: Page) -> None:
    assert terms(page, "东京#Tokyo", "我在东京工作") == [(2, "东京", "Tokyo")]


def test_selectable_pieces_end_where_a_term_may_end(page: Page) -> None:
    text = "Attorney General’s U.S. open-source C++ café, 我在"
    units = ask(page, "rules.js", "new m.Text(v[0]).units.map((u) => u.text)", text)
    assert units == [
        "Attorney", "General", "s", "U.S.", "open", "source", "C++", "café", "我", "在"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "term", ["he", "US", "us", "I", "IT", "Who", "WHO", "ours", "house", "Its"]
)
def test_page_and_server_agree_on_pronouns(page: Page, term: str) -> None:
    refused = ask(page, "rules.js", "m.termProblem(v[0], v[1])", term, list(NEVER_LINKED))
    assert bool(refused) == is_pronoun(term)


@pytest.mark.parametrize(
    "title",
    [
        "Voting",
        "List of voters",
        "list_of voters",
        "LISTS of voters",
        "List_ of  voters",
        "Outline of voting",
        "Timeline_of voting",
        "Glossary of voting terms",
        "Index of voting articles",
        "Index of dispersion",
        "Outlines of voting",
        "Shopping list of voters",
        "Listing",
        "A#b",
        "X (disambiguation)",
        " ",
        "_",
    ],
)
def test_page_and_server_agree_on_titles(page: Page, title: str) -> None:
    try:
        LinkedTerm(0, 1, "x", title)
        refused = False
    except (ValueError, InputError):
        refused = True
    assert bool(ask(page, "rules.js", "m.titleProblem(v[0])", title)) == refused


def test_other_places_of_a_term_are_unlinked_whole_words(page: Page) -> None:
    text = "Art, art, artist, ART and state of the art"
    linked = [{"start": 27, "end": 42, "title": "State of the art"}]
    places = "((t) => m.otherPlaces(t, v[1], m.coverMentions(t, v[2])))(new m.Text(v[0]))"
    found = ask(
        page, "rules.js", places, text, {"start": 5, "end": 8}, linked,
    )  # fmt: skip
    assert found == [{"start": 0, "end": 3}]
