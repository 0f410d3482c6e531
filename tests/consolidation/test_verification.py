"""A text held against its accounts: verdicts, reasons, sources, what is left out."""

from __future__ import annotations

import json
from functools import cache
from math import exp
from pathlib import Path

import jsonschema
import pytest

import tatian
from tatian.analysis import analyze
from tatian.analysis.coverage import Coverage, WordCoverage
from tatian.analysis.installed import unavailable
from tatian.consolidation.verification import trace_sentences
from tatian.consolidation.verification.grammar import Grammar
from tatian.consolidation.verification.result import Trace, TracedSentence
from tatian.consolidation.verification.verdict import probability, weighed, weights
from tatian.errors import EmptyInput, NotEnglish
from tatian.text import Document, Metadata
from tatian.text.schema import read_schema

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "-")

WIRE = """A passenger ferry carrying 212 people ran aground on a sandbank off Halverne on Tuesday.

The captain, Jonas Verrick, was questioned by investigators for three hours.

"They knew, and they let her sail," said union secretary Olaf Rimmer.

A deckhand allegedly ignored the fog signal."""
COURIER = """Twelve people were injured when the Marla Grey hit a sandbank in dense fog.

Carla Benning, who runs the company, denied that it had ignored any warning.

Two tugs pulled the ferry free on Tuesday night. Divers found a tear in the hull."""
ACCOUNTS = (Document("wire", WIRE), Document("courier", COURIER))
TOLD = (
    "A ferry with 212 people aboard ran aground on a sandbank off Halverne.",
    "The captain, Jonas Verrick, was questioned for three hours.",
    "Investigators questioned Jonas Verrick, the captain.",
    "12 people were injured.",
)
WRONG = {
    "another person": "The captain, Olaf Rimmer, was questioned by investigators for three hours.",
    "another figure": "A ferry carrying 312 people ran aground off Halverne on Tuesday.",
    "denied": "The captain, Jonas Verrick, was not questioned by investigators.",
    "another speaker": '"They knew, and they let her sail," said Carla Benning.',
    "an addition": "Two tugs pulled the ferry free after a bribe was paid to the mayor of Oslo.",
    "nothing of it": "The museum reopened its doors after the theft of three paintings.",
}
TEXT = "\n\n".join((*TOLD, *WRONG.values()))


@cache
def proof() -> Trace:
    return tatian.trace(TEXT, ACCOUNTS)


def sentence(text: str) -> TracedSentence:
    """What was found of one sentence."""
    found = {TEXT[one.start : one.end]: one for one in proof().sentences}
    return found[text]


def test_sentences_have_the_same_verdict_when_verified_alone() -> None:
    place = len("\n\n".join(TOLD)) + 2
    later = [one for one in proof().sentences if one.start >= place]
    assert list(trace_sentences(TEXT, ACCOUNTS)) == list(proof().sentences)
    assert list(trace_sentences(TEXT, ACCOUNTS, start=place)) == later != []
    assert trace_sentences(TEXT, ACCOUNTS, start=len(TEXT)) == ()


@pytest.mark.parametrize("text", TOLD)
def test_content_of_the_sources_is_supported(text: str) -> None:
    assert sentence(text).verdict == "supported"


@pytest.mark.parametrize("kind", WRONG)
def test_sentence_with_one_error_is_not_supported(kind: str) -> None:
    found = sentence(WRONG[kind])
    assert found.verdict != "supported", found
    assert found.why


def test_word_without_a_source_is_unsupported() -> None:
    account = "A boy with a broken arm was taken to the hospital at Lysvik. Police questioned Grey."
    typed = (
        "A boy with a broken leg and two nurses were taken to the hospital at Lysvik.",
        "Police questioned Grey and then arrested her.",
        "A child with a broken arm was brought to the hospital at Lysvik.",
    )
    found = tatian.trace("\n\n".join(typed), [Document("post", account)])
    assert [one.verdict == "supported" for one in found.sentences] == [False, False, True]
    assert found.sentences[1].why == "arrested: the accounts do not say this"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("!!!", "unknown"),
        ("It is so.", "unknown"),
        ("Who was it?", "supported"),
        ("The museum!", "unsupported"),
    ],
)
def test_sentence_without_content_needs_its_exact_words(text: str, verdict: str) -> None:
    account = Document("a", "The ferry sank on Monday. Who was it? Nobody knew.")
    (found,) = tatian.trace(text, [account]).sentences
    assert found.verdict == verdict


def test_a_quotation_of_someone_else_is_contradicted_by_whom_it_belongs_to() -> None:
    found = sentence(WRONG["another speaker"])
    assert found.verdict == "contradicted"
    assert "Olaf Rimmer" in found.against[0].text


def test_unsupported_words_are_named() -> None:
    found = sentence(WRONG["an addition"])
    unsupported = " ".join(TEXT[part.start : part.end] for part in found.unsupported)
    assert "bribe" in unsupported or "mayor" in unsupported


def test_every_word_of_the_text_has_its_sources_in_the_accounts() -> None:
    texts = {one.id: one.text for one in proof().documents}
    words = {}
    for token in sentence(TOLD[1]).tokens:
        words[TEXT[token.start : token.end]] = [
            texts[source.document][source.start : source.end] for source in token.sources
        ]
    assert words["Verrick"] == ["Verrick"]
    assert words["questioned"] == ["questioned"]


def test_omissions_are_listed_with_their_importance() -> None:
    left = {COURIER[one.start : one.end] for one in proof().untold if one.document == "courier"}
    assert "Divers found a tear in the hull." in left
    values = [one.importance for one in proof().untold]
    assert values == sorted(values, reverse=True)


def test_a_sentence_that_repeats_another_is_found() -> None:
    text = "Divers found a tear in the hull.\n\nA tear in the hull was found by divers."
    (again,) = tatian.trace(text, ACCOUNTS).repeated
    assert (again.sentence, again.earlier) == (1, 0)


def test_json_is_what_the_schema_says_and_comes_back_equal() -> None:
    data = json.loads(json.dumps(proof().to_json()))
    jsonschema.validate(data, read_schema("trace"))
    assert Trace.from_json(data) == proof()


def test_page_marks_unsupported_words_with_the_reason() -> None:
    html = proof().to_html()
    assert "What is not supported" in html
    assert "A text traced to two accounts" in html
    assert 'class="w disputed"' in html
    assert proof()._repr_html_().startswith("<iframe")


def test_the_summary_counts_verdicts_and_names_what_is_left_out() -> None:
    lines = str(proof()).splitlines()
    assert lines[0].startswith("Ten sentences: ")
    assert any("leaves out" in line for line in lines)


@pytest.mark.usefixtures("read_anew")
def test_verification_is_deterministic() -> None:
    assert tatian.trace(TEXT, ACCOUNTS) == proof()


def test_accounts_of_one_name_are_kept_apart() -> None:
    found = tatian.trace(TOLD[3], [Document("a", WIRE), Document("a", COURIER)])
    assert [one.id for one in found.documents] == ["a", "a-2"]


def test_tracing_without_text_or_sources_is_refused() -> None:
    with pytest.raises(EmptyInput, match="text is empty"):
        tatian.trace(" \n", ACCOUNTS)
    with pytest.raises(EmptyInput, match="no sources given"):
        tatian.trace("A ferry ran aground.", [])
    german = "Die Fähre lief am Dienstag im dichten Nebel auf eine Sandbank und blieb liegen. " * 3
    with pytest.raises(NotEnglish):
        tatian.trace(german, ACCOUNTS)


def test_a_sentence_is_kept_or_left_out_however_unlike_the_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = "tatian.consolidation.verification.read_coverage"
    for share, fate in ((0.95, "kept"), (0.05, "unused")):
        coverage = Coverage(share, share, share, (WordCoverage(0, 3, share, 1.0),))
        monkeypatch.setattr(module, lambda pairs, found=coverage: [found] * len(pairs))
        found = tatian.trace("The museum reopened its doors after the theft.", ACCOUNTS)
        sentences = [one for document in found.documents for one in document.sentences]
        assert {one.fate for one in sentences} == {fate}
        assert len(found.untold) == sum(one.fate == "unused" for one in sentences)


def grammar(text: str) -> Grammar:
    document = analyze(text)
    return Grammar(document, document.sentences[0], {})


def place(found: Grammar, word: str) -> int:
    return next(n for n, item in enumerate(found.items) if item.text == word)


def test_a_figure_that_speaks_against_a_sentence_makes_it_less_likely() -> None:
    fine = {"entailed": 1.0, "share": 1.0, "likeness": 0.9}
    assert probability(fine) > weights().bounds.supported
    assert probability({**fine, "objections": 1 / 3, "denial lost": 1.0}) < probability(fine)
    odds = sum(weighed(fine).values())
    assert probability(fine) == pytest.approx(1 / (1 + exp(-odds)))


def test_the_words_of_a_letter_are_its_writers() -> None:
    letter = Document("letter", "Puquio, May\n\nThey dug all night and I never saw such courage.")
    text = '"I never saw such courage," wrote Sister Agnes.'
    (found,) = tatian.trace(text, [letter]).sentences
    assert "someone else" not in found.why


def test_a_shared_subject_counts_for_each_clause() -> None:
    found = grammar("Ann Dale bought the farm and sold the barn.")
    subject = found.subject(place(found, "sold"))
    assert subject is not None
    assert found.items[subject[0]].text == "Ann"


def test_active_and_passive_give_the_same_roles() -> None:
    active = grammar("Investigators questioned Verrick.")
    passive = grammar("Verrick was questioned by investigators.")

    def roles(found: Grammar) -> set[tuple[str, str]]:
        return {(found.items[d].text.lower(), role) for _, d, role in found.arcs}

    assert roles(active) == roles(passive) == {("investigators", "agent"), ("verrick", "patient")}


def test_allegations_and_denials_are_recognised() -> None:
    alleged = grammar("The man allegedly killed his wife.")
    accused = grammar("He is accused of setting fire to the store.")
    reported = grammar("Both ships are said to be Ethiopian.")
    planned = grammar("The court will hear the case.")
    denied = grammar("The man did not kill his wife.")
    assert alleged.act_moods(place(alleged, "killed")) == {"doubt"}
    assert accused.act_moods(place(accused, "setting")) == {"doubt"}
    assert reported.act_moods(place(reported, "Ethiopian")) == {"doubt"}
    assert planned.act_moods(place(planned, "hear")) == {"plan"}
    assert denied.is_negated(place(denied, "kill"))
    assert not denied.act_moods(place(denied, "kill"))
    refused = grammar("He was unable to reach a deal.")
    assert refused.is_negated(place(refused, "reach"))


def test_a_suspect_and_a_man_called_will_put_nothing_in_doubt() -> None:
    found = grammar("Then Will Smith caught the suspect, who may have fled.")
    moods = {item.text: found.word_moods(number) for number, item in enumerate(found.items)}
    assert not moods["Will"]
    assert not moods["suspect"]
    assert moods["may"] == {"doubt"}


def test_statements_have_their_subject() -> None:
    found = grammar("Ann Dale, who bought the farm, sold the barn.")
    said = {" ".join(found.items[p].text for p in some) for some in found.statements.values()}
    assert said == {"Ann Dale bought the farm", "Ann Dale sold the barn"}


def test_attribution_to_unnamed_sources_is_no_content() -> None:
    found = grammar("The fire was out by seven, according to one report.")
    assert found.concepts == grammar("The fire was out by seven.").concepts


def test_numbers_in_words_and_digits_are_one() -> None:
    assert grammar("It killed twenty-six.").concepts == grammar("It killed 26.").concepts
    assert {"12", "1200"} <= grammar("Twelve of 1,200 left.").concepts


VILLAGE = """Nobody was hurt in the fire at Cobb's mill on Monday.

The miller, Ned Cobb, was found in the barn by his sister Ruth.

Tom Wexley, a farmer, lent the firemen two carts. Police suspect that a lamp fell over."""


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Two villagers were hurt in the fire.", "contradicted"),
        ("Ned Cobb was found in the barn by Tom Wexley.", "contradicted"),
        ("The fire at Cobb's mill was on Thursday.", ""),
        ("Nobody was hurt in the fire at the mill.", "supported"),
        ("His sister Ruth found Ned Cobb in the barn.", "supported"),
    ],
)
def test_a_denial_another_person_and_another_day_are_found(text: str, verdict: str) -> None:
    (found,) = tatian.trace(text, [Document("a", VILLAGE)]).sentences
    assert found.verdict == (verdict or found.verdict), found
    assert verdict == "supported" or found.verdict != "supported", found


def test_two_that_changed_places_are_found() -> None:
    said = "The prisoner was en route from the old jail in Halverne to the new camp near Sennick."
    turned = "The prisoner was en route from the old jail in Sennick to the new camp near Halverne."
    (found,) = tatian.trace(turned, [Document("a", said), ACCOUNTS[1]]).sentences
    assert found.verdict == "contradicted"
    assert "the other way round" in found.why


def test_suspicion_stated_as_a_fact_is_contradicted() -> None:
    (found,) = tatian.trace(
        "A deckhand ignored the fog signal.", [Document("wire", WIRE)]
    ).sentences
    assert found.verdict == "contradicted"
    assert "allegedly" in found.against[0].text


def test_the_day_of_an_account_is_read_from_its_text_as_when_weaving() -> None:
    dated = Document("a", "Ferry aground\n\nMarch 14, 2023\n\nThe Anna ran aground on Tuesday.")
    (account,) = tatian.trace("The Anna ran aground.", [dated]).documents
    assert account.date == "2023-03-14"


FERRY = Path(__file__).parents[2] / "examples" / "ferry"
MILL = Document(
    "mill",
    """The sale of the mill in Kotka was called off on Monday, because a valve was faulty.

From next year the votes of the board will be published, as was agreed on March 3.

Mr. Lohmann is the brother-in-law of Ute Harms and had borrowed a trailer from her.

The cart knocked over eleven stalls. The inspector in charge, Jana Frick, cut the cables.""",
    Metadata(date="2023-03-10"),
)


@pytest.mark.parametrize(
    "text",
    [
        "The sale of the mill in Kotka was called off on Monday.",
        "From next year the board's votes will be published.",
        "It was agreed on March 3 that the votes of the board will be published.",
        "Mr. Lohmann had borrowed a trailer from his sister-in-law.",
        "The cart knocked over eleven stalls.",
        "Jana Frick cut the cables.",
    ],
)
def test_copied_sentence_is_not_contradicted(text: str) -> None:
    (found,) = tatian.trace(text, [MILL]).sentences
    assert found.verdict != "contradicted", found


def test_a_weekday_of_a_text_without_a_day_may_be_wrong() -> None:
    text = "The sale of the mill in Kotka was called off on Friday, because a valve was faulty."
    (found,) = tatian.trace(text, [MILL]).sentences
    assert found.verdict == "contradicted", found
    assert found.against[0].text.startswith("The sale")


def test_a_short_sentence_whose_verb_no_source_has_is_not_supported() -> None:
    assert tatian.trace("The ship sank.", [FERRY]).sentences[0].verdict == "unknown"
