"""Names of an index as people write them, and how texts shorten them."""

from __future__ import annotations

import pytest

from tatian.pipeline.instances.entities import last_name, normal_name, plain, variants


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Keller, Marta", "Marta Keller"),
        ("Okoye, Daniel R", "Daniel R. Okoye"),
        ("Okoye, Daniel R.", "Daniel R. Okoye"),
        ("Okoye, D R", "D. R. Okoye"),
        ("Silva, Rui (Mayor)", "Rui Silva"),
        ("Silva, Rui Jr", "Rui Silva Jr."),
        ("Okoye, Daniel R (Dr)", "Daniel R. Okoye"),
        ("Okoye, Daniel Dr", "Daniel Okoye"),
        ("Madonna", "Madonna"),
        ("Homer (Poet)", "Homer"),
        ("(1900-1950)", ""),
        ("OKOYE, DANIEL R (DR)", "Daniel R. Okoye"),
        ("O'NEILL-MCKENNA, RUI", "Rui O'Neill-McKenna"),
    ],
)
def test_a_persons_name_is_written_as_it_is_spoken(written: str, name: str) -> None:
    assert normal_name(written, "person") == name


@pytest.mark.parametrize(
    ("written", "type", "name"),
    [
        ("Lisbon (Portugal)", "location", "Lisbon"),
        ("Smith, Barney & Co", "organization", "Smith, Barney & Co"),
        ("ISLE OF MAN", "location", "Isle of Man"),
        ("NATO", "organization", "NATO"),
        ("NBC NEWS", "organization", "NBC News"),
        ("Category  A", "organization", "Category A"),
    ],
)
def test_other_names_lose_only_parentheses(written: str, type: str, name: str) -> None:
    assert normal_name(written, type) == name


@pytest.mark.parametrize(
    ("name", "type", "form"),
    [
        ("Daniel R. Okoye", "person", "Daniel Okoye"),
        ("Daniel R. Okoye Jr.", "person", "Daniel R. Okoye"),
        ("Ségolène Royal", "person", "Segolene Royal"),
        ("Norwind Corp", "organization", "Norwind"),
        ("Baltic Ferry Union", "organization", "B.F.U."),
        ("United States", "location", "US"),
    ],
)
def test_texts_may_shorten_a_name(name: str, type: str, form: str) -> None:
    assert form in variants(name, type)
    assert variants(name, type)[0] == plain(name)


@pytest.mark.parametrize(
    ("name", "last"),
    [("Marta Keller", "Keller"), ("Rui Silva Jr.", "Silva"), ("Madonna", ""), ("Bo Li", "")],
)
def test_the_last_name_is_what_is_left_of_a_long_one(name: str, last: str) -> None:
    assert last_name(name) == last


def test_accents_are_taken_off_without_moving_anything() -> None:
    text = "Ségolène’s café, Łódź ﬁn"
    assert len(plain(text)) == len(text)
    assert plain(text).startswith("Segolene's cafe")
