"""``tatian campaign``: annotation campaigns from the command line, on the server's database."""

from __future__ import annotations

import click

from tatian.cli.common import LazyGroup
from tatian.cli.options import examples


@click.group(
    cls=LazyGroup,
    targets={
        "create": "tatian.cli.campaign.create:create",
        "status": "tatian.cli.campaign.settings:status",
        "monitor": "tatian.cli.campaign.quality:monitor",
        "agreement": "tatian.cli.campaign.quality:agreement",
        "pay": "tatian.cli.campaign.quality:pay",
        "invite": "tatian.cli.campaign.people:invite",
        "open": "tatian.cli.campaign.settings:open_",
        "close": "tatian.cli.campaign.settings:close",
        "delete": "tatian.cli.campaign.settings:delete",
        "export": "tatian.cli.campaign.files:export",
        "adjudicate": "tatian.cli.campaign.quality:adjudicate",
        "confirm": "tatian.cli.campaign.create:confirm",
        "import": "tatian.cli.campaign.files:import_",
        "settings": "tatian.cli.campaign.settings:settings",
        "guidelines": "tatian.cli.campaign.settings:guidelines",
        "person": "tatian.cli.campaign.people:person",
        "audit": "tatian.cli.campaign.settings:audit",
        "backup": "tatian.cli.campaign.files:backup",
        "restore": "tatian.cli.campaign.files:restore",
        "user": "tatian.cli.campaign.people:user",
    },
    epilog=examples(
        "tatian campaign create ferries --task union pairs.csv --annotators 3 --open",
        "tatian campaign invite ferries --count 3",
        "tatian campaign status ferries",
        "tatian campaign export ferries --to task -o results/",
    ),
)
def campaign() -> None:
    """Campaigns: create, invite people, watch, export.

    All commands work on the database that 'tatian annotate serve' uses, while it runs or not.
    """
