"""Reading MUC SGML: chains from links, heads from MIN, doubts from STATUS; what is refused."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given

from tatian.errors import InputError
from tatian.formats import recognize
from tatian.formats.muc import MARKABLES, read
from tatian.text import CHAINS, Document

from .muc_samples import link, seeds, sgml


def only(text: str) -> Document:
    (document,) = read(text, "key.sgm")
    return document


def chains(text: str) -> list[list[str]]:
    document = only(text)
    return [
        [" ".join(one.of(document.text).split()) for one in chain.mentions]
        for chain in document.get(CHAINS)
    ]


def heads(text: str) -> list[str | None]:
    document = only(text)
    return [
        " ".join(one.head.of(document.text).split()) if one.head else None
        for one in document.get(MARKABLES)
    ]


def places(document: Document) -> set[frozenset[tuple[int, int]]]:
    return {
        frozenset((one.start, one.end) for one in chain.mentions) for chain in document.get(CHAINS)
    }


def test_a_link_makes_a_chain() -> None:
    text = (
        '<COREF ID="100">Orla Bay Ferries Ltd.</COREF> said '
        '<COREF ID="101" TYPE="IDENT" REF="100">it</COREF> sold a ship.'
    )
    assert chains(text) == [["Orla Bay Ferries Ltd.", "it"]]


def test_links_are_symmetric_and_transitive() -> None:
    text = (
        '<COREF ID="1" REF="3">Ann</COREF> <COREF ID="2">Bob</COREF> '
        '<COREF ID="3" REF="4">she</COREF> <COREF ID="4">her</COREF>'
    )
    assert chains(text) == [["Ann", "she", "her"], ["Bob"]]


def test_a_markable_without_links_is_a_chain_of_one() -> None:
    assert chains('<COREF ID="1">Ann</COREF> slept') == [["Ann"]]


def test_a_chain_has_the_id_of_its_first_mention() -> None:
    document = only('<COREF ID="b" REF="a">Ann</COREF> and <COREF ID="a">she</COREF>')
    assert [chain.id for chain in document.get(CHAINS)] == ["b"]


def test_a_circle_of_links_is_still_one_chain() -> None:
    assert chains('<COREF ID="1" REF="2">Ann</COREF> <COREF ID="2" REF="1">she</COREF>') == [
        ["Ann", "she"]
    ]


def test_ids_count_for_their_own_document() -> None:
    one = '<DOC><COREF ID="1">Ann</COREF> <COREF ID="2" REF="1">she</COREF></DOC>\n'
    assert [len(document.get(CHAINS)) for document in read(one + one)] == [1, 1]


@given(seeds)
def test_chains_do_not_depend_on_the_direction_of_links(random: Random) -> None:
    count = random.randint(2, 7)
    forward = []
    for number in range(count):
        back = f' REF="{random.randrange(number)}"' if number else ""
        forward.append(f'<COREF ID="{number}"{back}>w</COREF>')
    order = list(range(count))
    random.shuffle(order)
    turned = {order[0]: ""} | {here: f' REF="{there}"' for there, here in pairwise(order)}
    backward = [f'<COREF ID="{number}"{turned[number]}>w</COREF>' for number in range(count)]
    assert places(only(" ".join(forward))) == places(only(" ".join(backward)))


@given(seeds)
def test_every_markable_stands_in_one_chain_and_where_its_tag_stands(random: Random) -> None:
    for document in read(link(sgml(random), random)):
        mentions = [one for chain in document.get(CHAINS) for one in chain.mentions]
        assert len(mentions) == len(document.get(MARKABLES))
        for one in mentions:
            phrase = one.of(document.text)
            assert phrase == phrase.strip() != ""


def test_status_makes_a_mention_optional() -> None:
    text = (
        '<COREF ID="102" MIN="Harbour Board">Our Harbour Board</COREF> wants too much, she said. '
        '<COREF ID="103" STATUS="OPT" TYPE="IDENT" REF="102">Pier Street</COREF> is lost.'
    )
    (chain,) = only(text).get(CHAINS)
    assert [one.optional for one in chain.mentions] == [False, True]


@pytest.mark.parametrize(
    ("phrase", "minimum", "before"),
    [
        ("Tern Mills PLC of Kent", "Tern Mills PLC", ""),
        ("Tern\r\nMills <b>PLC</b> of Kent", "Tern Mills PLC", ""),
        ("the party's art", "art", "the party's "),
        ("a man who knew a man", "man", "a "),
        ("Ford's new Ford", "Ford", "Ford's new "),
        ("the actors' union of actors", "actors", "the actors' union of "),
        ('<COREF ID="2">New York</COREF> <b>New</b>\nYork', "New York", "New York "),
        ("A&amp;P stores", "A&amp;P", ""),
        ("subpar work", "bpa", "su"),
        ("$1.2 million in bills", "$1.2 million", ""),
    ],
)
def test_min_is_found_in_the_string(phrase: str, minimum: str, before: str) -> None:
    document = only(f'Here <COREF ID="1" MIN="{minimum}">{phrase}</COREF>.')
    outer = next(one for one in document.get(MARKABLES) if one.id == "1")
    assert outer.head is not None
    assert document.text[outer.start : outer.head.start] == before


def test_min_may_stand_inside_a_nested_markable_if_nowhere_else() -> None:
    assert heads('<COREF ID="1" MIN="Ann">dear <COREF ID="2">Ann</COREF></COREF>') == ["Ann", None]


def test_min_that_is_the_whole_string_is_no_head() -> None:
    assert heads('<COREF ID="1" MIN="Ann Lee">Ann\nLee</COREF>') == [None]


def test_the_format_is_recognised() -> None:
    assert recognize('<COREF ID="1">Ann</COREF>').name == "muc"


@pytest.mark.parametrize(
    ("markup", "message"),
    [
        ('<COREF ID="1">x', "markable '1': this <COREF> has no </COREF>"),
        ("x</COREF>", "this </COREF> closes nothing"),
        ('<COREF ID="1" REF=02">x</COREF>', "is not an attribute"),
        ("<COREF>x</COREF>", "a markable: it has no ID"),
        ('<COREF ID="1">x</COREF> <COREF ID="1">y</COREF>', "two markables have the ID '1'"),
        ('<COREF ID="1" REF="9">x</COREF>', "no markable has the ID '9' of its REF"),
        ('<COREF ID="1" REF="1">x</COREF>', "its REF is its own ID"),
        ('<COREF ID="1"> </COREF>', "it is empty"),
        ('<COREF ID="1" MIN="z">x</COREF>', "its MIN 'z' is not in it"),
        ('<COREF ID="1" TYPE="PART" REF="2">x</COREF>', "no markable has the ID '2'"),
        ('<COREF ID="1" TYPE="PART">x</COREF>', "its TYPE is 'PART', not IDENT"),
        ('<COREF ID="1" STATUS="MAYBE">x</COREF>', "its STATUS is 'MAYBE', not OPT"),
        ('<COREF ID="1" STATUS="OPT">x</COREF>', "it is OPT without REF"),
        ('</TXT><HL><COREF ID="1">x</HL> y</COREF>', "begins inside <HL>"),
    ],
)
def test_ambiguous_markup_is_refused(markup: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        only(f"<TXT>\n\n{markup}")
    assert message in str(caught.value)
    assert str(caught.value).startswith("key.sgm:3: ")
    assert "tatian coref check" in str(caught.value)


@pytest.mark.parametrize(
    "markup",
    [
        '<COREF ID="1" FOO="x">x</COREF>',
        '<COREF ID="1" MIN="">x</COREF>',
        '<s><COREF ID="1">x</s></COREF>',
        '<COREF ID="1"><COREF ID="2" REF="1">x</COREF></COREF>',
    ],
)
def test_unambiguous_slips_are_read(markup: str) -> None:
    assert chains(markup)[0][0] == "x"
