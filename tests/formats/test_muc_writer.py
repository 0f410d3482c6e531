"""Writing MUC SGML: untouched files byte for byte, changed ones with new tags, others afresh."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.formats import find
from tatian.formats.losses import find_losses
from tatian.formats.muc import MARKABLES, PARTS, read, write
from tatian.formats.muc.markables import Markable
from tatian.text import CHAINS, Chain, Document, Mention, Metadata, Span

from .muc_samples import bare, chains, link, scraps, seeds, sgml

SOURCE = """<DOC>\r
<DOCNO> 7 </DOCNO>
<TXT>
<s><coref id=1 min='Lee'>Ms. Lee</coref> met <COREF ID="2">Tern &amp; Co.</COREF></s>
<s><COREF ID="3" TYPE="IDENT" REF="1">She</COREF> bought it.</s>
</TXT>
</DOC>
"""


def only(text: str) -> Document:
    (document,) = read(text)
    return document


MUC = find("muc")
OUT = "mentions, left out or changed"


def write_document(document: Document) -> str:
    return "".join(write([document]))


def mention(text: str, phrase: str, head: str = "", *, optional: bool = False) -> Mention:
    start = text.index(phrase)
    at = start + phrase.index(head)
    minimum = Span(at, at + len(head)) if head else None
    return Mention(start, start + len(phrase), head=minimum, optional=optional)


def plain(text: str, *groups: list[Mention]) -> Document:
    found = [Chain(str(number), tuple(group)) for number, group in enumerate(groups)]
    return Document("d1", text).with_layer(CHAINS, found, "test")


def content(source: str) -> str:
    """What stands between the TXT tags of a fresh document."""
    found = re.search(r"<TXT>\n(.*)\n</TXT>", source, re.DOTALL)
    assert found
    return found[1]


def groups(document: Document, shift: int = 0) -> set[frozenset[tuple[int, int, bool]]]:
    return {
        frozenset((one.start - shift, one.end - shift, one.optional) for one in chain.mentions)
        for chain in document.get(CHAINS)
    }


@given(seeds)
def test_an_untouched_file_is_written_as_it_was_read(random: Random) -> None:
    source = link(sgml(random), random)
    assert "".join(write(read(source))) == source


@given(scraps, seeds)
def test_a_file_is_refused_or_survives_being_changed(source: str, random: Random) -> None:
    try:
        documents = list(read(source))
    except InputError:
        return
    for document in documents:
        changed = document.with_layer(CHAINS, chains(random, document.text), "test")
        rewritten = write_document(changed)
        assert bare(rewritten) == bare(write_document(document))
        again = only(rewritten)
        assert again.text == document.text
        assert groups(again) == groups(changed) or find_losses([changed], MUC, rewritten).counts
    if len(documents) == 1 or all("<DOC>" in write_document(document) for document in documents):
        assert "".join(write(documents)) == source


@given(seeds)
def test_an_untouched_document_survives_json(random: Random) -> None:
    for document in read(link(sgml(random), random)):
        again = Document.from_json(document.to_json())
        assert write_document(again) == write_document(document)


@given(seeds)
def test_new_chains_change_nothing_but_the_tags(random: Random) -> None:
    for document in read(link(sgml(random), random)):
        changed = document.with_layer(CHAINS, chains(random, document.text), "test")
        source = write_document(changed)
        assert bare(source) == bare(write_document(document))
        assert groups(only(source)) == groups(changed) or find_losses([changed], MUC, source).counts


@given(st.text(alphabet="ab &<>;#@\r\n\"'é\ufeffx", max_size=60), seeds)
def test_written_chains_are_read_back(text: str, random: Random) -> None:
    document = Document("d1", text).with_layer(CHAINS, chains(random, text), "test")
    again = only(write_document(document))
    start = again.text.index(" d1 ") + len(" d1 \n\n")
    assert again.text[start : start + len(text)] == text
    assert groups(again, start) == groups(document)


@given(seeds)
def test_chains_that_cross_are_written_but_for_what_is_reported(random: Random) -> None:
    text = "one two three four five six seven eight nine ten"
    document = Document("d1", text).with_layer(CHAINS, chains(random, text, crossing=True), "test")
    source = write_document(document)
    again = only(source)
    before = sum(len(chain.mentions) for chain in document.get(CHAINS))
    after = sum(len(chain.mentions) for chain in again.get(CHAINS))
    assert after == before - find_losses([document], MUC, source).counts[OUT]


def test_a_new_mention_leaves_the_other_tags_as_they_were() -> None:
    document = only(SOURCE)
    first, second = document.get(CHAINS)
    it = Mention(document.text.index("it."), document.text.index("it.") + 2)
    grown = Chain(second.id, (*second.mentions, it))
    expected = SOURCE.replace(" it.", ' <COREF ID="4" TYPE="IDENT" REF="2">it</COREF>.')
    assert write_document(document.with_layer(CHAINS, [first, grown], "test")) == expected


def test_removing_chains_removes_only_the_tags() -> None:
    assert write_document(only(SOURCE).with_layer(CHAINS, [], "test")) == bare(SOURCE)


def test_changed_markables_are_written_with_their_own_links() -> None:
    document = only(SOURCE)
    start = document.text.index("it.")
    markables = [*document.get(MARKABLES), Markable(start, start + 2, "x", antecedent="2")]
    source = write_document(document.with_layer(MARKABLES, markables, "test"))
    assert '<COREF ID="x" TYPE="IDENT" REF="2">it</COREF>.' in source


def test_markables_that_contradict_each_other_are_refused() -> None:
    document = only(SOURCE)
    lost = [Markable(5, 6, "x", antecedent="nobody")]
    with pytest.raises(InputError, match=r"'7' cannot be written: .*'nobody', which is not marked"):
        write_document(document.with_layer(MARKABLES, lost, "test"))


def test_new_tags_nest_with_the_other_elements() -> None:
    document = only("<TXT><s>Ann slept.</s> <s>Bob</s> ran.</TXT>")
    spans = [(0, 10), (11, 19), (11, 14)]
    found = [Chain(str(n), (Mention(*span),)) for n, span in enumerate(spans)]
    assert write_document(document.with_layer(CHAINS, found, "test")) == (
        '<TXT><s><COREF ID="1">Ann slept.</COREF></s> '
        '<COREF ID="2"><s><COREF ID="3">Bob</COREF></s> ran.</COREF></TXT>'
    )


def test_a_mention_across_two_parts_of_the_document_is_reported() -> None:
    document = only("<HL>Ann</HL><TXT>Lee slept.</TXT>")
    found = [Chain("1", (Mention(0, 6), Mention(0, 3)))]
    document = document.with_layer(CHAINS, found, "test")
    source = write_document(document)
    assert source == '<HL><COREF ID="1">Ann</COREF></HL><TXT>Lee slept.</TXT>'
    assert find_losses([document], MUC, source).counts == {OUT: 1}


def test_each_mention_refers_to_the_most_recent_certain_one() -> None:
    text = "Ann Lee the boss she her"
    group = [
        mention(text, "Ann Lee"),
        mention(text, "the boss", optional=True),
        mention(text, "she"),
        mention(text, "her"),
    ]
    assert content(write_document(plain(text, group))) == (
        '<COREF ID="1">Ann Lee</COREF> '
        '<COREF ID="2" TYPE="IDENT" REF="1" STATUS="OPT">the boss</COREF> '
        '<COREF ID="3" TYPE="IDENT" REF="1">she</COREF> '
        '<COREF ID="4" TYPE="IDENT" REF="3">her</COREF>'
    )


def test_an_optional_mention_before_all_certain_ones_refers_forward() -> None:
    text = "boss Ann she"
    group = [mention(text, "boss", optional=True), mention(text, "Ann"), mention(text, "she")]
    document = plain(text, group)
    source = write_document(document)
    assert '<COREF ID="1" TYPE="IDENT" REF="2" STATUS="OPT">boss</COREF>' in source
    assert '<COREF ID="2">Ann</COREF>' in source


def test_a_chain_of_optional_mentions_keeps_all_but_the_first_optional() -> None:
    text = "Ann she"
    group = [mention(text, "Ann", optional=True), mention(text, "she", optional=True)]
    assert content(write_document(plain(text, group))) == (
        '<COREF ID="1">Ann</COREF> <COREF ID="2" TYPE="IDENT" REF="1" STATUS="OPT">she</COREF>'
    )


def test_a_single_mention_has_an_id_alone() -> None:
    assert (
        content(write_document(plain("Ann", [mention("Ann", "Ann")])))
        == '<COREF ID="1">Ann</COREF>'
    )


@pytest.mark.parametrize(
    ("phrase", "head", "minimum"),
    [
        ("the coreference task", "task", ' MIN="task"'),
        ("the task", "task", ""),
        ("An\ntask", "task", ""),
        ("task", "task", ""),
        ("task", "", ""),
        ("Tern\nMills of Kent", "Tern\nMills", ' MIN="Tern Mills"'),
        ('A&P "Shop" here', 'A&P "Shop"', ' MIN="A&amp;P &quot;Shop&quot;"'),
    ],
)
def test_min_is_written_where_it_differs_by_more_than_an_article(
    phrase: str, head: str, minimum: str
) -> None:
    source = write_document(plain(phrase, [mention(phrase, phrase, head)]))
    assert f'<COREF ID="1"{minimum}>' in source


def test_head_that_min_cannot_express_is_reported() -> None:
    document = plain("man and man", [Mention(0, 11, head=Span(8, 11))])
    source = write_document(document)
    assert "MIN" not in source
    assert find_losses([document], MUC, source).counts == {"minimal strings (MIN) of mentions": 1}


def test_a_fresh_document_has_its_id_and_its_text_escaped() -> None:
    assert write_document(plain("A&P < B\n@home", [])) == (
        "<DOC>\n<DOCNO> d1 </DOCNO>\n<TXT>\nA&amp;P &lt; B\n&#64;home\n</TXT>\n</DOC>\n"
    )


def test_lines_of_a_fresh_document_that_begin_with_an_at_sign_are_annotated() -> None:
    again = only(write_document(plain("a\n@home", [mention("a\n@home", "home")])))
    assert [part.name for part in again.get(PARTS) if part.annotated] == ["TXT"]


def test_losses_are_reported() -> None:
    text = "one two three"
    rich = Mention(0, 13, type="PER", parts=(Span(0, 3), Span(8, 13)), attributes=(("a", "b"),))
    found = [Chain("x", (rich, Mention(4, 4))), Chain("y", (Mention(0, 13),))]
    document = Document("d1", text, Metadata(title="T", date="1995-01-01", source="S"))
    document = document.with_layer(CHAINS, found, "test")
    assert find_losses([document], MUC, write_document(document)).counts == {
        "attributes of mentions": 1,
        OUT: 2,
        "mentions in pieces": 1,
        "titles, dates, sources and topics": 3,
        "types of mentions": 1,
    }


def test_several_files_without_a_doc_element_stay_several_documents() -> None:
    sources = ['<COREF ID="1">Ann</COREF>', '<DOC><COREF ID="1">Bob</COREF></DOC>\n']
    documents = [next(iter(read(text, f"{n}.sgm"))) for n, text in enumerate(sources)]
    joined = "".join(write(documents))
    assert joined == f'<DOC ID="0">\n{sources[0]}\n</DOC>\n{sources[1]}'
    assert [one.id for one in read(joined)] == ["0", "document-2"]


def test_writing_no_documents_yields_nothing() -> None:
    assert list(write([])) == []
