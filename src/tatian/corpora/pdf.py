"""Paragraphs of a PDF, which stores only the place of each letter on a page."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from tatian import limits
from tatian.corpora.decoding import Warn
from tatian.corpora.properties import build_document
from tatian.errors import EmptyInput, InputError, MissingExtra, NotText
from tatian.text import Document

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

_HYPHEN = "\x02"
"""PDFium's character for a hyphen at the end of a line."""
_HYPHENS = (_HYPHEN, "-", "\u2010", "\u00ad", "\ufffe")
_MARGIN = 0.12
"""Share of a page, above and below, where page numbers stand."""
_ROWS = 3
"""Most rows at the top and the bottom of a page that may be furniture."""
_SPACED = 1.45
"""Most letter sizes between the lines of a heading, from baseline to baseline."""
_FULL = 0.85
_APART = 1.6
"""Letter sizes between furniture and text, from baseline to baseline."""
_REPEATED = 0.4
"""Share of pages on which furniture stands at the same place."""
_PAGE_NUMBER = re.compile(
    r"\W*(page|seite|p\.)?\s*(\d{1,4}|[ivxl]{1,7})(\s*(/|of|von)\s*\d{1,4})?\W*", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?…:][\"'”’)\]]*$")
_BULLET = re.compile(r"(?:[•◦▪‣–*-]|\(?\d{1,3}[.)]|[a-z][.)])\s")
_GUTTER = 1.5
"""Letter widths that separate two columns on one line."""
_ALIGNED = 1.5
"""Points by which the cells of a column, or the lines of one, may be out of line."""
_PROSE = 20
"""Average letters in the lines of a column; a table's cells have fewer."""


class PageLine(NamedTuple):
    """A span of text on one baseline, in points from the lower left corner."""

    text: str
    left: float
    right: float
    base: float
    size: float
    full: bool = False
    """True if it runs nearly as far to the right as others that begin at about its place."""


def read_pdf(data: bytes, name: str, warn: Warn) -> list[Document]:
    """Read the running text of a PDF as one source."""
    pdf = _opened(data, name)
    if len(pdf) > limits.PDF_PAGES:
        raise InputError(f"more than {limits.PDF_PAGES} pages: divide it", path=name)
    pages = [_page_lines(pdf, number) for number in range(len(pdf))]
    if not any(lines for lines, _ in pages):
        message = "a PDF without text, perhaps scanned: run it through OCR first"
        raise EmptyInput(message, path=name)
    if blank := sum(not lines for lines, _ in pages):
        warn(f"{name}: pages without text, perhaps scanned: {blank} of {len(pages)}")
    kept = _without_furniture(pages)
    about = pdf.get_metadata_dict()
    ordered = [_measured(_in_order(lines)) for lines in kept]
    document = build_document(
        _paragraphs(ordered),
        titles=(about.get("Title"), _largest(next(filter(None, ordered), []))),
        source=about.get("Author"),
        created=about.get("CreationDate"),
    )
    if not document.text:
        raise EmptyInput("a PDF without running text", path=name)
    return [document]


def _opened(data: bytes, name: str) -> PdfDocument:
    try:
        import pypdfium2
        from pypdfium2 import raw
    except ImportError as error:
        raise MissingExtra(f"{name}: reading PDF", "files") from error
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if raw.FPDF_GetLastError() == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise NotText("encrypted: save it without a password first", path=name) from error
        raise NotText("a damaged PDF document", path=name) from error


def _page_lines(pdf: PdfDocument, number: int) -> tuple[list[PageLine], float]:
    """Return the lines of a page in the order of writing, and its height."""
    import pypdfium2

    try:
        page = pdf[number]
        try:
            return list(_lines(page)), page.get_height()
        finally:
            page.close()
    except pypdfium2.PdfiumError:
        return [], 0.0


def _lines(page: PdfPage) -> Iterator[PageLine]:
    """Yield PDFium's lines, cut at gaps between columns."""
    from pypdfium2 import raw

    text_page = page.get_textpage()
    handle = text_page.raw
    turn = page.get_rotation()
    count = min(text_page.count_chars(), limits.PDF_PAGE_CHARACTERS)
    codes = [raw.FPDFText_GetUnicode(handle, index) for index in range(count)]
    start = 0
    rows: list[list[PageLine]] = []
    for index in range(count + 1):
        if index < count and codes[index] not in (13, 10, 2):
            continue
        end = index + 1 if index < count and codes[index] == 2 else index
        rows.append(list(_pieces(raw, handle, codes, start, end, turn)))
        start = index + 1
    text_page.close()
    rows = list(filter(None, rows))
    for number, row in enumerate(rows):
        around = rows[max(0, number - 2) : number] + rows[number + 1 : number + 3]
        whole = row[0]
        for piece in row[1:]:
            if sum(_stands_in(piece, other) for other in around) >= 2:
                yield whole
                whole = piece
            else:
                whole = whole._replace(text=f"{whole.text} {piece.text}", right=piece.right)
        yield whole


def _stands_in(piece: PageLine, row: list[PageLine]) -> bool:
    """Return whether a piece of a line begins where one of another line does."""
    return any(abs(piece.left - other.left) < _ALIGNED for other in row[1:])


def _pieces(
    raw: Any, handle: Any, codes: list[int], start: int, end: int, turn: int
) -> Iterator[PageLine]:
    letters = [at for at in range(start, end) if codes[at] not in (32, 160, 9, 0)]
    if not letters:
        return
    size = _size(raw, handle, letters[0])
    cuts = [letters[0]]
    edges = [_box(raw, handle, letters[0], turn)]
    for before, at in pairwise(letters):
        if at == before + 1:
            continue
        left, right = _box(raw, handle, before, turn), _box(raw, handle, at, turn)
        if right[0] - left[1] > _GUTTER * size:
            edges += [left, right]
            cuts += [before + 1, at]
    edges.append(_box(raw, handle, letters[-1], turn))
    cuts.append(letters[-1] + 1)
    for first, last, left, right in zip(
        cuts[::2], cuts[1::2], edges[::2], edges[1::2], strict=True
    ):
        units = b"".join(
            code.to_bytes(4, "little") for code in codes[first:last] if code < 0x110000
        )
        text = units.decode("utf-32-le", "replace")
        yield PageLine(text, left[0], right[1], left[2], _size(raw, handle, first) or size)


def _size(raw: Any, handle: Any, index: int) -> float:
    return float(raw.FPDFText_GetFontSize(handle, index)) or 1.0


def _box(raw: Any, handle: Any, index: int, turn: int) -> tuple[float, float, float]:
    """Return left and right edge and the baseline of a letter, as the page is shown."""
    left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
    raw.FPDFText_GetCharBox(handle, index, left, right, bottom, top)
    raw.FPDFText_GetCharOrigin(handle, index, x, y)
    if turn == 90:
        return bottom.value, top.value, -x.value
    if turn == 180:
        return -right.value, -left.value, -y.value
    if turn == 270:
        return -top.value, -bottom.value, x.value
    return left.value, right.value, y.value


def _without_furniture(pages: Sequence[tuple[list[PageLine], float]]) -> list[list[PageLine]]:
    """Return the lines of each page without page numbers and running heads."""
    edges = [_edges(lines) for lines, _ in pages]
    seen = Counter(key for lines in edges for key in {_place(line) for line in lines})
    least = max(2, _REPEATED * len(pages))
    kept = []
    for (lines, height), edge in zip(pages, edges, strict=True):
        away = {line for line in edge if seen[_place(line)] >= least or _is_number(line, height)}
        kept.append([line for line in lines if line not in away])
    return kept


def _edges(lines: list[PageLine]) -> list[PageLine]:
    """Return the outermost rows of a page that a gap separates from the rest."""
    rows = sorted({round(line.base): line.size for line in lines}.items())
    return [line for line in lines if round(line.base) in {*_outer(rows), *_outer(rows[::-1])}]


def _outer(rows: list[tuple[int, float]]) -> list[int]:
    for index in range(1, min(_ROWS, len(rows) - 1) + 1):
        (base_here, size), (base_next, other_size) = rows[index - 1 : index + 1]
        if abs(base_here - base_next) > _APART * max(size, other_size):
            return [base for base, _ in rows[:index]]
    return []


def _place(line: PageLine) -> tuple[str, int]:
    return re.sub(r"\d+", "0", line.text.strip()), round(line.base / 4)


def _is_number(line: PageLine, height: float) -> bool:
    if height and _MARGIN * height < line.base < (1 - _MARGIN) * height:
        return False
    return _PAGE_NUMBER.fullmatch(line.text.strip()) is not None


def _in_order(lines: list[PageLine]) -> list[PageLine]:
    """Return the lines of a page in reading order.

    Programs write column after column, and that order is kept. If a page was written row by row
    across its columns, these are read one after the other; the cells of a table's row stay
    together.
    """
    pairs = [
        (left_line, right_line)
        for left_line, right_line in pairwise(lines)
        if abs(left_line.base - right_line.base) < left_line.size / 3
        and right_line.left > left_line.right
    ]
    if not pairs:
        return lines
    left_ends = sorted(left_line.right for left_line, _ in pairs)
    starts = sorted(right_line.left for _, right_line in pairs)
    gutter = left_ends[int(0.95 * (len(pairs) - 1))], starts[int(0.05 * (len(pairs) - 1))]
    letters = [len(line.text) for pair in pairs for line in pair]
    if len(pairs) >= 4 and gutter[0] < gutter[1] and sum(letters) / len(letters) >= _PROSE:
        return _by_columns(lines, sum(gutter) / 2)
    return _rows(lines)


def _by_columns(lines: list[PageLine], middle: float) -> list[PageLine]:
    """Return the left column before the right, between lines that cross both."""
    ordered: list[PageLine] = []
    left: list[PageLine] = []
    right: list[PageLine] = []
    for line in lines:
        if line.left < middle < line.right:
            ordered += [*left, *right, line]
            left, right = [], []
        else:
            (left if line.right <= middle else right).append(line)
    return [*ordered, *left, *right]


def _rows(lines: list[PageLine]) -> list[PageLine]:
    """Join cells that follow each other on one baseline into one line."""
    rows: list[PageLine] = []
    for line in lines:
        last = rows[-1] if rows else None
        if last and abs(last.base - line.base) < line.size / 3 and line.left > last.right:
            text = f"{last.text.rstrip()} | {line.text.lstrip()}"
            rows[-1] = last._replace(text=text, right=line.right)
        else:
            rows.append(line)
    return rows


def _largest(lines: list[PageLine]) -> str | None:
    """Return the heading of a first page: its first lines in the largest letters, if distinct."""
    if not lines:
        return None
    most = max(line.size for line in lines)
    if most < 1.2 * median(line.size for line in lines):
        return None
    start = next(index for index, line in enumerate(lines) if line.size == most)
    heading: list[str] = []
    for line in lines[start : start + 8]:
        if line.size != most:
            break
        heading.append(line.text.strip())
    return " ".join(heading)


def _paragraphs(pages: Sequence[Sequence[PageLine]]) -> Iterator[str]:
    """Yield lines joined to paragraphs, also across columns and pages."""
    frequencies = Counter(
        word
        for lines in pages
        for line in lines
        for word in re.findall(r"\w+(?:-\w+)*", line.text.lower())[:-1]
    )
    sizes = [line.size for lines in pages for line in lines]
    heading = 1.15 * median(sizes) if sizes else 0.0
    text = ""
    begun: PageLine | None = None
    last: PageLine | None = None
    for lines in pages:
        pitch = _pitch(lines)
        for line in lines:
            if last is None or begun is None or _begins(line, last, begun, pitch, heading):
                yield text
                text, begun = line.text.strip(), line
            else:
                text = _joined(text, line.text.strip(), frequencies)
            last = line
    yield text.replace(_HYPHEN, "-")


def _pitch(lines: Sequence[PageLine]) -> float:
    """Return the line distance within paragraphs on this page, in letter sizes."""
    steps = sorted(
        (upper.base - lower.base) / lower.size
        for upper, lower in pairwise(lines)
        if upper.base > lower.base and abs(upper.size - lower.size) < 0.5
    )
    return steps[len(steps) // 4] if steps else 1.2


def _measured(lines: Sequence[PageLine]) -> list[PageLine]:
    """Return the lines with full ones marked."""
    ends: dict[int, float] = {}
    for line in lines:
        for place in range(-2, 3):
            key = round(line.left / 10) + place
            ends[key] = max(ends.get(key, 0.0), line.right)
    return [
        line._replace(
            full=line.right - line.left > _FULL * (ends[round(line.left / 10)] - line.left)
        )
        for line in lines
    ]


def _begins(line: PageLine, last: PageLine, begun: PageLine, pitch: float, heading: float) -> bool:
    """Return whether a line begins a paragraph."""
    if abs(line.size - last.size) > 0.08 * last.size or " | " in line.text or " | " in last.text:
        return True
    if last.text.rstrip().endswith(_HYPHENS) and line.text[:1].islower():
        return False
    ended = _SENTENCE_END.search(last.text.rstrip()) is not None
    step = (last.base - line.base) / line.size
    if step <= 0 or line.left > last.right or line.right < last.left:
        return ended or not (last.full or line.text[:1].islower())
    if line.size > heading:
        return step > _SPACED
    if step > 1.25 * pitch + 0.05:
        return True
    shift = (line.left - last.left) / line.size
    if _BULLET.match(line.text):
        return True
    if shift > 0.7:
        return not _BULLET.match(begun.text)
    if shift < -0.7 and last is not begun:
        return True
    return ended and not last.full


_LAST_WORD = re.compile(r"([^\W\d_]+)(?:\x02|-|\u2010|\u00ad|\ufffe)$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")


def _joined(text: str, more: str, frequencies: Counter[str]) -> str:
    """Join two lines; a word divided between them becomes one again.

    Its hyphen stays if the document writes it so elsewhere, or has both halves and not the whole.
    """
    first, second = _LAST_WORD.search(text[-60:]), _FIRST_WORD.match(more)
    if not text.endswith(_HYPHENS) or text[-2:-1].isspace():
        return f"{text} {more}" if text else more
    stem = text[:-1]
    if not first or not second or not second[0].islower():
        return f"{stem}-{more}"
    first_half, second_half = first[1].lower(), second[0].lower()
    if frequencies[first_half + second_half]:
        return stem + more
    halves = frequencies[first_half] and frequencies[second_half]
    return f"{stem}-{more}" if frequencies[f"{first_half}-{second_half}"] or halves else stem + more
