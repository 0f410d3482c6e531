"""Unions in the paper's colours on a page: Figure 1 for one, Table 7 for several systems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from tatian import pages
from tatian.union.views.colouring import AMISS, Piece, kind, meaning
from tatian.union.views.examples import Example, Figure


def to_html(examples: Iterable[Example], title: str = "Sentence unions") -> str:
    """A page with a card for each example and a key of the colours."""
    shown = list(examples)
    most = max((len(example.sentences) for example in shown), default=2)
    return page(title, "\n".join([key_html(most), *map(example_html, shown)]) + "\n")


def example_html(example: Example) -> str:
    """One item: sentences in the colours of its first union, then each union with its scores."""
    number = len(example.sentences)
    sentences: Sequence[Sequence[Piece]] = [(Piece(text),) for text in example.sentences]
    if example.outputs:
        sentences = example.outputs[0].coloured.sentences
    rows = [
        f"<dt>sentence {index}</dt><dd>{pieces_html(pieces, number)}</dd>"
        for index, pieces in enumerate(sentences, 1)
    ]
    for output in example.outputs:
        union = pieces_html(output.coloured.union, number)
        rows.append(
            f'<dt class="output">{escape(output.name)}</dt>'
            f"<dd>{union}{_figures_html(output.figures)}</dd>"
        )
    inner = "\n".join(rows)
    return f"<article>\n<h2>Item {escape(example.id)}</h2>\n<dl>\n{inner}\n</dl>\n</article>"


def pieces_html(pieces: Sequence[Piece], sentences: int) -> str:
    """Pieces as marks whose titles say what their colours mean."""
    return "".join(_piece_html(piece, sentences) for piece in pieces)


def key_html(sentences: int) -> str:
    """What the colours mean."""
    colours = [(index,) for index in range(sentences)] + [tuple(range(sentences))]
    entries = [
        f'<li><mark class="{kind(sources)}">{meaning(sources, sentences)}</mark></li>'
        for sources in (colours if sentences > 1 else colours[:1])
    ]
    entries += [
        f'<li><span class="amiss {name}">word</span> {explained}</li>'
        for name, explained in AMISS.items()
    ]
    return f'<ul class="key">{"".join(entries)}</ul>'


def _piece_html(piece: Piece, sentences: int) -> str:
    text = escape(piece.text)
    if piece.amiss:
        text = f'<span class="amiss {piece.amiss}" title="{AMISS[piece.amiss]}">{text}</span>'
    if not piece.sources:
        return text
    said = meaning(piece.sources, sentences)
    return f'<mark class="{kind(piece.sources)}" title="{said}">{text}</mark>'


def _figures_html(figures: Sequence[Figure]) -> str:
    """What people said first, on a line of its own."""
    return "".join(
        f'<ul class="figures"><li class="who">{who}</li>{"".join(map(_figure_html, given))}</ul>'
        for who, given in (
            ("people", [figure for figure in figures if figure.human]),
            ("computed", [figure for figure in figures if not figure.human]),
        )
        if given
    )


def _figure_html(figure: Figure) -> str:
    return f"<li>{escape(figure.name)} <b>{escape(figure.value)}</b></li>"


def page(title: str, body: str) -> str:
    """A whole HTML document around `body`, without a script."""
    style = pages.read_assets("tatian.union.views", "page.css")
    return pages.page(title, f"<main>\n<h1>{escape(title)}</h1>\n{body}</main>", style)
