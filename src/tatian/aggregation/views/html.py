"""Examples as a page: the entities in their context, and the systems' lists side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from tatian import pages
from tatian.aggregation.views.examples import Column, Example, Phrase
from tatian.aggregation.views.writing import score


def to_html(shown: Iterable[Example], title: str = "Names for sets of entities") -> str:
    """A whole document, gold phrases in bold with a sign that needs no colour."""
    articles = "\n".join(_article(example) for example in shown)
    body = (
        f"<main>\n<h1>{escape(title)}</h1>\n"
        '<p class="note"><b class="gold">Bold</b>: gold, a right phrase. In brackets: the '
        "system's score. Ranks that are left out lie between the first ones and gold further "
        f"down.</p>\n{articles}\n</main>"
    )
    return page(title, body)


def page(title: str, body: str) -> str:
    """A document in the style of these views."""
    return pages.page(title, body, pages.read_assets("tatian.aggregation.views", "page.css"))


def _article(example: Example) -> str:
    instance = example.instance
    columns = "\n".join(_column(column) for column in example.columns) or _candidates(example)
    return (
        f'<article aria-label="{escape(example.entities)}">\n<h2>{escape(example.entities)}</h2>\n'
        f'<p class="about">{escape(instance.type)}, id {escape(instance.id)}</p>\n'
        f"{_context(example)}{_background(example)}{_gold(instance.aggregations)}"
        f'<div class="systems">\n{columns}\n</div>\n</article>'
    )


def _context(example: Example) -> str:
    instance = example.instance
    title = f"<cite>{escape(instance.title)}</cite>" if instance.title else ""
    text = _marked(instance.context, instance.entities)
    whole = ": ".join(part for part in (title, text) if part)
    return f'<p class="context">{whole}</p>\n' if whole else ""


def _background(example: Example) -> str:
    known = example.instance.background
    if not known:
        return ""
    entries = "".join(
        f"<dt>{escape(entity)}</dt><dd>{escape(text)}</dd>" for entity, text in known.items()
    )
    return f"<details><summary>Background</summary><dl>{entries}</dl></details>\n"


def _gold(phrases: Sequence[str]) -> str:
    if not phrases:
        return ""
    listed = ", ".join(f"<b>{escape(phrase)}</b>" for phrase in phrases)
    return f'<p class="about">gold: {listed}</p>\n'


def _candidates(example: Example) -> str:
    """What a ranking task offers, where no system has ranked it."""
    right = set(example.instance.aggregations)
    listed = "".join(
        f'<li><b class="gold">{escape(one)}</b></li>' if one in right else f"<li>{escape(one)}</li>"
        for one in example.instance.candidates
    )
    return f"<section><h3>Candidates</h3><ol>{listed}</ol></section>" if listed else ""


def _column(column: Column) -> str:
    listed = "".join(map(_item, column.lines)) or '<li class="gap">no phrase</li>'
    return f"<section><h3>{escape(column.system)}</h3><ol>{listed}</ol></section>"


def _item(phrase: Phrase | None) -> str:
    if phrase is None:
        return '<li class="gap" aria-hidden="true">…</li>'
    text = escape(phrase.text)
    shown = f'<b class="gold">{text}</b>' if phrase.gold else text
    facts = "".join(f"<li>{escape(fact)}</li>" for fact in phrase.support)
    why = f'<ul class="facts">{facts}</ul>' if facts else ""
    return f'<li value="{phrase.rank}">{shown} <small>[{score(phrase.score)}]</small>{why}</li>'


def _marked(text: str, names: Sequence[str]) -> str:
    """The text with the names of the entities marked, the longest that fits first."""
    longest = sorted(filter(None, names), key=len, reverse=True)
    if not longest:
        return escape(text)
    pattern = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest))})(?!\w)")
    parts = pattern.split(text)
    return "".join(
        f"<mark>{escape(part)}</mark>" if index % 2 else escape(part)
        for index, part in enumerate(parts)
    )
