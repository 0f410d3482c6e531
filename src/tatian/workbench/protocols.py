"""Annotation protocols of papers, as initial settings with references to the papers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import InputError
from tatian.workbench import fields
from tatian.workbench.settings import CONSENT, CampaignSettings, CampaignStage, Pay

UNSAID = "the paper gives no figure; ours"
"""Reference of a setting that a paper describes without a number."""
_UNION = "Hirsch et al. 2023"
_MENTIONS = "Mass et al. 2018"
_MTURK = """\
You have worked on a panel of this kind for long: more than 10,000 approved assignments, and \
more than 98% of what you sent approved. You live in the United States, Canada, Australia, the \
United Kingdom or New Zealand.
"""


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


PROTOCOLS: dict[str, Protocol] = {
    protocol.name: protocol
    for protocol in (
        Protocol(
            "union-2023",
            "Sentence unions, written by trained workers",
            _UNION,
            "union",
            CampaignSettings(
                annotators=1,
                stages=(
                    CampaignStage("recruitment", pass_mark=0.6),
                    CampaignStage("training", feedback=True),
                    CampaignStage("subtle cases", feedback=True, pass_mark=0.7),
                    CampaignStage("production"),
                ),
                test_every=20,
                requirements=_MTURK,
                consent=CONSENT,
                pay=Pay(item=0.3, bonus=1.25, every=100, least_hourly=10.0),
            ),
            {
                "annotators": "§4.2: each example went to one annotator",
                "stages": "App. C: recruitment, two training phases with gold shown; marks: ours",
                "test_every": f"App. C: ongoing monitoring; {UNSAID}",
                "requirements": "Ethics Statement: the three qualifications, in our words",
                "consent": "Ethics Statement: workers were told what their work is used for",
                "pay.item": "Ethics Statement: $0.3 an assignment",
                "pay.bonus": "Ethics Statement: $1.25",
                "pay.every": "Ethics Statement: for every 100 assignments",
                "pay.least_hourly": "Ethics Statement: a wage expected to start from $10 an hour",
            },
            "F1 of words of unions",
            "none: one annotator an item",
        ),
        Protocol(
            "union-judge-2023",
            "Systems' unions, rated side by side",
            _UNION,
            "union.judge",
            CampaignSettings(
                annotators=3,
                stages=(
                    CampaignStage("training", feedback=True, pass_mark=0.7),
                    CampaignStage("production"),
                ),
                requirements=_MTURK,
                consent=CONSENT,
                pay=Pay(item=0.4, bonus=1.0, every=50, least_hourly=10.0),
            ),
            {
                "annotators": f"§7.1: {UNSAID}",
                "stages": "App. C: only workers who had done the whole training; mark: ours",
                "requirements": "Ethics Statement: the three qualifications, in our words",
                "consent": "Ethics Statement: ratings evaluate models trained on the data",
                "pay.item": "Ethics Statement: $0.4 an evaluation assignment",
                "pay.bonus": "Ethics Statement: $1",
                "pay.every": "Ethics Statement: for every 50 assignments",
                "pay.least_hourly": "Ethics Statement: a wage expected to start from $10 an hour",
            },
            "alpha of coverage",
            "none",
        ),
        Protocol(
            "mentions-2018",
            "Mentions, first round: detection",
            _MENTIONS,
            "mentions.detect",
            CampaignSettings(annotators=10, test_every=5, test_mark=0.5, test_least=4),
            {
                "annotators": "§1, §3: ten labelers in each round",
                "test_every": f"§3: hidden test questions within the work; {UNSAID}",
                "test_mark": f"§3: a pre-determined fraction must be right; {UNSAID}",
                "test_least": f"§3: {UNSAID}",
            },
            "average pairwise kappa",
            "§3: average pairwise kappa .30 (Wiki), .34 (Trans)",
        ),
        Protocol(
            "mentions-confirm-2018",
            "Mentions, second round: confirmation",
            _MENTIONS,
            "mentions.confirm",
            CampaignSettings(
                annotators=10, test_every=5, test_mark=0.7, test_least=4, rule="six-of-ten"
            ),
            {
                "annotators": "§1, §3: ten labelers in each round",
                "test_every": f"§3: hidden test questions within the work; {UNSAID}",
                "test_mark": f"§3: a pre-determined fraction must be right; {UNSAID}",
                "test_least": f"§3: {UNSAID}",
                "rule": "§3: ground truth is what at least six of ten confirmed",
            },
            "average pairwise kappa",
            "§3: average pairwise kappa .47 (Wiki), .54 (Trans)",
        ),
        Protocol(
            "tesa-2020",
            "Names of sets of entities",
            "Jumel et al. 2020",
            "aggregation",
            CampaignSettings(
                annotators=3, least=5, rule="two-of-three", options={"background": True}
            ),
            {
                "annotators": "§3.3: three annotators for each instance",
                "least": "§3.3: workers of fewer than five annotations were discarded",
                "rule": "§3.3: discarded where two of three say that there is no aggregation",
                "options.background": "§3.3, Figure 1: what Wikipedia says is shown",
            },
            "items with an agreed answer",
            "none",
        ),
        Protocol(
            "coreference-muc6",
            "Coreference by the MUC-6 definition",
            "MUC-6 coreference task definition 2.3",
            "coreference",
            CampaignSettings(annotators=2, options={"checks": True, "phrases": True}),
            {
                "annotators": "the definition gives no figure; ours",
                "options.checks": "§3 to §6: the rules, asked while people work",
                "options.phrases": "§4: maximal phrases, and MIN as their heads",
            },
            "CoNLL F1 of chains",
            "none",
        ),
    )
}


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
    began = PROTOCOLS.get(settings.protocol)
    for top in (*fields.fields(), *fields.task_fields(options)):
        if top.name == fields.OPTIONS:
            continue
        absent = top.kind == "group" and fields.value_of(settings, top.name) is None
        for field in (top,) if absent or top.kind != "group" else top.fields:
            value = fields.value_of(settings, field.name)
            value = field.default if value is None and not field.optional else value
            yield ExplainedSetting(
                field.name, fields.format_value(value), _reference(began, field, value), field.text
            )


def _reference(protocol: Protocol | None, field: fields.SettingField, value: Any) -> str:
    reference = protocol.places.get(field.name, "") if protocol else ""
    if not protocol or not reference:
        return ""
    initial = fields.value_of(protocol.settings, field.name)
    if initial == value:
        return reference
    return f"changed from {fields.format_value(initial)} ({reference})"
