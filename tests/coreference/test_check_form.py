"""The rules of form, each with a file that breaks it and no other, and the line it names."""

from __future__ import annotations

import pytest
from hypothesis import given

from tatian.coreference.checks.form import FORM, check_form
from tatian.coreference.checks.rules import CheckFinding
from tatian.errors import InputError
from tatian.formats.muc import read, scan

from ..formats.muc_samples import scraps

ANN = '<COREF ID="1">Ann</COREF>'

CASES = {
    "unclosed-tag": ['<COREF ID="1">Ann', "<HL>Ann"],
    "stray-closing-tag": ["Ann</COREF>", "Ann</HL>"],
    "overlapping-tags": [
        '<s><COREF ID="1">Ann</s> slept</COREF>',
        '<COREF ID="1">Ann <s>slept</COREF> well</s>',
    ],
    "broken-tag": ['<COREF ID="1" <p>Ann'],
    "bad-attribute": [
        '<COREF ID="1" =>Ann</COREF>',
        '<COREF ID="1" ID="2">Ann</COREF>',
        f'<COREF ID="2" TYPE="IDENT"REF="1">she</COREF> {ANN}',
    ],
    "unknown-attribute": ['<COREF ID="1" HEAD="x">Ann</COREF>'],
    "tagged-twice": ['<COREF ID="1"><COREF ID="2">Ann</COREF> </COREF>'],
    "wrong-type": [f'<COREF ID="2" TYPE="PART" REF="1">x</COREF> {ANN}'],
    "missing-type": [f'<COREF ID="2" REF="1">she</COREF> {ANN}'],
    "type-without-ref": ['<COREF ID="1" TYPE="IDENT">Ann</COREF>'],
    "missing-id": ["<COREF>Ann</COREF>", '<COREF ID="">Ann</COREF>'],
    "duplicate-id": [f'{ANN} <COREF ID="1">Bob</COREF>'],
    "unknown-ref": [
        '<COREF ID="1" TYPE="IDENT" REF="9">Ann</COREF>',
        '<COREF ID="1" TYPE="IDENT" REF="">Ann</COREF>',
    ],
    "self-ref": ['<COREF ID="1" TYPE="IDENT" REF="1">Ann</COREF>'],
    "ref-cycle": [
        '<COREF ID="1" TYPE="IDENT" REF="2">Ann</COREF> '
        '<COREF ID="2" TYPE="IDENT" REF="1">she</COREF>'
    ],
    "empty-min": ['<COREF ID="1" MIN="">Ann</COREF>'],
    "min-not-in-string": ['<COREF ID="1" MIN="Lee">Ann</COREF>'],
    "wrong-status": ['<COREF ID="1" STATUS="MAYBE">Ann</COREF>'],
    "optional-without-ref": ['<COREF ID="1" STATUS="OPT">Ann</COREF>'],
    "excluded-part": [
        f"<SO>{ANN}</SO><TXT>x</TXT>",
        f"<DD>{ANN}</DD><DD>x</DD><TXT>x</TXT>",
        f"<TXT>\n@ {ANN}\n</TXT>",
        f"{ANN}<TXT>x</TXT>",
    ],
    "empty-markable": ['<COREF ID="1"></COREF>', '<COREF ID="1"> \n</COREF>', '<COREF ID="1"/>'],
    "forward-ref": [f'<COREF ID="2" TYPE="IDENT" REF="1">she</COREF> {ANN}'],
    "ref-to-optional": [
        f'{ANN} <COREF ID="2" TYPE="IDENT" REF="1" STATUS="OPT">x</COREF> '
        '<COREF ID="3" TYPE="IDENT" REF="2">she</COREF>'
    ],
}
COMPANIONS = {"ref-cycle": {"forward-ref"}}
"""What cannot be broken without breaking another."""


def check(text: str) -> list[CheckFinding]:
    return list(check_form(scan(text, "key.sgm")))


def names(text: str) -> list[str]:
    return [finding.rule.name for finding in check(text)]


def test_every_rule_has_a_case() -> None:
    assert set(FORM) == set(CASES)


@pytest.mark.parametrize(
    ("rule", "text"), [(rule, text) for rule, texts in CASES.items() for text in texts]
)
def test_a_finding_names_the_rule_and_the_line(rule: str, text: str) -> None:
    findings = [one for one in check(f"\r\n\n{text}") if one.rule.name == rule]
    assert len(findings) == 1
    lines = f"\r\n\n{text}".split("\n")
    assert "<" in lines[findings[0].line - 1][findings[0].column - 1 :]
    assert findings[0].path == "key.sgm"
    assert findings[0].message
    assert findings[0].advice


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (rule, text)
        for rule, texts in CASES.items()
        for text in texts
        if rule not in ("wrong-type", "missing-type", "bad-attribute")
    ],
)
def test_examples_break_only_their_own_rule(rule: str, text: str) -> None:
    assert set(names(text)) - COMPANIONS.get(rule, set()) == {rule}


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        (f'{ANN}\n\n  <COREF ID="1">Bob</COREF>', 3, 3),
        (f"{ANN}\r\nslept</COREF>", 2, 6),
        ('<TXT>\nA&amp;P\n<s>its</s> <COREF ID="1" MIN="b">a</COREF>', 3, 12),
    ],
)
def test_findings_name_line_and_column_of_the_tag(text: str, line: int, column: int) -> None:
    finding = next(one for one in check(text) if one.rule.name != "unclosed-tag")
    assert (finding.line, finding.column) == (line, column)


def test_findings_come_in_the_order_of_the_file() -> None:
    text = f'{ANN}\n<COREF ID="1" MIN="z">Bob</COREF>\n</COREF>\n<COREF>x</COREF>'
    lines = [finding.line for finding in check(text)]
    assert lines == sorted(lines)
    assert set(lines) == {2, 3, 4}


def test_a_finding_names_markable_string_and_document() -> None:
    (finding,) = check(
        '<DOC><DOCNO>d7</DOCNO><TXT><COREF ID="5" MIN="z">Ann\nLee</COREF></TXT></DOC>'
    )
    assert finding.message == "markable '5' (\"Ann Lee\") does not contain its MIN, 'z'"
    assert (finding.document, finding.markable) == ("d7", "5")


def test_a_long_string_is_cut_in_messages() -> None:
    (finding,) = check(f'<COREF ID="5" MIN="">{"word " * 50}</COREF>')
    assert "word…" in finding.message
    assert len(finding.message) < 90


def test_ids_are_unique_in_a_document_not_in_a_file() -> None:
    assert names(f"<DOC>{ANN}</DOC><DOC>{ANN}</DOC>") == []


def test_a_link_to_a_markable_that_is_never_closed_is_no_unknown_link() -> None:
    text = '<COREF ID="1">Ann <COREF ID="2" TYPE="IDENT" REF="1">she</COREF>'
    assert names(text) == ["unclosed-tag"]


def test_a_closing_tag_without_its_slash_is_suspected() -> None:
    text = '<COREF ID="1">Ann<COREF> slept <COREF ID="2">well</COREF>'
    missing = next(one for one in check(text) if one.rule.name == "missing-id")
    assert "</COREF> if it was meant to close another" in missing.advice


def test_a_circle_is_reported_once_where_it_begins() -> None:
    chain = [(1, 3), (2, 1), (3, 2), (4, 3)]
    text = "\n".join(f'<COREF ID="{a}" TYPE="IDENT" REF="{b}">w{a}</COREF>' for a, b in chain)
    (cycle,) = [one for one in check(text) if one.rule.name == "ref-cycle"]
    assert cycle.line == 1
    assert "1 → 3 → 2 → 1" in cycle.message


def test_a_link_to_an_optional_markable_is_fine_if_no_certain_one_comes_before() -> None:
    text = (
        '<COREF ID="1" TYPE="IDENT" REF="3" STATUS="OPT">boss</COREF> '
        '<COREF ID="2" TYPE="IDENT" REF="1">she</COREF> <COREF ID="3">Ann</COREF>'
    )
    assert names(text) == ["forward-ref"]


def test_advice_names_the_markable_to_refer_to() -> None:
    (finding,) = check(CASES["ref-to-optional"][0])
    assert finding.advice == "refer to '1'"
    assert finding.rule.severity == "advice"


def test_an_at_line_of_the_headline_may_be_marked() -> None:
    assert names(f"<HL>Notes:\n@ {ANN}</HL><TXT>x</TXT>") == []


def test_case_and_white_space_of_values_do_not_matter() -> None:
    text = f'{ANN} <COREF ID="2 " TYPE="Ident " REF=" 1" STATUS="opt">she</COREF>'
    assert names(text) == []


@given(scraps)
def test_every_input_that_the_reader_refuses_has_a_finding(text: str) -> None:
    refused = None
    try:
        list(read(text))
    except InputError as error:
        refused = error.line
    lines = {one.line for one in check(text) if one.rule.severity == "error"}
    assert refused is None or refused in lines


def test_ten_thousand_nested_markables_are_checked() -> None:
    opened = "".join(f'<COREF ID="{n}" MIN="w{n}">w{n} ' for n in range(10_000))
    assert names(opened + "x" + "</COREF>" * 10_000) == []


def test_an_element_that_is_no_part_of_articles_is_said_to_be_outside() -> None:
    (finding,) = check(f"<DOC><BYLINE>{ANN}</BYLINE><TXT>x</TXT></DOC>")
    assert "stands outside TXT, HL, DD and DATELINE" in finding.message
