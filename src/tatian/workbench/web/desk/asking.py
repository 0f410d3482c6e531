"""The API of what models are asked: other wordings of a sentence, and whether a draft is true."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from tatian import limits
from tatian.consolidation.proof.result import Trace, Verdict
from tatian.consolidation.result import WrittenToken
from tatian.workbench.desk import projects, weaves, wordings
from tatian.workbench.desk.evidence import Offsets, PassageView, passages
from tatian.workbench.desk.jobs import TraceJob
from tatian.workbench.desk.manuscript import LaidToken
from tatian.workbench.desk.present import finding_key
from tatian.workbench.desk.projects import ProjectAccount
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.storage.plain import struct
from tatian.workbench.web.desk.common import ONE, NamedFile, present_of, project_of, read_upload
from tatian.workbench.web.routing import Call, Routes

ROUTES = Routes()


class WordingView(Struct, frozen=True):
    """One way to say a sentence."""

    key: str
    kind: Literal["woven", "source", "union", "model"]
    text: str
    accounts: list[str]
    current: bool


class WordingsView(Struct, frozen=True):
    """Ways to say a sentence; more come where models are still at it."""

    wordings: list[WordingView]
    waiting: bool
    problem: str
    """Why a model could not be asked."""


class Again(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether models are to be asked that could not be before."""

    again: bool = False


class DraftText(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody's text."""

    text: Annotated[str, Meta(min_length=1, max_length=limits.DESK_DRAFT_CHARACTERS)]


class ReadDraft(Struct, frozen=True):
    """The text of a draft that came as a file."""

    text: str
    notes: list[str]
    """What is to be known of the file."""


class CheckedSentence(Struct, frozen=True):
    """A sentence of a draft, and whether the accounts tell it."""

    start: int
    end: int
    verdict: Verdict
    support: float
    why: str
    tokens: list[LaidToken]
    unproved: list[Offsets]
    passages: list[PassageView]


class UntoldView(Struct, frozen=True):
    """A sentence of an account that a draft leaves out."""

    account: str
    start: int
    end: int
    importance: float
    text: str


class CheckedDraft(Struct, frozen=True):
    """A draft held against the accounts."""

    text: str
    accounts: list[str]
    """The ids that the sources of words count on."""
    sentences: list[CheckedSentence]
    untold: list[UntoldView]


class CheckView(Struct, frozen=True):
    """A draft that is being held against the accounts, or was."""

    check: str
    state: Literal["waiting", "done", "failed"]
    problem: str
    trace: CheckedDraft | None


@ROUTES.add("GET", f"{ONE}/sentences/{{sentence}}/wordings", "user", query=Again)
def offered(call: Call) -> WordingsView:
    """Other ways to say a sentence."""
    desk, sentence = call.site.desk, call.path["sentence"]
    with call.database.reading() as connection:
        present = present_of(call, connection)
        again = call.query.again
        found = wordings.offered(desk, connection, present, sentence, again=again)
    for key, job in found.missing:
        desk.ask(present.project, key, job, "wordings", sentence=sentence)
    now = next(line for line in present.edited.lines if line.id == sentence)
    shown = [
        struct(
            WordingView,
            one,
            accounts=sorted({id.partition(":")[0] for id in one.origins}),
            current=one.words == now.words,
        )
        for one in found.wordings
    ]
    return WordingsView(shown, bool(found.missing), found.problem)


@ROUTES.add("POST", f"{ONE}/drafts", "user", body=bytes, query=NamedFile, limit=limits.UPLOAD_BYTES)
def read_draft(call: Call) -> ReadDraft:
    """Read a draft from a file; nothing is kept of it."""
    with call.database.reading() as connection:
        project_of(call, connection)
    documents, notes = read_upload(call)
    if len(documents) != 1:
        raise BadRequest(f"the file holds {len(documents)} texts: a draft is one")
    text, most = documents[0].text, limits.DESK_DRAFT_CHARACTERS
    if len(text) > most:
        raise BadRequest(f"a draft has at most {most:,} characters, this one {len(text):,}")
    return ReadDraft(text, notes)


@ROUTES.add("POST", f"{ONE}/checks", "user", body=DraftText, status=202)
def check(call: Call) -> CheckView:
    """Hold a draft against a project's accounts."""
    with call.database.reading() as connection:
        project = project_of(call, connection)
        accounts = tuple(projects.accounts(connection, project.id))
    if not accounts:
        raise BadRequest("there is nothing to hold it against: put accounts in first")
    text = call.body.text
    key = finding_key("check", text, weaves.stamp(accounts, None), call.site.desk.judge)
    job = TraceJob(accounts, text, call.site.desk.judge)
    call.site.desk.again(project.id, key)
    with call.database.reading() as connection:
        known = weaves.finding(connection, project.id, key)
    if known is None:
        call.site.desk.ask(project, key, job, "check", check=key)
    return _view(call, project.id, key, accounts, known)


@ROUTES.add("GET", f"{ONE}/checks/{{check}}", "user")
def checked(call: Call) -> CheckView:
    """What came of holding a draft against the accounts."""
    key = call.path["check"]
    asked = call.site.desk.asked(call.path["project"], key)  # First: what ends meanwhile is known.
    with call.database.reading() as connection:
        project = project_of(call, connection)
        accounts = tuple(projects.accounts(connection, project.id))
        known = weaves.finding(connection, project.id, key)
    if not key.startswith("check-") or (known is None and not asked):
        raise NotFound("there is no such check: send the draft again")
    return _view(call, project.id, key, accounts, known)


def _view(
    call: Call, project: str, key: str, accounts: tuple[ProjectAccount, ...], known: str | None
) -> CheckView:
    if known is not None:
        return CheckView(key, "done", "", _draft(msgspec.json.decode(known, type=Trace)))
    problem = call.site.desk.problem(project, key)
    return CheckView(key, "failed" if problem else "waiting", problem, None)


def _draft(trace: Trace) -> CheckedDraft:
    places = {account.id: index for index, account in enumerate(trace.documents)}
    texts = {account.id: account.text for account in trace.documents}
    known = {account.id: account for account in trace.documents}
    return CheckedDraft(
        trace.text,
        list(places),
        [
            struct(
                CheckedSentence,
                one,
                tokens=[_token(token, places) for token in one.tokens],
                unproved=[(part.start, part.end) for part in one.unproved],
                passages=passages(one, trace.text, known),
            )
            for one in trace.sentences
        ],
        [
            struct(
                UntoldView,
                one,
                account=one.document,
                text=texts[one.document][one.start : one.end],
            )
            for one in trace.untold
        ],
    )


def _token(token: WrittenToken, places: dict[str, int]) -> LaidToken:
    sources = [(places[one.document], one.start, one.end, one.kind) for one in token.sources]
    return struct(LaidToken, token, sources=sources)
