"""Turtle, statement by statement."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.formats.turtle import (
    RDF,
    BlankNode,
    Iri,
    Literal,
    Term,
    Triple,
    bracket_iri,
    quote_literal,
    statements,
)

TEXTS = st.text(st.characters(codec="utf-8"))


def objects(turtle: str) -> list[Term]:
    return [one.object for one in statements(turtle)]


def test_a_statement_has_its_line() -> None:
    turtle = "@prefix e: <http://e.org/> .\n\n# a comment\ne:a e:b\n  e:c .\n"
    a, c = Iri("http://e.org/a"), Iri("http://e.org/c")
    assert list(statements(turtle)) == [Triple(a, "http://e.org/b", c, 5)]


def test_semicolons_repeat_the_subject_and_commas_the_predicate() -> None:
    found = list(statements("<s> a <A> , <B> ; <p> <c> ;; ."))
    assert [(one.predicate, one.object) for one in found] == [
        (f"{RDF}type", Iri("A")),
        (f"{RDF}type", Iri("B")),
        ("p", Iri("c")),
    ]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('"a\\tb\\u00e9\\U0001F600\\"\\\\"', Literal('a\tbé😀"\\')),
        ("'single \"quotes\"'", Literal('single "quotes"')),
        ('"""two "quotes"" and\na line\\n"""', Literal('two "quotes"" and\na line\n')),
        ("'''it's'''", Literal("it's")),
        ('"ciao"@it-IT', Literal("ciao")),
        ('"3"^^<http://t>', Literal("3")),
        ('"3"^^x:int', Literal("3")),
        ("42", Literal("42")),
        ("-4.5", Literal("-4.5")),
        ("1e3", Literal("1e3")),
        ("true", Literal("true")),
        ("_:node1", BlankNode("_:node1")),
        ("p:a.b-c", Iri("p:a.b-c")),
        (r"p:a\,b", Iri("p:a,b")),
        ("<http://a.org/\\u00e9>", Iri("http://a.org/é")),
    ],
)
def test_objects_are_parsed_by_type(written: str, meant: Term) -> None:
    assert objects(f"<s> <p> {written} .") == [meant]


def test_a_number_may_be_followed_by_the_end() -> None:
    assert objects("<s> <p> 5.") == [Literal("5")]


def test_a_bracket_is_a_thing_with_properties() -> None:
    first, second = statements("<s> <p> [ <q> <o> ] .")
    assert first.object == second.subject
    assert (second.predicate, second.object) == ("q", Iri("o"))


def test_a_bracket_can_be_the_subject() -> None:
    assert objects("[ <p> <o> ] .") == [Iri("o")]
    assert objects("[] <p> <o> .") == [Iri("o")]


def test_statements_in_a_list_are_kept() -> None:
    first, second = statements("<s> <p> ( <a> [ <q> <o> ] ( ) 'b' ) .")
    assert isinstance(first.object, BlankNode)
    assert (second.predicate, second.object) == ("q", Iri("o"))


def test_the_base_completes_addresses() -> None:
    assert objects("@base <http://a.org/x/> . <s> <p> <y> .") == [Iri("http://a.org/x/y")]
    assert objects("BASE <http://a.org/>\n<s> <p> <y> .") == [Iri("http://a.org/y")]


def test_a_prefix_that_was_never_declared_stands_for_itself() -> None:
    assert objects("<s> <p> el:Mnt-Full .") == [Iri("el:Mnt-Full")]


@given(TEXTS)
def test_strings_are_read_back_unchanged(text: str) -> None:
    assert objects(f"<s> <p> {quote_literal(text)} .") == [Literal(text)]


@given(TEXTS)
def test_addresses_are_read_back_unchanged(text: str) -> None:
    assert objects(f"<s> <p> {bracket_iri(text)} .") == [Iri(text)]


def refusal(turtle: str) -> InputError | None:
    try:
        list(statements(turtle, "x.ttl"))
    except InputError as error:
        return error
    return None


@given(st.text(st.sampled_from("<>\"'\\@^:.;,[]()_#ab1 \n")))
def test_whatever_is_not_turtle_is_an_error_with_a_line(text: str) -> None:
    error = refusal(text)
    assert error is None or error.path == "x.ttl"
    assert error is None or 1 <= (error.line or 0) <= text.count("\n") + 1


@pytest.mark.parametrize(
    ("turtle", "problem"),
    [
        ("<s> <p> .", "expected, not '.'"),
        ("<s> <p> <o>", "the end of the file"),
        ('"s" <p> <o> .', "a literal cannot be a subject"),
        ('<s> <p> "open .', "cannot read"),
        ('<s> <p> "\\q" .', "not a valid escape sequence"),
        ('<s> <p> "\\uD800" .', "not a valid character"),
        ("@prefix <x> .", "a prefix"),
        ("<s> <p> " + "[ <q> " * 200, "levels of nesting"),
    ],
)
def test_broken_turtle_is_named_with_its_line(turtle: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as failure:
        list(statements(f"\n\n{turtle}", "x.ttl"))
    assert (failure.value.path, failure.value.line) == ("x.ttl", 3)
