"""Lists of titles, however they are written."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import EmptyInput, InputError
from tatian.knowledge.building.pages import Titles, title_of
from tatian.knowledge.entities import page_title

PLAIN = (
    st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="#<>[]{}|%/?\ufffd"))
    .map(page_title)
    .filter(lambda title: 0 < len(title.encode()) <= 255)
)


def titles(folder: Path, *lines: str) -> list[str]:
    path = folder / "titles.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return [page.title for page in Titles(path)]


@pytest.mark.parametrize(
    "written",
    [
        "Ngũgĩ wa Thiong'o",
        "ngũgĩ_wa_Thiong'o",
        "/wiki/Ng%C5%A9g%C4%A9_wa_Thiong%27o",
        "https://en.wikipedia.org/wiki/Ng%C5%A9g%C4%A9_wa_Thiong%27o?action=raw#Life",
    ],
)
def test_a_title_is_one_however_it_is_written(tmp_path: Path, written: str) -> None:
    assert title_of(written).lower() == "ngũgĩ wa thiong'o"
    assert titles(tmp_path, written) == [title_of(written)]


def test_a_percent_sign_may_be_part_of_a_title() -> None:
    assert title_of("100% (album)") == "100% (album)"


def test_a_question_mark_belongs_to_a_plain_title() -> None:
    assert title_of("Who's Afraid of Virginia Woolf?") == "Who's Afraid of Virginia Woolf?"


def test_blank_lines_and_lines_with_a_number_sign_are_passed_over(tmp_path: Path) -> None:
    assert titles(tmp_path, "Aesop", "", "#Engineering", "Lucian") == ["Aesop", "Lucian"]


def test_pages_outside_the_articles_are_passed_over(tmp_path: Path) -> None:
    found = titles(tmp_path, "Wikipedia:Vital articles", "Category:Cats", "2001: A Space Odyssey")
    assert found == ["2001: A Space Odyssey"]


@pytest.mark.parametrize("bad", ["a[b", "{{x}}", "/wiki/", "/wiki/%FF", "x" * 256, "___"])
def test_invalid_titles_raise_an_error_with_the_line(tmp_path: Path, bad: str) -> None:
    with pytest.raises(InputError, match=r"titles.txt:2: "):
        titles(tmp_path, "Aesop", bad)


def test_a_list_without_titles_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmptyInput, match="contains no titles"):
        titles(tmp_path, "", "# nothing")


@given(PLAIN)
def test_a_title_survives_its_address(title: str) -> None:
    address = f"https://en.wikipedia.org/wiki/{quote(title.replace(' ', '_'))}"
    assert title_of(address) == title


@given(st.text())
def test_any_text_is_a_title_or_refused(written: str) -> None:
    try:
        title = title_of(written)
    except ValueError:
        return
    assert title == page_title(title) != ""


def test_the_real_list_is_read(data: Path) -> None:
    found = {page.title for page in Titles(data / "knowledge" / "vital-article-titles.txt.gz")}
    assert len(found) > 49_000
    assert "Juana Inés de la Cruz" in found
    assert "Wikipedia:Vital articles" not in found
