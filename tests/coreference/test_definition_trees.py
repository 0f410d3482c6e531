"""Trees that are mended where the definition depends on them; all trees here are given by hand."""

from __future__ import annotations

from tatian.coreference.definition.outline import mended
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


def test_the_conjunct_of_an_apposition() -> None:
    found = arcs(
        mended(
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
    assert mended(given) is given


def test_the_conjunct_of_a_predicate() -> None:
    found = arcs(
        mended(
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


def test_the_subject_of_remained() -> None:
    found = arcs(
        mended(
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


def test_the_object_of_named() -> None:
    rows = """
        Acme PROPN NNP 2 nsubj
        name VERB VBD 0 root
        Ann PROPN NNP 5 compound
        Lee PROPN NNP 3 flat
        president NOUN NN 2 obj
        . PUNCT . 2 punct
    """
    found = arcs(mended(document(rows, {"Ann Lee": "PER"})))
    assert found["Ann"] == ("name", "obj")
    assert found["president"] == ("name", "xcomp")


def test_an_office_that_hangs_on_the_name() -> None:
    rows = """
        Acme PROPN NNP 2 nsubj
        name VERB VBD 0 root
        Ann PROPN NNP 2 obj
        Lee PROPN NNP 3 flat
        president NOUN NN 3 flat
        . PUNCT . 2 punct
    """
    found = arcs(mended(document(rows, {"Ann Lee": "PER"})))
    assert found["president"] == ("name", "xcomp")


def test_the_verb_that_hangs_on_its_subject() -> None:
    found = arcs(
        mended(
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
    assert mended(given) is given
