"""Relations on a page: both sentences in the colours of Figure 1, and the table of Figure 2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from tatian import pages
from tatian.text import Span
from tatian.union.relations import SYMBOLS, Kind
from tatian.union.relations.instances import Related
from tatian.union.relations.showing import Row, label, sections

_MEANING = {
    "s1": "only the first sentence says it, or says it more exactly",
    "s2": "only the second sentence says it, or says it more exactly",
    "both": "both sentences say it",
    "less": "the other sentence says it more exactly",
}
_COLOURS: dict[Kind, tuple[str, str]] = {
    "equivalent": ("both", "both"),
    "entails": ("s1", "less"),
    "entailed": ("less", "s2"),
    "disjoint": ("s1", "s2"),
}


def to_html(every: Iterable[Related], title: str = "Relations between sentences") -> str:
    """A page without scripts that fetches nothing; a union needs all that is coloured, once."""
    key = "".join(
        f'<li><mark class="{name}">words</mark> {meaning}</li>'
        for name, meaning in _MEANING.items()
    )
    articles = "\n".join(article_html(related) for related in every)
    body = f"""<main>
<h1>{escape(title)}</h1>
<ul class="key" aria-label="What the colours mean">{key}</ul>
{articles}
</main>"""
    return pages.page(title, body, pages.read_assets("tatian.union.relations", "page.css"))


def article_html(related: Related) -> str:
    """One pair: its sentences, then the table."""
    one, other = related.numbers
    sentences = "".join(
        f"<dt>S{number}</dt><dd>{_marked(related, side)}</dd>"
        for side, number in enumerate(related.numbers)
    )
    body = "".join(_section_html(related, kind, shown) for kind, shown in sections(related))
    heading = f"Item {escape(related.id)}"
    columns = "".join(f'<th scope="col">{name}</th>' for name in (f"S{one}", f"S{other}", "why"))
    return f"""<article>
<h2>{heading}</h2>
<dl>{sentences}</dl>
<div class="wide" tabindex="0" role="region" aria-label="Relations of {heading}">
<table>
<caption>How what S{one} and S{other} say is related</caption>
<thead><tr>{columns}</tr></thead>
{body}</table>
</div>
</article>"""


def _section_html(related: Related, kind: Kind, shown: Iterable[Row]) -> str:
    name = escape(label(kind, *related.numbers))
    rows = "".join(_row_html(row, _COLOURS[kind]) for row in shown)
    return (
        f'<tbody><tr><th colspan="3" scope="rowgroup"><span aria-hidden="true">'
        f"{SYMBOLS[kind]}</span> {name}</th></tr>{rows}</tbody>\n"
    )


def _row_html(row: Row, colours: tuple[str, str]) -> str:
    cells = "".join(
        f'<td><mark class="{colour}">{escape(text)}</mark></td>' if text else "<td></td>"
        for text, colour in zip((row.first, row.second), colours, strict=True)
    )
    other = ' <abbr title="in other words">≈</abbr>' if row.paraphrastic else ""
    return f"<tr>{cells}<td>{escape(row.why)}{other}</td></tr>"


def _marked(related: Related, side: int) -> str:
    """A sentence with its parts in their colours; the smallest part that holds a word decides."""
    text = related.sentences[side]
    parts: list[tuple[int, Span, str]] = []
    for row in related.relations.rows:
        part = (row.first, row.second)[side]
        if part is not None:
            size = sum(map(len, part.spans))
            parts += [(size, span, _COLOURS[row.kind][side]) for span in part.spans]
    colour = [""] * len(text)
    for _, span, name in sorted(parts, key=lambda one: -one[0]):
        colour[span.start : span.end] = [name] * len(span)
    return "".join(_runs(text, colour))


def _runs(text: str, colour: list[str]) -> Iterator[str]:
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or colour[place] != colour[start]:
            run = escape(text[start:place])
            name = colour[start]
            yield f'<mark class="{name}" title="{_MEANING[name]}">{run}</mark>' if name else run
            start = place
