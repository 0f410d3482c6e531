"""Every coreference format to every other and back: what is not reported as lost is the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tatian.errors import InputError
from tatian.formats import Losses, find, known, recognize
from tatian.formats.tokens import with_tokens
from tatian.text import CHAINS, LINKS, Chain, Document, Mention, Span

from .chain_samples import COREFUD, GUM, LITBANK, SAMPLES

NAMES = [format.name for format in known("coreference")]
WRITTEN = [format.name for format in known("coreference") if format.writer]


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
    "places": (facet(lambda _, chain, one: 0), ("inside a word", "left out", "overlap")),
    "parts": (
        facet(lambda document, chain, one: tuple(bare(document, part) for part in one.parts)),
        ("in pieces",),
    ),
    "heads": (
        facet(lambda document, chain, one: bare(document, one.head) if one.head else ()),
        ("minimal strings", "heads that MIN"),
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
def test_what_is_not_reported_lost_comes_back(source: str, target: str) -> None:
    documents = list(find(source).read(SAMPLES[source]))
    losses = Losses()
    written = list(find(target).write(documents, losses))
    again = list(find(target).read("".join(written)))
    assert [one.id for one in again] == [one.id for one in documents]
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
    losses = Losses()
    documents = list(find(name).read(SAMPLES[name]))
    assert "".join(find(name).write(documents, losses)) == SAMPLES[name]
    assert losses.messages() == []


@pytest.mark.parametrize("name", WRITTEN)
def test_a_detour_by_jsonl_changes_no_byte(name: str) -> None:
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


def test_what_looks_like_nothing_goes_by_its_name() -> None:
    assert recognize("a\t0\t0\tword\t-\n", "key.conll.gz").name == "conll"
    with pytest.raises(InputError, match=r"data\.txt: not a coreference file of a known format"):
        recognize("plain text", "data.txt", "coreference")


def test_a_format_that_is_only_read_says_so() -> None:
    with pytest.raises(InputError, match="ecbplus can be read, not written"):
        find("ecbplus").write([])


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="no coreference format called 'xml': known: jsonl, gap"):
        find("xml", "coreference")


def test_json_holds_every_feature() -> None:
    assert not find("jsonl").loses


def lost(source: str, target: str, sample: str | None = None) -> list[str]:
    losses = Losses()
    list(find(target).write(find(source).read(sample or SAMPLES[source]), losses))
    return losses.messages()


def test_losses_are_counted_and_placed() -> None:
    assert lost("corefud", "conll") == [
        "attributes of mentions (4; first in 'GUM_news_elm')",
        "bridging and split antecedents (Bridge=, SplitAnte=) (1; first in 'GUM_news_elm')",
        "comments, multiword tokens and MISC of CoNLL-U (1; first in 'GUM_news_elm')",
        "exact spacing of the text (1; first in 'GUM_news_elm')",
        "links to Wikipedia (1; first in 'GUM_news_elm')",
        "minimal strings (MIN) of mentions (1; first in 'GUM_news_elm')",
        "tags, lemmas and trees of words (13; first in 'GUM_news_elm')",
        "titles, dates and sources of documents (2; first in 'GUM_news_elm')",
        "types of chains and mentions (2; first in 'GUM_news_elm')",
    ]


def test_pieces_and_empty_nodes_are_losses() -> None:
    found = lost("corefud", "conll", COREFUD)
    assert "mentions in pieces: written as the stretch around them (1; first in 'pieces')" in found
    assert "mentions on empty nodes (1; first in 'pieces')" in found


def test_speakers_are_a_loss_and_bare_columns_are_none() -> None:
    speakers = "speakers and other columns of CoNLL (2; first in 'nw/elm/0001')"
    assert speakers in lost("conll", "corefud")
    assert lost("conll", "corefud", LITBANK) == []


def test_ids_across_documents_are_a_loss_where_ids_are_local() -> None:
    assert "ids of chains across documents (1; first in '9_1ecb')" in lost("ecbplus", "conll")
    assert not any("ids" in one for one in lost("ecbplus", "jsonl"))
    assert not any("ids of chains" in one for one in lost("muc", "conll"))


def test_a_mention_that_ends_inside_a_word_takes_the_whole_word() -> None:
    json = SAMPLES["jsonl"].replace('"start": 9, "end": 12', '"start": 9, "end": 11')
    (document,) = find("jsonl").read(json)
    losses = Losses()
    (text,) = find("conll").write([document], losses)
    (again,) = find("conll").read(text)
    assert [one.of(again.text) for one in again.get(CHAINS)[0].mentions] == ["Vera", "her"]
    what = "mentions that begin or end inside a word: extended to whole words"
    assert losses.counts[what] == 1


def test_layers_of_other_steps_are_named_when_lost() -> None:
    layer = '"entity_sets": {"made": {"by": "x"}, "items": []}, "chains"'
    json = SAMPLES["jsonl"].replace('"chains"', layer, 1)
    assert "layer 'entity_sets' (1; first in 'j')" in lost("jsonl", "conll", json)


def test_a_mention_in_two_chains_is_a_loss() -> None:
    second = '<source m_id="12" />\n  <source m_id="11" />'
    sample = SAMPLES["ecbplus"].replace('<source m_id="12" />', second)
    twofold = "mentions in two chains: kept in one (1; first in '9_1ecb')"
    assert twofold in lost("ecbplus", "corefud", sample)


@pytest.mark.parametrize("name", [*NAMES])
def test_a_byte_order_mark_is_kept(name: str) -> None:
    text = "\ufeff" + SAMPLES[name]
    documents = list(find(name).read(text))
    if name in WRITTEN:
        assert "".join(find(name).write(documents)) == text
    plain = next(find(name).read(SAMPLES[name]))
    assert documents[0].text.removeprefix("\ufeff") == plain.text


def test_muc_says_in_plain_words_what_it_has_no_place_for() -> None:
    losses = Losses()
    list(find("muc").write(list(find("corefud").read(GUM)), losses))
    told = {message.partition(" (")[0] for message in losses.messages()}
    assert {"links to Wikipedia", "tags, lemmas and trees of words"} < told
    assert not any("layer" in message for message in told)
