"""Names compared as names of one thing."""

from __future__ import annotations

import pytest

from tatian.claims.names import compare_names, split_title


@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        ("Ruth Adair", "Ruth Adair", "equal"),
        ("Ruth Adair", "Adair", "entails"),
        ("Adair", "Ruth Adair", "entailed"),
        ("William Trask", "Bill Trask", "equal"),
        ("José Marín", "Jose Marin", "equal"),
        ("W. Trask", "William Trask", "entailed"),
        ("Stanley Kowalczyk", "Stanley Kowalcyzk", "variant"),
        ("Cornelis van der Hoeck", "Cornelius Vanderhoek", "variant"),
        ("Oppal", "OPAL", "variant"),
        ("Edith Crane", "Agnes Crane", "clash"),
        ("Adam Smith", "Adam Butler", "clash"),
        ("Alan Firth", "Martha Firth", "different"),
        ("Paul Firth", "Paula Firth", "different"),
        ("Dan Firth", "Daniela Firth", "different"),
        ("Ed Firth", "Edith Firth", "different"),
        ("Al Firth", "Alice Firth", "different"),
        ("Dan Firth", "Daniel Firth", "equal"),
        ("Piotr Lasko", "Peter Lasko", "equal"),
        ("Muhammad Rahmani", "Mohammed Rahmani", "equal"),
        ("Mario Torres", "Maria Torres", "different"),
        ("Sam Firth", "Samantha Firth", "equal"),
        ("Arthur Penhale Sr.", "Arthur Penhale Jr.", "different"),
        ("National Football League", "NFL", "equal"),
        ("Halverne", "Sennick", "different"),
    ],
)
def test_two_names_compare(first: str, second: str, order: str) -> None:
    assert compare_names(first.split(), second.split())[0] == order


def test_a_title_is_no_part_of_the_name() -> None:
    assert split_title(["Capt.", "Ruth", "Adair"]) == ("Capt.", ("Ruth", "Adair"))
