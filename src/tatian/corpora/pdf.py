"""Paragraphs of a PDF, reconstructed from the positions of its letters."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import dropwhile, islice, pairwise, takewhile
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
"""Share of the page height, at the top and the bottom, where page numbers stand."""
_MAX_ROWS = 3
"""Maximum number of rows of running heads and page numbers at the top or the bottom of a page."""
_MAX_HEADING_SPACING = 1.45
"""Maximum distance of the baselines of two lines of a heading, in letter sizes."""
_FULL_WIDTH = 0.85
"""Share of the longest width from which a line is full."""
_MIN_BOILERPLATE_GAP = 1.6
"""Minimum distance of the baselines of such a row and of the text, in letter sizes."""
_MIN_REPEATED_SHARE = 0.4
"""Minimum share of pages that have such a row at the same place."""
_PAGE_NUMBER = re.compile(
    r"\W*(page|seite|p\.)?\s*(\d{1,4}|[ivxl]{1,7})(\s*(/|of|von)\s*\d{1,4})?\W*", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?…:][\"'”’)\]]*$")
_BULLET = re.compile(r"(?:[•◦▪‣–*-]|\(?\d{1,3}[.)]|[a-z][.)])\s")
_MIN_GUTTER = 1.5
"""Minimum gap between two columns on one line, in letter sizes."""
_MAX_MISALIGNMENT = 1.5
"""Maximum distance of the left edges of aligned lines or cells, in points."""
_MIN_PROSE_LETTERS = 20
"""Minimum average number of letters in the lines of a column; cells of a table have fewer."""


class PageLine(NamedTuple):
    """A span of text on one baseline, in points from the lower left corner."""

    text: str
    left: float
    right: float
    base: float
    size: float
    is_full: bool = False
    """True if it is nearly as wide as the widest line with about the same left edge."""


def read_pdf(data: bytes, name: str, warn: Warn) -> list[Document]:
    """Read the running text of a PDF as one source."""
    pdf = _open(data, name)
    if len(pdf) > limits.PDF_PAGES:
        raise InputError(f"has more than {limits.PDF_PAGES} pages: divide it", path=name)
    pages = [_page_lines(pdf, number) for number in range(len(pdf))]
    if not any(lines for lines, _ in pages):
        message = "a PDF without text, perhaps scanned: run it through OCR first"
        raise EmptyInput(message, path=name)
    if blank := sum(not lines for lines, _ in pages):
        warn(f"{name}: pages without text, perhaps scanned: {blank} of {len(pages)}")
    bodies = _without_boilerplate(pages)
    metadata = pdf.get_metadata_dict()
    ordered = [_mark_full_lines(_reading_order(lines)) for lines in bodies]
    document = build_document(
        _paragraphs(ordered),
        titles=(metadata.get("Title"), _heading(next(filter(None, ordered), []))),
        source=metadata.get("Author"),
        created=metadata.get("CreationDate"),
    )
    if not document.text:
        raise EmptyInput("a PDF without running text", path=name)
    return [document]


def _open(data: bytes, name: str) -> PdfDocument:
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
    """Return the lines of a page in the order of the file, and the page's height."""
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
    """Yield PDFium's lines, divided at gaps between columns."""
    from pypdfium2 import raw

    text_page = page.get_textpage()
    handle = text_page.raw
    rotation = page.get_rotation()
    count = min(text_page.count_chars(), limits.PDF_PAGE_CHARACTERS)
    codes = [raw.FPDFText_GetUnicode(handle, index) for index in range(count)]
    start = 0
    rows: list[list[PageLine]] = []
    for index in range(count + 1):
        if index < count and codes[index] not in (13, 10, 2):
            continue
        end = index + 1 if index < count and codes[index] == 2 else index
        rows.append(list(_pieces(raw, handle, codes, start, end, rotation)))
        start = index + 1
    text_page.close()
    rows = list(filter(None, rows))
    for number, row in enumerate(rows):
        neighbours = rows[max(0, number - 2) : number] + rows[number + 1 : number + 3]
        merged = row[0]
        for piece in row[1:]:
            aligned_rows = sum(
                any(abs(piece.left - other.left) < _MAX_MISALIGNMENT for other in neighbour[1:])
                for neighbour in neighbours
            )
            if aligned_rows >= 2:
                yield merged
                merged = piece
            else:
                merged = merged._replace(text=f"{merged.text} {piece.text}", right=piece.right)
        yield merged


def _pieces(
    raw: Any, handle: Any, codes: list[int], start: int, end: int, rotation: int
) -> Iterator[PageLine]:
    letters = [at for at in range(start, end) if codes[at] not in (32, 160, 9, 0)]
    if not letters:
        return
    size = _size(raw, handle, letters[0])
    cuts = [letters[0]]
    edges = [_box(raw, handle, letters[0], rotation)]
    for before, at in pairwise(letters):
        if at == before + 1:
            continue
        left, right = _box(raw, handle, before, rotation), _box(raw, handle, at, rotation)
        if right[0] - left[1] > _MIN_GUTTER * size:
            edges += [left, right]
            cuts += [before + 1, at]
    edges.append(_box(raw, handle, letters[-1], rotation))
    cuts.append(letters[-1] + 1)
    bounds = zip(cuts[::2], cuts[1::2], edges[::2], edges[1::2], strict=True)
    for first, last, left, right in bounds:
        valid = (code for code in codes[first:last] if code < 0x110000)
        units = b"".join(code.to_bytes(4, "little") for code in valid)
        text = units.decode("utf-32-le", "replace")
        yield PageLine(text, left[0], right[1], left[2], _size(raw, handle, first) or size)


def _size(raw: Any, handle: Any, index: int) -> float:
    return float(raw.FPDFText_GetFontSize(handle, index)) or 1.0


def _box(raw: Any, handle: Any, index: int, rotation: int) -> tuple[float, float, float]:
    """Return left and right edge and the baseline of a letter, as the page is shown."""
    left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
    raw.FPDFText_GetCharBox(handle, index, left, right, bottom, top)
    raw.FPDFText_GetCharOrigin(handle, index, x, y)
    if rotation == 90:
        return bottom.value, top.value, -x.value
    if rotation == 180:
        return -right.value, -left.value, -y.value
    if rotation == 270:
        return -top.value, -bottom.value, x.value
    return left.value, right.value, y.value


def _without_boilerplate(pages: Sequence[tuple[list[PageLine], float]]) -> list[list[PageLine]]:
    """Return the lines of each page without page numbers and running heads."""
    edges = [_edge_lines(lines) for lines, _ in pages]
    seen = Counter(key for lines in edges for key in {_key(line) for line in lines})
    least = max(2, _MIN_REPEATED_SHARE * len(pages))
    bodies = []
    for (lines, height), edge in zip(pages, edges, strict=True):
        noise = {line for line in edge if seen[_key(line)] >= least or _is_number(line, height)}
        bodies.append([line for line in lines if line not in noise])
    return bodies


def _edge_lines(lines: list[PageLine]) -> list[PageLine]:
    """Return the lines at the top and the bottom of a page that a gap separates."""
    rows = sorted({round(line.base): line.size for line in lines}.items())
    outer = {*_outer_rows(rows), *_outer_rows(rows[::-1])}
    return [line for line in lines if round(line.base) in outer]


def _outer_rows(rows: list[tuple[int, float]]) -> list[int]:
    for index in range(1, min(_MAX_ROWS, len(rows) - 1) + 1):
        (base_here, size), (base_next, other_size) = rows[index - 1 : index + 1]
        if abs(base_here - base_next) > _MIN_BOILERPLATE_GAP * max(size, other_size):
            return [base for base, _ in rows[:index]]
    return []


def _key(line: PageLine) -> tuple[str, int]:
    return re.sub(r"\d+", "0", line.text.strip()), round(line.base / 4)


def _is_number(line: PageLine, height: float) -> bool:
    if height and _MARGIN * height < line.base < (1 - _MARGIN) * height:
        return False
    return _PAGE_NUMBER.fullmatch(line.text.strip()) is not None


def _reading_order(lines: list[PageLine]) -> list[PageLine]:
    """Return the lines of a page in reading order.

    Most files have one column after the other, and that order is kept. If the lines go across the
    columns, they are put into the order of the columns; the cells of a row stay together.
    """
    pairs = [
        (left, right)
        for left, right in pairwise(lines)
        if abs(left.base - right.base) < left.size / 3 and right.left > left.right
    ]
    if not pairs:
        return lines
    left_ends = sorted(left.right for left, _ in pairs)
    starts = sorted(right.left for _, right in pairs)
    gutter = left_ends[int(0.95 * (len(pairs) - 1))], starts[int(0.05 * (len(pairs) - 1))]
    letters = [len(line.text) for pair in pairs for line in pair]
    average = sum(letters) / max(1, len(letters))
    if len(pairs) >= 4 and gutter[0] < gutter[1] and average >= _MIN_PROSE_LETTERS:
        return _split_columns(lines, sum(gutter) / 2)
    return _join_cells(lines)


def _split_columns(lines: list[PageLine], middle: float) -> list[PageLine]:
    """Return the left column before the right one, in each part between lines across both."""
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


def _join_cells(lines: list[PageLine]) -> list[PageLine]:
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


def _heading(lines: list[PageLine]) -> str | None:
    """Return the first lines in the largest letters, if these differ from the other text."""
    if not lines:
        return None
    largest = max(line.size for line in lines)
    if largest < 1.2 * median(line.size for line in lines):
        return None
    from_heading = dropwhile(lambda line: line.size != largest, lines)
    heading = takewhile(lambda line: line.size == largest, islice(from_heading, 8))
    return " ".join(line.text.strip() for line in heading)


def _paragraphs(pages: Sequence[Sequence[PageLine]]) -> Iterator[str]:
    """Join lines to paragraphs, also across columns and pages."""
    frequencies = Counter(
        word
        for lines in pages
        for line in lines
        for word in re.findall(r"\w+(?:-\w+)*", line.text.lower())[:-1]
    )
    sizes = [line.size for lines in pages for line in lines]
    heading = 1.15 * median(sizes) if sizes else 0.0
    text = ""
    opener: PageLine | None = None
    last: PageLine | None = None
    for lines in pages:
        pitch = _pitch(lines)
        for line in lines:
            if last is None or opener is None or _starts_new(line, last, opener, pitch, heading):
                yield text
                text, opener = line.text.strip(), line
            else:
                text = _join(text, line.text.strip(), frequencies)
            last = line
    yield text.replace(_HYPHEN, "-")


def _pitch(lines: Sequence[PageLine]) -> float:
    """Return the usual distance of baselines in a paragraph of this page, in letter sizes."""
    steps = sorted(
        (upper.base - lower.base) / lower.size
        for upper, lower in pairwise(lines)
        if upper.base > lower.base and abs(upper.size - lower.size) < 0.5
    )
    return steps[len(steps) // 4] if steps else 1.2


def _mark_full_lines(lines: Sequence[PageLine]) -> list[PageLine]:
    """Return the lines with `is_full` set."""
    ends: dict[int, float] = {}
    for line in lines:
        for place in range(-2, 3):
            key = round(line.left / 10) + place
            ends[key] = max(ends.get(key, 0.0), line.right)
    marked = []
    for line in lines:
        widest = ends[round(line.left / 10)] - line.left
        marked.append(line._replace(is_full=line.right - line.left > _FULL_WIDTH * widest))
    return marked


def _starts_new(
    line: PageLine, last: PageLine, opener: PageLine, pitch: float, heading: float
) -> bool:
    """Return whether a line begins a paragraph."""
    if abs(line.size - last.size) > 0.08 * last.size or " | " in line.text or " | " in last.text:
        return True
    if last.text.rstrip().endswith(_HYPHENS) and line.text[:1].islower():
        return False
    sentence_ended = _SENTENCE_END.search(last.text.rstrip()) is not None
    distance = (last.base - line.base) / line.size
    if distance <= 0 or line.left > last.right or line.right < last.left:
        return sentence_ended or not (last.is_full or line.text[:1].islower())
    if line.size > heading:
        return distance > _MAX_HEADING_SPACING
    if distance > 1.25 * pitch + 0.05:
        return True
    indent = (line.left - last.left) / line.size
    if _BULLET.match(line.text):
        return True
    if indent > 0.7:
        return not _BULLET.match(opener.text)
    if indent < -0.7 and last is not opener:
        return True
    return sentence_ended and not last.is_full


_LAST_WORD = re.compile(r"([^\W\d_]+)(?:\x02|-|\u2010|\u00ad|\ufffe)$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")


def _join(text: str, more: str, frequencies: Counter[str]) -> str:
    """Join two lines, and the halves of a word that is divided between them.

    The hyphen stays if the document has the hyphenated word elsewhere, or both halves as words but
    not the joined word.
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
