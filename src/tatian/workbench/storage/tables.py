"""Every table of the workbench, the same on SQLite and PostgreSQL.

Times are milliseconds since 1970 (UTC). JSON is text that msgspec wrote, so that both databases
give back exactly what was stored. A change after a release is a step of `migrations` too.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    and_,
    exists,
    false,
    or_,
    text,
)

metadata = MetaData()
Id = BigInteger().with_variant(Integer, "sqlite")
"""Counted upwards by either database."""


def _campaign() -> Column[str]:
    return Column("campaign", Text, ForeignKey("campaigns.id"), nullable=False)


settings = Table(
    "settings",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
"""Of the whole server: the version of the schema and the secret that signs links."""

users = Table(
    "users",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("password", Text),
    Column("role", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("disabled", Boolean, nullable=False, server_default=false()),
)
"""Who runs campaigns: as ``admin`` all of them, as ``manager`` those they are members of."""

members = Table(
    "members",
    metadata,
    Column("user", Id, ForeignKey("users.id"), primary_key=True),
    Column("campaign", Text, ForeignKey("campaigns.id"), primary_key=True),
)

sessions = Table(
    "sessions",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("user", Id, ForeignKey("users.id")),
    Column("annotator", Text, ForeignKey("annotators.id")),
    Column("csrf", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Index("sessions_of_people", "annotator"),
)
"""Signed-in browsers, by the hash of their cookie: of a user or of an annotator."""

attempts = Table(
    "attempts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("what", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("attempts_by_what", "what", "at"),
)
"""Failed sign-ins, counted so that guessing is slow."""

campaigns = Table(
    "campaigns",
    metadata,
    Column("id", Text, primary_key=True),
    Column("task", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""`state` is ``draft``, ``open``, ``closed``, or ``deleted`` until all that was in it is gone;
`settings` a `settings.Settings`."""

guidelines = Table(
    "guidelines",
    metadata,
    Column("campaign", Text, ForeignKey("campaigns.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("text", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""Instructions in Markdown; each answer names the version that its annotator was shown."""

terms = Table(
    "terms",
    metadata,
    Column("campaign", Text, ForeignKey("campaigns.id"), primary_key=True),
    Column("hash", Text, primary_key=True),
    Column("text", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""What people agreed to before they worked, in Markdown, by the hash of the text; an annotator's
`details` name what they agreed to, and when."""

items = Table(
    "items",
    metadata,
    Column("id", Id, primary_key=True),
    _campaign(),
    Column("key", Text, nullable=False),
    Column("stage", Integer, nullable=False, server_default=text("0")),
    Column("test", Boolean, nullable=False, server_default=false()),
    Column("position", Integer, nullable=False),
    Column("wanted", Integer),
    Column("taken", Integer, nullable=False, server_default=text("0")),
    Column("retired", Boolean, nullable=False, server_default=false()),
    Column("content", Text, nullable=False),
    Column("gold", Text),
    Column("suggestion", Text),
    UniqueConstraint("campaign", "key"),
)
"""What is annotated. `wanted` people answer it (any number where it is null, as in training);
`taken` counts those who have it now or have answered it."""

wanting = or_(items.c.wanted.is_(None), items.c.taken < items.c.wanted)
"""Which items fewer people have, or have answered, than are to."""
with_room = and_(~items.c.retired, wanting)
"""Which items can still be given out; the index below holds only those, so that looking for the
next one stays fast however many are done."""

_order = (items.c.campaign, items.c.stage, items.c.test, items.c.position)
Index("items_next", *_order, sqlite_where=with_room, postgresql_where=with_room)

invitations = Table(
    "invitations",
    metadata,
    Column("id", Text, primary_key=True),
    _campaign(),
    Column("kind", Text, nullable=False),
    Column("label", Text, nullable=False, server_default=text("''")),
    Column("seats", Integer),
    Column("used", Integer, nullable=False, server_default=text("0")),
    Column("expires", BigInteger),
    Column("revoked", Boolean, nullable=False, server_default=false()),
    Column("created", BigInteger, nullable=False),
)
"""Links that let people in: ``personal`` (one seat), ``open`` (many) or ``panel``."""

annotators = Table(
    "annotators",
    metadata,
    Column("id", Text, primary_key=True),
    _campaign(),
    Column("invitation", Text, ForeignKey("invitations.id")),
    Column("external", Text),
    Column("name", Text, nullable=False, server_default=text("''")),
    Column("state", Text, nullable=False),
    Column("stage", Integer, nullable=False, server_default=text("0")),
    Column("details", Text, nullable=False, server_default=text("'{}'")),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    UniqueConstraint("campaign", "external"),
    Index("annotators_by_invitation", "invitation"),
)
"""People in one campaign. `external` is a panel's id of the person; `state` is ``active``,
``excluded``, ``failed`` (a pass mark), ``finished`` or ``deleted`` (nothing personal is left)."""

assignments = Table(
    "assignments",
    metadata,
    Column("id", Id, primary_key=True),
    _campaign(),
    Column("item", Id, ForeignKey("items.id"), nullable=False),
    Column("annotator", Text, ForeignKey("annotators.id"), nullable=False),
    Column("state", Text, nullable=False),
    Column("given", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("finished", BigInteger),
    Column("seed", Integer, nullable=False),
    Column("guideline", Integer, nullable=False),
    Column("preannotated", Boolean, nullable=False, server_default=false()),
    Column("draft", Text),
    Column("revision", Integer, nullable=False, server_default=text("0")),
    UniqueConstraint("item", "annotator"),
    Index("assignments_of_people", "annotator", "state"),
    Index("assignments_of_campaigns", "campaign", "state"),
    Index("assignments_to_return", "state", "expires"),
)
"""Who has which item: ``open``, ``done``, ``returned`` (abandoned or given back, so that somebody
else gets it) or ``void`` (its annotator was excluded). `seed` shuffles what is shown blind."""

answers = Table(
    "answers",
    metadata,
    Column("id", Text, primary_key=True),
    _campaign(),
    Column("item", Id, ForeignKey("items.id"), nullable=False),
    Column("annotator", Text, ForeignKey("annotators.id"), nullable=False),
    Column("assignment", Id, ForeignKey("assignments.id"), nullable=False),
    Column("nonce", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("score", Float),
    Column("guideline", Integer, nullable=False),
    Column("preannotated", Boolean, nullable=False, server_default=false()),
    Column("given", BigInteger, nullable=False),
    Column("submitted", BigInteger, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("replaces", Text, ForeignKey("answers.id"), unique=True),
    UniqueConstraint("assignment", "nonce"),
    Index("answers_of_items", "campaign", "item"),
    Index("answers_to_item", "item"),
    Index("answers_of_people", "annotator"),
)
"""What people answered; nothing here is ever changed. `nonce` makes a repeated submission the same
one, `score` holds an answer against the item's gold, `seconds` is the time at work."""

_later = answers.alias()
uncorrected = ~exists().where(_later.c.replaces == answers.c.id)
"""Which answers nobody has corrected since."""
answered = answers.join(items, answers.c.item == items.c.id).join(
    assignments, answers.c.assignment == assignments.c.id
)
"""Answers with what they were given to."""

adjudications = Table(
    "adjudications",
    metadata,
    Column("id", Id, primary_key=True),
    _campaign(),
    Column("item", Id, ForeignKey("items.id"), nullable=False),
    Column("answer", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("note", Text, nullable=False, server_default=text("''")),
    Column("rule", Text, nullable=False, server_default=text("''")),
    Column("replaces", Id, ForeignKey("adjudications.id"), unique=True),
    Column("answers", Text),
    Index("adjudications_of_items", "campaign", "item"),
    Index("adjudications_of_item", "item"),
)
"""What was decided about an item whose annotators differ, or agree; nothing here is ever changed,
the newest counts. `rule` names the rule that decided; it is empty where a person did. `answers` are
the ids of those it was made of."""

verdicts = Table(
    "verdicts",
    metadata,
    Column("item", Id, ForeignKey("items.id"), primary_key=True),
    Column("rule", Text, primary_key=True),
    _campaign(),
    Column("answers", Integer, nullable=False),
    Column("stamp", Text, nullable=False),
    Column("line", Text),
    Index("verdicts_of_campaigns", "campaign", "rule"),
)
"""What a rule makes of an item, kept so that a queue is not judged anew (`quality.queue`): it holds
while the item has so many `answers` and the campaign's `stamp` is the same. Nothing here is lost
that could not be made again."""

audit = Table(
    "audit",
    metadata,
    Column("id", Id, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("campaign", Text),
    Column("subject", Text, nullable=False, server_default=text("''")),
    Column("detail", Text, nullable=False, server_default=text("'{}'")),
    Index("audit_of_campaigns", "campaign", "id"),
)
"""Who did what: ``user:NAME``, ``annotator:ID`` or ``command line``."""

projects = Table(
    "projects",
    metadata,
    Column("id", Text, primary_key=True),
    Column("owner", Id, ForeignKey("users.id"), nullable=False),
    Column("title", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("given", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("weaving", Text, nullable=False),
    Index("projects_of_owners", "owner", "changed"),
)
"""Of the desk: `given` counts the ids of accounts, `done` the decisions in force (the rest is
undone), `weaving` is how the last weave went."""


def _project() -> Column[str]:
    return Column("project", Text, ForeignKey("projects.id"), primary_key=True)


project_accounts = Table(
    "project_accounts",
    metadata,
    _project(),
    Column("id", Text, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("title", Text),
    Column("date", Text),
    Column("source", Text),
    Column("file", Text),
    Column("text", Text, nullable=False),
    Column("words", Integer),
)

project_weaves = Table(
    "project_weaves",
    metadata,
    _project(),
    Column("stamp", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("length", Integer),
    Column("woven", Text, nullable=False),
)
"""What was woven, by what it was woven of: the newest few."""

project_decisions = Table(
    "project_decisions",
    metadata,
    _project(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("decision", Text, nullable=False),
)

project_findings = Table(
    "project_findings",
    metadata,
    _project(),
    Column("key", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("value", Text, nullable=False),
)
"""What models found out about a project's sentences, by what was asked."""
