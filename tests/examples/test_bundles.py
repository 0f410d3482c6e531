"""The bundled examples hold the cases that their README says they hold."""

from __future__ import annotations

import json
import re
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
CASES = {
    "equivalent content",
    "paraphrase",
    "uni-directional entailment",
    "disjoint content",
    "different names",
    "relative date",
    "attribution",
    "quote",
    "first-person quote",
    "world knowledge",
    "before and after an event",
    "unnatural union",
    "count that grew",
    "disagreement: number",
    "disagreement: date",
    "disagreement: name",
    "disagreement: polarity",
    "missing context",
    "no overlap",
    "similar words, different things",
    "set with one name",
}


def accounts() -> dict[str, str]:
    """Every account, by the name the README uses for it."""
    found = {
        f"{path.parent.name}/{path.name}": path.read_text(encoding="utf-8")
        for path in EXAMPLES.glob("*/*.txt")
    }
    for path in EXAMPLES.glob("*/*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            found[f"{path.parent.name}/{record['id']}"] = record["text"]
    return found


def rows() -> list[tuple[str, str, str]]:
    """The table of the README: case, account, quotation."""
    table = (EXAMPLES / "README.md").read_text(encoding="utf-8").partition("| case |")[2]
    return [
        (case, account, quotation)
        for case, account, quotation in re.findall(r"^\| (.+?) \| (\S+) \| (.+) \|$", table, re.M)
        if not case.startswith("-")
    ]


def test_there_are_three_bundles_of_two_to_four_accounts() -> None:
    bundles: dict[str, int] = {}
    for name in accounts():
        bundle = name.partition("/")[0]
        bundles[bundle] = bundles.get(bundle, 0) + 1
    assert bundles == {"ferry": 3, "army": 2, "museum": 4}


def test_an_account_is_as_long_as_a_short_report() -> None:
    lengths = {name: len(text.split()) for name, text in accounts().items()}
    assert {name: words for name, words in lengths.items() if not 90 <= words <= 220} == {}


def test_every_case_is_listed() -> None:
    assert {case for case, _, _ in rows()} == CASES


def test_every_quotation_stands_in_its_account() -> None:
    found = accounts()
    assert [row for row in rows() if row[2] not in found.get(row[1], "")] == []


def test_shared_facts_are_in_at_least_two_sentences() -> None:
    alone = {"missing context", "quote", "first-person quote", "attribution"}
    for case in CASES - alone:
        assert len([1 for found, _, _ in rows() if found == case]) >= 2, case
