"""Every coreference format to every other and back: what is not reported as lost is the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tatian.errors import InputError
from tatian.formats import find, list_formats, recognize
from tatian.formats.losses import find_losses
from tatian.formats.tokens import with_tokens
from tatian.text import CHAINS, LINKS, Chain, Document, Mention, Span

from .chain_samples import COREFUD, LITBANK, SAMPLES

NAMES = [format.name for format in list_formats("coreference")]
WRITTEN = [format.name for format in list_formats("coreference") if format.writer]


def bare(document: Document, span: Span) -> tuple[int, str]:
    """A stretch by its letters, whatever blanks are between them and whatever header is before."""
    first = min((one.start for chain in document.get(CHAINS) for one in chain.mentions), default=0)
    before, *_ = sorted((first, span.start))
    distance = len("".join(document.text[before : max(first, span.start)].split()))
    return distance, "".join(span.of(document.text).split())


def facet(of: Callable[[Document, Chain, Mention], Any]) -> Callable[[Document], Any]:
    """What the mentions of each chain are like, in one respect."""

    def found(document: Document) -> Any:
        return Counter(
            tuple(sorted((bare(document, one), of(document, chain, one)) for one in chain.mentions))
            for chain in document.get(CHAINS)
        )

    return found


def spread(document: Document) -> Any:
    links = document.get(LINKS) if document.has(LINKS) else ()
    return [(bare(document, link), link.titles) for link in links]


FACETS: dict[str, tuple[Callable[[Document], Any], tuple[str, ...]]] = {
    "places": (facet(lambda _, chain, one: 0), ("mentions, left out or changed",)),
    "parts": (
        facet(lambda document, chain, one: tuple(bare(document, part) for part in one.parts)),
        ("in pieces",),
    ),
    "heads": (
        facet(lambda document, chain, one: bare(document, one.head) if one.head else ()),
        ("minimal strings",),
    ),
    "optional": (facet(lambda _, chain, one: one.optional), ("optional mentions",)),
    "types": (facet(lambda _, chain, one: one.type or chain.type), ("types of",)),
    "attributes": (facet(lambda _, chain, one: one.attributes), ("attributes of",)),
    "links": (spread, ("links",)),
    "words": (
        lambda document: [one.text for one in with_tokens(document).tokens],
        ("tokens",),
    ),
}


@pytest.mark.parametrize("target", WRITTEN)
@pytest.mark.parametrize("source", NAMES)
def test_conversion_keeps_all_but_reported_losses(source: str, target: str) -> None:
    documents = list(find(source).read(SAMPLES[source]))
    written = "".join(find(target).write(documents))
    again = list(find(target).read(written))
    assert [one.id for one in again] == [one.id for one in documents]
    losses = find_losses(documents, find(target), written)
    reported = " ".join(losses.counts)
    for name, (say, phrases) in FACETS.items():
        if any(phrase in reported for phrase in phrases):
            continue
        for before, after in zip(documents, again, strict=True):
            if (name, target) == ("words", "muc") and source != "muc":
                assert before.text in after.text
            else:
                assert say(after) == say(before), (name, losses.messages())


@pytest.mark.parametrize("name", WRITTEN)
def test_a_document_in_its_own_format_loses_nothing(name: str) -> None:
    documents = list(find(name).read(SAMPLES[name]))
    written = "".join(find(name).write(documents))
    assert written == SAMPLES[name]
    assert find_losses(documents, find(name), written).messages() == []


@pytest.mark.parametrize("name", WRITTEN)
def test_conversion_by_way_of_jsonl_keeps_every_byte(name: str) -> None:
    json = "".join(find("jsonl").write(find(name).read(SAMPLES[name])))
    assert "".join(find(name).write(find("jsonl").read(json))) == SAMPLES[name]


@pytest.mark.parametrize("name", [*NAMES])
def test_files_are_recognised_by_their_content(name: str) -> None:
    assert recognize(SAMPLES[name], "data.txt").name == name
    assert recognize("\ufeff" + SAMPLES[name]).name == name


def test_a_document_kept_as_json_is_still_json() -> None:
    json = "".join(find("jsonl").write(find("muc").read(SAMPLES["muc"])))
    assert "<DOC>" in json
    assert recognize(json).name == "jsonl"


def test_unclear_content_is_recognised_by_file_name() -> None:
    assert recognize("a\t0\t0\tword\t-\n", "key.conll.gz").name == "conll"
    with pytest.raises(InputError, match=r"data\.txt: not a coreference file of a known format"):
        recognize("plain text", "data.txt", "coreference")


def test_writing_a_read_only_format_is_an_error() -> None:
    with pytest.raises(InputError, match="the format ecbplus cannot be written"):
        find("ecbplus").write([])


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="no coreference format called 'xml': known: jsonl, gap"):
        find("xml", "coreference")


def losses_of(source: str, target: str, sample: str | None = None) -> list[str]:
    documents = list(find(source).read(sample or SAMPLES[source]))
    written = "".join(find(target).write(documents))
    return find_losses(documents, find(target), written).messages()


def test_losses_are_counted_and_placed() -> None:
    assert losses_of("corefud", "conll") == [
        "attributes of mentions (4; first in 'GUM_news_elm')",
        "exact spacing of the text (1; first in 'GUM_news_elm')",
        "links to pages (1; first in 'GUM_news_elm')",
        "minimal strings (MIN) of mentions (1; first in 'GUM_news_elm')",
        "tags, lemmas and trees of words (13; first in 'GUM_news_elm')",
        "titles, dates, sources and topics (2; first in 'GUM_news_elm')",
        "types of mentions (4; first in 'GUM_news_elm')",
    ]


def test_discontinuous_mentions_are_a_loss_in_bracket_formats() -> None:
    assert "mentions in pieces (1; first in 'pieces')" in losses_of("corefud", "conll", COREFUD)


def test_information_that_the_format_holds_is_no_loss() -> None:
    assert losses_of("conll", "corefud", LITBANK) == []


def test_a_mention_that_ends_inside_a_word_takes_the_whole_word() -> None:
    json = SAMPLES["jsonl"].replace('"start": 9, "end": 12', '"start": 9, "end": 11')
    (document,) = find("jsonl").read(json)
    (text,) = find("conll").write([document])
    (again,) = find("conll").read(text)
    assert [one.of(again.text) for one in again.get(CHAINS)[0].mentions] == ["Vera", "her"]
    losses = find_losses([document], find("conll"), text)
    assert losses.counts["mentions, left out or changed"] == 1


@pytest.mark.parametrize("name", [*NAMES])
def test_a_byte_order_mark_is_kept(name: str) -> None:
    text = "\ufeff" + SAMPLES[name]
    documents = list(find(name).read(text))
    if name in WRITTEN:
        assert "".join(find(name).write(documents)) == text
    plain = next(find(name).read(SAMPLES[name]))
    assert documents[0].text.removeprefix("\ufeff") == plain.text
