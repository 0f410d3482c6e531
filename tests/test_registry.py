"""Models by name: built in, from other packages, or by where their class is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tatian.errors import TatianError, UnknownModel
from tatian.registry import Registry
from tatian.union.models import mergers

MODULE = '''
class Plain:
    """A model of another package.

    More about it.
    """
    licence = "CC-BY-NC-4.0"

    def __init__(self, size=1):
        self.size = size

number = 3
'''
ENTRY_POINTS = """
[tatian.testing]
plugin = other_package:Plain
broken = other_package:Absent
lost = no_such_package:Thing
kept = other_package:Plain
"""


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry[object]]:
    """A registry with one model, beside an installed distribution that brings some of its own."""
    (tmp_path / "other_package.py").write_text(MODULE)
    about = tmp_path / "other_package-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: other-package\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    yield Registry("testing", {"kept": "tatian.text:Document"}, default="plugin")
    sys.modules.pop("other_package", None)


def test_names_are_built_in_ones_and_those_of_entry_points(registry: Registry[object]) -> None:
    assert registry.names() == ["broken", "kept", "lost", "plugin"]


def test_a_model_of_another_package_is_made_with_its_options(registry: Registry[object]) -> None:
    model = registry.create("plugin", size=5)
    assert type(model).__name__ == "Plain"
    assert model.size == 5  # type: ignore[attr-defined]


def test_without_a_name_the_default_is_made(registry: Registry[object]) -> None:
    assert type(registry.create()).__name__ == "Plain"


def test_a_built_in_model_is_not_replaced_by_a_plugin(registry: Registry[object]) -> None:
    assert registry.find("kept").__module__.startswith("tatian.")


def test_a_class_is_found_by_module_and_name(registry: Registry[object]) -> None:
    assert type(registry.create("other_package:Plain")).__name__ == "Plain"


@pytest.mark.parametrize("name", ["no_such_module:Thing", "other_package:Absent", ":x", "json:"])
def test_missing_class_is_an_error(registry: Registry[object], name: str) -> None:
    with pytest.raises(TatianError, match=f"cannot load testing model '{name}'"):
        registry.create(name)


def test_object_other_than_a_class_is_an_error(registry: Registry[object]) -> None:
    with pytest.raises(TatianError, match="is neither a class nor a function"):
        registry.create("other_package:number")


def test_wrong_options_are_answered_with_the_right_ones(registry: Registry[object]) -> None:
    with pytest.raises(TatianError, match=r"refused its options .* it accepts: size"):
        registry.create("plugin", colour="red")


def test_unknown_name_lists_the_known_ones(registry: Registry[object]) -> None:
    with pytest.raises(UnknownModel, match="did you mean 'plugin'"):
        registry.create("plugn")


def test_broken_plugin_is_an_error(registry: Registry[object]) -> None:
    with pytest.raises(TatianError, match="cannot load testing model 'lost'"):
        registry.create("lost")


def test_the_list_has_first_lines_licences_and_the_default(registry: Registry[object]) -> None:
    listed = {one.name: one for one in registry.describe()}
    plugin = listed["plugin"]
    assert plugin.description == "A model of another package."
    assert plugin.licence == "CC-BY-NC-4.0"
    assert plugin.target == "other_package:Plain"
    assert [name for name, one in listed.items() if one.default] == ["plugin"]


def test_a_broken_plugin_does_not_hide_the_others_from_the_list(
    registry: Registry[object],
) -> None:
    listed = {one.name: one for one in registry.describe()}
    assert "no_such_package" in listed["lost"].problem
    assert "Absent" in listed["broken"].problem
    assert listed["plugin"].problem == ""


def test_models_are_not_imported_before_they_are_asked_for() -> None:
    lazy: Registry[object] = Registry("lazy", {"a": "no_such_module:Thing"}, default="a")
    assert lazy.names() == ["a"]


def test_the_default_of_a_step_is_one_of_its_models() -> None:
    assert mergers.default in mergers.names()


def test_class_without_the_methods_of_the_step_is_refused() -> None:
    with pytest.raises(TatianError, match="cannot serve as union model: it has no method 'merge'"):
        mergers.create("collections:OrderedDict")


def test_options_are_known_without_creating_the_model() -> None:
    registry: Registry[object] = Registry("union", {"counter": "collections:Counter"}, "counter")
    assert registry.accepts("fractions:Fraction", "numerator")
    assert not registry.accepts("fractions:Fraction", "seed")
    assert registry.accepts("counter", "anything")
    assert not registry.accepts("collections:OrderedDict", "seed")


def test_options_of_a_module_cannot_be_queried() -> None:
    registry: Registry[object] = Registry("union", {}, "none")
    with pytest.raises(TatianError, match="neither a class nor a function"):
        registry.accepts("os:path", "seed")
