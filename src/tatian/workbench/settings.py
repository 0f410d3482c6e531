"""Settings of a campaign, stored with it, each with a description.

Commands, forms and the documentation use the description beside each field; `fields` reads it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field, structs

RuleName = Literal["majority", "six-of-ten", "two-of-three"]
"""Rules of adjudication in `tatian.workbench.quality.cases`."""
Suggestions = Literal["none", "all"]
"""People who see a model's suggestion first: nobody, or everybody."""

Outcome = Literal["finished", "failed", "excluded", "over"]
"""Outcomes that are reported to a panel; ``over`` means that nothing is left to do."""
Shape = Literal["prose", "moment"]
"""Input of a form where the type is not enough: several lines, or a date and time."""


def describe(
    title: str,
    text: str,
    *,
    least: float | None = None,
    most: float | None = None,
    shape: Shape | None = None,
) -> Meta:
    """Return the description of a setting: a short title, a sentence, and bounds of a number."""
    extra = {"least": least, "most": most, "shape": shape}
    return Meta(title=title, description=text, extra=extra)


class CampaignStage(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A step on the way to production (controlled crowdsourcing: union paper, App. C)."""

    name: Annotated[str, describe("Name", "What the stage is called.")]
    feedback: Annotated[
        bool, describe("Show the right answer", "Whether gold is shown after each item.")
    ] = False
    pass_mark: Annotated[
        float | None,
        describe("Pass mark", "Mean score below which people go no further.", least=0, most=1),
    ] = None


class Panel(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Arrival and return of a panel's participants; the defaults are Prolific's."""

    person: Annotated[
        str, describe("Parameter of the person", "The link's parameter that names the person.")
    ] = "PROLIFIC_PID"
    study: Annotated[
        str, describe("Parameter of the study", "The link's parameter that names the study.")
    ] = "STUDY_ID"
    session: Annotated[
        str, describe("Parameter of the session", "The link's parameter that names the session.")
    ] = "SESSION_ID"
    code: Annotated[
        str, describe("Code when finished", "Shown, and sent along, to whoever has finished.")
    ] = ""
    failed: Annotated[
        str, describe("Code when failed", "For whoever stays below a pass mark; never `code`.")
    ] = ""
    excluded: Annotated[str, describe("Code when excluded", "For whoever was excluded.")] = ""
    over: Annotated[str, describe("Code when over", "For whoever finds nothing left to do.")] = ""
    redirect: Annotated[
        str, describe("Where people go then", "An https address with `{code}` in it.")
    ] = ""


class Pay(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Pay of people (union paper, Ethics: by the item, with a bonus for a number of items)."""

    item: Annotated[
        float,
        describe(
            "For each item",
            "Pay per answered item of production; hidden tests count.",
            least=0,
            most=1_000_000,
        ),
    ] = 0.0
    bonus: Annotated[
        float,
        describe("Bonus", "Paid for every so many items of production.", least=0, most=1_000_000),
    ] = 0.0
    every: Annotated[
        int,
        describe("Items for a bonus", "How many items earn the bonus; 0: none.", least=0, most=1e6),
    ] = 0
    training: Annotated[
        bool, describe("Training is paid", "Whether items before production are paid too.")
    ] = False
    currency: Annotated[str, describe("Currency", "Three capital letters.")] = "USD"
    least_hourly: Annotated[
        float | None,
        describe(
            "Lowest hourly wage",
            "Warn if somebody's hourly pay falls below this.",
            least=0,
            most=1_000_000,
        ),
    ] = None


class CampaignSettings(Struct, frozen=True, omit_defaults=True):
    """All settings of a campaign, apart from items and guidelines."""

    annotators: Annotated[
        int,
        describe("Annotators", "People who answer each item of production.", least=1, most=10_000),
    ] = 1
    stages: Annotated[
        tuple[CampaignStage, ...],
        describe("Stages", "Training stages in order; the last is production."),
    ] = (CampaignStage("production"),)
    test_every: Annotated[
        int,
        describe(
            "Hidden tests", "One in how many items is a hidden test; 0: none.", least=0, most=10_000
        ),
    ] = 0
    test_mark: Annotated[
        float | None,
        describe(
            "Mark of the tests",
            "Mean score on hidden tests below which people are excluded.",
            least=0,
            most=1,
        ),
    ] = None
    test_least: Annotated[
        int,
        describe(
            "Tests before the mark counts",
            "Hidden tests that somebody must have answered before the mark counts.",
            least=1,
            most=10_000,
        ),
    ] = 1
    least: Annotated[
        int,
        describe(
            "Least items",
            "People with fewer production answers are left out of the export.",
            least=0,
            most=1_000_000,
        ),
    ] = 0
    most: Annotated[
        int | None,
        describe(
            "Most items", "Production items for one person; none: no limit.", least=1, most=1e6
        ),
    ] = None
    rule: Annotated[
        RuleName | None,
        describe(
            "Rule of adjudication", "From how many on something is agreed; none: the task's own."
        ),
    ] = None
    seed: Annotated[
        int, describe("Seed", "Decides the order of items and what is shown blind.")
    ] = 1
    shuffled: Annotated[
        bool, describe("Items in drawn order", "Whether the order of production items is drawn.")
    ] = True
    lease: Annotated[
        int,
        describe(
            "Lease in minutes",
            "Minutes after which an idle item goes to somebody else.",
            least=1,
            most=525_600,
        ),
    ] = 60
    deadline: Annotated[
        int | None,
        describe(
            "Deadline",
            "No items or answers after this time; in files, milliseconds since 1970 (UTC).",
            shape="moment",
        ),
    ] = None
    corrections: Annotated[
        bool,
        describe("Corrections", "Whether people may correct answers while the campaign is open."),
    ] = True
    suggestions: Annotated[
        Suggestions, describe("Suggestions", "Who sees a model's draft first: nobody or everybody.")
    ] = "none"
    requirements: Annotated[
        str,
        describe(
            "Requirements", "Who may take part, shown before they join; Markdown.", shape="prose"
        ),
    ] = ""
    consent: Annotated[
        str, describe("Consent", "What people agree to before they begin; Markdown.", shape="prose")
    ] = ""
    pay: Annotated[Pay | None, describe("Pay", "What people earn; none: nothing.")] = None
    panel: Annotated[
        Panel | None, describe("Panel", "How a panel's people come and go; none: no panel.")
    ] = None
    options: Annotated[
        dict[str, Any], describe("Options of the task", "Settings of the task itself.")
    ] = field(default_factory=dict)
    protocol: Annotated[
        str, describe("Protocol", "The protocol that the settings began with; empty: none.")
    ] = ""


class NewSettings(CampaignSettings, frozen=True, forbid_unknown_fields=True):
    """Settings that a person wrote, in which an unknown name is a mistake."""

    def settings(self) -> CampaignSettings:
        """Return the settings as they are stored."""
        return CampaignSettings(**structs.asdict(self))


CONSENT = """\
**What this is.** We collect answers to build and to evaluate computer programs that work with \
language. Taking part is voluntary, and you can stop at any time.

**What we keep.** Your answers, the time they took, and a pseudonym; your name only if you \
give it, and if a panel sent you, what it calls you. Through *My data* you can at any time see and \
download all of it, and delete whatever could tell who you are; your answers then stay without it.

**What it is used for.** Your answers are used to train artificial intelligence models and to \
evaluate them, and may be published as a dataset, without anything that says who you are.

**Whom to ask.** Whoever invited you; if a panel sent you, write to us through the panel.
"""
"""Default consent text for `CampaignSettings.consent`; it says what the data is used for."""
