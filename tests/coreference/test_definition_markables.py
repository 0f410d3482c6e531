"""What is markable, how far it reaches and what its MIN is (§3 and §4)."""

from __future__ import annotations

import pytest

from tatian.coreference.definition import Outline, markables, prohibitions, rulings
from tatian.formats.muc import write

from .definition_samples import analysis, bracketed, marked_in, resolved
from .test_definition_links import ROWS

PHRASES = {
    "the main noun": ("They read the tax report.", "the tax report", "report"),
    "a relative clause without a pronoun": (
        "The last match you will ever see is over.",
        "The last match you will ever see",
        "match",
    ),
    "a quantity": ("A large amount of salt fell.", "A large amount of salt", "amount"),
    "a measure": (
        "About 300,000 barrels of oil leaked.",
        "About 300,000 barrels of oil",
        "barrels",
    ),
    "a name with title and suffix": (
        "They met the Honourable Charles B. Whitlock Sr. in Oslo.",
        "the Honourable Charles B. Whitlock Sr.",
        "Charles B. Whitlock Sr.",
    ),
    "a numeral as suffix": (
        "Rep. John Lowry III resigned.",
        "Rep. John Lowry III",
        "John Lowry III",
    ),
    "a company with its suffix": (
        "Acme Motor Co. of Lansing, Michigan, closed.",
        "Acme Motor Co. of Lansing, Michigan,",
        "Acme Motor Co.",
    ),
    "two titles": ("Herr Dr. Otto Brandt spoke.", "Herr Dr. Otto Brandt", "Otto Brandt"),
    "a place and where it lies": (
        "They met in Trenton, New Jersey.",
        "Trenton, New Jersey",
        "Trenton",
    ),
    "a date": (
        "March 3, 1977, a day which nobody forgets, was cold.",
        "March 3, 1977, a day which nobody forgets,",
        "March 3, 1977",
    ),
    "an amount": (
        "She paid $1.4 million in small bills.",
        "$1.4 million in small bills",
        "$1.4 million",
    ),
    "a percentage": ("They bought 30% of the bonds.", "30% of the bonds", "30%"),
    "no noun, but a number with 'of'": (
        "Six of the oldest left.",
        "Six of the oldest",
        "Six",
    ),
    "no noun, but a number with a clause": (
        "The four who were left behind wept.",
        "The four who were left behind",
        "four",
    ),
    "no noun, but a superlative": ("The two tallest won.", "The two tallest", "tallest"),
    "a title alone": ("Mr. Lowry spoke.", "Mr. Lowry", "Lowry"),
    "modifiers in modifiers": (
        "They met the oldest of the clerks who will take over Lowry's work.",
        "the oldest of the clerks who will take over Lowry's work",
        "oldest",
    ),
    "a clause that says what": (
        "The rumour that the king had died spread.",
        "The rumour that the king had died",
        "rumour",
    ),
    "an apposition with its closing comma": (
        "Fred Moor, the cheese king of Gouda, retired.",
        "Fred Moor, the cheese king of Gouda,",
        "Fred Moor",
    ),
    "a relative clause with its closing comma": (
        "The Tyne Central Co., which used to own a harbour, failed.",
        "The Tyne Central Co., which used to own a harbour,",
        "Tyne Central Co.",
    ),
    "a prepositional phrase that may be the verb's": (
        "Opel formed a partnership with Fiat.",
        "a partnership with Fiat",
        "partnership",
    ),
    "the first conjunct ends before the conjunction": (
        "Ms. Fox was chair and CEO of United Paper Inc. last year.",
        "chair",
        "chair",
    ),
    "the second conjunct takes what follows": (
        "Ms. Fox was chair and CEO of United Paper Inc. last year.",
        "CEO of United Paper Inc.",
        "CEO",
    ),
    "a pronoun": ("This is mine.", "This", "This"),
    "a possessive pronoun": ("This is mine.", "mine", "mine"),
    "a reflexive": ("She blamed herself.", "herself", "herself"),
    "the second person": ("You lost your keys.", "your", "your"),
    "a noun before a noun": ("They painted the aluminium siding.", "aluminium", "aluminium"),
    "a name after an office": (
        "They met presidential adviser Carl Moss.",
        "presidential adviser Carl Moss",
        "Carl Moss",
    ),
}

UNMARKABLE = {
    "a gerund with an object": ("Raising the rent is hard.", "Raising the rent"),
    "a gerund with an adverb": ("Driving slowly saves fuel.", "Driving slowly"),
    "a relative pronoun": ("The man who came left.", "who"),
    "a clause": ("She said that he left.", "that he left"),
    "a conjoined phrase": ("The cats and dogs slept.", "The cats and dogs"),
    "the head of a phrase alone": ("Some painters hate colours.", "painters"),
    "a part of a date": ("It closed on May 3, 1951.", "1951"),
    "a part of an amount": ("She paid $1.4 million.", "1.4 million"),
    "a part of a name": ("Peter Holt resigned.", "Holt"),
    "a title": ("Herr Dr. Otto Brandt spoke.", "Herr"),
    "the 'there' of 'there is'": ("There is a way.", "There"),
    "an adjective": ("The French wine is good.", "French"),
}


@pytest.mark.parametrize(("text", "phrase", "minimum"), PHRASES.values(), ids=list(PHRASES))
def test_a_phrase_is_whole_and_its_min_is_its_head(text: str, phrase: str, minimum: str) -> None:
    assert marked_in(text).get(phrase) == minimum


@pytest.mark.parametrize(("text", "phrase"), UNMARKABLE.values(), ids=list(UNMARKABLE))
def test_only_noun_phrases_are_markable(text: str, phrase: str) -> None:
    assert phrase in text
    assert phrase not in marked_in(text)


def test_a_name_keeps_its_type_and_dates_and_amounts_get_one() -> None:
    text = "Clara Dent paid $40 on May 3."
    found = {one.of(text): one.type for one in markables(analysis(text))}
    assert found["Clara Dent"] == "PER"
    assert found["$40"] == "MONEY"
    assert found["May 3"] == "DATE"


def test_min_is_not_written_where_only_an_article_is_left_out() -> None:
    text = "The woman laughed. Clara Dent is the woman."
    (written,) = write([resolved(text)])
    assert "MIN" not in written
    assert ">the woman</COREF>" in written


@pytest.mark.parametrize("marked", ROWS.values(), ids=list(ROWS))
def test_markables_nest_and_each_has_its_head_inside(marked: str) -> None:
    found = markables(analysis(bracketed(marked)[0]))
    places = [(one.start, one.end) for one in found]
    assert len(set(places)) == len(places)
    for one in found:
        assert one.contains(one.head or one)
        for other in found:
            assert not one.overlaps(other) or one.contains(other) or other.contains(one)


@pytest.mark.parametrize("marked", ROWS.values(), ids=list(ROWS))
def test_every_ruling_is_about_two_markables_and_names_its_section(marked: str) -> None:
    outline = Outline(analysis(bracketed(marked)[0]))
    known = {one.mention for one in outline.markables}
    for ruling in rulings(outline):
        assert ruling.anaphor != ruling.antecedent
        assert known.issuperset((ruling.anaphor, ruling.antecedent))
        assert ruling.section[0] in "345"


def test_a_phrase_never_corefers_with_a_phrase_inside_it() -> None:
    text = "Its chairwoman resigned."
    pairs = {
        (one.anaphor.of(text), one.antecedent.of(text)) for one in prohibitions(analysis(text))
    }
    assert ("Its", "Its chairwoman") in pairs
