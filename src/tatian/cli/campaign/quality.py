"""``tatian campaign monitor``, ``agreement``, ``pay`` and ``adjudicate``.

People's quality and pay; disagreements, decisions by a rule, and the gold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tatian.cli import options
from tatian.cli.campaign.files import is_folder, save, save_files
from tatian.cli.campaign.options import (
    ACTOR,
    campaign_id,
    database_url,
    open_campaign,
    open_database,
    print_result,
    print_rows,
)
from tatian.cli.options import STREAM, command
from tatian.cli.output import say, write, write_json

if TYPE_CHECKING:
    from tatian.workbench.quality.gold import GoldForm
    from tatian.workbench.settings import RuleName


@command()
def monitor(
    id: str = campaign_id,
    names: bool = options.flag("Also show names and panel ids, which are personal."),
    form: str = options.format,
    url: str = database_url,
) -> None:
    """Print the speed, scores and agreement of everybody in campaign ID, with warnings."""
    from tatian.workbench.quality import monitor
    from tatian.workbench.tasks import tasks

    with open_campaign(url, id) as (connection, campaign):
        report = monitor.monitor_campaign(connection, campaign, tasks.create(campaign.task))
    if not names:
        report = monitor.anonymize(report)
    print_result(report, form)
    if form == "json":
        return
    for person in report.people:
        for warning in person.warnings:
            write(f"{person.id}: {warning}")


@command()
def agreement(id: str = campaign_id, form: str = options.format, url: str = database_url) -> None:
    """Print the agreement of the annotators of campaign ID, as its task measures it.

    Production items that two or more people answered count, without excluded people and hidden
    tests. JSON also has the agreement of every two annotators.
    """
    from tatian.workbench.quality.monitor import measure_agreement as measure
    from tatian.workbench.tasks import tasks

    with open_campaign(url, id) as (connection, campaign):
        result = measure(connection, campaign, tasks.create(campaign.task))
    print_result(result, form)


@command()
def pay(
    id: str = campaign_id,
    file: str | None = options.file(
        "Write the payments with panel ids as CSV; '-' is standard output.", "--csv"
    ),
    form: str = options.format,
    url: str = database_url,
) -> None:
    """Print everybody's earnings in campaign ID, their hourly wage, and the expected cost.

    The settings define the pay for each item, and a bonus for a number of items.
    """
    from tatian.workbench.quality.pay import compute_payroll, write_payments

    with open_campaign(url, id, output=file or STREAM) as (connection, campaign):
        result = compute_payroll(connection, campaign)
    if file is not None:
        write(write_payments(result), file)
    else:
        print_result(result, form)


@command()
def adjudicate(
    id: str = campaign_id,
    name: RuleName | None = options.choice(
        ["majority", "six-of-ten", "two-of-three"],
        "Share of annotators that must agree: more than half, six in ten, or two in three and at "
        "least two. By default it depends on the task: six in ten to confirm links, two in three "
        "to name sets, otherwise more than half.",
        "--rule",
    ),
    apply: bool = options.flag("Save the decisions that the rule makes by itself."),
    kind: GoldForm | None = options.choice(
        ["records", "task"],
        "Write the gold instead: one record per item, or the task's own formats.",
        "--to",
    ),
    output: str = options.output,
    form: str = options.format,
    url: str = database_url,
) -> None:
    """Print the items on which annotators of campaign ID disagree, least agreement first.

    The last answers of everybody who is not excluded count. People decide on the server's page; no
    rule changes their decisions, which take precedence as gold.
    """
    from tatian.workbench.campaigns import campaigns
    from tatian.workbench.quality import gold
    from tatian.workbench.quality.queue import read_queue
    from tatian.workbench.tasks import tasks

    with open_database(url, output=output) as database:
        with database.reading() as connection:
            campaign = campaigns.get(connection, id)
        task = tasks.create(campaign.task)
        rule = name or task.rule(campaign.settings)
        if apply:
            with database.writing() as connection:
                done = gold.apply_rule(connection, campaign, task, rule, ACTOR)
            say("note", f"decided by the rule: {done.decided}; left to people: {done.left}")
        if kind is not None:
            if kind == "task" and is_folder(output):
                save_files(gold.gold_files(database, id, rule), output)
            else:
                save(gold.export_gold(database, id, kind, rule), output)
            return
        open_items = read_queue(database, campaign, task, rule)
    if form == "json":
        import msgspec

        write_json(msgspec.to_builtins(open_items), output)
    elif open_items:
        print_rows(open_items, output)
