"""Noun phrases by the MUC-6 definition, on trees written by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis import noun_phrases
from tatian.analysis.pieces import RuleAnalyser
from tatian.errors import LayerMissing
from tatian.text import WORDS, Document, Word

from .samples import tree

QUANTITY = """
a DET 3 det
large ADJ 3 amod
quantity NOUN 0 root
of ADP 5 case
sugar NOUN 3 nmod
"""
APPOSITION = """
Fred PROPN 11 nsubj NER=B-PER
Frosty PROPN 1 flat NER=I-PER +
, PUNCT 6 punct
the DET 6 det
ice NOUN 6 compound
king NOUN 1 appos
of ADP 8 case
Tyson PROPN 6 nmod NER=B-LOC
Corner PROPN 8 flat NER=I-LOC +
, PUNCT 11 punct
sang VERB 0 root
"""
RELATIVE_CLAUSE = """
the DET 2 det
company NOUN 9 nsubj +
, PUNCT 5 punct
which PRON 5 nsubj PronType=Rel
ran VERB 2 acl:relcl
a DET 7 det
railroad NOUN 5 obj +
, PUNCT 5 punct
failed VERB 0 root
"""
CONJUNCTS = """
Ms. PROPN 2 nmod:desc
Fribble PROPN 4 nsubj NER=B-PER
was AUX 4 cop
president NOUN 0 root
and CCONJ 6 cc
CEO NOUN 4 conj
of ADP 8 case
Amalgamated PROPN 4 nmod NER=B-ORG
"""
POSSESSOR = """
the DET 2 det
man NOUN 4 nmod:poss +
's PART 2 case
arm NOUN 5 nsubj
hurt VERB 0 root
his PRON 7 nmod:poss
friend NOUN 5 obj
"""
PREDICATE = """
Clinton PROPN 5 nsubj NER=B-PER
is AUX 5 cop
now ADV 5 advmod
the DET 5 det
President NOUN 0 root
of ADP 7 case
Utopia PROPN 5 nmod
"""
BRACKETS = """
winter NOUN 6 nsubj
( PUNCT 3 punct +
the DET 4 det
worst ADJ 1 appos +
) PUNCT 4 punct
came VERB 0 root
"""
PRENOMINAL = """
The DET 3 det
aluminum NOUN 3 compound
price NOUN 6 nsubj
there PRON 6 expl
has AUX 6 aux
risen VERB 0 root
"""
DATE = "December PROPN 0 root\n7 NUM 1 nummod +\n, PUNCT 4 punct\n1941 NUM 1 nmod:unmarked"
MONEY = """
$ SYM 0 root +
1.2 NUM 3 compound
million NUM 1 nummod
in ADP 6 case
crisp ADJ 6 amod
bills NOUN 1 nmod
"""
SHARE = "20 NUM 2 nummod +\n% SYM 0 root\nof ADP 5 case\nthe DET 5 det\nshares NOUN 2 nmod"
TONS = "about ADV 2 advmod\n9 NUM 3 nummod\ntons NOUN 0 root\nof ADP 5 case\nsugar NOUN 3 nmod"
PLACE = """
Newark PROPN 0 root NER=B-LOC +
, PUNCT 4 punct
New PROPN 4 compound NER=B-LOC
Jersey PROPN 1 appos NER=I-LOC
"""
HEADLESS = """
the DET 2 det
five NUM 5 nsubj
who PRON 4 nsubj PronType=Rel
stood VERB 2 acl:relcl
left VERB 0 root
the DET 7 det
youngest ADJ 5 obj
"""


def quote(document: Document) -> list[str]:
    """Each phrase, with its minimum after a bar where that is less."""
    result = []
    for phrase in noun_phrases(document):
        whole, least = phrase.of(document.text), phrase.minimum.of(document.text)
        result.append(whole if whole == least else f"{whole} | {least}")
    return result


def test_a_phrase_has_its_modifiers_and_its_head() -> None:
    document = tree(QUANTITY)
    assert quote(document) == ["a large quantity of sugar | quantity", "sugar"]
    assert document.tokens[noun_phrases(document)[0].head].text == "quantity"


def test_an_apposition_and_the_comma_that_closes_it_belong_to_the_phrase() -> None:
    assert quote(tree(APPOSITION)) == [
        "Fred Frosty, the ice king of Tyson Corner, | Fred Frosty",
        "the ice king of Tyson Corner | king",
        "ice",
        "Tyson Corner",
    ]


def test_a_relative_clause_belongs_to_the_phrase_but_its_pronoun_is_none() -> None:
    assert quote(tree(RELATIVE_CLAUSE)) == [
        "the company, which ran a railroad, | company",
        "a railroad | railroad",
    ]


def test_conjuncts_are_separate_phrases_and_the_last_takes_what_follows() -> None:
    assert quote(tree(CONJUNCTS)) == [
        "Ms. Fribble | Fribble",
        "president",
        "CEO of Amalgamated | CEO",
        "Amalgamated",
    ]


def test_a_possessor_is_a_phrase_within_the_phrase_without_its_mark() -> None:
    assert quote(tree(POSSESSOR)) == [
        "the man's arm | arm",
        "the man | man",
        "his friend | friend",
        "his",
    ]


def test_a_predicate_leaves_its_subject_and_adverbs_out() -> None:
    assert quote(tree(PREDICATE)) == ["Clinton", "the President of Utopia | President", "Utopia"]


def test_brackets_are_closed() -> None:
    assert quote(tree(BRACKETS)) == ["winter (the worst) | winter", "the worst | worst"]


def test_nouns_before_nouns_are_phrases_and_expletives_are_not() -> None:
    assert quote(tree(PRENOMINAL)) == ["The aluminum price | price", "aluminum"]


def test_phrases_without_a_noun_are_headed_by_what_there_is() -> None:
    assert quote(tree(HEADLESS)) == ["the five who stood | five", "the youngest | youngest"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(DATE, ["December 7, 1941"], id="date"),
        pytest.param(
            MONEY,
            ["$1.2 million in crisp bills | $1.2 million", "crisp bills | bills"],
            id="money",
        ),
        pytest.param(SHARE, ["20% of the shares | 20%", "the shares | shares"], id="percentage"),
        pytest.param(TONS, ["about 9 tons of sugar | tons", "sugar"], id="quantity"),
        pytest.param(PLACE, ["Newark, New Jersey | Newark", "New Jersey"], id="place"),
    ],
)
def test_dates_amounts_and_places_have_their_minimum(lines: str, expected: list[str]) -> None:
    assert quote(tree(lines)) == expected


def test_a_document_without_trees_says_what_is_missing() -> None:
    with pytest.raises(LayerMissing, match="words"):
        noun_phrases(RuleAnalyser().analyze(Document("x", "It rains.")))


@given(st.data())
def test_any_tree_gives_phrases_that_hold_their_head_and_minimum(data: st.DataObject) -> None:
    document = RuleAnalyser().analyze(Document("x", "One , two ( three of four ) and five ."))
    count = len(document.tokens)
    relation = st.sampled_from(["nsubj", "nmod", "conj", "appos", "acl", "flat", "punct", "cop"])
    tag = st.sampled_from(["NOUN", "PROPN", "NUM", "PUNCT", "VERB", "ADJ"])
    words = [Word(token=0, tag="NOUN", lemma="x", relation="root")]
    for place in range(1, count):
        head = data.draw(st.integers(0, place - 1))
        words.append(
            Word(
                token=place, tag=data.draw(tag), lemma="x", head=head, relation=data.draw(relation)
            )
        )
    found = document.with_layer(WORDS, words, "test")
    for phrase in noun_phrases(found):
        assert phrase.contains(phrase.minimum)
        assert phrase.contains(found.tokens[phrase.head])
