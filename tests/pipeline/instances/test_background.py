"""Background: the beginning of a page, and the table that puts wrong links right."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.errors import EmptyInput, InputError
from tatian.knowledge import open_base
from tatian.pipeline.instances.background import Background, Corrections, cut

TEXT = "Oslo (Norwegian: [ˈʊ̂ʂlʊ] (listen)) is a capital. It lies on a fjord. Ships call there."


def test_background_is_cut_at_a_sentence_and_loses_parentheses() -> None:
    assert cut(TEXT, 600) == "Oslo is a capital. It lies on a fjord. Ships call there."
    assert cut(TEXT, 40) == "Oslo is a capital. It lies on a fjord."


def test_a_first_sentence_that_is_too_long_is_cut_at_a_word() -> None:
    assert cut(TEXT, 11) == "Oslo is a"


def test_tokens_are_counted_instead_on_request() -> None:
    assert cut(TEXT, 11, "tokens") == "Oslo is a capital. It lies on a fjord."
    assert cut(TEXT, 2, "tokens") == "Oslo is"


def test_an_entity_is_found_by_its_name_and_type() -> None:
    background = Background(open_base("starter"))
    assert "Norway" in background.of("Oslo", "location")
    assert background.of("Oslo", "person") == ""
    assert background.of("Nobody Atall", "person") == ""


def corrected(tmp_path: Path, table: str) -> Corrections:
    path = tmp_path / "corrections.tsv"
    path.write_text(table, "utf-8")
    return Corrections.read(str(path))


def test_a_correction_gives_another_page_or_none(tmp_path: Path) -> None:
    table = corrected(tmp_path, "# wrong links\nOslo\tBerlin\nParis\tnone\nRome\t\n")
    background = Background(open_base("starter"), table)
    assert "Germany" in background.of("oslo", "location")
    assert background.of("Paris", "location") == ""
    assert background.of("Rome", "location") == ""
    assert background.of("Madrid", "location")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("Oslo\n", r":1: expected 'entity TAB page'"),
        ("Oslo\tBerlin\n\tParis\n", r":2: expected 'entity TAB page'"),
        ("Oslo\tBerlin\noslo \tParis\n", r":2: 'oslo' is already in line 1"),
    ],
)
def test_a_table_that_is_none_is_refused_with_its_line(
    tmp_path: Path, table: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        corrected(tmp_path, table)


def test_an_empty_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmptyInput, match="no corrections"):
        corrected(tmp_path, "# nothing\n")


def test_a_page_that_the_base_lacks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="which the knowledge base lacks"):
        corrected(tmp_path, "Oslo\tNo Such Page\n").check(open_base("starter"))
