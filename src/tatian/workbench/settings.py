"""Settings of a campaign, stored with it.

``settings.tsv`` describes them for commands, forms and the documentation; `fields` reads it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from msgspec import Meta, Struct, field, structs

RuleName = Literal["majority", "six-of-ten", "two-of-three"]
"""Rules of adjudication in `tatian.workbench.quality.cases`."""
Suggestions = Literal["none", "all"]
"""People who see a model's suggestion first: nobody, or everybody."""

Outcome = Literal["finished", "failed", "excluded", "over"]
"""Outcomes that are reported to a panel; ``over`` means that nothing is left to do."""
Shape = Literal["prose", "moment"]
"""Input of a form where the type is not enough: several lines, or a date and time."""


def describe(title: str, text: str) -> Meta:
    """Return the description of a task's option: a short title, and a sentence."""
    return Meta(title=title, description=text)


class CampaignStage(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A step on the way to production (controlled crowdsourcing: union paper, App. C)."""

    name: str
    feedback: bool = False
    pass_mark: float | None = None


class Panel(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Parameters with which a panel's participants arrive, and codes with which they return.

    The defaults are Prolific's.
    """

    person: str = "PROLIFIC_PID"
    study: str = "STUDY_ID"
    session: str = "SESSION_ID"
    code: str = ""
    failed: str = ""
    excluded: str = ""
    over: str = ""
    redirect: str = ""


class Pay(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Pay of people (union paper, Ethics: by the item, with a bonus for a number of items)."""

    item: float = 0.0
    bonus: float = 0.0
    every: int = 0
    training: bool = False
    currency: str = "USD"
    least_hourly: float | None = None


class CampaignSettings(Struct, frozen=True, omit_defaults=True):
    """All settings of a campaign, apart from items and guidelines."""

    annotators: int = 1
    stages: tuple[CampaignStage, ...] = (CampaignStage("production"),)
    test_every: int = 0
    test_mark: float | None = None
    test_least: int = 1
    least: int = 0
    most: int | None = None
    rule: RuleName | None = None
    seed: int = 1
    shuffled: bool = True
    lease: int = 60
    deadline: int | None = None
    corrections: bool = True
    suggestions: Suggestions = "none"
    requirements: str = ""
    consent: str = ""
    pay: Pay | None = None
    panel: Panel | None = None
    options: dict[str, Any] = field(default_factory=dict)
    protocol: str = ""


class NewSettings(CampaignSettings, frozen=True, forbid_unknown_fields=True):
    """Settings that a person wrote, in which an unknown name is a mistake."""

    def settings(self) -> CampaignSettings:
        """Return the settings as they are stored."""
        return CampaignSettings(**structs.asdict(self))


CONSENT = Path(__file__).with_name("consent.txt").read_text("utf-8")
"""Default text for `CampaignSettings.consent`, with the purpose of the data."""
