"""Descriptions of all settings (type, default, meaning), from the structs and ``settings.tsv``.

The options ``--set`` and ``--explain``, the forms of the pages and the table in the documentation
use them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct, inspect, structs, to_builtins

from tatian.assets import rows
from tatian.errors import InputError
from tatian.workbench.errors import explain_error
from tatian.workbench.settings import CampaignSettings, NewSettings, Shape

Kind = Literal[
    "integer", "decimal", "boolean", "choice", "choices", "text", "group", "rows", "json", Shape
]
"""Kind of a value. `rows` are rows of fields, `json` is any JSON; a setting may name a `Shape`."""
BOOLEANS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_WORDS: tuple[Kind, ...] = ("text", "prose", "choice")
"""Kinds of values that are written as they are, not as JSON."""
_NONE = ("none", "null", "")
OPTIONS = "options"
"""Setting with the options of the task."""


class SettingField(Struct, frozen=True):
    """A setting as commands, forms and documents present it."""

    name: str
    """Full name: ``pay.item``."""
    title: str
    text: str
    kind: Kind
    default: Any = None
    """Default as JSON."""
    optional: bool = False
    """True if it can be none."""
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    fields: tuple[SettingField, ...] = ()
    """Fields of a group or a row."""

    @property
    def short_name(self) -> str:
        """Name without the group."""
        return self.name.rpartition(".")[2]

    def with_subfields(self) -> Iterator[SettingField]:
        """Yield the field itself, and all fields of a group."""
        yield self
        if self.kind == "group":
            for field in self.fields:
                yield from field.with_subfields()

    def bounds_problem(self, value: Any) -> str:
        """Return the error message for a value out of bounds; empty if it is within them."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return ""
        least = -math.inf if self.least is None else self.least
        most = math.inf if self.most is None else self.most
        if not least <= value <= most:
            return f"'{self.name}' is {least:,.10g} to {most:,.10g}, not {value:,.10g}"
        return ""


@cache
def describe_fields(
    type: type[Struct] = CampaignSettings, prefix: str = ""
) -> tuple[SettingField, ...]:
    """Return the fields of a struct with their descriptions; `prefix` goes before their names."""
    info = inspect.type_info(type)
    assert isinstance(info, inspect.StructType)
    return tuple(_field(field, prefix) for field in info.fields)


def task_fields(options: type[Struct]) -> tuple[SettingField, ...]:
    """Return the options of a task as fields, under their names in settings."""
    return describe_fields(options, f"{OPTIONS}.")


def find_setting(name: str, options: type[Struct]) -> SettingField:
    """Return the setting or task option with that name."""
    by_name = {
        field.name: field
        for top in (*describe_fields(), *task_fields(options))
        for field in top.with_subfields()
    }
    if name not in by_name:
        raise InputError(f"no setting '{name}': there are {', '.join(by_name)}")
    return by_name[name]


def find_problems(settings: CampaignSettings) -> Iterator[str]:
    """Yield an error message for each value that is out of bounds."""
    for top in describe_fields():
        value = getattr(settings, top.name)
        pairs = [(top, value)]
        if top.fields:
            structs = value if top.kind == "rows" else filter(None, [value])
            pairs = [(f, getattr(part, f.short_name)) for part in structs for f in top.fields]
        yield from filter(None, (field.bounds_problem(part) for field, part in pairs))


def change_settings(
    settings: CampaignSettings, pairs: Iterable[str], options: type[Struct]
) -> CampaignSettings:
    """Return the settings with each ``NAME=VALUE`` applied; a dot leads into a group."""
    values = all_values(settings)
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise InputError(f"'{pair}' sets nothing: write NAME=VALUE")
        setting = find_setting(name.strip(), options)
        set_value(values, setting.name, _parse_value(setting, value.strip()))
    return parse_settings(values)


def parse_settings(values: dict[str, Any]) -> CampaignSettings:
    """Return settings from JSON values; an InputError names the value that does not fit."""
    try:
        return msgspec.convert(values, NewSettings).settings()
    except msgspec.ValidationError as error:
        raise InputError(
            f"not a campaign's settings: {explain_error(error, NewSettings)}"
        ) from error


def all_values(settings: CampaignSettings) -> dict[str, Any]:
    """Return all values as JSON, with defaults."""
    values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(structs.asdict(settings)))
    return values


def value_of(settings: CampaignSettings, name: str) -> Any:
    """Return the value of a setting as JSON; None within a missing group."""
    return value_at(all_values(settings), name)


def value_at(values: Any, name: str) -> Any:
    """Return the value under a name with dots; None within a missing group."""
    for step in name.split("."):
        values = values.get(step) if isinstance(values, dict) else None
    return values


def set_value(values: dict[str, Any], name: str, value: Any) -> None:
    """Set a value under a name with dots, creating the groups around it."""
    *groups, last = name.split(".")
    for group in groups:
        if not isinstance(values.get(group), dict):
            values[group] = {}
        values = values[group]
    values[last] = value


def format_value(value: Any) -> str:
    """Return a value as tables show it and ``--set`` reads it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _parse_value(setting: SettingField, value: str) -> Any:
    """Return the value of a setting from its text on the command line."""
    if setting.optional and value.lower() in _NONE:
        return None
    if setting.kind in _WORDS:
        return value
    if setting.kind == "boolean":
        if value.lower() not in BOOLEANS:
            raise InputError(f"'{setting.name}' is yes or no, not '{value}'")
        return BOOLEANS[value.lower()]
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise InputError(f"'{setting.name}' cannot be '{value}': write it as JSON") from error


@cache
def _descriptions() -> dict[str, list[str]]:
    """Return the columns of ``settings.tsv`` after the first, by the name of the setting."""
    return {name: columns for name, *columns in rows(Path(__file__).with_name("settings.tsv"))}


def _field(field: inspect.Field, prefix: str) -> SettingField:
    name, info = prefix + field.name, field.type
    least, most, shape, title, text = _descriptions().get(name, ("", "", "", field.name, ""))
    if isinstance(info, inspect.Metadata):
        described = info.extra_json_schema or {}
        title, text = described.get("title", title), described.get("description", text)
        info = info.type
    optional = False
    if isinstance(info, inspect.UnionType):
        members = [type for type in info.types if not isinstance(type, inspect.NoneType)]
        optional = len(members) < len(info.types)
        info = members[0]
    part = info.item_type if isinstance(info, inspect.VarTupleType) else info
    inner = describe_fields(part.cls, f"{name}.") if isinstance(part, inspect.StructType) else ()
    return SettingField(
        name,
        title,
        text,
        cast(Shape, shape) or _kind(info),
        _default(field),
        optional,
        float(least) if least else None,
        float(most) if most else None,
        tuple(map(str, part.values)) if isinstance(part, inspect.LiteralType) else (),
        inner,
    )


def _kind(info: inspect.Type) -> Kind:
    for type, kind in _KINDS:
        if isinstance(info, type):
            return kind
    if isinstance(info, inspect.VarTupleType):
        return "choices" if isinstance(info.item_type, inspect.LiteralType) else "rows"
    return "json"


_KINDS: tuple[tuple[type[inspect.Type], Kind], ...] = (
    (inspect.BoolType, "boolean"),
    (inspect.IntType, "integer"),
    (inspect.FloatType, "decimal"),
    (inspect.StrType, "text"),
    (inspect.LiteralType, "choice"),
    (inspect.StructType, "group"),
)


def _default(field: inspect.Field) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return msgspec.json.decode(msgspec.json.encode(field.default))
    if field.default_factory is not msgspec.NODEFAULT:
        return to_builtins(field.default_factory())
    return None
