"""Mappings of ``gold`` for files with and without right answers."""

from __future__ import annotations

import json

import pytest

from tatian.errors import InputError
from tatian.workbench.campaigns import item_files
from tatian.workbench.campaigns.plans import CampaignFile, plan_campaign

HEADER = "id,sentence1Text,sentence2Text"
ROWS = f"{HEADER},test,Union\nt1,A b.,A c.,yes,A b c.\ni1,B c.,B d.,,\n"
GOLD = CampaignFile("gold.csv", f"{HEADER},Union\ng1,C d.,C e.,C d e.\n".encode())
PLAIN = CampaignFile("plain.csv", f"{HEADER}\np1,D e.,D f.\n".encode())
MAPPING = {"gold": "Union"}


def lines() -> bytes:
    first = {"id": "t1", "sentences": ["A b.", "A c."], "test": True, "Union": "A b c."}
    return json.dumps(first).encode() + b"\n"


@pytest.mark.parametrize(
    "main",
    [
        CampaignFile("main.csv", ROWS.encode()),
        CampaignFile("main.tsv", ROWS.replace(",", "\t").encode()),
        CampaignFile("main.csv", b"\xef\xbb\xbf\n" + ROWS.encode()),
        CampaignFile("main.jsonl", lines()),
    ],
    ids=["csv", "tsv", "mark", "jsonl"],
)
@pytest.mark.parametrize("beside", ["training", "tests"])
def test_tests_in_the_main_file_keep_their_gold_beside_other_files(
    main: CampaignFile, beside: str
) -> None:
    if beside == "training":
        found = plan_campaign(
            "u", [main], task="union", mapping=MAPPING, training=[("practice", GOLD)]
        )
    else:
        found = plan_campaign("u", [main], task="union", mapping=MAPPING, tests=[GOLD])
    golds = {item.key: item.gold for item in found.items}
    assert golds["t1"] is not None
    assert golds["g1"] is not None
    assert golds.get("i1") is None


def test_a_main_file_without_gold_is_accepted() -> None:
    files = [PLAIN, CampaignFile("main.csv", ROWS.encode())]
    found = plan_campaign("u", files, task="union", mapping=MAPPING, tests=[GOLD])
    assert {item.key for item in found.items if item.gold} == {"t1", "g1"}


def test_without_training_or_tests_the_column_must_be_there() -> None:
    with pytest.raises(InputError, match="no column 'Union'"):
        plan_campaign("u", [PLAIN], task="union", mapping=MAPPING)


@pytest.mark.parametrize("data", [b"{", b'["Union"]', b"{\xff}", b"Union", b'{"other": {}}'])
def test_files_that_are_no_tables_have_no_mapped_columns(data: bytes) -> None:
    assert not item_files.has_column("file", data, "gold")
