"""Every setting with its type, default and meaning, read from the settings' own description.

The command's ``--set`` and ``--explain``, the form of the pages and the table of the documentation
are made from these.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import Struct, inspect, structs, to_builtins

from tatian.errors import InputError
from tatian.workbench.errors import explained
from tatian.workbench.settings import CampaignSettings, NewSettings, Shape

Kind = Literal[
    "whole", "decimal", "truth", "choice", "choices", "text", "group", "rows", "plain", Shape
]
"""What a value is: a number, yes or no, one or several of some words, text, fields of its own, rows
of such fields, anything that JSON can say; or the shape that a setting names itself."""
_TRUTHS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_WORDS: tuple[Kind, ...] = ("text", "prose", "choice")
_NONE = ("none", "null", "")
OPTIONS = "options"


class SettingField(Struct, frozen=True):
    """One setting as commands, forms and documents present it."""

    name: str
    """With the names around it: ``pay.item``."""
    title: str
    text: str
    kind: Kind
    default: Any = None
    """As JSON says it."""
    optional: bool = False
    """Whether it can be none."""
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    fields: tuple[SettingField, ...] = ()
    """What a group or a row consists of."""

    @property
    def last(self) -> str:
        """Its name without those around it."""
        return self.name.rpartition(".")[2]

    def every(self) -> Iterator[SettingField]:
        """Itself, and all fields of a group."""
        yield self
        if self.kind == "group":
            for one in self.fields:
                yield from one.every()

    def out_of_bounds(self, value: Any) -> str:
        """Why a value cannot be used; empty where it can."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return ""
        least = -math.inf if self.least is None else self.least
        most = math.inf if self.most is None else self.most
        if not least <= value <= most:
            return f"'{self.name}' is {least:,.10g} to {most:,.10g}, not {value:,.10g}"
        return ""


@cache
def fields(type: type[Struct] = CampaignSettings, before: str = "") -> tuple[SettingField, ...]:
    """The described fields of a struct, in their order; `before` goes before their names."""
    known = inspect.type_info(type)
    assert isinstance(known, inspect.StructType)
    return tuple(_field(one, before) for one in known.fields)


def task_fields(options: type[Struct]) -> tuple[SettingField, ...]:
    """What a task can be told, under the names that settings have for it."""
    return fields(options, f"{OPTIONS}.")


def setting(name: str, options: type[Struct]) -> SettingField:
    """The setting of that name, those of a task among them."""
    known = {one.name: one for top in (*fields(), *task_fields(options)) for one in top.every()}
    if name not in known:
        raise InputError(f"no setting '{name}': there are {', '.join(known)}")
    return known[name]


def problems(settings: CampaignSettings) -> Iterator[str]:
    """What is out of the bounds that the description gives, a line each."""
    for top in fields():
        value = getattr(settings, top.name)
        if top.kind == "rows":
            for row in value:
                yield from _outside(top.fields, row)
        elif top.kind == "group" and value is not None:
            yield from _outside(top.fields, value)
        elif wrong := top.out_of_bounds(value):
            yield wrong


def _outside(inner: Iterable[SettingField], value: Struct) -> Iterator[str]:
    for one in inner:
        if wrong := one.out_of_bounds(getattr(value, one.last)):
            yield wrong


def changed(
    settings: CampaignSettings, given: Iterable[str], options: type[Struct]
) -> CampaignSettings:
    """The settings with each ``NAME=VALUE`` put in place; names go into groups by a dot."""
    plain = everything(settings)
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals:
            raise InputError(f"'{pair}' sets nothing: write NAME=VALUE")
        asked = setting(name.strip(), options)
        put(plain, asked.name, _read(asked, value.strip()))
    return settled(plain)


def settled(plain: dict[str, Any]) -> CampaignSettings:
    """Plain values as settings; what does not fit is an InputError that names its place."""
    try:
        return msgspec.convert(plain, NewSettings).settings()
    except msgspec.ValidationError as error:
        raise InputError(f"not a campaign's settings: {explained(error, NewSettings)}") from error


def everything(settings: CampaignSettings) -> dict[str, Any]:
    """All values as JSON says them, defaults among them."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(structs.asdict(settings)))
    return found


def value_of(settings: CampaignSettings, name: str) -> Any:
    """The value of a setting as JSON says it; None within a group that is not there."""
    value: Any = everything(settings)
    for step in name.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value


def put(plain: dict[str, Any], name: str, value: Any) -> None:
    """Put a value under a name with dots, making the groups around it."""
    *around, last = name.split(".")
    for step in around:
        if not isinstance(plain.get(step), dict):
            plain[step] = {}
        plain = plain[step]
    plain[last] = value


def written(value: Any) -> str:
    """A value as tables show it, which ``--set`` reads again."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _read(asked: SettingField, value: str) -> Any:
    if asked.optional and value.lower() in _NONE:
        return None
    if asked.kind in _WORDS:
        return value
    if asked.kind == "truth":
        if value.lower() not in _TRUTHS:
            raise InputError(f"'{asked.name}' is yes or no, not '{value}'")
        return _TRUTHS[value.lower()]
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise InputError(f"'{asked.name}' cannot be '{value}': write it as JSON does") from error


def _field(one: inspect.Field, before: str) -> SettingField:
    described, known = {}, one.type
    extra: dict[str, Any] = {}
    if isinstance(known, inspect.Metadata):
        described, extra = known.extra_json_schema or {}, known.extra or {}
        known = known.type
    known, optional = _without_none(known)
    name = before + one.name
    inner: tuple[SettingField, ...] = ()
    if isinstance(known, inspect.StructType):
        inner = fields(known.cls, f"{name}.")
    elif isinstance(known, inspect.VarTupleType) and isinstance(
        known.item_type, inspect.StructType
    ):
        inner = fields(known.item_type.cls, f"{name}.")
    return SettingField(
        name,
        described.get("title", one.name),
        described.get("description", ""),
        extra.get("shape") or _kind(known),
        _default(one),
        optional,
        extra.get("least"),
        extra.get("most"),
        _choices(known),
        inner,
    )


def _without_none(known: inspect.Type) -> tuple[inspect.Type, bool]:
    if not isinstance(known, inspect.UnionType):
        return known, False
    rest = [one for one in known.types if not isinstance(one, inspect.NoneType)]
    return rest[0], len(rest) < len(known.types)


def _kind(known: inspect.Type) -> Kind:
    for type, kind in _KINDS:
        if isinstance(known, type):
            return kind
    if isinstance(known, inspect.VarTupleType):
        return "choices" if _choices(known) else "rows"
    return "plain"


_KINDS: tuple[tuple[type[inspect.Type], Kind], ...] = (
    (inspect.BoolType, "truth"),
    (inspect.IntType, "whole"),
    (inspect.FloatType, "decimal"),
    (inspect.StrType, "text"),
    (inspect.LiteralType, "choice"),
    (inspect.StructType, "group"),
)


def _choices(known: inspect.Type) -> tuple[str, ...]:
    if isinstance(known, inspect.VarTupleType):
        return _choices(known.item_type)
    return tuple(map(str, known.values)) if isinstance(known, inspect.LiteralType) else ()


def _default(one: inspect.Field) -> Any:
    if one.default is not msgspec.NODEFAULT:
        return msgspec.json.decode(msgspec.json.encode(one.default))
    if one.default_factory is not msgspec.NODEFAULT:
        return to_builtins(one.default_factory())
    return None


def documented() -> Iterator[tuple[str, str, str]]:
    """The name, meaning and default of every setting, as the table in the documentation has it."""
    for top in fields():
        yield f"`{top.name}`", top.text, _shown(top)
        for one in top.fields:
            yield f"`{one.name}`", one.text, _shown(one)


def _shown(one: SettingField) -> str:
    if one.kind in ("rows", "plain") or one.default == "":
        return ""
    bounds = f"; {one.least:,.10g} to {one.most:,.10g}" if one.most is not None else ""
    words = f"; {', '.join(f'`{word}`' for word in one.choices)}" if one.choices else ""
    return f"`{written(one.default)}`{bounds}{words}"
