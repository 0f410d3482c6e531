"""``tatian campaign user``, ``invite`` and ``person``: managers and annotators."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

import click

from tatian.cli import options
from tatian.cli.campaign.options import (
    ACTOR,
    campaign_id,
    database_url,
    open_campaign,
    open_database,
    parse_future_time,
    public_address,
    server_url,
)
from tatian.cli.options import command
from tatian.cli.output import say, write
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.workbench.campaigns.invitations import InvitationKind


@command()
def add(
    name: str = options.argument("NAME"),
    role: Literal["admin", "manager"] = options.choice(
        ["admin", "manager"],
        "An admin runs all campaigns, a manager those of --campaign.",
        default="admin",
    ),
    ids: tuple[str, ...] = options.several(
        "Campaign that a manager runs.", "--campaign", metavar="ID"
    ),
    url: str = database_url,
) -> None:
    """Add a person who can sign in.

    The password is asked for on a terminal, or read from standard input.
    """
    from tatian.workbench.accounts import users
    from tatian.workbench.campaigns import audit

    if ids and role == "admin":
        raise InputError("an admin runs every campaign: --campaign is for managers")
    secret = _password()
    with open_database(url, make=True) as database, database.writing() as connection:
        user = users.create(connection, name, role, secret)
        if ids:
            users.set_campaigns(connection, user, ids)
        audit.note(connection, ACTOR, "user.create", None, user.name, {"role": role})
    say("note", f"{role} '{user.name}' can sign in")


@command()
def link(
    name: str = options.argument("NAME"),
    public_url: str | None = public_address,
    url: str = database_url,
) -> None:
    """Print a link that signs a person in without a password, once, within a day."""
    from tatian.workbench.accounts import links, users
    from tatian.workbench.campaigns import audit
    from tatian.workbench.storage.database import now
    from tatian.workbench.storage.schema import secret

    with open_database(url) as database, database.writing() as connection:
        user = users.find_by_name(connection, name)
        if user.disabled:
            raise InputError(
                f"'{user.name}' can no longer sign in: allow it with "
                "'campaign user change --enabled'"
            )
        base = server_url(connection, public_url)
        path = links.sign_in_path(secret(connection), user.id, now() + links.SIGN_IN_LIFETIME)
        audit.note(connection, ACTOR, "user.link", None, user.name)
    write(base + path)


@command()
def change(
    name: str = options.argument("NAME"),
    role: Literal["admin", "manager"] | None = options.choice(
        ["admin", "manager"], "The new role."
    ),
    ids: tuple[str, ...] = options.option(
        "Campaign that a manager runs. Repeatable; give all of them.",
        "--campaign",
        multiple=True,
        metavar="ID",
    ),
    disabled: bool | None = options.option(
        "End the person's access at once, or allow it again.", "--disabled/--enabled", default=None
    ),
    url: str = database_url,
) -> None:
    """Change a person's role, campaigns or access; one admin must remain."""
    from tatian.workbench.accounts import users
    from tatian.workbench.campaigns import audit

    with open_database(url) as database, database.writing() as connection:
        user = users.find_by_name(connection, name)
        role = role or user.role
        is_disabled = user.disabled if disabled is None else disabled
        users.set_role(connection, user, role, is_disabled)
        if ids:
            users.set_campaigns(connection, user, ids)
        detail = {"role": role, "disabled": is_disabled, "campaigns": list(ids)}
        audit.note(connection, ACTOR, "user.change", None, user.name, detail)
    say("note", f"{role} '{user.name}' {'can no longer' if is_disabled else 'can'} sign in")


def _password() -> str:
    """Ask for the password twice on a terminal, else read a line of standard input."""
    if sys.stdin.isatty():
        password: str = click.prompt(
            "Password", hide_input=True, confirmation_prompt=True, err=True
        )
        return password
    line = sys.stdin.readline().rstrip("\r\n")
    if not line:
        raise InputError("no password: type it, or send it on standard input")
    return line


@command()
def invite(
    id: str = campaign_id,
    count: int | None = options.option(
        "Print N personal links.", type=click.IntRange(1, 10_000), metavar="N"
    ),
    labels: str | None = options.file(
        "File with a label per line: print a personal link for each."
    ),
    seats: int | None = options.number("Print one link for N people."),
    panel: bool = options.flag("Print one link for a panel's participants."),
    expires: str | None = options.option(
        "Time until which links work: 2026-01-31 or 2026-01-31T18:00.", metavar="TIME"
    ),
    public_url: str | None = public_address,
    url: str = database_url,
) -> None:
    """Print links that invite people to campaign ID, one per line.

    A personal link (the default) is for one person. With --labels, each line is a label, a tab and
    a link. Links work on the server of this database until they expire or are withdrawn.
    """
    from tatian.workbench.campaigns import invitations
    from tatian.workbench.campaigns.plans import CampaignFile

    if (count is not None or labels is not None) and (seats is not None or panel):
        raise InputError("--count and --labels make personal links, --seats and --panel one link")
    text = "" if labels is None else CampaignFile.read(labels).text()
    names = [line.strip() for line in text.split("\n") if line.strip()]
    if labels is not None and not names:
        raise InputError("the file contains no labels", path=labels)
    kind: InvitationKind = "panel" if panel else "open" if seats is not None else "personal"
    until = None if expires is None else parse_future_time(expires)
    with open_campaign(url, id, write=True) as (connection, campaign):
        base = server_url(connection, public_url)
        lines = []
        for label in names or [""] * (count or 1):
            path = invitations.invite(
                connection, campaign, ACTOR, kind, label, seats=seats, expires=until
            )
            lines.append(f"{label}\t{base}{path}" if names else base + path)
    write("\n".join(lines))


@command()
def person(
    id: str = campaign_id,
    annotator: str = options.argument("ANNOTATOR"),
    act: str = options.argument(type=click.Choice(["exclude", "readmit", "promote", "forget"])),
    url: str = database_url,
) -> None:
    """Exclude, readmit, promote or forget ANNOTATOR of campaign ID.

    exclude: the person gets no more items, and others answer in their place. Exports mark the
    person's answers. readmit: undo an exclusion or a failed stage. Answers that others have
    replaced in the meantime do not count again. promote: begin the next stage, even if this one is
    not finished. forget: delete name, panel id and links, which cannot be undone. Answers stay
    under a new pseudonym.
    """
    from tatian.workbench.campaigns import campaigns, people, privacy, stages

    with open_database(url) as database:
        with database.writing() as connection:
            campaign = campaigns.get(connection, id)
            if act == "exclude":
                people.exclude(connection, campaign, annotator, ACTOR)
                done = f"'{annotator}' is excluded, and their items are asked again"
            elif act == "readmit":
                people.reinstate(connection, campaign, annotator, ACTOR)
                done = f"'{annotator}' may work again"
            elif act == "promote":
                promoted = stages.promote(connection, campaign, annotator, ACTOR)
                done = f"'{annotator}' is in '{campaign.stage(promoted.stage)}' now"
            else:
                fresh = privacy.delete(connection, campaign, annotator, ACTOR)
                done = f"nothing personal of '{annotator}' is left; their answers are by '{fresh}'"
        if act == "forget":
            database.scrub()
    say("note", done)
