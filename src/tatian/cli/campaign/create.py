"""``tatian campaign create`` and ``confirm``: campaigns from files, and second rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tatian.cli import options
from tatian.cli.campaign.options import (
    ACTOR,
    campaign_id,
    column_names,
    database_url,
    open_database,
    set_values,
    stage_file,
    warn_unready,
)
from tatian.cli.options import command
from tatian.cli.output import say
from tatian.errors import InputError
from tatian.views.wording import format_count

if TYPE_CHECKING:
    from tatian.workbench.campaigns.campaigns import Campaign


@command()
def create(
    id: str = campaign_id,
    files: tuple[str, ...] = options.paths("FILE..."),
    task: str | None = options.option(
        "Annotation task, such as union or coreference.", metavar="NAME"
    ),
    protocol: str | None = options.option(
        "Use the task and settings of a paper, such as union-2023; 'campaign settings --explain' "
        "shows them.",
        metavar="NAME",
    ),
    title: str | None = options.option(
        "Title that annotators see; by default the id.", metavar="TEXT"
    ),
    annotators: int | None = options.option(
        "Number of people who answer each item.", type=int, metavar="N"
    ),
    renamed: tuple[str, ...] = column_names,
    settings: str | None = options.file("JSON file of all settings."),
    values: tuple[str, ...] = set_values,
    stages: tuple[str, ...] = options.several(
        "Add a training stage before production; the file has the right answers.",
        "--stage",
        metavar="NAME=FILE",
    ),
    tests: tuple[str, ...] = options.file(
        "File of hidden tests, with their answers.", multiple=True
    ),
    gold: bool = options.option(
        "Keep answers in FILEs as gold, or drop them.", "--gold/--no-gold", default=True
    ),
    consent: str | None = options.option(
        "Consent form in Markdown, shown before people begin; 'default' is a text that says that "
        "answers train and evaluate AI models.",
        metavar="FILE",
    ),
    at_once: bool = options.flag("Open the campaign at once.", "--open"),
    url: str = database_url,
) -> None:
    """Make a campaign with the given ID from the items in FILEs.

    Files are in any format that the task reads, plain or .gz. The new campaign is a draft until it
    is opened. A stage without items is a warning, and an error with --open.
    """
    from tatian.workbench.campaigns import items
    from tatian.workbench.campaigns.campaigns import change, check_id
    from tatian.workbench.campaigns.item_files import parse_mapping
    from tatian.workbench.campaigns.plans import CampaignFile, create_planned, plan_campaign
    from tatian.workbench.campaigns.progress import find_warnings_for_counts
    from tatian.workbench.settings import CONSENT
    from tatian.workbench.tasks import tasks

    check_id(id)
    changes: dict[str, Any] = {"annotators": annotators}
    if consent is not None:
        changes["consent"] = CONSENT if consent == "default" else CampaignFile.read(consent).text()
    planned = plan_campaign(
        id,
        [CampaignFile.read(path) for path in files],
        settings=None if settings is None else CampaignFile.read(settings).settings(),
        values=values,
        changes={name: value for name, value in changes.items() if value is not None},
        mapping=parse_mapping(renamed),
        training=[(name, CampaignFile.read(path)) for name, path in map(stage_file, stages)],
        tests=[CampaignFile.read(path) for path in tests],
        task=task,
        protocol=protocol,
        title=title,
        gold=gold,
    )
    if at_once and (empty := planned.empty_stages()):
        advice = "leave out --open and add them by 'tatian campaign import'"
        option = f"'--stage {empty[0]}=FILE'"
        raise InputError(f"stage '{empty[0]}' has no items: give them with {option}, or {advice}")
    for warning in find_warnings_for_counts(planned.counts(), planned.settings):
        say("warning", warning)
    with open_database(url, make=True) as database:
        with database.writing() as connection:
            campaign = create_planned(connection, planned, ACTOR)
        if planned.settings.suggestions != "none":
            items.suggest(database, campaign, tasks.create(planned.task), ACTOR)
        if at_once:
            with database.writing() as connection:
                change(connection, id, ACTOR, state="open")
    _report(campaign, f"{len(planned.items):,} items", at_once)


def _report(campaign: Campaign, what: str, at_once: bool) -> None:
    hint = "open" if at_once else f"a draft: 'tatian campaign open {campaign.id}' lets people begin"
    say("note", f"campaign '{campaign.id}' has {what} and is {hint}")


@command()
def confirm(
    detection: str = options.argument("DETECTION"),
    id: str = options.argument("NEW"),
    annotators: int = options.number("Number of people who judge each text.", default=10),
    repeats: bool = options.flag("Add the other occurrences of a linked term as candidates."),
    at_once: bool = options.flag("Open the campaign at once.", "--open"),
    url: str = database_url,
) -> None:
    """Make a campaign NEW in which people confirm the links of the campaign DETECTION.

    All links that anybody has made so far become candidates, one candidate for each span and page.
    Knowledge base, consent, requirements and pay are those of DETECTION. Completion codes and
    redirects of its recruitment panel are not copied. The new campaign is a draft until it is
    opened.
    """
    from tatian.workbench.campaigns.campaigns import change, get
    from tatian.workbench.campaigns.plans import create_planned, plan_second_round

    with open_database(url) as database:
        with database.writing() as connection:
            planned = plan_second_round(
                connection, get(connection, detection), id, annotators=annotators, repeats=repeats
            )
            campaign = create_planned(connection, planned, ACTOR)
            if at_once:
                change(connection, id, ACTOR, state="open")
        count = sum(len(item.content["candidates"]) for item in planned.items)
        what = f"{format_count(count, 'candidate')} in {format_count(len(planned.items), 'text')}"
        _report(campaign, what, at_once)
        if at_once:
            warn_unready(database, campaign)
