"""The rules on real texts: what holds of every document, and how much of GUM they reach."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest

from tatian.coreference.analysis import analyse
from tatian.coreference.definition import Outline, apply, markables, rulings
from tatian.formats import find
from tatian.formats.losses import find_losses
from tatian.text import CHAINS, SENTENCES, TOKENS, Document

pytestmark = pytest.mark.long

DOCUMENTS = 6


@pytest.fixture(scope="module")
def gold(data: Path) -> list[Document]:
    """Some documents of GUM with their chains."""
    text = gzip.decompress((data / "coreference" / "gum-dev.conllu.gz").read_bytes()).decode()
    return list(islice(find("corefud").read(text), DOCUMENTS))


@pytest.fixture(scope="module")
def plain(gold: Sequence[Document]) -> list[Document]:
    """The same with our own analysis on their tokens."""
    return [
        analyse(
            Document(id=one.id, text=one.text)
            .with_layer(TOKENS, one.get(TOKENS), "gum")
            .with_layer(SENTENCES, one.get(SENTENCES), "gum")
        )
        for one in gold
    ]


def test_markables_of_real_texts_nest_and_have_their_heads_inside(
    plain: Sequence[Document],
) -> None:
    for document in plain:
        around: list[int] = []
        places = set()
        for one in markables(document):
            around = [end for end in around if end > one.start]
            assert all(one.end <= end for end in around), one.of(document.text)
            assert one.contains(one.head or one)
            assert (one.start, one.end) not in places
            places.add((one.start, one.end))
            around.append(one.end)


def test_nine_in_ten_gold_mentions_have_a_markable(
    gold: Sequence[Document], plain: Sequence[Document]
) -> None:
    found = total = 0
    for key, document in zip(gold, plain, strict=True):
        outline = Outline(document)
        for chain in key.get(CHAINS):
            for mention in chain.mentions:
                total += 1
                found += outline.with_head(mention.head or mention) is not None
    assert found / total > 0.9


def test_most_certain_links_of_rules_are_gold_links(
    gold: Sequence[Document], plain: Sequence[Document]
) -> None:
    right = wrong = 0
    for key, document in zip(gold, plain, strict=True):
        outline = Outline(document)
        chains = {
            marked.order: chain.id
            for chain in key.get(CHAINS)
            for mention in chain.mentions
            if (marked := outline.with_head(mention.head or mention)) is not None
        }
        for ruling in rulings(outline):
            pair = [outline.of(one).order for one in (ruling.anaphor, ruling.antecedent)]
            if ruling.verdict == "link" and ruling.certain and chains.keys() >= set(pair):
                same = chains[pair[0]] == chains[pair[1]]
                right, wrong = right + same, wrong + (not same)
    assert right / (right + wrong) > 0.6


def test_everything_can_be_written_as_muc(plain: Sequence[Document]) -> None:
    marked = [apply(one, []) for one in plain]
    written = list(find("muc").write(marked))
    assert len(written) == DOCUMENTS
    losses = find_losses(marked, find("muc"), "".join(written))
    assert not [message for message in losses.messages() if message.startswith("mentions")]
