"""A model of another package, made as docs/models.md says, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from .. import outside


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outside")
    outside.install(outside.guide("models.md", "Add a model"), folder)
    return folder


def test_the_guide_can_be_followed_to_the_letter(package: Path) -> None:
    outside.follow(outside.guide("models.md", "Add a model"), package)


def test_a_model_of_another_package_is_listed_with_what_it_says_of_itself(package: Path) -> None:
    listed = outside.run("tatian models list", package)
    assert "The shortest sentence, unchanged, for readers in a hurry." in listed
