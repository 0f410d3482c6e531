"""Real corpora, written back as they were read, byte for byte."""

from __future__ import annotations

import gzip
import tarfile
from pathlib import Path

import pytest

from tatian.formats import find, recognize
from tatian.formats.losses import find_losses
from tatian.text import CHAINS, LINKS, Document

FILES = {
    "ontogum-dev.conll.gz": ("ontogum", 32, 4_082),
    "litbank-train.conll.gz": ("conll", 80, 23_223),
    "gum-dev.conllu.gz": ("corefud", 32, 8_412),
    "gap-validation.tsv": ("gap", 454, 1_362),
}


@pytest.mark.long
@pytest.mark.parametrize("name", FILES)
def test_corpus_is_read_and_written_back_unchanged(name: str, data: Path) -> None:
    packed = (data / "coreference" / name).read_bytes()
    text = (gzip.decompress(packed) if name.endswith(".gz") else packed).decode()
    format = recognize(text)
    documents = list(format.read(text, name))
    mentions = sum(len(chain.mentions) for one in documents for chain in one.get(CHAINS))
    assert (format.name, len(documents), mentions) == FILES[name]
    if format.writer:
        assert "".join(format.write(documents)) == text
        assert find_losses(documents, format, text).messages() == []


def test_cases_of_the_reference_scorer_are_written_back_unchanged(data: Path) -> None:
    folder = data / "coreference" / "scorer-cases"
    files = [*folder.glob("*.key"), *folder.glob("*.response")]
    assert len(files) > 20
    for file in files:
        text = file.read_text(encoding="utf-8")
        format = recognize(text)
        assert format.name == "conll"
        assert "".join(format.write(format.read(text))) == text, file


@pytest.mark.long
def test_files_of_ecbplus_are_read(data: Path) -> None:
    count = 0
    with tarfile.open(data / "coreference" / "ecbplus-topics-1-35.tar.gz") as archive:
        for member in archive:
            if "/1" not in member.name or not member.name.endswith(".xml"):
                continue
            handle = archive.extractfile(member)
            assert handle is not None
            text = handle.read().decode()
            format = recognize(text)
            (document,) = format.read(text)
            chains = document.get(CHAINS)
            assert all(one.of(document.text) for chain in chains for one in chain.mentions)
            count += 1
    assert count > 100


@pytest.fixture(scope="module")
def gum(data: Path) -> list[Document]:
    text = gzip.decompress((data / "coreference" / "gum-dev.conllu.gz").read_bytes()).decode()
    return list(find("corefud").read(text))


@pytest.mark.long
def test_gum_is_linked_to_wikipedia(gum: list[Document]) -> None:
    titles = {title for one in gum for link in one.get(LINKS) for title in link.titles}
    assert len(titles) > 300
    assert not any("%" in title or "_" in title for title in titles)


@pytest.mark.long
@pytest.mark.parametrize("target", ["muc", "conll"])
def test_gum_in_another_format_has_the_same_chains(target: str, gum: list[Document]) -> None:
    format = find(target)
    for document in gum[:4]:
        (written,) = format.write([document])
        (again,) = format.read(written)
        assert spoken(again) == spoken(document)


def spoken(document: Document) -> list[list[str]]:
    """The chains as strings without blanks."""
    return sorted(
        ["".join(mention.of(document.text).split()) for mention in chain.mentions]
        for chain in document.get(CHAINS)
    )
