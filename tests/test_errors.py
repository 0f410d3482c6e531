"""The tree of exceptions, and what their messages say."""

from __future__ import annotations

import re

import pytest

from tatian import errors


@pytest.mark.parametrize(
    ("kind", "parent"),
    [
        (errors.InputError, errors.TatianError),
        (errors.NotText, errors.InputError),
        (errors.EmptyInput, errors.InputError),
        (errors.NotEnglish, errors.InputError),
        (errors.UnknownModel, errors.TatianError),
        (errors.LayerMissing, errors.TatianError),
        (errors.AssetError, errors.TatianError),
        (errors.MissingExtra, errors.TatianError),
    ],
)
def test_every_error_is_in_the_tree(kind: type[Exception], parent: type[Exception]) -> None:
    assert kind.__base__ is parent


def test_the_tree_drawn_in_the_module_is_complete() -> None:
    drawn = set(re.findall(r"^ +(?:[│├└─ ]+)?([A-Z]\w+)", errors.__doc__ or "", re.MULTILINE))
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    assert drawn == {kind.__name__ for kind in kinds if issubclass(kind, Exception)}


@pytest.mark.parametrize(
    ("path", "line", "message"),
    [
        (None, None, "is wrong"),
        ("a.txt", None, "a.txt: is wrong"),
        ("a.txt", 3, "a.txt:3: is wrong"),
    ],
)
def test_input_errors_name_file_and_line(path: str | None, line: int | None, message: str) -> None:
    error = errors.InputError("is wrong", path=path, line=line)
    assert str(error) == message
    assert (error.path, error.line) == (path, line)


def test_an_unknown_model_lists_the_known_ones_and_suggests_the_nearest() -> None:
    message = str(errors.UnknownModel("union", "grafd", ["longer", "graft"]))
    assert message.startswith("no union model named 'grafd': did you mean 'graft'? ")
    assert "known: graft, longer" in message
    assert "package.module:Class" in message


def test_an_unknown_model_like_no_other_suggests_nothing() -> None:
    message = str(errors.UnknownModel("union", "zzz", ["graft"]))
    assert "did you mean" not in message
    assert "known: graft" in message


def test_missing_layer_names_the_step_that_fills_it() -> None:
    message = str(errors.LayerMissing("a", "tokens"))
    assert message == "document 'a' has no layer 'tokens': run it through a tatian.Pipeline first"


def test_a_missing_extra_gives_the_command() -> None:
    assert "pip install 'tatian[ray]'" in str(errors.MissingExtra("--engine ray", "ray"))
