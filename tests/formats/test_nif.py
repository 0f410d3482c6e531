"""NIF, as GERBIL and VoxEL write it."""

from __future__ import annotations

import pytest
from hypothesis import given
from msgspec.structs import replace

from tatian.errors import EmptyInput, InputError
from tatian.formats import find
from tatian.formats.links import build_document, links_of, part_of
from tatian.text import Document

from .link_samples import CUSTOMS, linked_texts

NIF = find("nif")
HEAD = (
    "@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .\n"
    "@prefix itsrdf: <http://www.w3.org/2005/11/its/rdf#> .\n"
    "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
)
CONTEXT = '<http://a.org/1#char=0,13> a nif:Context ; nif:isString "Oslo met Oslo" .\n'


def phrase(begin: int, end: int, facts: str, anchor: str = "Oslo") -> str:
    return (
        f"<http://a.org/1#char={begin},{end}> a nif:Phrase ;\n"
        "  nif:referenceContext <http://a.org/1#char=0,13> ;\n"
        f'  nif:anchorOf "{anchor}" ;\n'
        f'  nif:beginIndex "{begin}"^^xsd:nonNegativeInteger ; nif:endIndex {end} ;\n  {facts} .\n'
    )


def read(*parts: str) -> Document:
    (text,) = NIF.read("".join((HEAD, *parts)), "x.ttl")
    return text


@given(linked_texts())
def test_every_text_comes_back_as_it_was(text: Document) -> None:
    assert list(NIF.read("".join(NIF.write([text])))) == [text]


def test_texts_written_one_after_another_are_one_file() -> None:
    other = build_document("other", "Nothing here.")
    assert list(NIF.read("".join(NIF.write([CUSTOMS, other])))) == [CUSTOMS, other]


def test_wikipedia_and_dbpedia_give_titles() -> None:
    facts = "itsrdf:taIdentRef <https://en.wikipedia.org/wiki/Oslo> , <http://dbpedia.org/resource/Oslo_Cathedral>"
    (mention,) = links_of(read(CONTEXT, phrase(0, 4, facts)))
    assert mention.titles == ("Oslo", "Oslo Cathedral")
    assert mention.ids == ("http://dbpedia.org/resource/Oslo_Cathedral",)


def test_links_without_a_page_keep_their_id() -> None:
    facts = "itsrdf:taIdentRef <http://aksw.org/notInWiki/Oslo_Smith>"
    (mention,) = links_of(read(CONTEXT, phrase(0, 4, facts)))
    assert (mention.titles, mention.ids) == ((), ("http://aksw.org/notInWiki/Oslo_Smith",))


def test_voxel_classes_are_tags_and_say_what_is_a_name() -> None:
    facts = (
        "itsrdf:taClassRef el:Mnt-CommonForm , el:Olp-Maximal , el:PoS-NounSingular ; "
        "itsrdf:taIdentRef <https://en.wikipedia.org/wiki/Oslo>"
    )
    typed = "<https://en.wikipedia.org/wiki/Oslo> mnt:entityType mnt:Place .\n"
    (mention,) = links_of(read(CONTEXT, phrase(0, 4, facts), typed))
    assert mention.tags == ("form:common", "overlap:max", "pos:NounSingular")
    assert (mention.named, mention.type) == (False, "LOC")


def test_statements_on_one_place_are_one_mention() -> None:
    one = "itsrdf:taIdentRef <https://en.wikipedia.org/wiki/Oslo>"
    two = "itsrdf:taIdentRef <https://en.wikipedia.org/wiki/Norway>"
    (mention,) = links_of(read(CONTEXT, phrase(9, 13, one), phrase(9, 13, two)))
    assert (mention.start, mention.titles) == (9, ("Oslo", "Norway"))


def test_an_offset_counted_otherwise_is_mended_by_the_anchor() -> None:
    (mention,) = links_of(read(CONTEXT, phrase(11, 15, "itsrdf:taConfidence 0.5")))
    assert (mention.start, mention.end, mention.score) == (9, 13, 0.5)


def test_context_of_contexts_is_not_a_text() -> None:
    whole = '<http://a.org/whole> a nif:Context ; nif:isString "Oslo met Oslo. Bye." .\n'
    part = "<http://a.org/1#char=0,13> nif:broaderContext <http://a.org/whole> .\n"
    text = read(whole, CONTEXT, part)
    assert (text.id, part_of(text)) == ("http://a.org/1#char=0,13", "http://a.org/whole")


@pytest.mark.parametrize("whole", ["http://a.org/whole#char=0,9", "my whole text"])
def test_part_keeps_its_whole_when_written_back(whole: str) -> None:
    about = replace(CUSTOMS.metadata, extra={"part_of": whole})
    text = replace(CUSTOMS, metadata=about)
    assert list(NIF.read("".join(NIF.write([text])))) == [text]


def test_a_mention_needs_its_context() -> None:
    with pytest.raises(InputError, match=r"a context .* that has no nif:isString") as failure:
        read(CONTEXT, phrase(0, 4, "a nif:Phrase").replace("#char=0,13> ;", "#char=0,99> ;"))
    assert failure.value.line == 5


def test_a_mention_that_is_not_in_the_text_is_named() -> None:
    with pytest.raises(InputError, match="'Bergen' is not in its text") as failure:
        read(CONTEXT, phrase(0, 6, "a nif:Phrase", "Bergen"))
    assert (failure.value.path, failure.value.line) == ("x.ttl", 5)


def test_a_mention_without_a_place_is_named() -> None:
    with pytest.raises(InputError, match="does not say where it is"):
        read(CONTEXT, "<http://m> a nif:Phrase ; nif:referenceContext <http://a.org/1#char=0,13> .")


def test_turtle_without_contexts_is_no_nif() -> None:
    with pytest.raises(EmptyInput, match="nif:isString"):
        list(NIF.read("<a> <b> <c> ."))
