"""``tatian trace``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tatian.analysis.installed import unavailable

from .harness import Command

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "-")

TRUE = "A ferry ran onto a sandbank off Halverne on Tuesday."
FALSE = "The mayor of Oslo has resigned after a scandal over stolen paintings."


def test_verdicts_are_printed_as_text(accounts: Sequence[str], tatian: Command) -> None:
    done = tatian("trace", "-", *accounts, stdin=f"{TRUE}\n\n{FALSE}".encode())
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Two sentences: 1 supported and 1 ")
    assert FALSE in done.out


def test_output_name_decides_between_json_and_html(
    tmp_path: Path, accounts: Sequence[str], tatian: Command
) -> None:
    (tmp_path / "text.txt").write_text(TRUE, "utf-8")
    assert tatian("trace", "text.txt", *accounts, "-o", "proof.json").status == 0
    data = json.loads((tmp_path / "proof.json").read_text("utf-8"))
    assert [one["verdict"] for one in data["sentences"]] == ["supported"]
    assert tatian("trace", "text.txt", *accounts, "-o", "proof.html").status == 0
    assert "A text traced to two accounts" in (tmp_path / "proof.html").read_text("utf-8")


def test_fail_on_sets_the_exit_status(accounts: Sequence[str], tatian: Command) -> None:
    for text, fails, status in (
        (TRUE, "partly", 0),
        (FALSE, "unsupported", 1),
        (FALSE, "contradicted", 0),
    ):
        done = tatian("trace", "-", *accounts, "--fail-on", fails, "-q", stdin=text.encode())
        assert done.status == status, done


def test_invalid_input_fails_with_one_line(
    tmp_path: Path, accounts: Sequence[str], tatian: Command
) -> None:
    assert "no such file" in tatian("trace", "none.txt", *accounts).error.lower()
    lines = "".join(json.dumps({"id": n, "text": TRUE}) + "\n" for n in "ab")
    (tmp_path / "two.jsonl").write_text(lines, "utf-8")
    assert (
        "holds 2 texts: trace takes one at a time" in tatian("trace", "two.jsonl", *accounts).error
    )
    assert "no format ends in '.pdf'" in tatian("trace", "-", *accounts, "-o", "x.pdf").error
