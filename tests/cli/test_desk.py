"""``tatian desk``: what is refused before it starts."""

from __future__ import annotations

import pytest

from .harness import Command


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--writer", "local"), "use the address of a strong model, or none"),
        (("--editor", "local"), "often false: use the address of a strong model"),
        (("--host", "no.such.invalid"), "give an address of this machine with --host"),
        (("--host", "192.0.2.7"), "give an address of this machine with --host"),
        (("--writer", "nowhere"), "'nowhere' is not an address"),
        (("--judge", "nowhere"), "'nowhere' is not an address"),
    ],
)
def test_invalid_options_fail_with_one_line(
    tatian: Command, options: tuple[str, str], why: str
) -> None:
    done = tatian("desk", "--no-browser", "--database", "desk.db", *options)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert why in done.err


def test_a_writer_and_an_editor_exclude_each_other(tatian: Command) -> None:
    address = "http://127.0.0.1:9/v1"
    done = tatian("desk", "--writer", address, "--editor", address)
    assert done.status == 2
    assert "--writer and --editor exclude each other: choose one" in done.err
