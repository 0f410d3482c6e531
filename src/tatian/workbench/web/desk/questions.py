"""API of questions to models (other wordings, verification of drafts), and of their queue."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from tatian.consolidation.result import WrittenToken
from tatian.consolidation.verification.result import Trace, Verdict
from tatian.limits import DESK_DRAFT_CHARACTERS, UPLOAD_BYTES
from tatian.workbench.accounts import users
from tatian.workbench.campaigns import audit
from tatian.workbench.desk import projects, results, wordings
from tatian.workbench.desk.evidence import Offsets, PassageView, find_passages
from tatian.workbench.desk.jobs import TraceJob
from tatian.workbench.desk.manuscript import TokenLayout
from tatian.workbench.desk.process import QueuedJob
from tatian.workbench.desk.projects import ProjectSource
from tatian.workbench.desk.state import finding_key
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.storage.codec import to_struct
from tatian.workbench.web.desk.common import PATH, NamedFile, project_of, read_upload, state_of
from tatian.workbench.web.routing import Call, Nothing, Routes

ROUTES = Routes()


@ROUTES.add("GET", "/desk/queue", "admin")
def list_queue(call: Call) -> list[QueuedJob]:
    """List the jobs that wait or run."""
    with call.database.reading() as connection:
        names = {user.id: user.name for user in users.list_users(connection)}
    jobs = call.site.desk.models.queue()
    return [replace(job, name=names.get(job.owner, "")) for job in jobs]


@ROUTES.add("DELETE", "/desk/queue/{job}", "admin")
def cancel_job(call: Call) -> Nothing:
    """Cancel a person's job; they see who did it."""
    why = f"cancelled by an administrator ({call.user.name})"
    ticket = call.site.desk.models.cancel(call.path["job"], why)
    if ticket is None:
        raise NotFound("there is no such job: it is done or was cancelled")
    with call.database.writing() as connection:
        owner = users.find_by_id(connection, ticket.owner)
        subject = owner.name if owner else ""
        audit.note(connection, call.caller.actor, "desk.cancel", subject=subject)
    return Nothing()


class WordingView(Struct, frozen=True):
    """A wording of a sentence."""

    key: str
    kind: Literal["woven", "source", "union", "model"]
    text: str
    accounts: list[str]
    current: bool


class WordingsView(Struct, frozen=True):
    """Wordings of a sentence; more follow while models are running."""

    wordings: list[WordingView]
    waiting: bool
    problem: str
    """Reason why a model could not be asked."""


class RetryOption(Struct, frozen=True, forbid_unknown_fields=True):
    """True to retry models that failed."""

    again: bool = False


class DraftText(Struct, frozen=True, forbid_unknown_fields=True):
    """Text of a draft."""

    text: Annotated[str, Meta(min_length=1, max_length=DESK_DRAFT_CHARACTERS)]


class ReadDraft(Struct, frozen=True):
    """Text of a draft that was uploaded as a file."""

    text: str
    notes: list[str]
    """Notes on the file."""


class CheckedSentence(Struct, frozen=True):
    """A sentence of a draft with its verdict."""

    start: int
    end: int
    verdict: Verdict
    support: float
    why: str
    tokens: list[TokenLayout]
    unsupported: list[Offsets]
    passages: list[PassageView]


class LeftOutPassage(Struct, frozen=True):
    """A source sentence that a draft leaves out."""

    account: str
    start: int
    end: int
    importance: float
    text: str


class CheckedDraft(Struct, frozen=True):
    """A draft verified against the sources."""

    text: str
    accounts: list[str]
    """Ids of the sources that tokens refer to by index."""
    sentences: list[CheckedSentence]
    untold: list[LeftOutPassage]


class CheckView(Struct, frozen=True):
    """State of the verification of a draft."""

    check: str
    state: Literal["waiting", "done", "failed"]
    problem: str
    trace: CheckedDraft | None


@ROUTES.add("GET", f"{PATH}/sentences/{{sentence}}/wordings", "user", query=RetryOption)
def get_wordings(call: Call) -> WordingsView:
    """Return other wordings of a sentence."""
    desk, sentence = call.site.desk, call.path["sentence"]
    with call.database.reading() as connection:
        state = state_of(call, connection)
        retry = call.query.again
        result = wordings.offer_wordings(desk, connection, state, sentence, retry=retry)
    for key, job in result.missing:
        desk.ask(state.project, key, job, "wordings", sentence=sentence)
    line = next(line for line in state.edited.lines if line.id == sentence)
    shown = [
        to_struct(
            WordingView,
            wording,
            accounts=sorted({id.partition(":")[0] for id in wording.origins}),
            current=wording.words == line.words,
        )
        for wording in result.wordings
    ]
    return WordingsView(shown, bool(result.missing), result.problem)


@ROUTES.add("POST", f"{PATH}/drafts", "user", body=bytes, query=NamedFile, limit=UPLOAD_BYTES)
def read_draft(call: Call) -> ReadDraft:
    """Read a draft from a file; nothing of it is stored."""
    with call.database.reading() as connection:
        project_of(call, connection)
    documents, notes = read_upload(call)
    if len(documents) != 1:
        raise BadRequest(f"the file holds {len(documents)} texts: a draft is a single text")
    text, limit = documents[0].text, DESK_DRAFT_CHARACTERS
    if len(text) > limit:
        raise BadRequest(
            f"a draft can have at most {limit:,} characters; this one has {len(text):,}"
        )
    return ReadDraft(text, notes)


@ROUTES.add("POST", f"{PATH}/checks", "user", body=DraftText, status=202)
def start_check(call: Call) -> CheckView:
    """Verify a draft against a project's sources."""
    with call.database.reading() as connection:
        project = project_of(call, connection)
        accounts = tuple(projects.list_sources(connection, project.id))
    if not accounts:
        raise BadRequest("there is nothing to verify it against: add sources first")
    text = call.body.text
    key = finding_key("check", text, results.compute_stamp(accounts, None), call.site.desk.judge)
    job = TraceJob(accounts, text, call.site.desk.judge)
    call.site.desk.retry(project.id, key)
    with call.database.reading() as connection:
        result = results.get_finding(connection, project.id, key)
    if result is None:
        call.site.desk.ask(project, key, job, "check", check=key)
    return _check_view(call, project.id, key, accounts, result)


@ROUTES.add("GET", f"{PATH}/checks/{{check}}", "user")
def get_check(call: Call) -> CheckView:
    """Return the result of verifying a draft."""
    key = call.path["check"]
    asked = call.site.desk.is_asked(call.path["project"], key)  # Before reading the finding.
    with call.database.reading() as connection:
        project = project_of(call, connection)
        accounts = tuple(projects.list_sources(connection, project.id))
        result = results.get_finding(connection, project.id, key)
    if not key.startswith("check-") or (result is None and not asked):
        raise NotFound("there is no such check: send the draft again")
    return _check_view(call, project.id, key, accounts, result)


def _check_view(
    call: Call, project: str, key: str, accounts: tuple[ProjectSource, ...], result: str | None
) -> CheckView:
    if result is not None:
        return CheckView(key, "done", "", _checked_draft(msgspec.json.decode(result, type=Trace)))
    problem = call.site.desk.problem(project, key)
    return CheckView(key, "failed" if problem else "waiting", problem, None)


def _checked_draft(trace: Trace) -> CheckedDraft:
    places = {account.id: index for index, account in enumerate(trace.documents)}
    texts = {account.id: account.text for account in trace.documents}
    sources = {account.id: account for account in trace.documents}
    return CheckedDraft(
        trace.text,
        list(places),
        [
            to_struct(
                CheckedSentence,
                sentence,
                tokens=[_draft_token(token, places) for token in sentence.tokens],
                unsupported=[(part.start, part.end) for part in sentence.unsupported],
                passages=find_passages(sentence, trace.text, sources),
            )
            for sentence in trace.sentences
        ],
        [
            to_struct(
                LeftOutPassage,
                sentence,
                account=sentence.document,
                text=texts[sentence.document][sentence.start : sentence.end],
            )
            for sentence in trace.untold
        ],
    )


def _draft_token(token: WrittenToken, places: dict[str, int]) -> TokenLayout:
    sources = [
        (places[source.document], source.start, source.end, source.kind) for source in token.sources
    ]
    return to_struct(TokenLayout, token, sources=sources)
