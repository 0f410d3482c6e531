"""Result tables for the terminal, for papers and for programs."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import InputError
from tatian.statistics.score import Score

if TYPE_CHECKING:
    import rich.table
    import rich.text

Format = Literal["text", "markdown", "latex", "csv", "json"]

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "±": r"$\pm$",
    "–": "--",
    "Δ": r"$\Delta$",
    "†": r"\textdagger{}",
}
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&])")


Best = Literal["max", "min", "zero"]

MISSING = "–"


class Marked(Struct, frozen=True):
    """A figure followed by a mark, which a note below the table explains."""

    value: int | float | Score
    mark: str


Cell = str | int | float | Score | Marked | None


class Column(Struct, frozen=True):
    """Name of a column and format of its numbers."""

    name: str
    precision: int = 2
    """Decimals of numbers that are not integers."""
    scale: float = 1.0
    """Factor for display: 100 shows fractions as per cent."""
    signed: bool = False
    """True if positive numbers show their sign."""
    best: Best | None = None
    """Value set in bold: the largest, the smallest, or the nearest to zero."""


class FormattedCell(Struct, frozen=True):
    """A formatted cell."""

    text: str
    error: str = ""
    """The standard error of a score, without the ± before it."""
    bold: bool = False
    numeric: bool = False
    mark: str = ""
    """Text after it, such as a sign of significance."""

    @property
    def plain(self) -> str:
        """Return value, error and mark as one string."""
        return (f"{self.text} ± {self.error}" if self.error else self.text) + self.mark


class Table(Struct, frozen=True):
    """Rows of names and figures under columns; make one with `Table.of`."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""

    @classmethod
    def of(
        cls, columns: Iterable[Column | str], rows: Iterable[Sequence[Cell]], title: str = ""
    ) -> Table:
        """Make a table; columns are names, or `Column`s with a number format."""
        full = tuple(Column(column) if isinstance(column, str) else column for column in columns)
        names = [column.name for column in full]
        if len(set(names)) != len(names):
            raise InputError(f"two columns of one name: {', '.join(names)}")
        kept = tuple(tuple(row) for row in rows)
        for index, row in enumerate(kept):
            if len(row) != len(full):
                raise InputError(f"row {index} has {len(row)} cells, the table {len(full)} columns")
        return cls(full, kept, title)

    def format_cells(self) -> list[list[FormattedCell]]:
        """Return all cells formatted, row by row."""
        by_column = [
            format_column(column, [row[index] for row in self.rows])
            for index, column in enumerate(self.columns)
        ]
        return [[cells[row] for cells in by_column] for row in range(len(self.rows))]

    def render(self, form: Format) -> str:
        """Return the table in a format given by name, with a final line break."""
        if form not in WRITERS:
            raise InputError(f"no table format '{form}': known: {', '.join(WRITERS)}")
        return WRITERS[form](self)

    def to_json(self) -> dict[str, Any]:
        """Return JSON data, with unrounded, unscaled numbers and scores by `Score.to_json`."""
        return {
            "title": self.title,
            "columns": [column.name for column in self.columns],
            "rows": [
                {
                    column.name: cell.to_json() if isinstance(cell, Score) else finite_or_none(cell)
                    for column, cell in zip(self.columns, map(remove_mark, row), strict=True)
                }
                for row in self.rows
            ],
        }


def remove_mark(cell: Cell) -> str | int | float | Score | None:
    """Return the cell without its mark."""
    return cell.value if isinstance(cell, Marked) else cell


def number(cell: Cell) -> float | None:
    """Return the number in a cell, if it has a finite one."""
    bare = remove_mark(cell)
    value = bare.value if isinstance(bare, Score) else bare
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value


def finite_or_none(cell: str | int | float | None) -> str | int | float | None:
    """Return the cell, or None if JSON cannot express it."""
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def format_column(column: Column, cells: Sequence[Cell]) -> list[FormattedCell]:
    shown = [_shown(column, cell) for cell in cells]
    winners = _winners(column, cells, shown)
    return [replace(cell, bold=index in winners) for index, cell in enumerate(shown)]


def _shown(column: Column, cell: Cell) -> FormattedCell:
    value, bare = number(cell), remove_mark(cell)
    mark = cell.mark if isinstance(cell, Marked) else ""
    if value is None:
        return FormattedCell(str(bare) if isinstance(bare, str | int) else MISSING, mark=mark)
    error = bare.standard_error if isinstance(bare, Score) else None
    written = "" if error is None else f"{error * column.scale:.{column.precision}f}"
    return FormattedCell(_format_number(column, value), written, numeric=True, mark=mark)


def _format_number(column: Column, value: float) -> str:
    sign = "+" if column.signed else ""
    if isinstance(value, int) and column.scale == 1:
        return f"{value:{sign}d}"
    written = f"{value * column.scale:{sign}.{column.precision}f}"
    return written.replace("-", sign) if not float(written) else written


def _winners(column: Column, cells: Sequence[Cell], shown: Sequence[FormattedCell]) -> set[int]:
    """Return the indices of the cells whose displayed value is the best."""
    if column.best is None:
        return set()
    order = {"max": lambda value: -value, "min": lambda value: value, "zero": abs}[column.best]
    numbers = [
        (order(value), index)
        for index, cell in enumerate(cells)
        if (value := number(cell)) is not None
    ]
    if not numbers:
        return set()
    best = shown[min(numbers)[1]].text
    return {index for _, index in numbers if shown[index].text == best}


def to_rich(table: Table) -> rich.table.Table:
    """Return a renderable for a `rich` console."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(title=Text(table.title) if table.title else None, box=box.SIMPLE_HEAD)
    rows = table.format_cells()
    for index, column in enumerate(table.columns):
        drawn.add_column(Text(column.name), justify="right" if _numeric(rows, index) else "left")
    for row in rows:
        drawn.add_row(*(_rich_cell(cell) for cell in row))
    return drawn


def _rich_cell(cell: FormattedCell) -> rich.text.Text:
    from rich.text import Text

    text = Text(_one_line(cell.text), style="bold green" if cell.bold else "")
    if cell.error:
        text.append(f" ± {cell.error}", style="dim not bold")
    if cell.mark:
        text.append(cell.mark, style="not bold")
    return text


def to_text(table: Table) -> str:
    """Return a table aligned with spaces, for files and logs; the best values are starred."""
    from rich.cells import cell_len

    rows = table.format_cells()
    texts = [[_one_line(column.name) for column in table.columns]]
    starred = [any(row[index].bold for row in rows) for index in range(len(table.columns))]
    for row in rows:
        cells = []
        for cell, star in zip(row, starred, strict=True):
            mark = ("*" if cell.bold else " ") if star else ""
            cells.append(_one_line(cell.plain) + mark)
        texts.append(cells)
    widths = [max(cell_len(row[index]) for row in texts) for index in range(len(table.columns))]
    lines = [_one_line(table.title)] if table.title else []
    for cells in texts:
        padded = (
            _pad(text, width, right=_numeric(rows, index))
            for index, (text, width) in enumerate(zip(cells, widths, strict=True))
        )
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def to_markdown(table: Table) -> str:
    """Return a pipe table, with its title above it in bold."""
    rows = table.format_cells()
    rules = ["---:" if _numeric(rows, index) else "---" for index in range(len(table.columns))]
    lines = [f"**{_markdown(table.title)}**", ""] if table.title else []
    lines.append(_pipes([_markdown(column.name) for column in table.columns]))
    lines.append(_pipes(rules))
    for row in rows:
        cells = []
        for cell in row:
            text = _markdown(cell.text)
            error = f" ± {cell.error}" if cell.error else ""
            cells.append((f"**{text}**" if cell.bold else text) + error + _markdown(cell.mark))
        lines.append(_pipes(cells))
    return "\n".join(lines) + "\n"


def to_latex(table: Table) -> str:
    r"""Return a `table` with a caption; needs \usepackage{booktabs}."""
    rows = table.format_cells()
    aligned = "".join("r" if _numeric(rows, index) else "l" for index in range(len(table.columns)))
    lines = [r"\begin{table}", r"\centering"]
    if table.title:
        lines.append(rf"\caption{{{_latex(table.title)}}}")
    lines += [rf"\begin{{tabular}}{{{aligned}}}", r"\toprule"]
    lines.append(" & ".join(_latex(column.name) for column in table.columns) + r" \\")
    lines.append(r"\midrule")
    for row in rows:
        lines.append(" & ".join(_latex_cell(cell) for cell in row) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def to_csv(table: Table) -> str:
    """Return unrounded, unscaled numbers; scores have a second column of standard errors."""
    scored = [
        any(isinstance(remove_mark(row[index]), Score) for row in table.rows)
        for index in range(len(table.columns))
    ]
    header: list[str | int | float | None] = []
    for column, has_error in zip(table.columns, scored, strict=True):
        header += [column.name, f"{column.name} standard error"] if has_error else [column.name]
    lines = [_csv_line(header)]
    for row in table.rows:
        cells: list[str | int | float | None] = []
        for cell, has_error in zip(map(remove_mark, row), scored, strict=True):
            if isinstance(cell, Score):
                cells += [cell.value, cell.standard_error]
            else:
                cells += [finite_or_none(cell), None] if has_error else [finite_or_none(cell)]
        lines.append(_csv_line(cells))
    return "".join(lines)


def to_json(table: Table) -> str:
    """Return `Table.to_json`, indented."""
    return json.dumps(table.to_json(), ensure_ascii=False, indent=2) + "\n"


WRITERS: dict[Format, Callable[[Table], str]] = {
    "text": to_text,
    "markdown": to_markdown,
    "latex": to_latex,
    "csv": to_csv,
    "json": to_json,
}


def _numeric(rows: list[list[FormattedCell]], index: int) -> bool:
    return any(row[index].numeric for row in rows)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _pad(text: str, width: int, *, right: bool) -> str:
    from rich.cells import cell_len

    blanks = " " * (width - cell_len(text))
    return blanks + text if right else text + blanks


def _csv_line(cells: list[str | int | float | None]) -> str:
    """Return a CSV line that ends in a line feed.

    The csv module must add its own line end: only then does it quote fields with carriage returns.
    """
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerow(cells)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def _pipes(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", _one_line(text))


def _latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in _one_line(text))


def _latex_cell(cell: FormattedCell) -> str:
    text = _latex(cell.text)
    if cell.numeric:
        text = text.replace("-", "$-$").replace("+", "$+$")
    error = rf" $\pm$ {cell.error}" if cell.error else ""
    mark = rf"\textsuperscript{{{_latex(cell.mark)}}}" if cell.mark else ""
    return (rf"\textbf{{{text}}}" if cell.bold else text) + error + mark
