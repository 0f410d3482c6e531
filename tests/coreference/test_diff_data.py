"""Comparisons of real files: steps end at the key, and the page of a whole corpus stays small."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import pytest

from tatian.coreference.diff import compare_document
from tatian.coreference.views import chains_page
from tatian.formats import recognize
from tatian.text import CHAINS, Chain, Document

from .mended import mended

SPELT_OTHERWISE = "GUM_news_iodine"
"""Has an underscore in OntoGUM where GUM has a bar."""
CASES = [f"TC-A-{number}" for number in range(1, 14)] + [f"TC-{name}-1" for name in "BCDEFG"]


def read(path: Path) -> list[Document]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    return list(recognize(text, path.name).read(text, path.name))


def places(chains: tuple[Chain, ...]) -> Counter[tuple[tuple[int, int], ...]]:
    return Counter(
        tuple(sorted((one.start, one.end) for one in chain.mentions)) for chain in chains
    )


@pytest.mark.parametrize("case", CASES)
def test_steps_lead_from_each_response_of_the_reference_scorer_to_its_key(
    data: Path, case: str
) -> None:
    folder = data / "coreference" / "scorer-cases"
    key = read(folder / f"{case.rpartition('-')[0]}.key")
    for wanted, given in zip(key, read(folder / f"{case}.response"), strict=True):
        one = compare_document(wanted, given)
        assert places(mended(one)) == places(wanted.get(CHAINS))


@pytest.mark.long
def test_steps_lead_from_one_annotation_scheme_to_another(data: Path) -> None:
    gum = read(data / "coreference" / "gum-dev.conllu.gz")
    ontogum = read(data / "coreference" / "ontogum-dev.conll.gz")
    for wanted, given in zip(gum, ontogum, strict=True):
        if wanted.id == SPELT_OTHERWISE:
            continue
        one = compare_document(wanted, given)
        assert len(one.pairs) > 10
        assert places(mended(one)) == places(one.key.chains)


@pytest.mark.long
def test_a_page_of_all_novels_stays_below_eight_megabytes(data: Path) -> None:
    novels = read(data / "coreference" / "litbank-train.conll.gz")
    assert len(novels) == 80
    assert len(chains_page(novels).encode()) < 8_000_000
