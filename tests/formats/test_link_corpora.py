"""Real benchmarks, read whole, with the counts that are known of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.formats import find, read, read_as
from tatian.formats.links import evaluated_parts, links_of
from tatian.formats.losses import find_losses
from tatian.mentions.data import summarize
from tatian.text import Document

FILES = {
    "mentions/VoxEL.ttl": ("nif", 94, 1_107),
    "mentions/aquaint.tar.gz": ("aquaint", 50, 727),
    "mentions/conversations-dev.jsonl": ("jsonl", 229, 523),
    "mentions/conversations-train.jsonl": ("jsonl", 685, 1_427),
    "mentions/news-fair-v2-no-coref.jsonl": ("elevant", 120, 1_432),
    "mentions/oke-2016-train.jsonl": ("elevant", 196, 1_049),
    "coreference/gum-dev.conllu.gz": ("gum", 32, 1_336),
}


@pytest.mark.parametrize("name", FILES)
def test_benchmark_is_read_and_written_back_unchanged(name: str, data: Path) -> None:
    texts, format = read_as(str(data / name), about="mention")
    assert (format.name, len(texts), summarize(texts).mentions) == FILES[name]
    assert all(one.of(text.text) for text in texts for one in links_of(text))
    for written in {"jsonl", format.name if format.writer else "jsonl"}:
        assert write_and_read(texts, written) == texts, written


def write_and_read(texts: list[Document], name: str) -> list[Document]:
    format = find(name, "mention")
    written = "".join(format.write(texts))
    assert find_losses(texts, format, written).messages() == []
    return list(format.read(written))


def test_voxel_has_its_forms_and_overlaps(data: Path) -> None:
    found = summarize(read(str(data / "mentions/VoxEL.ttl"), about="mention"))
    assert found.tags["form:common"] == 615
    assert [found.tags[f"overlap:{one}"] for one in ("none", "min", "mid", "max")] == [
        792,
        206,
        14,
        95,
    ]
    assert found.unlinked == 4


def test_aquaint_has_its_lower_case_links(data: Path) -> None:
    found = summarize(read(str(data / "mentions/aquaint.tar.gz"), about="mention"))
    assert (found.lower, found.unlinked) == (297, 0)


def test_news_fair_marks_evaluated_and_optional_parts(data: Path) -> None:
    texts = read(str(data / "mentions/news-fair-v2-no-coref.jsonl"), about="mention")
    assert all(len(evaluated_parts(text)) == 1 for text in texts)
    optional = [one for text in texts for one in links_of(text) if "optional" in one.tags]
    assert len(optional) == 200 + 121 + 9
