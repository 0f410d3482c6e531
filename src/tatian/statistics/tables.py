"""Result tables for the terminal, for papers and for programs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import InputError
from tatian.statistics.score import Score
from tatian.text.streams import csv_line

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
_MARKDOWN_SIGN = re.compile(r"([\\`*_\[\]<>|~&])")
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
        table = cls(
            tuple(Column(column) if isinstance(column, str) else column for column in columns),
            tuple(map(tuple, rows)),
            title,
        )
        names = [column.name for column in table.columns]
        if len(set(names)) != len(names):
            raise InputError(f"two columns of one name: {', '.join(names)}")
        for index, row in enumerate(table.rows):
            if len(row) != len(names):
                sizes = f"{len(row)} cells, the table {len(names)} columns"
                raise InputError(f"row {index} has {sizes}")
        return table

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
    unmarked = remove_mark(cell)
    value = unmarked.value if isinstance(unmarked, Score) else unmarked
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value


def finite_or_none(cell: str | int | float | None) -> str | int | float | None:
    """Return the cell, or None if JSON cannot express it."""
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def format_column(column: Column, cells: Sequence[Cell]) -> list[FormattedCell]:
    """Return the formatted cells of a column, the best values in bold."""
    formatted = [_format_cell(column, cell) for cell in cells]
    best = _best_cells(column, cells, formatted)
    return [replace(cell, bold=index in best) for index, cell in enumerate(formatted)]


def _format_cell(column: Column, cell: Cell) -> FormattedCell:
    value, content = number(cell), remove_mark(cell)
    mark = cell.mark if isinstance(cell, Marked) else ""
    if value is None:
        return FormattedCell(str(content) if isinstance(content, str | int) else MISSING, mark=mark)
    error = content.standard_error if isinstance(content, Score) else None
    shown_error = "" if error is None else f"{error * column.scale:.{column.precision}f}"
    return FormattedCell(_format_number(column, value), shown_error, numeric=True, mark=mark)


def _format_number(column: Column, value: float) -> str:
    sign = "+" if column.signed else ""
    if isinstance(value, int) and column.scale == 1:
        return f"{value:{sign}d}"
    written = f"{value * column.scale:{sign}.{column.precision}f}"
    return written.replace("-", sign) if not float(written) else written


def _best_cells(column: Column, cells: Sequence[Cell], shown: Sequence[FormattedCell]) -> set[int]:
    """Return the indices of the cells whose displayed value is the best."""
    numbers = enumerate(map(number, cells))
    values = {index: value for index, value in numbers if value is not None}
    if column.best is None or not values:
        return set()
    order = {"max": lambda value: -value, "min": lambda value: value, "zero": abs}[column.best]
    best = shown[min(values, key=lambda index: order(values[index]))].text
    return {index for index in values if shown[index].text == best}


def to_rich(table: Table) -> rich.table.Table:
    """Return a renderable for a `rich` console."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    renderable = RichTable(title=Text(table.title) if table.title else None, box=box.SIMPLE_HEAD)
    rows = table.format_cells()
    for index, column in enumerate(table.columns):
        justify: Literal["left", "right"] = "right" if _is_numeric(rows, index) else "left"
        renderable.add_column(Text(column.name), justify=justify)
    for row in rows:
        renderable.add_row(*map(_rich_cell, row))
    return renderable


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
    columns = []
    for index, column in enumerate(table.columns):
        cells = [row[index] for row in rows]
        stars = ("*", " ") if any(cell.bold for cell in cells) else ("", "")
        texts = [_one_line(cell.plain) + stars[not cell.bold] for cell in cells]
        texts.insert(0, _one_line(column.name))
        width = max(map(cell_len, texts))
        blanks = [" " * (width - cell_len(text)) for text in texts]
        if _is_numeric(rows, index):
            columns.append([blank + text for text, blank in zip(texts, blanks, strict=True)])
        else:
            columns.append([text + blank for text, blank in zip(texts, blanks, strict=True)])
    lines = [_one_line(table.title)] if table.title else []
    lines += ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]
    return "\n".join(lines) + "\n"


def to_markdown(table: Table) -> str:
    """Return a pipe table, with its title above it in bold."""
    rows = table.format_cells()
    lines = [f"**{_markdown(table.title)}**", ""] if table.title else []
    names = [_markdown(column.name) for column in table.columns]
    rules = ["---:" if _is_numeric(rows, index) else "---" for index in range(len(names))]
    lines += [f"| {' | '.join(cells)} |" for cells in (names, rules)]
    lines += [f"| {' | '.join(map(_markdown_cell, row))} |" for row in rows]
    return "\n".join(lines) + "\n"


def _markdown_cell(cell: FormattedCell) -> str:
    text = _markdown(cell.text)
    error = f" ± {cell.error}" if cell.error else ""
    return (f"**{text}**" if cell.bold else text) + error + _markdown(cell.mark)


def to_latex(table: Table) -> str:
    r"""Return a `table` with a caption; needs \usepackage{booktabs}."""
    rows = table.format_cells()
    aligned = "".join(
        "r" if _is_numeric(rows, index) else "l" for index in range(len(table.columns))
    )
    lines = [r"\begin{table}", r"\centering"]
    if table.title:
        lines.append(rf"\caption{{{_latex(table.title)}}}")
    lines += [rf"\begin{{tabular}}{{{aligned}}}", r"\toprule"]
    lines.append(" & ".join(_latex(column.name) for column in table.columns) + r" \\")
    lines.append(r"\midrule")
    lines += [" & ".join(map(_latex_cell, row)) + r" \\" for row in rows]
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
    lines = [csv_line(header)]
    for row in table.rows:
        cells: list[str | int | float | None] = []
        for cell, has_error in zip(map(remove_mark, row), scored, strict=True):
            if isinstance(cell, Score):
                cells += [cell.value, cell.standard_error]
            else:
                cells += [finite_or_none(cell), None] if has_error else [finite_or_none(cell)]
        lines.append(csv_line(cells))
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


def _is_numeric(rows: list[list[FormattedCell]], index: int) -> bool:
    return any(row[index].numeric for row in rows)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _markdown(text: str) -> str:
    return _MARKDOWN_SIGN.sub(r"\\\1", _one_line(text))


def _latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in _one_line(text))


def _latex_cell(cell: FormattedCell) -> str:
    text = _latex(cell.text)
    if cell.numeric:
        text = text.replace("-", "$-$").replace("+", "$+$")
    error = rf" $\pm$ {cell.error}" if cell.error else ""
    mark = rf"\textsuperscript{{{_latex(cell.mark)}}}" if cell.mark else ""
    return (rf"\textbf{{{text}}}" if cell.bold else text) + error + mark
