"""The text in a pipe and in a terminal."""

from __future__ import annotations

import io

from rich.console import Console

from tatian.consolidation.render.plain import contradiction_lines, to_terminal
from tatian.consolidation.result import Consolidation

from .samples import chorus, ferry, hostile, lone, nothing


def terminal(sample: Consolidation, *, colour: bool = False, width: int = 200) -> str:
    stream = io.StringIO()
    console = Console(
        file=stream, force_terminal=colour, width=width, color_system="standard" if colour else None
    )
    to_terminal(sample, console)
    return stream.getvalue()


def test_contradictions_are_lines_with_all_claims() -> None:
    assert contradiction_lines(ferry()) == [
        "conflicting number, sentence 1: A (The Harbour Post) says “17”; "
        "B (Coastal Radio) says “Nineteen”; C (Inquiry into Aurora crash) says “17” "
        "(the accounts give different numbers of people hurt)"
    ]


def test_without_contradictions_there_are_no_lines() -> None:
    assert contradiction_lines(lone()) == []


def test_a_terminal_shows_the_text_with_source_letters() -> None:
    shown = " ".join(terminal(ferry(), width=2000).split())
    assert "two of them seriously, police said. [A B C] Captain Ingrid Sol, 46, who" in shown


def test_a_terminal_keeps_paragraphs() -> None:
    assert "she said. [A]\n\nRescue workers" in terminal(ferry(), width=2000)


def test_words_take_the_colour_of_their_source() -> None:
    shown = terminal(ferry(), colour=True, width=2000)
    assert "\x1b[91mcarrying\x1b[0m" in shown
    assert "\x1b[94mstruck\x1b[0m" in shown


def test_words_of_several_accounts_are_underlined() -> None:
    assert "\x1b[4;94mAurora\x1b[0m" in terminal(ferry(), colour=True, width=2000)


def test_glue_is_dim_and_slanted() -> None:
    assert "\x1b[2;3mwho\x1b[0m" in terminal(ferry(), colour=True, width=2000)


def test_the_legend_names_the_accounts() -> None:
    assert "A The Harbour Post   B Coastal Radio   C Inquiry into Aurora crash" in terminal(ferry())


def test_a_table_counts_what_became_of_each_accounts_sentences() -> None:
    rows = [line.split() for line in terminal(ferry()).splitlines()]
    assert ["Account", "sentences", "merged", "kept", "redundant", "unused"] in rows
    assert [*"A The Harbour Post 5 2 2 0 1".split()] in rows
    assert [*"C Inquiry into Aurora crash 3 1 1 1 0".split()] in rows


def test_contradictions_are_listed_last() -> None:
    assert " † conflicting number, sentence 1: A (The Harbour Post) says “17”" in terminal(ferry())


def test_many_sources_are_counted_instead_of_named() -> None:
    shown = terminal(chorus(200), width=5000)
    assert "… 176 more" in shown
    assert "and 176 more" in shown


def test_markup_and_escape_sequences_of_an_account_do_nothing() -> None:
    data = lone().to_json()
    data["text"] = "[bold]\x1b[31m."
    data["sentences"][0]["end"] = len(data["text"])
    data["documents"][0]["source"] = "[red]\x1b]0;title\x07"
    shown = terminal(Consolidation.from_json(data))
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "[bold]�[31m." in shown
    assert "A [red]�]0;title�" in shown


def test_odd_samples_are_printed() -> None:
    assert "<b>bold</b>" in terminal(hostile())
    assert "blank" in terminal(nothing())
