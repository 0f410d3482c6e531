"""The corpus of invented events: whole, clean, and read as the documentation says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tatian.cli import main
from tatian.consolidation.bundles import Bundle, read_bundles

CORPUS = Path(__file__).parents[2] / "corpus"
SIZES = {"train": 128, "dev": 20, "test": 20}


@pytest.fixture(scope="module")
def parts() -> dict[str, list[Bundle]]:
    return {name: read_bundles(str(CORPUS / f"{name}.jsonl")) for name in SIZES}


def test_its_parts_have_the_sizes_of_the_card_and_no_bundle_in_common(
    parts: dict[str, list[Bundle]],
) -> None:
    assert {name: len(bundles) for name, bundles in parts.items()} == SIZES
    assert len({one.id for bundles in parts.values() for one in bundles}) == sum(SIZES.values())


def test_every_bundle_has_three_to_five_accounts_and_many_facts(
    parts: dict[str, list[Bundle]],
) -> None:
    for bundle in (one for bundles in parts.values() for one in bundles):
        assert 3 <= len(bundle.accounts) <= 5, bundle.id
        assert 35 <= len(bundle.facts) <= 80, bundle.id


@pytest.mark.long
def test_the_check_finds_nothing_to_mend() -> None:
    result = CliRunner().invoke(main, ["facts", "check", str(CORPUS), "--quiet"])
    assert (result.exit_code, result.output) == (0, "")


def test_every_line_has_the_same_fields_so_that_tables_can_be_made_of_it() -> None:
    fields = set()
    for name in SIZES:
        for line in (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            fields.add((tuple(sorted(record)), tuple(sorted(record["accounts"][0]))))
    assert len(fields) == 1
