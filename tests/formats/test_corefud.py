"""CorefUD and GUM: mentions in the last column of CoNLL-U."""

from __future__ import annotations

import pytest

from tatian.errors import InputError
from tatian.formats import find
from tatian.formats.entities import brackets
from tatian.formats.losses import find_losses
from tatian.text import CHAINS, LINKS, WORDS, Chain, Document, Link, Mention, Span

from .chain_samples import COREFUD, ENTITY, GUM


def read(text: str) -> Document:
    (document,) = find("corefud").read(text, "gum.conllu")
    return document


def write(*documents: Document) -> str:
    return "".join(find("corefud").write(documents))


def chain(document: Document, name: str) -> Chain:
    (found,) = [one for one in document.get(CHAINS) if one.id == f"{document.id}#{name}"]
    return found


def spoken(document: Document, name: str) -> list[str]:
    return [one.of(document.text) for one in chain(document, name).mentions]


@pytest.fixture
def gum() -> Document:
    return read(GUM)


def test_the_text_has_the_spacing_of_the_file(gum: Document) -> None:
    assert gum.text == 'The old ferry "Elm-Tide" can\'t swim. It sank.'


def test_mentions_nest_and_chains_run_across_sentences(gum: Document) -> None:
    assert spoken(gum, "1") == ['The old ferry "Elm-Tide"', "Elm-Tide", "It"]


def test_a_single_mention_is_a_chain_of_one(gum: Document) -> None:
    assert spoken(gum, "2") == ["sank"]


def test_words_have_their_tags_and_trees(gum: Document) -> None:
    assert gum.get(WORDS)[2].lemma == "ferry"
    assert gum.get(WORDS)[0].head == 2


def test_the_type_is_the_etype(gum: Document) -> None:
    assert {one.type for one in chain(gum, "1").mentions} == {"object"}
    assert chain(gum, "1").type == "object"


def test_the_head_is_the_minspan(gum: Document) -> None:
    whole, name, pronoun = chain(gum, "1").mentions
    assert whole.head is not None
    assert whole.head.of(gum.text) == "ferry"
    assert (name.head, pronoun.head) == (None, None)


def test_unknown_fields_are_attributes(gum: Document) -> None:
    assert chain(gum, "1").mentions[2].attributes == (
        ("infstat", "giv:act"),
        ("salience", "nnn"),
        ("centering", "cf1"),
        ("link", "ana"),
    )


def test_the_identity_is_a_link_to_wikipedia(gum: Document) -> None:
    (link,) = gum.get(LINKS)
    assert (link.of(gum.text), link.titles) == ("Elm-Tide", ("Elm-Tide (ship)",))


def test_meta_comments_are_metadata(gum: Document) -> None:
    assert (gum.metadata.title, gum.metadata.date) == ("A ferry sinks", "2019-05-04")


def test_discontinuous_mention_has_its_parts() -> None:
    document = read(COREFUD)
    (mention,) = chain(document, "e2").mentions
    assert mention.of(document.text) == "took the whole thing in"
    assert [part.of(document.text) for part in mention.parts] == ["took", "in"]


def test_head_stands_in_for_a_missing_minspan() -> None:
    document = read(COREFUD)
    (mention,) = chain(document, "e3").mentions
    assert mention.head is not None
    assert mention.head.of(document.text) == "thing"
    assert mention.attributes == (("note", "sure"),)


def test_a_mention_on_an_empty_node_stays_in_the_file_only() -> None:
    document = read(COREFUD)
    assert spoken(document, "e1") == ["Vera"]
    changed = document.with_layer(CHAINS, [chain(document, "e1")], "test")
    assert "3.1\t_\t_\tPRON\t_\t_\t_\t_\t_\tEntity=(e1-person-1)" in write(changed)


def test_only_entity_values_change_with_the_chains(gum: Document) -> None:
    changed = gum.with_layer(CHAINS, [chain(gum, "1")], "test")
    assert write(changed) == GUM.replace(
        "Entity=(2-event-new-nnn-cf2-1-sgl)|SpaceAfter=No", "SpaceAfter=No"
    )


def test_a_new_mention_gets_the_fields_of_the_file(gum: Document) -> None:
    swim = gum.text.index("swim")
    added = Chain("x", (Mention(swim, swim + 4, type="event"),))
    changed = gum.with_layer(CHAINS, [*gum.get(CHAINS), added], "test")
    row = "9\tswim\tswim\tVERB\tVB\t_\t0\troot\t0:root\t"
    assert write(changed) == GUM.replace(row, f"{row}Entity=(3-event----1)|")


def test_attributes_without_a_field_are_reported(gum: Document) -> None:
    odd = Chain("x", (Mention(0, 3, optional=True, attributes=(("mood", "good"),)),))
    document = gum.with_layer(CHAINS, [odd], "test")
    (text,) = find("corefud").write([document])
    told = find_losses([document], find("corefud"), text).counts
    assert (told["optional mentions"], told["attributes of mentions"]) == (1, 1)


def test_a_new_file_holds_heads_doubts_links_and_attributes() -> None:
    mention = Mention(
        0, 9, "PER", Span(5, 9), optional=True, attributes=(("note", "a-b (c, d): 100%"),)
    )
    document = Document("d", "Miss Vera sank.")
    document = document.with_layer(CHAINS, [Chain("d#e1", (mention,), "PER")], "test")
    document = document.with_layer(LINKS, [Link(0, 9, ("Vera (ship)",))], "test")
    (text,) = find("corefud").write([document])
    again = read(text)
    assert find_losses([document], find("corefud"), text).messages() == []
    assert again.text == document.text
    assert again.get(CHAINS) == document.get(CHAINS)
    assert again.get(LINKS) == document.get(LINKS)


def test_ids_in_one_file_differ_between_documents() -> None:
    documents = [
        Document(name, "Vera sank.").with_layer(CHAINS, [Chain(f"{name}#0", (Mention(0, 4),))], "t")
        for name in "ab"
    ]
    text = write(*documents)
    assert "(e1--1-1)" in text
    assert "(e2--1-1)" in text
    assert text.count("global.Entity") == 1
    assert [one.id for one in find("corefud").read(text)] == ["a", "b"]


def test_fields_declared_once_hold_for_the_whole_file() -> None:
    second = GUM.replace(f"# global.Entity = {ENTITY}\n", "").replace("_elm", "_oak")
    documents = list(find("corefud").read(GUM + second))
    assert documents[1].get(CHAINS)[0].type == "object"
    assert write(*documents) == GUM + second
    assert ENTITY in write(documents[1])


def test_closing_mentions_precede_opening_ones() -> None:
    document = Document("d", "one two three")
    chains = [
        Chain("d#a", (Mention(0, 7),)),
        Chain("d#b", (Mention(4, 13),)),
        Chain("d#c", (Mention(4, 7),)),
    ]
    text = write(document.with_layer(CHAINS, chains, "test"))
    assert "Entity=(e3--1-1)e1)(e2--2-1,2\n" in text


def test_parts_of_a_mention_have_equal_fields() -> None:
    mention = Mention(0, 13, type="act", parts=(Span(0, 3), Span(8, 13)))
    text = write(Document("d", "one two three").with_layer(CHAINS, [Chain("d#1", (mention,))], "t"))
    assert "Entity=(e1[1/2]-act-2-1,2)" in text
    assert "Entity=(e1[2/2]-act-2-1,2)" in text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Entity=1)", "Entity=7)", r":13: mention '7' is closed, but was not opened"),
        ("Entity=1)\n7-8", "_\n7-8", r":8: mention '1' is not closed"),
        ("(2-event", "((2-event", r":23: '\(\(2-event.*' is not a list of mentions"),
        ("(2-event", "(2[2/2]-event", r":23: part 2 of mention '2' comes without the one before"),
        ("(2-event", "(2[1/2]-event", r":23: mention '2' has 1 of its 2 parts"),
        (f"# global.Entity = {ENTITY}\n", "", r":7: Entity= without '# global.Entity"),
        (
            "can't\t_\t_\t_\t_\t_\t_\t_\t_",
            "can't\t_\t_\t_\t_\t_\t_\t_\tEntity=(5)",
            ":14: Entity= of",
        ),
        ("\t9:aux\t", "\t", r":15: 9 columns where CoNLL-U has 10"),
    ],
)
def test_errors_name_the_line(old: str, new: str, message: str) -> None:
    assert old in GUM
    with pytest.raises(InputError, match="gum.conllu" + message):
        read(GUM.replace(old, new))


def test_brackets_are_written_as_they_are_read() -> None:
    value = "(e3[1/2]-a--b)e1)e2[2/2])(e4-x"
    assert "".join(map(str, brackets(value))) == value


def test_a_document_without_a_name_is_called_after_its_file() -> None:
    text = "1\tHe\the\tPRON\t_\t_\t0\troot\t_\t_\n\n"
    assert [one.id for one in find("corefud").read(text, "news/elm.conllu.gz")] == ["elm"]
