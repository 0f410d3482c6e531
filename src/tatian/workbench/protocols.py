"""Annotation protocols of papers, as initial settings of a campaign, each with its reference."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import InputError
from tatian.workbench import fields
from tatian.workbench.settings import CONSENT, CampaignSettings


class Protocol(Struct, frozen=True):
    """Annotation protocol of a paper."""

    name: str
    title: str
    paper: str
    task: str
    settings: CampaignSettings
    places: dict[str, str]
    """Reference in the paper of each setting that is not the default."""
    agreement: str
    """Measure of agreement that the paper reports, or the first of its task."""
    reported: str
    """Value that the paper reports."""


class ExplainedSetting(Struct, frozen=True):
    """A setting of a campaign with its meaning and its reference in a paper."""

    name: str
    value: str
    place: str
    text: str


def _read() -> Iterator[Protocol]:
    data = Path(__file__).with_name("protocols.toml").read_bytes()
    for protocol in msgspec.toml.decode(data, type=dict[str, list[Protocol]])["protocols"]:
        if protocol.settings.consent == "default":
            yield replace(protocol, settings=replace(protocol.settings, consent=CONSENT))
        else:
            yield protocol


PROTOCOLS = {protocol.name: protocol for protocol in _read()}


def get_protocol(name: str) -> Protocol:
    """Return the protocol with that name."""
    if name not in PROTOCOLS:
        raise InputError(f"no protocol '{name}': there are {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name]


def initial_settings(name: str) -> CampaignSettings:
    """Return the initial settings of a protocol, with its name."""
    return replace(get_protocol(name).settings, protocol=name)


def explain(settings: CampaignSettings, options: type[Struct]) -> Iterator[ExplainedSetting]:
    """Yield every setting with value, meaning and reference in its protocol's paper.

    A value that was changed since names the protocol's own.
    """
    protocol = PROTOCOLS.get(settings.protocol)
    for top in (*fields.describe_fields(), *fields.task_fields(options)):
        if top.name == fields.OPTIONS:
            continue
        is_absent = top.kind == "group" and fields.value_of(settings, top.name) is None
        for field in (top,) if is_absent or top.kind != "group" else top.fields:
            value = fields.value_of(settings, field.name)
            value = field.default if value is None and not field.optional else value
            reference = _reference(protocol, field, value)
            yield ExplainedSetting(field.name, fields.format_value(value), reference, field.text)


def _reference(protocol: Protocol | None, field: fields.SettingField, value: Any) -> str:
    """Return a setting's reference in the paper, with the paper's value if it was changed."""
    if protocol is None or field.name not in protocol.places:
        return ""
    reference, initial = protocol.places[field.name], fields.value_of(protocol.settings, field.name)
    changed = f"changed from {fields.format_value(initial)} ({reference})"
    return reference if initial == value else changed
