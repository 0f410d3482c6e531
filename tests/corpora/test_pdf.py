"""Running text from pages on which only letters and their places are known."""

from __future__ import annotations

import pytest

from tatian.corpora.pdf import read_pdf
from tatian.errors import EmptyInput, InputError, NotText

from .file_samples import PARAGRAPHS, TITLE, lines_pdf, pdf


def text_of(data: bytes) -> str:
    return read_pdf(data, "a.pdf", lambda _: None)[0].text


def lines(*texts: str, left: float = 40, top: float = 500, step: float = 12) -> bytes:
    return lines_pdf((left, top - step * n, text) for n, text in enumerate(texts))


def test_lines_become_paragraphs() -> None:
    assert text_of(pdf()).endswith("\n\n".join((TITLE, *PARAGRAPHS)))


@pytest.mark.parametrize("columns", [2, 3])
def test_columns_are_read_one_after_the_other_and_pages_too(columns: int) -> None:
    many = [f"Story {n}. {one}" for n in range(9) for one in PARAGRAPHS]
    assert text_of(pdf(many, columns=columns)) == "\n\n".join((TITLE, *many))


def test_headers_footers_and_page_numbers_are_left_out() -> None:
    assert "Page 1" not in text_of(pdf())
    many = text_of(pdf(PARAGRAPHS * 12))
    assert "Courier" not in many
    assert "Page" not in many


def test_repeated_lines_inside_the_text_are_kept() -> None:
    many = text_of(pdf(["The same short line."] * 120))
    assert many.count("The same short line.") == 120


def test_a_title_is_that_of_the_file_or_its_largest_line() -> None:
    assert read_pdf(pdf(title="Report 7"), "a.pdf", print)[0].metadata.title == "Report 7"
    assert read_pdf(pdf(title=None), "a.pdf", print)[0].metadata.title == TITLE


def test_date_in_the_text_precedes_that_of_the_file() -> None:
    clean_text = read_pdf(lines("A ferry ran aground."), "a.pdf", print)[0]
    dated = read_pdf(lines("March 14, 2023", "A ferry ran aground."), "a.pdf", print)[0]
    assert clean_text.metadata.date == "2000-01-01"
    assert dated.metadata.date is None


def test_a_dateline_without_a_year_has_that_of_the_file_if_it_is_shortly_before() -> None:
    for line, day in (("Dec. 28", "1999-12-28"), ("Jan. 1", "2000-01-01"), ("July 3", None)):
        text = f"HALVERNE, {line} - A ferry ran aground."
        assert read_pdf(lines(text), "a.pdf", print)[0].metadata.date == day


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("The har-", "bour was closed for a day.", "The harbour was closed for a day."),
        (
            "It is a well-",
            "known ship; well-known to all.",
            "It is a well-known ship; well-known to all.",
        ),
        ("The Halverne-", "Sennick line was closed.", "The Halverne-Sennick line was closed."),
        ("It ran aground -", "nobody knows why.", "It ran aground - nobody knows why."),
        (
            "Of all ships this one, of",
            "which much was hoped, fell.",
            "Of all ships this one, of which much was hoped, fell.",
        ),
    ],
)
def test_words_divided_at_the_end_of_a_line_are_put_together(
    first: str, second: str, joined: str
) -> None:
    assert text_of(lines(first, second)) == joined


def test_ligatures_become_letters() -> None:
    from tatian.corpora.properties import clean_text

    assert (
        clean_text("the o\ufb03ce \ufb01nds a so\u00adft\u00a0spot")
        == "the office finds a soft spot"
    )


def test_an_indented_line_begins_a_paragraph() -> None:
    at = [
        (40, "The ferry ran aground in the fog on Tuesday,"),
        (40, "and all were brought ashore."),
    ]
    at += [(54, "The captain will be questioned by those who"), (40, "look into accidents at sea.")]
    data = lines_pdf((left, 500 - 12 * n, text) for n, (left, text) in enumerate(at))
    assert text_of(data).count("\n\n") == 1
    assert text_of(data).split("\n\n")[1].startswith("The captain")


def test_a_page_written_row_by_row_is_read_by_columns() -> None:
    left = [
        "The ferry ran aground in thick fog",
        "off Halverne on Tuesday morning and",
        "stayed there until the high tide of",
        "the evening lifted it from the bank.",
    ]
    right = [
        "Its owner said that all sailings are",
        "cancelled until the end of the week",
        "and that tickets will be paid back",
        "to everybody who asks for it.",
    ]
    rows = [
        (x, 500 - 12 * n, text)
        for n, pair in enumerate(zip(left, right, strict=True))
        for x, text in zip((40, 225), pair, strict=True)
    ]
    assert text_of(lines_pdf(rows)) == f"{' '.join(left)}\n\n{' '.join(right)}"


def test_the_rows_of_a_table_are_lines() -> None:
    cells = [("Aboard", "212"), ("Hurt", "none"), ("Rescued", "212")]
    rows = [
        (x, 500 - 14 * n, text)
        for n, pair in enumerate(cells)
        for x, text in zip((40, 160), pair, strict=True)
    ]
    assert text_of(lines_pdf(rows)) == "Aboard | 212\n\nHurt | none\n\nRescued | 212"


def test_a_scanned_page_is_said_to_have_no_text() -> None:
    with pytest.raises(EmptyInput, match=r"a\.pdf: a PDF without text, perhaps scanned: run it"):
        read_pdf(lines_pdf([]), "a.pdf", print)


def test_only_encrypted_files_need_a_password() -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption

    locked = lines_pdf([(40, 500, "Secret.")], encrypt=StandardEncryption("open", "owner"))
    with pytest.raises(NotText, match=r"a\.pdf: encrypted: save it without a password first"):
        read_pdf(locked, "a.pdf", print)
    printable = lines_pdf([(40, 500, "Read me.")], encrypt=StandardEncryption("", "owner"))
    assert text_of(printable) == "Read me."


def test_too_many_pages_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tatian.limits.PDF_PAGES", 1)
    with pytest.raises(InputError, match="more than 1 pages"):
        read_pdf(pdf(PARAGRAPHS * 12), "a.pdf", print)
