"""``tatian coref check``: findings, exit status, choice of rules."""

from __future__ import annotations

import json

import pytest

from .harness import Command

FORM = '<COREF ID="1">Ann Lee</COREF> said <COREF ID="2" TYPE="IDENT" REF="7">she</COREF> left.\n'
CONTENT = '<COREF ID="1">The boys and girls</COREF> left.\n'
FINE = '<COREF ID="1">Ann Lee</COREF> said <COREF ID="2" TYPE="IDENT" REF="1">she</COREF> left.\n'


@pytest.fixture
def files(tatian: Command) -> Command:
    for name, text in (("form.sgm", FORM), ("content.sgm", CONTENT), ("fine.sgm", FINE)):
        (tatian.directory / name).write_text(text, "utf-8")
    return tatian


def test_an_error_is_one_line_and_fails(files: Command) -> None:
    result = files("coref", "check", "form.sgm")
    assert result.status == 1
    (line,) = result.out.splitlines()
    assert line.startswith("form.sgm:1:36: unknown-ref (§1.3): markable '2'")
    assert "1 error, 0 advice in 1 file" in result.err


def test_advice_alone_does_not_fail(files: Command) -> None:
    result = files("coref", "check", "content.sgm")
    assert result.status == 0
    assert result.out.startswith("content.sgm:1:1: conjoined (§3.7): ")
    assert "; take the mark away" in result.out
    assert "0 errors, 1 advice" in result.err


def test_file_without_findings_prints_nothing(files: Command) -> None:
    result = files("coref", "check", "fine.sgm", "--quiet")
    assert (result.status, result.out, result.err) == (0, "", "")


@pytest.mark.parametrize("option", ["--form-only", "--no-content"])
def test_content_checks_can_be_left_out(files: Command, option: str) -> None:
    result = files("coref", "check", "content.sgm", "form.sgm", option)
    assert ["unknown-ref" in line for line in result.out.splitlines()] == [True]


def test_a_rule_can_be_left_out(files: Command) -> None:
    assert files("coref", "check", "form.sgm", "--without", "unknown-ref").out == ""


def test_findings_are_available_as_json(files: Command) -> None:
    result = files("coref", "check", "content.sgm", "--format", "json")
    (finding,) = json.loads(result.out)
    assert finding.pop("message").startswith("markable '1': ")
    assert finding.pop("advice").startswith("take the mark away")
    assert finding == {
        "file": "content.sgm",
        "line": 1,
        "column": 1,
        "rule": "conjoined",
        "section": "3.7",
        "severity": "advice",
        "document": "content",
        "markable": "1",
    }


def test_invalid_input_fails_with_one_line(files: Command) -> None:
    (files.directory / "odd.txt").write_text("no markup at all", "utf-8")
    assert "no such file" in files("coref", "check", "missing.sgm").error
    assert "not a coreference file" in files("coref", "check", "odd.txt").error
    (files.directory / "key.conll").write_text("#begin document (a); part 000\na 0 0 It (0)\n")
    assert "'tatian coref convert --to muc'" in files("coref", "check", "key.conll").error
    mistyped = files("coref", "check", "fine.sgm", "--without", "gerunds")
    assert "did you mean 'gerund'?" in mistyped.error
    assert "Missing argument 'FILE...'" in files("coref", "check").error
