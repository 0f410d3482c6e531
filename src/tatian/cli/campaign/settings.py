"""``tatian campaign settings`` and other commands for a whole campaign."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

import click

from tatian.cli import options
from tatian.cli.campaign.options import (
    ACTOR,
    campaign_id,
    database_url,
    local_time,
    open_campaign,
    open_database,
    print_result,
    print_rows,
    set_values,
    warn_unready,
)
from tatian.cli.options import command
from tatian.cli.output import print_table, say, write
from tatian.errors import InputError
from tatian.views.wording import short

if TYPE_CHECKING:
    from tatian.workbench.settings import CampaignSettings

_VALUE_CHARACTERS = 60
"""Characters of a value that a table shows."""


@command()
def settings(
    id: str | None = options.argument("[ID]", required=False),
    file: str | None = options.path("[FILE]", required=False),
    values: tuple[str, ...] = set_values,
    explain: bool = options.flag("Explain each setting, and say where a paper has it."),
    protocol: str | None = options.option(
        "Without ID, print the settings of this protocol.", metavar="NAME"
    ),
    url: str = database_url,
) -> None:
    """Print the settings of campaign ID as JSON, or change those that FILE or --set name.

    Settings that FILE omits do not change; 'stages', 'panel', 'pay' and 'options' are replaced as a
    whole. --explain prints each setting with its value, its meaning, and its place in a paper.
    Without ID, the initial settings of a campaign are printed.
    """
    from tatian.workbench.campaigns.plans import protocol_task
    from tatian.workbench.protocols import initial_settings
    from tatian.workbench.settings import CampaignSettings

    if id is None:
        if values:
            raise InputError("--set changes a campaign: name its ID")
        if protocol is None:
            _print_settings(CampaignSettings(), None, explain)
        else:
            _print_settings(initial_settings(protocol), protocol_task(protocol), explain)
        return
    if protocol is not None:
        raise InputError("a protocol is chosen when a campaign is made: see 'campaign create'")
    if file is not None or values:
        _change(id, file, values, url)
        if not explain:
            return
    with open_campaign(url, id) as (_, campaign):
        _print_settings(campaign.settings, campaign.task, explain)


def _change(id: str, file: str | None, values: tuple[str, ...], url: str) -> None:
    import msgspec

    from tatian.workbench.campaigns import campaigns, items
    from tatian.workbench.campaigns.plans import CampaignFile
    from tatian.workbench.fields import change_settings
    from tatian.workbench.tasks import tasks

    change = {} if file is None else CampaignFile.read(file).change()
    with open_database(url) as database:
        with database.writing() as connection:
            old = campaigns.get(connection, id, lock=True)
            task = tasks.create(old.task)
            new = msgspec.structs.replace(old.settings, **change)
            new = change_settings(new, values, task.options)
            campaign = campaigns.change(connection, id, ACTOR, settings=new)
        if new.suggestions != "none":
            items.suggest(database, campaign, task, ACTOR)
    names = [*change, *(value.partition("=")[0] for value in values)]
    say("note", f"campaign '{id}' has changed: {', '.join(names) or 'nothing'}")


def _print_settings(campaign_settings: CampaignSettings, task: str | None, explain: bool) -> None:
    import msgspec

    from tatian.workbench import protocols
    from tatian.workbench.tasks import NoOptions, tasks

    if not explain:
        encoded = msgspec.json.encode(msgspec.structs.asdict(campaign_settings))
        write(msgspec.json.format(encoded, indent=2).decode())
        return
    task_options = NoOptions if task is None else tasks.create(task).options
    print_rows(
        [
            msgspec.structs.replace(setting, value=short(setting.value, _VALUE_CHARACTERS))
            for setting in protocols.explain(campaign_settings, task_options)
        ]
    )
    if protocol := protocols.PROTOCOLS.get(campaign_settings.protocol):
        say("note", f"{protocol.title}: {protocol.paper}, task '{protocol.task}'")
        say("note", f"agreement: {protocol.agreement}; reported: {protocol.reported}")


@command(name="open")
def open_(id: str = campaign_id, url: str = database_url) -> None:
    """Open campaign ID, so that people can work on it.

    Warns of problems: a campaign or stages without items, missing hidden tests, empty terms, a
    deadline that has passed, payment without consent.
    """
    _set_state(id, "open", url)


@command()
def close(id: str = campaign_id, url: str = database_url) -> None:
    """Close campaign ID: no more items are given out, and no more answers accepted."""
    _set_state(id, "closed", url)


def _set_state(id: str, state: Literal["open", "closed"], url: str) -> None:
    from tatian.workbench.campaigns.campaigns import change

    with open_database(url) as database:
        with database.writing() as connection:
            campaign = change(connection, id, ACTOR, state=state)
        say("note", f"campaign '{id}' is {state}")
        if state == "open":
            warn_unready(database, campaign)


@command()
def guidelines(
    id: str = campaign_id,
    file: str | None = options.path("[FILE]", required=False),
    url: str = database_url,
) -> None:
    """Replace the guidelines of campaign ID by FILE, in Markdown; without FILE, print them.

    A line '## Title' begins a tab. Each answer records the version that its annotator saw.
    """
    from tatian.workbench.campaigns import guidelines as versions
    from tatian.workbench.campaigns.plans import CampaignFile

    if file is None:
        with open_campaign(url, id) as (connection, campaign):
            write(versions.get(connection, campaign.id).text)
        return
    text = CampaignFile.read(file).text()
    with open_campaign(url, id, write=True) as (connection, campaign):
        version = versions.add(connection, campaign.id, text, ACTOR)
    say("note", f"campaign '{id}' has version {version} of its guidelines")


@command()
def delete(
    id: str = campaign_id,
    yes: bool = options.flag("Do not ask for confirmation."),
    url: str = database_url,
) -> None:
    """Delete campaign ID with its items, people and answers; it cannot be undone.

    The campaign must be a draft or closed. You are asked to type its id again. A line stays in the
    log of the server: who deleted it, when, and how many items and answers it had.
    """
    from tatian.workbench.campaigns import campaigns

    with open_database(url) as database:
        with database.reading() as connection:
            campaigns.get(connection, id)
        if not yes:
            _confirm_deletion(id)
        deleted = campaigns.delete(database, id, ACTOR)
    counts = f"{deleted['items']} items and {deleted['answers']} answers"
    say("note", f"campaign '{id}' is deleted, with {counts}")


def _confirm_deletion(id: str) -> None:
    if not sys.stdin.isatty():
        raise InputError(f"this deletes all answers of campaign '{id}': confirm it with --yes")
    typed: str = click.prompt(f"Type '{id}' to delete it with all answers", err=True)
    if typed.strip() != id:
        raise InputError("this is not the campaign's id: nothing is deleted")


@command()
def status(
    id: str | None = options.argument("[ID]", required=False),
    names: bool = options.flag("Also show names and panel ids, which are personal data."),
    form: str = options.format,
    url: str = database_url,
) -> None:
    """Print the progress of campaign ID, by stage and by person.

    Without ID, list all campaigns, newest first; JSON has their settings.
    """
    from msgspec.structs import replace

    from tatian.workbench.campaigns import progress

    if id is None:
        _list_campaigns(form, url)
        return
    with open_campaign(url, id) as (connection, campaign):
        report = progress.read_status(connection, campaign)
    if not names:
        people = (replace(person, name="", external=None) for person in report.annotators)
        report = replace(report, annotators=tuple(people))
    print_result(report, form)


def _list_campaigns(form: str, url: str) -> None:
    import msgspec

    from tatian.statistics import Table
    from tatian.workbench.campaigns import campaigns

    with open_database(url) as database, database.reading() as connection:
        all_campaigns = campaigns.list_campaigns(connection)
    if form == "json":
        write(msgspec.json.encode(all_campaigns).decode())
        return
    rows = [
        (campaign.id, campaign.task, campaign.state, local_time(campaign.created), campaign.title)
        for campaign in all_campaigns
    ]
    print_table(Table.of(["id", "task", "state", "created", "title"], rows))


@command()
def audit(
    id: str | None = options.argument("[ID]", required=False),
    limit: int = options.number("Print the newest N entries.", default=100),
    form: str = options.format,
    url: str = database_url,
) -> None:
    """Print the log of campaign ID, or of the whole server, newest first."""
    import msgspec

    from tatian.workbench.campaigns import campaigns
    from tatian.workbench.campaigns.audit import list_entries

    with open_database(url) as database, database.reading() as connection:
        campaign = None if id is None else campaigns.get(connection, id).id
        log = list_entries(connection, campaign, limit=limit)
    if form == "json":
        write(msgspec.json.encode(log).decode())
        return
    if log:
        print_rows(log)
