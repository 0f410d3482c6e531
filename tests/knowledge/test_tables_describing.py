"""Descriptions made from facts: fluent, true, never empty."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.knowledge.building.descriptions import (
    MAX_CHARACTERS,
    as_sentence,
    describe,
    description_of,
)
from tatian.knowledge.building.tables import KINDS, parse_row
from tatian.knowledge.entities import Fact, Kind
from tatian.knowledge.wording import (
    adjective_of,
    countries,
    definite,
    indefinite,
    is_plural,
    join_words,
)


def described(title: str, kind: str, facts: str) -> str:
    row = parse_row(f"{title}\t\t{kind}\t{facts}")
    return describe(row.title, row.kind, row.facts)


@pytest.mark.parametrize(
    ("title", "facts", "expected"),
    [
        (
            "Angela Merkel",
            "occupation=politician|nationality=Germany|party=Christian Democratic Union of Germany"
            "|position=Chancellor of Germany@2005..2021",
            "Angela Merkel is a German politician of the Christian Democratic Union of Germany, "
            "Chancellor of Germany from 2005 to 2021.",
        ),
        (
            "Marie Curie",
            "occupation=physicist|occupation=chemist|nationality=Poland|nationality=France|died=1934",
            "Marie Curie was a Polish-French physicist and chemist.",
        ),
        (
            "Donald Trump",
            "occupation=politician|nationality=United States"
            "|position=President of the United States@2017..2021"
            "|position=President of the United States@2025..",
            "Donald Trump is an American politician, President of the United States from 2017 to "
            "2021 and since 2025.",
        ),
        (
            "Barbara Bush",
            "position=First Lady of the United States@1989..1993|died=2018",
            "Barbara Bush was First Lady of the United States from 1989 to 1993.",
        ),
        (
            "Tim Cook",
            "occupation=businessperson|nationality=United States|employer=Apple Inc.",
            "Tim Cook is an American businessperson at Apple Inc.",
        ),
        (
            "Josh Beckett",
            "occupation=baseball player|nationality=United States|team=Boston Red Sox",
            "Josh Beckett is an American baseball player of the Boston Red Sox.",
        ),
        ("Ann Other", "nationality=Atlantis", "Ann Other is a person from Atlantis."),
        ("David Kelly (weapons expert)", "occupation=scientist", "David Kelly is a scientist."),
    ],
)
def test_people_are_described_by_current_and_former_offices(
    title: str, facts: str, expected: str
) -> None:
    assert described(title, "person", facts) == expected


def test_of_several_parties_the_one_not_left_counts() -> None:
    parties = "party=Labour Party (UK)@..2019|party=Liberal Democrats (UK)@2019.."
    assert described("A", "person", f"occupation=politician|{parties}").endswith(
        "politician of the Liberal Democrats."
    )


@pytest.mark.parametrize(
    ("title", "kind", "facts", "expected"),
    [
        (
            "United Kingdom",
            "location",
            "type=country|continent=Europe|capital=London|population=66488991",
            "The United Kingdom is a country in Europe. Its capital is London. About 66 million "
            "people live there.",
        ),
        (
            "Paris",
            "location",
            "type=city|country=France|capital of=France",
            "Paris is a city in France, the capital of France.",
        ),
        (
            "Microsoft",
            "organisation",
            "type=company|industry=Software industry|country=United States"
            "|headquarters=Redmond, Washington"
            "|founded by=Bill Gates|founded=1975",
            "Microsoft is an American software company based in Redmond, Washington, founded by "
            "Bill Gates in 1975.",
        ),
        (
            "HSBC",
            "organisation",
            "type=bank|industry=Financial services|country=United Kingdom|founded=1865",
            "HSBC is a British bank, founded in 1865.",
        ),
        ("Royal Navy", "organisation", "type=armed forces", "The Royal Navy is a military force."),
        (
            "Kuril Islands",
            "location",
            "type=archipelago|country=Russia",
            "The Kuril Islands are an archipelago in Russia.",
        ),
        (
            "Korean War",
            "concept",
            "type=war|date=1950–1953|location=Korea",
            "The Korean War was a war in Korea from 1950 to 1953.",
        ),
        (
            "Oslo Accords",
            "concept",
            "type=treaty|date=1993",
            "The Oslo Accords were a treaty in 1993.",
        ),
        ("Justice", "concept", "field=Law", "Justice is a concept in the field of law."),
        ("French fries", "concept", "subclass of=food", "French fries are a food."),
        ("Friends", "concept", "type=television show", "Friends is a television show."),
    ],
)
def test_other_things_are_described_by_their_facts(
    title: str, kind: str, facts: str, expected: str
) -> None:
    assert described(title, kind, facts) == expected


@given(
    st.sampled_from(KINDS),
    st.lists(st.builds(Fact, st.text("abc ", min_size=1), st.text(min_size=1)), max_size=4),
)
def test_a_description_is_never_empty_nor_too_long(kind: Kind, facts: list[Fact]) -> None:
    assert 0 < len(describe("Thing", kind, facts)) <= MAX_CHARACTERS


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("American", "an American"),
        ("European", "a European"),
        ("university", "a university"),
        ("unimportant thing", "an unimportant thing"),
        ("Ukrainian", "a Ukrainian"),
        ("Uruguayan", "a Uruguayan"),
        ("umbrella", "an umbrella"),
        ("hour", "an hour"),
        ("NBA player", "an NBA player"),
        ("UN agency", "a UN agency"),
        ("US senator", "a US senator"),
        ("EU agency", "an EU agency"),
        ("NATO member", "a NATO member"),
        ("Ugandan", "a Ugandan"),
        ("Uzbek", "an Uzbek"),
        ("one-party state", "a one-party state"),
    ],
)
def test_the_indefinite_article_follows_the_sound(phrase: str, expected: str) -> None:
    assert indefinite(phrase) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("United States", "the United States"),
        ("Netherlands", "the Netherlands"),
        ("France", "France"),
        ("Georgia (country)", "Georgia"),
        ("The Gambia", "the Gambia"),
        ("Republican Party (United States)", "the Republican Party"),
        ("Social Democratic Party of Germany", "the Social Democratic Party of Germany"),
        ("Hamas", "Hamas"),
        ("Manchester United F.C.", "Manchester United F.C."),
    ],
)
def test_names_get_their_article(title: str, expected: str) -> None:
    assert definite(title) == expected


@pytest.mark.parametrize(
    ("name", "plural"),
    [
        ("Civil liberties", True),
        ("Physics", False),
        ("Separation of powers", False),
        ("Bus", False),
    ],
)
def test_plural_names_are_distinguished_from_singulars_in_s(name: str, *, plural: bool) -> None:
    assert is_plural(name) is plural


def test_lists_are_joined_with_and() -> None:
    assert [join_words(["a", "b", "c"][:count]) for count in range(4)] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


def test_every_land_has_one_code_and_its_own_row() -> None:
    codes = [country.code for country in countries().values() if country.code]
    assert len(codes) == len(set(codes)) > 190
    assert adjective_of("Netherlands") == "Dutch"
    assert adjective_of("Atlantis") == ""


def test_a_phrase_becomes_a_sentence_without_nested_parentheses() -> None:
    assert as_sentence("city (see (this) too) in Texas ") == "City in Texas."


def test_an_opening_without_any_end_of_sentence_is_cut_at_a_word() -> None:
    cut = description_of("word " * 200)
    assert cut.endswith("word…")
    assert len(cut) <= MAX_CHARACTERS
