"""How a campaign runs: one value, stored with it, that forms, files and the API all write."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field, structs

Suggestions = Literal["none", "all"]
"""Who sees a model's suggestion first: nobody, or everybody."""

Outcome = Literal["finished", "failed", "excluded", "over"]
"""How somebody's part ends, as a panel is told: everything done, below a pass mark of the training,
excluded, or nothing left for them (all is taken, or the campaign is closed)."""


class CampaignStage(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A step on the way to production (controlled crowdsourcing: union paper, App. C)."""

    name: str
    feedback: bool = False
    """Whether the gold answer is shown after each item."""
    pass_mark: float | None = None
    """The mean score against gold, 0 to 1, below which an annotator goes no further."""


class Panel(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a panel's participants come and go; the defaults are Prolific's."""

    person: str = "PROLIFIC_PID"
    """The parameter of the link that names the person."""
    study: str = "STUDY_ID"
    session: str = "SESSION_ID"
    code: str = ""
    """Shown, and sent along, when somebody has finished."""
    failed: str = ""
    """The code of those who stay below a pass mark, as of the outcomes below: never `code`."""
    excluded: str = ""
    over: str = ""
    redirect: str = ""
    """Where they go then: an https address with ``{code}`` in it."""


class Pay(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What people earn (union paper, Ethics: by the item, with a bonus for every so many)."""

    item: float = 0.0
    """For each item answered in production, hidden tests included, which nobody can tell apart."""
    bonus: float = 0.0
    every: int = 0
    """The bonus is for every so many of those items; 0: there is none."""
    training: bool = False
    """Whether items of the stages before production are paid too."""
    currency: str = "USD"
    least_hourly: float | None = None
    """Warn where somebody's hourly wage is below this."""


class CampaignSettings(Struct, frozen=True, omit_defaults=True):
    """Everything about a campaign that is not its items or its guidelines."""

    annotators: int = 1
    """People who answer each item of the last stage."""
    seed: int = 1
    """Of the order of items and of what is shown blind."""
    shuffled: bool = True
    most: int | None = None
    """Production items for one person."""
    lease: int = 60
    """Minutes after which an item that nobody works on is given to somebody else."""
    deadline: int | None = None
    """Milliseconds since 1970 after which nothing is given out or accepted."""
    stages: tuple[CampaignStage, ...] = (CampaignStage("production"),)
    """The last one is production."""
    test_every: int = 0
    """A hidden test question among so many production items; 0: none."""
    test_mark: float | None = None
    """The mean score on test questions below which an annotator is excluded."""
    test_least: int = 1
    """Test questions that somebody must have answered before the mark counts."""
    least: int = 0
    """Production items that somebody must have answered for their answers to be data: the task's
    export and gold leave out whoever did fewer (five in the aggregation paper)."""
    corrections: bool = True
    """Whether people may correct their answers while the campaign is open."""
    suggestions: Suggestions = "none"
    panel: Panel | None = None
    consent: str = ""
    """What people agree to before they begin; Markdown."""
    requirements: str = ""
    """What somebody must be or know to take part, shown before they join; Markdown."""
    pay: Pay | None = None
    options: dict[str, Any] = field(default_factory=dict)
    """What the task itself can be told."""


class NewSettings(CampaignSettings, frozen=True, forbid_unknown_fields=True):
    """Settings that somebody wrote, where a name that we do not know is a mistake."""

    def settings(self) -> CampaignSettings:
        """As they are stored."""
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
"""A text to begin with, for `CampaignSettings.consent`: it says what the data is used for."""
