"""The definition's examples of markup, in sentences of our own: each is read as it is meant."""

from __future__ import annotations

import pytest

from tatian.coreference.checks.form import check_form
from tatian.formats.muc import read, scan, write
from tatian.text import CHAINS, Document, Span

Expected = list[list[tuple[str, str, bool]]]

EXAMPLES: dict[str, tuple[str, Expected]] = {
    "1.1 a pronoun and what it stands for": (
        '<COREF ID="100">Marl Hill Dairies Ltd.</COREF> said '
        '<COREF ID="101" TYPE="IDENT" REF="100">it</COREF> would close a plant.',
        [[("Marl Hill Dairies Ltd.", "", False), ("it", "", False)]],
    ),
    "1.4 MIN is what a response must include": (
        '<COREF ID="100" MIN="Tern Mills PLC">Tern Mills PLC of\n Kent, England</COREF> grew. '
        '<COREF ID="101" TYPE="IDENT" REF="100">Tern Mills</COREF> hired.',
        [[("Tern Mills PLC of Kent, England", "Tern Mills PLC", False), ("Tern Mills", "", False)]],
    ),
    "1.5 a doubtful anaphor": (
        '<COREF ID="102" MIN="Harbour Board">Our Harbour Board</COREF> costs too much, she said. '
        '<COREF ID="103" STATUS="OPT" TYPE="IDENT" REF="102">Pier Street</COREF> is adrift.',
        [[("Our Harbour Board", "Harbour Board", False), ("Pier Street", "", True)]],
    ),
    "3.7 conjuncts by themselves": (
        '<COREF ID="1">Olga Pym</COREF> and <COREF ID="2">Rex Dunn</COREF> spoke. '
        '<COREF ID="3" REF="1" TYPE="IDENT" MIN="Pym">Ms. Pym</COREF> was brief, '
        '<COREF ID="4" REF="2" TYPE="IDENT" MIN="Dunn">Mr. Dunn</COREF> was not.',
        [
            [("Olga Pym", "", False), ("Ms. Pym", "Pym", False)],
            [("Rex Dunn", "", False), ("Mr. Dunn", "Dunn", False)],
        ],
    ),
    "3.7 and 4.2 conjuncts that share a modifier": (
        '<COREF ID="1" MIN="Pym">Ms. Pym</COREF> was '
        '<COREF ID="2" REF="1" TYPE="IDENT" STATUS="OPT">founder</COREF> and '
        '<COREF ID="3" REF="1" TYPE="IDENT" STATUS="OPT" MIN="head"> head of Dover Glass '
        "Inc.</COREF>",
        [
            [
                ("Ms. Pym", "Pym", False),
                ("founder", "", True),
                ("head of Dover Glass Inc.", "head", True),
            ]
        ],
    ),
    "5.2 a pronoun bound by the phrase around it": (
        '<COREF ID="1" MIN="woman">any woman who trusts <COREF ID="2" REF="1" TYPE="IDENT">her'
        "</COREF> own eyes</COREF>",
        [[("any woman who trusts her own eyes", "woman", False), ("her", "", False)]],
    ),
    "5.3 an apposition and the whole phrase": (
        '<COREF ID="1" MIN="Hypatia">Hypatia, <COREF ID="2" REF="1" MIN="teacher" TYPE="IDENT"> '
        "the celebrated teacher,</COREF></COREF> wrote.",
        [
            [
                ("Hypatia, the celebrated teacher,", "Hypatia", False),
                ("the celebrated teacher,", "teacher", False),
            ]
        ],
    ),
    "5.3 an apposition behind other modifiers": (
        '<COREF ID="1" MIN="Ida Voss">Ida Voss, 51, <COREF ID="2" REF="1" TYPE="IDENT" '
        'MIN="pilot"> senior harbour pilot,</COREF></COREF> retired.',
        [
            [
                ("Ida Voss, 51, senior harbour pilot,", "Ida Voss", False),
                ("senior harbour pilot,", "pilot", False),
            ]
        ],
    ),
    "5.4 identity at any time": (
        '<COREF ID="1" MIN="Karl Finch">Karl Finch, who had been <COREF ID="2" MIN="chief" '
        'REF="1" TYPE="IDENT">sales chief of Bright Bulbs,</COREF></COREF> became <COREF ID="3" '
        'MIN="chairman" REF="1" TYPE="IDENT">chairman of Lasting Lamps</COREF>',
        [
            [
                ("Karl Finch, who had been sales chief of Bright Bulbs,", "Karl Finch", False),
                ("sales chief of Bright Bulbs,", "chief", False),
                ("chairman of Lasting Lamps", "chairman", False),
            ]
        ],
    ),
    "5.4 a copula inside another clause": (
        'Lasting Lamps asked <COREF ID="1">Karl Finch</COREF> to be '
        '<COREF ID="2" REF="1" TYPE="IDENT">chairman</COREF>',
        [[("Karl Finch", "", False), ("chairman", "", False)]],
    ),
    "5.4 an implied copula is optional": (
        'Lasting Lamps made <COREF ID="1">Karl Finch</COREF> '
        '<COREF ID="2" REF="1" TYPE="IDENT" STATUS="OPT">chairman</COREF>',
        [[("Karl Finch", "", False), ("chairman", "", True)]],
    ),
    "5.6 an amount inside the phrase that names it": (
        'Elm Motors reported <COREF ID="1" MIN="loss">a yearly loss of '
        '<COREF ID="2" REF="1" TYPE="IDENT">$3.1 million</COREF></COREF>.',
        [[("a yearly loss of $3.1 million", "loss", False), ("$3.1 million", "", False)]],
    ),
}


def describe_chains(document: Document) -> Expected:
    """Each chain's phrases, with their heads and doubts."""

    def words(span: Span | None) -> str:
        return " ".join(span.of(document.text).split()) if span else ""

    return [
        [(words(one), words(one.head), one.optional) for one in chain.mentions]
        for chain in document.get(CHAINS)
    ]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_read_as_it_is_meant(name: str) -> None:
    source, expected = EXAMPLES[name]
    (document,) = read(source)
    assert describe_chains(document) == expected


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_keeps_the_rules_of_form(name: str) -> None:
    assert list(check_form(scan(EXAMPLES[name][0]))) == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_written_as_it_was(name: str) -> None:
    source, _ = EXAMPLES[name]
    assert "".join(write(read(source))) == source


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_chains_of_an_example_survive_a_document_that_was_never_sgml(name: str) -> None:
    (document,) = read(EXAMPLES[name][0])
    fresh = Document("x", document.text).with_layer(CHAINS, document.get(CHAINS), "test")
    (again,) = read("".join(write([fresh])))
    assert describe_chains(again) == describe_chains(document)
