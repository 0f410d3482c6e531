"""Letters for accounts, numbers for sentences, words for fates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.consolidation.render import (
    EXPORTS,
    Edition,
    account_name,
    certain_type,
    is_listed,
    join_items,
    letter,
    outcome_line,
    places,
    shown_day,
)
from tatian.consolidation.result import Account, Disagreement, Reference, SourceSentence, WovenChain

from .samples import ferry


def account(**known: str) -> Account:
    blank = {"path": None, "title": None, "date": None, "source": None}
    return Account(id="story-7", text="", sentences=(), **{**blank, **known})


@pytest.mark.parametrize(
    ("index", "expected"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ")]
)
def test_letters_go_on_after_z_as_columns_of_a_spreadsheet_do(index: int, expected: str) -> None:
    assert letter(index) == expected


@given(st.sets(st.integers(0, 5000), min_size=2, max_size=50))
def test_letters_of_sources_are_unique(indices: set[int]) -> None:
    assert len({letter(index) for index in indices}) == len(indices)


def test_an_account_is_called_by_its_publisher_first() -> None:
    assert account_name(account(source="Post", title="Crash", path="a/b.txt")) == "Post"


def test_an_account_without_a_publisher_is_called_by_its_title() -> None:
    assert account_name(account(title="Crash", path="a/b.txt")) == "Crash"


def test_an_account_without_a_title_is_called_by_its_file() -> None:
    assert account_name(account(path="a/b.txt")) == "b.txt"


def test_an_account_with_nothing_else_is_called_by_its_id() -> None:
    assert account_name(account()) == "story-7"


def test_a_sentence_knows_the_accounts_its_words_come_from() -> None:
    letters = [[each.letter for each in verse.witnesses] for verse in Edition(ferry()).verses]
    assert letters == [["A", "B", "C"], ["A", "B"], ["A"], ["C"], ["A"]]


def test_a_line_break_between_sentences_starts_a_paragraph() -> None:
    assert [verse.opens for verse in Edition(ferry()).verses] == [True, False, False, True, False]


def test_words_that_repeat_a_conflicting_claim_are_found() -> None:
    edition = Edition(ferry())
    words = edition.conflicting_words(edition.consolidation.contradictions[0])
    assert [edition.text[edition.words[i].start : edition.words[i].end] for i in words] == ["17"]


def test_words_of_sentences_that_a_contradiction_does_not_touch_are_left_alone() -> None:
    edition = Edition(ferry())
    (found,) = edition.consolidation.contradictions
    elsewhere = Disagreement(found.kind, found.claims, found.why, (1, 2))
    assert edition.conflicting_words(elsewhere) == ()


@pytest.mark.parametrize(
    ("fate", "into", "expected"),
    [
        ("merged", (1,), "merged into sentence 2"),
        ("merged", (1, 3), "merged into sentences 2 and 4"),
        ("kept", (0,), "kept as sentence 1"),
        ("redundant", (4,), "redundant: sentence 5 already says it"),
        ("redundant", (0, 4), "redundant: sentences 1 and 5 already say it"),
        ("redundant", (), "redundant"),
        ("unused", (), "unused"),
    ],
)
def test_outcomes_have_a_wording(fate: str, into: tuple[int, ...], expected: str) -> None:
    assert outcome_line(SourceSentence(0, 1, fate, into, "")) == expected  # type: ignore[arg-type]


def test_a_disagreement_says_where_it_stands() -> None:
    assert places(Disagreement("date", (), "", (2,))) == "sentence 3"
    assert places(Disagreement("date", (), "", (0, 2))) == "sentences 1 and 3"
    assert places(Disagreement("date", (), "", ())) == "not in the text"


def test_lists_are_written_as_in_english() -> None:
    assert join_items([]) == ""
    assert join_items(["a"]) == "a"
    assert join_items(["a", "b"]) == "a and b"
    assert join_items(["a", "b", "c"]) == "a, b and c"


def chain(kind: str, text: str, *phrases: str) -> str:
    """The type that readers are told of a chain with these mentions."""
    places = [(text.index(phrase), text.index(phrase) + len(phrase)) for phrase in phrases]
    references = tuple(Reference("a", start, end) for start, end in places)
    return certain_type(WovenChain("c", phrases[0], kind, references), {"a": text})


def test_a_type_is_named_where_the_mentions_bear_it_out() -> None:
    assert chain("PER", "Ada Thorne left.", "Ada Thorne") == "person"
    assert chain("PER", "Captain Prost left.", "Prost") == "person"
    assert chain("LOC", "It fell in Lakefield.", "Lakefield") == "place"
    assert chain("ORG", "The BBC said so.", "BBC") == "organisation"
    assert chain("ORG", "The Sennick Line said so.", "Sennick Line") == "organisation"


def test_a_type_that_readers_might_laugh_at_is_not_named() -> None:
    assert chain("LOC", "The Hindenburg fell. It fell in Hindenburg.", "Hindenburg") == ""
    assert chain("LOC", "Hindenburg fell.", "Hindenburg") == ""
    assert chain("PER", "Condor burned.", "Condor") == ""
    assert chain("MISC", "It was in May.", "May") == ""
    assert chain("", "The ferry left.", "The ferry") == ""


def test_days_and_months_are_no_people_or_things() -> None:
    for name in ("May", "Tuesday", "Wednesday morning", "Nobody", "our", "yesterday"):
        assert not is_listed(WovenChain("c", name, "MISC", ()))
    for name in ("May Thorne", "The ferry", "212 people"):
        assert is_listed(WovenChain("c", name, "PER", ()))


def test_a_day_is_written_as_people_write_it() -> None:
    assert shown_day("1937-05-08T09:14:00-04:00") == "May 8, 1937"
    assert shown_day("1937-05-08") == "May 8, 1937"
    assert shown_day("in spring") == "in spring"


def test_every_export_writes_the_text_under_an_ending_of_its_own() -> None:
    endings = {one.ending for one in EXPORTS.values()}
    assert len(endings) == len(EXPORTS)
    for one in EXPORTS.values():
        assert one.write(ferry())
