"""Markdown: the text with a footnote for each sentence, whatever the accounts contain."""

from __future__ import annotations

import html
import re

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import tatian
from tatian.consolidation.render.plain import escape_markdown, to_markdown
from tatian.consolidation.result import Consolidation

from .editions import marked, reported
from .samples import ferry, hostile, lone, nothing


def rendered(text: str) -> str:
    """What a reader sees of some Markdown, as plain text."""
    page = markdown.markdown(text, extensions=["footnotes"])
    return html.unescape(re.sub(r"<[^>]+>", "", page))


def test_sentences_end_with_their_footnote() -> None:
    text = to_markdown(ferry())
    assert "police said.[^1] Captain Ingrid Sol" in text
    assert re.findall(r"^\[\^(\d)\]: ", text, re.MULTILINE) == ["1", "2", "3", "4", "5"]


def test_a_footnote_names_the_sentences_of_each_account_and_quotes_them() -> None:
    assert "\n[^5]: **A**, sentence 5: “The pier has been closed.”\n" in to_markdown(ferry())
    assert "; **B**, sentences 1 and 2: “A passenger ferry carrying 212 " in to_markdown(ferry())


@pytest.mark.parametrize("head", ["", "Ferry sinks\n\n", "\ufeff\n# Ferry sinks off Orme \n\n"])
def test_a_headline_is_not_counted_whatever_file_it_stood_in(head: str) -> None:
    text = f"{head}The ferry sank. Nobody was hurt."
    woven = tatian.consolidate([tatian.Document("a", text)], fast=True)
    assert "[^1]: **A**, sentence 1: “The ferry sank.”" in to_markdown(woven)
    assert "[^2]: **A**, sentence 2: “Nobody was hurt.”" in to_markdown(woven)


def test_used_headline_is_marked_as_a_headline() -> None:
    woven = tatian.consolidate([tatian.Document("a", "Ferry sinks\n\nIt is lost.")], fast=True)
    (account,) = woven.documents
    kept = tuple(replace(one, fate="kept", into=(0,)) for one in account.sentences)
    told = replace(woven, documents=(replace(account, sentences=kept),))
    assert "[^1]: **A**, headline and sentence 1: “Ferry sinks It is lost.”" in to_markdown(told)


def test_a_footnote_names_the_words_no_account_has() -> None:
    assert "eleven years.”; written to join them: “who”\n" in to_markdown(ferry())
    assert "[^2]: no account; written by the editor: “Nobody was hurt”\n" in to_markdown(marked())


def test_a_footnote_says_what_the_accounts_disagree_about() -> None:
    assert "; the accounts disagree: A “17”; B “Nineteen”; C “17”\n" in to_markdown(ferry())


def test_title_and_other_days_are_headings() -> None:
    text = to_markdown(replace(reported(), title="Weather & more"))
    assert text.startswith("# Weather &amp; more\n\nIt rained.[^1]\n\n")
    assert "\n\n## Reported on March 18, 2024\n\nIt snowed.[^2]\n" in text


def test_paragraphs_are_kept() -> None:
    assert "[^3]\n\nRescue workers" in to_markdown(ferry())


def test_the_key_says_what_each_letter_stands_for() -> None:
    assert (
        "- **A** The Harbour Post, Ferry strikes pier; 17 hurt, 2024-03-12, accounts/post.txt\n"
        "- **B** Coastal Radio, 2024-03-11, accounts/radio.txt\n"
        "- **C** Inquiry into Aurora crash, accounts/mail.txt\n"
    ) in to_markdown(ferry())


def test_contradictions_are_listed_with_their_claims() -> None:
    assert (
        "1. Number, sentence 1: **A** “17”; **B** “Nineteen”; **C** “17” "
        "(the accounts give different numbers of people hurt)\n"
    ) in to_markdown(ferry())


def test_section_of_contradictions_is_omitted_if_empty() -> None:
    assert "disagree" not in to_markdown(lone())


def test_empty_text_has_only_the_sources() -> None:
    assert to_markdown(nothing()) == "## Accounts\n\n- **A** blank\n"


def test_hostile_text_is_shown_as_it_is() -> None:
    shown = " ".join(rendered(to_markdown(hostile())).split())
    for sentence in hostile().sentences:
        words = hostile().text[sentence.start : sentence.end].split()
        assert " ".join(words) in shown
    assert "<script" not in to_markdown(hostile())


@pytest.mark.parametrize("start", ["1.", "2)", "-", "+", "#", "=", ">", "*"])
def test_a_paragraph_cannot_start_a_list_or_a_heading(start: str) -> None:
    sample = lone().to_json()
    sample["text"] = f"{start} rained."
    sample["sentences"][0]["end"] = len(sample["text"])
    shown = markdown.markdown(to_markdown(Consolidation.from_json(sample)))
    assert html.unescape(shown).startswith(f"<p>{start} rained.")


@given(st.text(alphabet="ab*_`[]()<>&~\\#!|é 1.\n", max_size=40))
def test_escaped_text_is_rendered_as_itself(text: str) -> None:
    assert rendered("x" + escape_markdown(text) + "x") == "x" + " ".join(text.split()) + "x"
