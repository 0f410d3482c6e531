"""A page that shows where a text tells each fact of a bundle, tells it again, or leaves it out."""

from __future__ import annotations

from html import escape

from tatian.consolidation.bundles import Bundle
from tatian.consolidation.metrics import (
    CORE,
    FactTelling,
    is_torn,
    measure,
    noise_in,
    split_paragraphs,
    split_sentences,
    tellings,
)
from tatian.views.page import page, style_sheet


def facts_page(bundle: Bundle, text: str) -> str:
    """A whole HTML document, without a script: numbers lead from sentences to facts and back."""
    found = tellings(bundle, text)
    facts = "".join(_fact(number, telling) for number, telling in enumerate(found, 1))
    title = f"Facts of {bundle.id}"
    body = (
        f"<h1>{escape(title)}</h1>\n{_figures(bundle, text)}"
        f"<main>\n<section class='text'><h2>The text</h2>\n{_text(bundle, text, found)}</section>\n"
        f"<section><h2>The facts, in the order of a good text</h2>\n"
        f"<ol>\n{facts}</ol></section>\n</main>\n"
    )
    return page(title, body, style_sheet(__package__, "assets/facts.css"))


def _figures(bundle: Bundle, text: str) -> str:
    rows = {"this text": text, "reference": bundle.reference_text(), "stacked": bundle.stacked()}
    lines = []
    for name, one in rows.items():
        measured = measure(bundle, one)
        cells = (f"<td class='number'>{getattr(measured, field):.2f}</td>" for field in CORE)
        lines.append(f"<tr><th scope='row'>{name}</th>{''.join(cells)}</tr>\n")
    names = "".join(f"<th scope='col' class='number'>{field}</th>" for field in CORE)
    return (
        f"<div class='wide'><table>\n<tr><td></td>{names}</tr>\n{''.join(lines)}</table></div>\n"
        "<p class='note'>A number after a sentence is a fact it tells first, in brackets one it "
        "tells again. Wavy lines are no part of the story; a bar marks a torn quotation.</p>\n"
    )


def _text(bundle: Bundle, text: str, found: list[FactTelling]) -> str:
    """The paragraphs, each sentence with the facts it tells."""
    marks: dict[int, list[str]] = {}
    for number, telling in enumerate(found, 1):
        for place in telling.places:
            first = place == telling.places[0]
            shown, kind = (str(number), "told") if first else (f"({number})", "again")
            link = f"<a class='{kind}' href='#fact-{number}'>{shown}</a>"
            marks.setdefault(place, []).append(link)
    lines, place = [], 0
    for paragraph in split_paragraphs(text):
        spans = []
        for sentence in split_sentences(paragraph):
            kind = " class='noise'" if noise_in(bundle, sentence) else ""
            links = " ".join(marks.get(place, ()))
            spans.append(f"<span id='sentence-{place + 1}'{kind}>{escape(sentence)}</span> {links}")
            place += 1
        torn = " class='torn'" if is_torn(paragraph) else ""
        lines.append(f"<p{torn}>{' '.join(spans)}</p>\n")
    return "".join(lines)


def _fact(number: int, telling: FactTelling) -> str:
    fact = telling.fact
    kind = "told" if fact.main else "told detail"
    if telling.places:
        links = [f"<a href='#sentence-{place + 1}'>{place + 1}</a>" for place in telling.places]
        after = " and the next" if telling.joined else ""
        again = f", again in {', '.join(links[1:])}" if links[1:] else ""
        status = f"told in sentence {links[0]}{after}{again}"
    else:
        kind, status = "missing", "missing"
    keys = " + ".join(" / ".join(group) for group in fact.keys)
    return (
        f"<li id='fact-{number}' class='{kind}'>{number}. {escape(fact.text)} "
        f"<b>{'●' * fact.importance}</b> {status}"
        f"<small>{escape(fact.id)}: {escape(keys)} ({escape(', '.join(fact.sources))})</small>"
        "</li>\n"
    )
