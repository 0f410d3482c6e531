"""The consolidated text as HTML: paragraphs of numbered sentences, with source letters.

Class names that occur once per word are one letter long, to keep large pages small:
``o`` an output sentence, ``r`` a run of words from the same accounts, ``w`` a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from tatian.consolidation.render.edition import Edition, Verse, Witness

COLOURS = 8
"""Accounts beyond these share one neutral colour; their letters still tell them apart."""

LAYERS = 3
"""How many underlines a word can carry; further accounts turn the last one into dashes."""

LETTERS = 12
"""How many source letters stand in a row before the rest is only counted."""


def text_html(edition: Edition) -> str:
    """The whole text, with a mark on the words of each point."""
    if not edition.verses:
        return '<p class="nothing">Nothing of the accounts was used.</p>'
    notes = _note_marks([found.words for found in edition.points])
    html: list[str] = []
    word = 0
    for verse in edition.verses:
        if verse.opens:
            html.append('</p>\n<p dir="auto">' if html else '<p dir="auto">')
        else:
            html.append("\n")
        html.append(_verse(edition, verse, word, notes))
        word += len(verse.sentence.tokens)
    return "".join([*html, "</p>"])


def colour(index: int) -> str:
    """The class that gives the account at `index` its colour."""
    return f"c{_tint(index)}"


def letters_html(witnesses: Sequence[Witness]) -> str:
    """The letters of some accounts, each in its colour."""
    shown = [f'<b class="{colour(each.index)}">{each.letter}</b>' for each in witnesses[:LETTERS]]
    rest = len(witnesses) - len(shown)
    return " ".join([*shown, f"<i>+{rest}</i>"] if rest else shown)


def _verse(edition: Edition, verse: Verse, first: int, notes: dict[int, str]) -> str:
    writer = edition.consolidation.writer
    worded = writer is not None and verse.number - 1 in writer.worded
    html = [f'<span class="o" id="s{verse.number}"><sup class="n">{verse.number}</sup>']
    position = verse.sentence.start
    numbered = enumerate(verse.sentence.tokens, start=first)
    for witnesses, run in groupby(numbered, key=lambda item: edition.of(item[1])):
        words: list[str] = []
        for number, token in run:
            gap = escape(edition.text[position : token.start])
            (words if words else html).append(gap)
            mark = notes.get(number, 'class="w"')
            words.append(f"<span {mark}>{escape(edition.text[token.start : token.end])}</span>")
            position = token.end
        html.append(f'<span class="r {_layers(witnesses)}">{"".join(words)}</span>')
    html.append(escape(edition.text[position : verse.sentence.end]))
    if verse.witnesses:
        letters = letters_html(verse.witnesses)
        html.append(f'<span class="sigla"><span class="unseen"> from </span>{letters}</span>')
    if worded:
        html.append('<span class="sigla">✎<span class="unseen"> by a language model</span></span>')
    return "".join([*html, "</span>"])


def _note_marks(disputes: Sequence[tuple[int, ...]]) -> dict[int, str]:
    """The attributes of each disputed word: the last of a row bears the number of the note."""
    marked: dict[int, str] = {}
    for number, words in enumerate(disputes, start=1):
        held = set(words)
        for word in words:
            note = "" if word + 1 in held else f' data-note="{number}"'
            marked.setdefault(word, f'class="w disputed"{note}')
    return marked


def _layers(witnesses: tuple[Witness, ...]) -> str:
    if not witnesses:
        return "glue"
    layers = [
        f"u{layer}-{_tint(witness.index)}"
        for layer, witness in enumerate(witnesses[:LAYERS], start=1)
    ]
    if len(witnesses) > LAYERS:
        layers.append("many")
    return " ".join(layers)


def _tint(index: int) -> str:
    return str(index) if index < COLOURS else "n"
