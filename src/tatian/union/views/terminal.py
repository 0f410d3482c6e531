"""Unions in colours on a terminal; in a pipe, brackets say what colours would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tatian.union.views.colouring import AMISS, Piece, bracketed, kind
from tatian.union.views.examples import Example, Output

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

STYLES = {"s0": "green", "s1": "magenta", "s2": "yellow", "s3": "cyan", "all": "blue"}
_AMISS = {"missing": "strike", "unfaithful": "reverse", "repeated": "underline2"}


def print_examples(examples: Iterable[Example], console: Console) -> None:
    """Draw each example, with a line that explains the colours before the first."""
    from rich.text import Text

    for number, example in enumerate(examples):
        if not number:
            console.print(legend(len(example.sentences)))
        console.print()
        console.print(Text(f"item {example.id}", style="bold"))
        for index, pieces in enumerate(_sentences(example), 1):
            console.print(Text(f"sentence {index}: ", style="bold dim"), styled(pieces), sep="")
        for output in example.outputs:
            console.print(
                Text(f"{output.name}: ", style="bold"), styled(output.coloured.union), sep=""
            )
            console.print(Text(f"  {figures(output)}", style="dim"))


def legend(sentences: int) -> Text:
    """The colours in their own colours."""
    from rich.text import Text

    text = Text("in the union and said by: ")
    for index in range(sentences):
        text.append(f"sentence {index + 1} only", style=STYLES[kind((index,))])
        text.append("  ")
    text.append("several", style=STYLES["all"])
    for name, style in _AMISS.items():
        text.append("  ")
        text.append("word", style=style)
        text.append(f" {AMISS[name]}")
    return text


def styled(pieces: Sequence[Piece]) -> Text:
    """The pieces in their colours."""
    from rich.text import Text

    text = Text()
    for piece in pieces:
        styles = [STYLES.get(kind(piece.sources), ""), _AMISS.get(piece.amiss, "")]
        text.append(piece.text, style=" ".join(filter(None, styles)))
    return text


def to_text(examples: Iterable[Example]) -> str:
    """Without colours: brackets name the sentences; a blank line between items."""
    return "\n\n".join("\n".join(_lines(example)) for example in examples) + "\n"


def _lines(example: Example) -> Iterator[str]:
    yield f"item {example.id}"
    for index, pieces in enumerate(_sentences(example), 1):
        yield f"sentence {index}: {bracketed(pieces)}"
    for output in example.outputs:
        yield f"{output.name}: {bracketed(output.coloured.union)}"
        yield f"  {figures(output)}"


def figures(output: Output) -> str:
    """The scores on one line."""
    return "  ".join(f"{figure.name} {figure.value}" for figure in output.figures)


def _sentences(example: Example) -> Sequence[Sequence[Piece]]:
    """Coloured by the first union; without one, plain."""
    if example.outputs:
        return example.outputs[0].coloured.sentences
    return [(Piece(sentence),) for sentence in example.sentences]
