"""Trees that are mended where the definition depends on them; all trees here are given by hand."""

from __future__ import annotations

import pytest

from tatian.coreference.definition.links import links
from tatian.coreference.definition.outline import correct_trees, markables
from tatian.coreference.definition.units import units
from tatian.text import NAMES, SENTENCES, TOKENS, WORDS, Document, Name, Sentence, Token, Word


def document(rows: str, names: dict[str, str] | None = None) -> Document:
    """A sentence from rows of form, tag, treebank tag, head (from 1; 0 for the root), relation."""
    tokens: list[Token] = []
    words: list[Word] = []
    at = 0
    for number, row in enumerate(rows.strip().splitlines()):
        form, tag, fine, head, relation = row.split()
        tokens.append(Token(at, at + len(form), form))
        words.append(Word(number, tag, form.lower(), int(head) - 1, relation, fine))
        at += len(form) + 1
    text = " ".join(token.text for token in tokens)
    found = [
        Name(text.index(name), text.index(name) + len(name), type_)
        for name, type_ in (names or {}).items()
    ]
    plain = Document(id="tree", text=text)
    cut = plain.with_layer(TOKENS, tokens, "hand")
    cut = cut.with_layer(SENTENCES, [Sentence(0, len(text))], "hand")
    return cut.with_layer(WORDS, words, "hand").with_layer(NAMES, found, "hand")


def arcs(found: Document) -> dict[str, tuple[str, str]]:
    """What each word hangs on, and as what."""
    tokens = found.tokens
    return {
        tokens[word.token].text: (
            tokens[word.head].text if word.head >= 0 else "",
            word.relation,
        )
        for word in found.get(WORDS)
    }


def test_conjunct_of_an_apposition_is_attached_to_it() -> None:
    found = arcs(
        correct_trees(
            document("""
                Ann PROPN NNP 8 nsubj
                , PUNCT , 3 punct
                founder NOUN NN 1 appos
                and CCONJ CC 5 cc
                owner NOUN NN 1 conj
                here ADV RB 5 advmod
                , PUNCT , 1 punct
                left VERB VBD 0 root
                . PUNCT . 8 punct
            """)
        )
    )
    assert found["owner"] == ("founder", "conj")


def test_a_list_is_no_apposition() -> None:
    given = document("""
        Ann PROPN NNP 9 nsubj
        , PUNCT , 3 punct
        friends NOUN NNS 1 appos
        , PUNCT , 7 punct
        and CCONJ CC 7 cc
        the DET DT 7 det
        dog NOUN NN 1 conj
        all DET DT 9 advmod
        left VERB VBD 0 root
        . PUNCT . 9 punct
    """)
    assert correct_trees(given) is given


def test_conjunct_of_a_predicate_is_attached_to_it() -> None:
    found = arcs(
        correct_trees(
            document("""
                Ann PROPN NNP 4 nsubj
                is AUX VBZ 4 cop
                the DET DT 4 det
                head NOUN NN 0 root
                of ADP IN 6 case
                Acme PROPN NNP 4 nmod
                and CCONJ CC 9 cc
                the DET DT 9 det
                owner NOUN NN 6 conj
                of ADP IN 11 case
                Borel PROPN NNP 9 nmod
                . PUNCT . 4 punct
            """)
        )
    )
    assert found["owner"] == ("head", "conj")


def test_subject_of_remained_is_attached_to_the_verb() -> None:
    found = arcs(
        correct_trees(
            document("""
                Ann PROPN NNP 4 nsubj
                remain VERB VBD 0 root
                the DET DT 4 det
                mayor NOUN NN 2 xcomp
                . PUNCT . 2 punct
            """)
        )
    )
    assert found["Ann"] == ("remain", "nsubj")


def test_object_of_named_is_attached_to_the_verb() -> None:
    rows = """
        Acme PROPN NNP 2 nsubj
        name VERB VBD 0 root
        Ann PROPN NNP 5 compound
        Lee PROPN NNP 3 flat
        president NOUN NN 2 obj
        . PUNCT . 2 punct
    """
    found = arcs(correct_trees(document(rows, {"Ann Lee": "PER"})))
    assert found["Ann"] == ("name", "obj")
    assert found["president"] == ("name", "xcomp")


def test_office_attached_to_a_name_is_detached() -> None:
    rows = """
        Acme PROPN NNP 2 nsubj
        name VERB VBD 0 root
        Ann PROPN NNP 2 obj
        Lee PROPN NNP 3 flat
        president NOUN NN 3 flat
        . PUNCT . 2 punct
    """
    found = arcs(correct_trees(document(rows, {"Ann Lee": "PER"})))
    assert found["president"] == ("name", "xcomp")


def test_verb_attached_to_its_subject_is_detached() -> None:
    found = arcs(
        correct_trees(
            document("""
                Ann PROPN NNP 0 root
                , PUNCT , 4 punct
                who PRON WP 4 nsubj
                sang VERB VBD 1 acl:relcl
                , PUNCT , 1 punct
                left VERB VBN 1 acl
                . PUNCT . 1 punct
            """)
        )
    )
    assert found["left"] == ("", "root")
    assert found["Ann"] == ("left", "nsubj")
    assert found["sang"] == ("Ann", "acl:relcl")


def test_a_participle_is_left_alone() -> None:
    given = document("""
        A DET DT 2 det
        man NOUN NN 0 root
        called VERB VBN 2 acl
        Ann PROPN NNP 3 xcomp
        . PUNCT . 2 punct
    """)
    assert correct_trees(given) is given


NAMED = {
    "object and predicate": ("2 obj", "3 flat", "2 xcomp"),
    "two objects": ("2 iobj", "3 flat", "2 obj"),
    "two direct objects": ("2 obj", "3 flat", "2 obj"),
    "the name before the office": ("5 compound", "3 flat", "2 xcomp"),
    "the name in the object": ("5 compound", "5 compound", "2 obj"),
    "the office in the name": ("2 obj", "3 flat", "3 flat"),
    "the office beside the name": ("2 obj", "3 flat", "3 appos"),
    "the last word first": ("4 compound", "2 obj", "2 xcomp"),
}
"""Trees of one sentence: what the two words of the name, and the office, hang on."""


@pytest.mark.parametrize("hung", list(NAMED.values()), ids=list(NAMED))
def test_verbs_of_naming_give_a_predication_in_any_tree(hung: tuple[str, str, str]) -> None:
    given = document(
        f"""
        They PRON PRP 2 nsubj
        named VERB VBD 0 root
        Ann PROPN NNP {hung[0]}
        Lee PROPN NNP {hung[1]}
        president NOUN NN {hung[2]}
        . PUNCT . 2 punct
        """,
        {"Ann Lee": "PER"},
    )
    found = [one for one in links(given) if one.rule == "implied-copula"]
    said = [(one.anaphor.of(given.text), one.antecedent.of(given.text)) for one in found]
    assert said == [("president", "Ann Lee")]
    assert all(one.optional for one in found)


@pytest.mark.parametrize("year", ["4 nmod", "2 obl"])
def test_a_complement_of_became_includes_a_following_time(year: str) -> None:
    given = document(
        f"""
        Ann PROPN NNP 2 nsubj
        become VERB VBD 0 root
        the DET DT 4 det
        director NOUN NN 2 xcomp
        in ADP IN 6 case
        1990 NUM CD {year}
        . PUNCT . 2 punct
        """,
        {"Ann": "PER"},
    )
    assert "the director in 1990" in [one.of(given.text) for one in markables(given)]


@pytest.mark.parametrize("relation", ["appos", "nmod:unmarked"])
def test_a_place_in_a_place_closes_with_its_comma(relation: str) -> None:
    given = document(
        f"""
        They PRON PRP 2 nsubj
        left VERB VBD 0 root
        Turin PROPN NNP 2 obj
        , PUNCT , 5 punct
        Italy PROPN NNP 3 {relation}
        , PUNCT , 8 punct
        at ADP IN 8 case
        noon NOUN NN 2 obl
        . PUNCT . 2 punct
        """,
        {"Turin": "LOC", "Italy": "LOC"},
    )
    found = [one.of(given.text) for one in markables(given)]
    assert found[1:3] == ["Turin , Italy ,", "Italy ,"]


@pytest.mark.parametrize("found", ["Reuters", "Reuters Holding", "Reuters Holding PLC"])
@pytest.mark.parametrize(
    "hung", [("3 compound", "3 compound", "4 nsubj"), ("4 nsubj", "1 flat", "1 flat")]
)
def test_a_company_is_whole_however_much_of_it_is_found(
    found: str, hung: tuple[str, str, str]
) -> None:
    given = document(
        f"""
        Reuters PROPN NNP {hung[0]}
        Holding NOUN NNP {hung[1]}
        PLC PROPN NNP {hung[2]}
        grew VERB VBD 0 root
        . PUNCT . 4 punct
        """,
        {found: "ORG"},
    )
    assert [unit.of(given.text) for unit in units(given)] == ["Reuters Holding PLC"]


def test_two_names_side_by_side_are_no_company() -> None:
    given = document(
        """
        In ADP IN 2 case
        London PROPN NNP 5 obl
        Acme PROPN NNP 4 compound
        Corp. PROPN NNP 5 nsubj
        grew VERB VBD 0 root
        . PUNCT . 5 punct
        """,
        {"London": "LOC", "Acme Corp.": "ORG"},
    )
    assert [unit.of(given.text) for unit in units(given)] == ["London", "Acme Corp."]


def test_a_company_named_after_a_person_is_a_company() -> None:
    given = document(
        """
        Mrs. PROPN NNP 3 compound
        Fields PROPN NNP 3 compound
        Inc. PROPN NNP 4 nsubj
        grew VERB VBD 0 root
        . PUNCT . 4 punct
        """,
        {"Fields": "PER"},
    )
    assert [(unit.of(given.text), unit.type) for unit in units(given)] == [("Fields Inc.", "ORG")]


def test_a_plural_at_the_start_of_a_sentence_is_a_common_noun() -> None:
    given = document("""
        Brewers PROPN NNPS 2 nsubj
        trust VERB VBP 0 root
        brewers NOUN NNS 2 obj
        . PUNCT . 2 punct
    """)
    assert correct_trees(given).get(WORDS)[0].fine == "NNS"
