"""What holds for any document and any file: chains survive, bytes survive, nothing crashes."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.formats import Losses, find, list_formats
from tatian.formats.losses import find_losses
from tatian.formats.tokens import Places
from tatian.text import CHAINS, SENTENCES, TOKENS, Chain, Document, Mention, Span
from tatian.text.tokenizer import compose

from .chain_samples import COREFUD, LITBANK, SAMPLES

NAMES = [format.name for format in list_formats("coreference")]
WORDS = ["Vera", "ferry", "can", "not", "'s", "-LRB-", ")", '"', ",", ".", "a|b", "x-y", "#", "…"]
Shape = Counter[tuple[tuple[tuple[int, int], ...], ...]]


@st.composite
def documents(draw: st.DrawFn, *, pieces: bool = True) -> Document:
    """A document of some sentences with nested, crossing and, if wanted, broken mentions."""
    sentences = draw(
        st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), min_size=1, max_size=3)
    )
    text, tokens, found = compose(sentences)
    document = Document(draw(st.sampled_from(["d", "a/b 1", "d part 2"])), text)
    document = document.with_layer(TOKENS, tokens, "test").with_layer(SENTENCES, found, "test")
    place = st.integers(0, len(tokens) - 1)
    chains = []
    for number in range(draw(st.integers(0, 4))):
        mentions = set()
        for _ in range(draw(st.integers(1, 3))):
            cuts = sorted(draw(st.sets(place, min_size=1, max_size=4 if pieces else 2)))
            ranges = [(cuts[at], cuts[min(at + 1, len(cuts) - 1)]) for at in range(0, len(cuts), 2)]
            ranges = [
                one for at, one in enumerate(ranges) if not at or one[0] > ranges[at - 1][1] + 1
            ]
            spans = tuple(Span(tokens[one].start, tokens[two].end) for one, two in ranges)
            parts = spans if len(spans) > 1 else ()
            mentions.add(Mention(spans[0].start, spans[-1].end, parts=parts))
        ordered = tuple(sorted(mentions, key=lambda one: (one.start, one.end, one.parts)))
        chains.append(
            Chain(draw(st.sampled_from([f"{document.id}#{number}", f"N{number}"])), ordered)
        )
    return document.with_layer(CHAINS, chains, "test")


def shape(document: Document) -> Shape:
    """The chains by the numbers of their tokens."""
    places = Places(document)

    def numbers(span: Span) -> tuple[int, int]:
        found = places.tokens(span)
        return found.start, found.stop

    return Counter(
        tuple(sorted(tuple(map(numbers, one.parts or (one,))) for one in chain.mentions))
        for chain in document.get(CHAINS)
    )


CHANGED = {"mentions, left out or changed", "chains, joined or divided", "mentions in pieces"}


def there_and_back(document: Document, name: str) -> tuple[Document, Losses]:
    (text,) = find(name).write([document])
    (again,) = find(name).read(text)
    return again, find_losses([document], find(name), text)


@given(document=documents(pieces=False))
def test_brackets_represent_all_but_self_crossing_chains(document: Document) -> None:
    again, losses = there_and_back(document, "conll")
    assert [one.text for one in again.tokens] == [one.text for one in document.tokens]
    assert (shape(again) != shape(document)) == (not CHANGED.isdisjoint(losses.counts))


@given(documents())
def test_corefud_represents_discontinuous_mentions(document: Document) -> None:
    again, losses = there_and_back(document, "corefud")
    assert (shape(again) != shape(document)) == (not CHANGED.isdisjoint(losses.counts))
    if shape(again) == shape(document):
        assert again.text == document.text.replace("\n", " ")


@given(documents())
def test_json_represents_the_whole_document(document: Document) -> None:
    (text,) = find("jsonl").write([document])
    (again,) = find("jsonl").read(text)
    assert "".join(find("jsonl").write([again])) == text
    assert again.get(CHAINS) == document.get(CHAINS)


@settings(max_examples=settings.default.max_examples * 3 // 5)
@pytest.mark.parametrize("name", ["conll", "corefud"])
@given(data=st.data())
def test_changed_chains_are_read_back_from_a_rewritten_file(name: str, data: st.DataObject) -> None:
    document = next(find(name).read(SAMPLES[name]))
    count = len(document.tokens)
    chains = []
    for number in range(data.draw(st.integers(0, 3))):
        first = data.draw(st.integers(0, count - 1))
        last = data.draw(st.integers(first, count - 1))
        span = Mention(document.tokens[first].start, document.tokens[last].end)
        chains.append(Chain(f"{document.id}#new{number}", (span,)))
    kept = data.draw(st.lists(st.sampled_from(document.get(CHAINS)), unique_by=id))
    changed = document.with_layer(CHAINS, [*kept, *chains], "test")
    (text,) = find(name).write([changed])
    again = next(find(name).read(text))
    assert again.text == document.text
    assert shape(again) == shape(changed)
    if chains or len(kept) < len(document.get(CHAINS)):
        (restored,) = find(name).write([again.with_layer(CHAINS, document.get(CHAINS), "test")])
        assert shape(next(find(name).read(restored))) == shape(document)


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """A file in which some characters are gone or others."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.integers(0, 12)))
        piece = draw(
            st.sampled_from(["", "(", ")", "\t", "\n", "\r", "-", "|", "1", "[1/2]", "<", "é"])
        )
        text = text[:at] + piece + text[end:]
    return text


def read_or_refuse(name: str, text: str) -> list[Document] | None:
    """What a reader makes of a file; None for a refusal that says which file it is."""
    try:
        return list(find(name).read(text, "file"))
    except InputError as error:
        message = str(error)
    assert message.startswith("file")
    return None


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_damaged_file_is_refused_or_written_back_unchanged(name: str, data: st.DataObject) -> None:
    text = data.draw(damaged(SAMPLES[name]))
    read = read_or_refuse(name, text)
    if read is not None and find(name).writer:
        expected = without_empty_lines(text) if name == "jsonl" else text
        assert "".join(find(name).write(read)) == expected


def without_empty_lines(text: str) -> str:
    """Records without lines that count for nothing."""
    kept = [line for line in text.split("\n") if line.strip()]
    return "\n".join(kept) + ("\n" if text.rstrip(" \r\t").endswith("\n") else "")


@pytest.mark.parametrize("sample", [LITBANK, COREFUD], ids=["litbank", "corefud"])
@given(data=st.data())
def test_damaged_corpora_are_refused_or_written_unchanged(sample: str, data: st.DataObject) -> None:
    name = "conll" if sample == LITBANK else "corefud"
    text = data.draw(damaged(sample))
    read = read_or_refuse(name, text)
    if read is not None:
        assert "".join(find(name).write(read)) == text


@pytest.mark.parametrize("name", NAMES)
@given(text=st.text(max_size=200))
@example(text="")
@example(text="{" * 5000)
@example(text="<Document doc_name='a'>" * 50)
def test_readers_never_crash(name: str, text: str) -> None:
    read = read_or_refuse(name, text)
    assert read is None or read
