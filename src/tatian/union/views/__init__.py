"""Unions in the paper's colours: Figure 1 for one, Table 7 for several systems.

As HTML, or as plain text with brackets in place of colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from tatian.union.views.colours import AMISS, ColouredPiece, describe, kind, to_brackets
from tatian.union.views.examples import Output, ShownScore, UnionExample
from tatian.views.page import render_page as html_page
from tatian.views.page import style_sheet


def to_html(examples: Iterable[UnionExample], title: str = "Sentence unions") -> str:
    """Return a page with a card for each example and a legend of the colours."""
    shown = list(examples)
    most = max((len(example.sentences) for example in shown), default=2)
    return page(title, "\n".join([key_html(most), *map(example_html, shown)]) + "\n")


def example_html(example: UnionExample) -> str:
    """Return an item as HTML: sentences in the colours of its first union, then the unions."""
    number = len(example.sentences)
    rows = [
        f"<dt>sentence {index}</dt><dd>{pieces_html(pieces, number)}</dd>"
        for index, pieces in enumerate(_sentences(example), 1)
    ]
    for output in example.outputs:
        union = pieces_html(output.coloured.union, number)
        rows.append(
            f'<dt class="output">{escape(output.name)}</dt>'
            f"<dd>{union}{_figures_html(output.figures)}</dd>"
        )
    inner = "\n".join(rows)
    return f"<article>\n<h2>Item {escape(example.id)}</h2>\n<dl>\n{inner}\n</dl>\n</article>"


def pieces_html(pieces: Sequence[ColouredPiece], sentences: int) -> str:
    """Return pieces as marks whose titles explain their colours."""
    return "".join(_piece_html(piece, sentences) for piece in pieces)


def key_html(sentences: int) -> str:
    """Return the legend of the colours."""
    single = [(index,) for index in range(sentences)]
    colours = [*single, tuple(range(sentences))] if sentences > 1 else single
    entries = [
        f'<li><mark class="{kind(colour)}">{describe(colour, sentences)}</mark></li>'
        for colour in colours
    ]
    entries += [
        f'<li><span class="amiss {name}">word</span> {explained}</li>'
        for name, explained in AMISS.items()
    ]
    return f'<ul class="key">{"".join(entries)}</ul>'


def _piece_html(piece: ColouredPiece, sentences: int) -> str:
    text = escape(piece.text)
    if piece.amiss:
        text = f'<span class="amiss {piece.amiss}" title="{AMISS[piece.amiss]}">{text}</span>'
    if not piece.sources:
        return text
    title = describe(piece.sources, sentences)
    return f'<mark class="{kind(piece.sources)}" title="{title}">{text}</mark>'


def _figures_html(figures: Sequence[ShownScore]) -> str:
    """Return the scores as lists, human scores first."""
    return "".join(
        f'<ul class="figures"><li class="who">{label}</li>{"".join(map(_figure_html, scores))}</ul>'
        for label, scores in (
            ("people", [figure for figure in figures if figure.human]),
            ("computed", [figure for figure in figures if not figure.human]),
        )
        if scores
    )


def _figure_html(figure: ShownScore) -> str:
    return f"<li>{escape(figure.name)} <b>{escape(figure.value)}</b></li>"


def page(title: str, body: str) -> str:
    """Return a whole HTML document around `body`, without a script."""
    style = style_sheet("tatian.union.views", "text.css")
    return html_page(title, f"<main>\n<h1>{escape(title)}</h1>\n{body}</main>", style)


def to_text(examples: Iterable[UnionExample]) -> str:
    """Return examples as plain text: brackets name the sentences, a blank line parts items."""
    return "\n\n".join("\n".join(_lines(example)) for example in examples) + "\n"


def _lines(example: UnionExample) -> Iterator[str]:
    yield f"item {example.id}"
    for index, pieces in enumerate(_sentences(example), 1):
        yield f"sentence {index}: {to_brackets(pieces)}"
    for output in example.outputs:
        yield f"{output.name}: {to_brackets(output.coloured.union)}"
        yield f"  {figures(output)}"


def figures(output: Output) -> str:
    """Return the scores on one line."""
    return "  ".join(f"{figure.name} {figure.value}" for figure in output.figures)


def _sentences(example: UnionExample) -> Sequence[Sequence[ColouredPiece]]:
    """Return the sentences in the colours of the first union; plain without one."""
    if example.outputs:
        return example.outputs[0].coloured.sentences
    return [(ColouredPiece(sentence),) for sentence in example.sentences]
