"""All tables of the workbench, the same on SQLite and PostgreSQL.

Times are milliseconds since 1970 (UTC). JSON is text that msgspec wrote, so that both databases
return exactly what was stored.
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
"""Autoincrement integer id, on both databases."""


def _campaign() -> Column[str]:
    return Column("campaign", Text, ForeignKey("campaigns.id"), nullable=False)


settings = Table(
    "settings",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
"""Values of the whole server, such as the version of the tables and the secret that signs links."""

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
"""Users who run campaigns: an ``admin`` all of them, a ``manager`` those in `members`."""

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
"""Signed-in browsers of users or annotators, by the hash of their cookie."""

attempts = Table(
    "attempts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("what", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("attempts_by_what", "what", "at"),
)
"""Attempts such as sign-ins, which are limited. `what` is the kind of limit and its subject."""

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
"""`state` is ``draft``, ``open``, ``closed``, or ``deleted`` while the content is being deleted.
`settings` is a `CampaignSettings`."""

guidelines = Table(
    "guidelines",
    metadata,
    Column("campaign", Text, ForeignKey("campaigns.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("text", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""Instructions in Markdown; each answer names the version that its annotator saw."""

terms = Table(
    "terms",
    metadata,
    Column("campaign", Text, ForeignKey("campaigns.id"), primary_key=True),
    Column("hash", Text, primary_key=True),
    Column("text", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""Terms that people agreed to, in Markdown, by the hash of the text. An annotator's `details`
contain the hash and the time of agreement."""

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
"""Items to annotate. `wanted` is the number of annotators that an item needs (null, as in training:
no limit). `taken` is the number of people who are working on it or have answered it."""

needs_annotators = or_(items.c.wanted.is_(None), items.c.taken < items.c.wanted)
"""Condition for items that need more annotators."""
assignable = and_(~items.c.retired, needs_annotators)
"""Condition for items that can be assigned. The index below contains only these, so that the next
one is found fast."""

_order = (items.c.campaign, items.c.stage, items.c.test, items.c.position)
Index("items_next", *_order, sqlite_where=assignable, postgresql_where=assignable)

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
"""Invitation links: ``personal`` (one seat), ``open`` (many) or ``panel``."""

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
"""Annotators of one campaign. `external` is a panel's id of the person. `state` is ``active``,
``excluded``, ``failed`` (scored below the pass mark), ``finished`` or ``deleted`` (no personal data
is left)."""

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
"""Items assigned to annotators. `state` is ``open``, ``done``, ``returned`` (abandoned or given
back, so that another person gets it) or ``void`` (the annotator was excluded). `seed` shuffles
pages that hide where texts come from."""

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
"""Answers; rows are never changed. `nonce` detects repeated submissions, `score` is agreement with
the gold, and `seconds` is working time."""

_later = answers.alias()
uncorrected = ~exists().where(_later.c.replaces == answers.c.id)
"""Condition for answers that no later answer replaces."""
answered = answers.join(items, answers.c.item == items.c.id).join(
    assignments, answers.c.assignment == assignments.c.id
)
"""Answers with their items and assignments."""

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
"""Decisions on items; rows are never changed, and the newest counts. `rule` is the rule that
decided, empty for a person. `answers` are the ids of the answers that it is based on."""

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
"""Cached results of a rule on items (`quality.queue`). A row is stale once the number of answers or
the campaign's stamp changes."""

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
"""Log of actions by ``user:NAME``, ``annotator:ID`` or ``command line``."""

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
"""Projects of the desk. `given` is the number of source ids assigned so far; decisions after number
`done` are undone. `weaving` is the result of the last consolidation."""


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
"""The most recent consolidations, by the fingerprint of their sources."""

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
"""Cached model outputs for a project's sentences, by cache key."""
