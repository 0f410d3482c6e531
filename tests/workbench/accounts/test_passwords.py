"""Storage and comparison of passwords."""

from __future__ import annotations

import pytest

from tatian.errors import InputError
from tatian.workbench.accounts.users import check_password, hash_password


def test_a_password_matches_what_was_stored_of_it() -> None:
    assert check_password("correct horse battery", hash_password("correct horse battery"))


def test_another_password_does_not_match() -> None:
    assert not check_password("correct horse batterz", hash_password("correct horse battery"))


def test_hashes_of_equal_passwords_differ() -> None:
    assert hash_password("correct horse battery") != hash_password("correct horse battery")


def test_stored_hash_does_not_contain_the_password() -> None:
    assert "battery" not in hash_password("correct horse battery")


def test_equivalent_characters_give_the_same_password() -> None:
    assert check_password("cafe\u0301 au lait", hash_password("caf\u00e9 au lait"))


@pytest.mark.parametrize("wrong", ["", "short", "x" * 1001])
def test_too_short_or_long_passwords_are_refused(wrong: str) -> None:
    with pytest.raises(InputError, match="10 to 1000"):
        hash_password(wrong)


@pytest.mark.parametrize(
    "stored",
    [None, "", "plain text", "scrypt$a$b$c$d$e", "scrypt$16$8$1$!!$!!", "md5$1$1$1$YQ==$YQ=="],
)
def test_no_password_matches_an_unreadable_hash(stored: str | None) -> None:
    assert not check_password("", stored)
    assert not check_password("correct horse battery", stored)


def test_a_very_long_guess_is_refused_without_hashing() -> None:
    assert not check_password("x" * 10_000_000, hash_password("correct horse battery"))
