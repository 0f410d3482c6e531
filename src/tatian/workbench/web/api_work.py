"""API of the annotator's page: consent, items, drafts, answers, instructions, resuming."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import floor
from typing import Annotated, Any

from msgspec import Meta, Struct

from tatian.workbench.accounts import links
from tatian.workbench.campaigns import (
    allocation,
    guidelines,
    panels,
    people,
    progress,
    submission,
    terms,
)
from tatian.workbench.campaigns.allocation import Assignment, WorkState
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.panels import PanelCompletion
from tatian.workbench.campaigns.progress import OwnProgress
from tatian.workbench.campaigns.stages import StageChange
from tatian.workbench.campaigns.submission import Submission
from tatian.workbench.errors import Conflict
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import now
from tatian.workbench.tasks import Json, Task, tasks
from tatian.workbench.web import presentation
from tatian.workbench.web.presentation import Tab, first_words
from tatian.workbench.web.routing import Call, Nothing, Routes

_ITEM = "/work/{campaign}/{assignment}"
_WORK = "/work/{campaign}"
ROUTES = Routes()

_DAY = 24 * 3_600_000
"""In milliseconds."""
_RESUME_DAYS = 60
"""Lifetime in days of a person's own link."""
_ROUNDING = 1e-6
"""Tolerance in percent for floating-point errors: a mean of 0.29 is 29 of 100."""
Nonce = Annotated[str, Meta(min_length=8, max_length=100)]
Seconds = Annotated[float, Meta(ge=0, le=10_000_000)]
_MAX_NUMBER = (1 << 31) - 1
"""Largest number that the columns of the database hold."""
Revision = Annotated[int, Meta(ge=0, le=_MAX_NUMBER)]
ShownVersion = Annotated[int, Meta(ge=1, le=_MAX_NUMBER)] | None
"""Version of the instructions that was shown; None if unknown."""


class About(Struct, frozen=True):
    """Data of a campaign that its annotators see."""

    id: str
    title: str
    task: str
    module: str


class ShownItem(Struct, frozen=True):
    """Data of an item that its annotator may see."""

    assignment: int
    key: str
    """Name for annotators; the item's own key could reveal a test."""
    stage: int
    content: Json


class GivenItem(ShownItem, frozen=True):
    """An item assigned to the annotator."""

    draft: Any
    revision: int
    suggestion: Any
    preannotated: bool
    expires: int


class AnsweredItem(ShownItem, frozen=True):
    """An item that the annotator has answered, for viewing or correction."""

    answer: Json
    answer_id: str
    submitted: int
    correctable: bool
    guideline: int


class ListedAnswer(Struct, frozen=True):
    """An answer of the annotator, in their list."""

    assignment: int
    key: str
    number: int
    """Number of the answer in submission order, from 1."""
    title: str
    """Beginning of its item; empty if it has no text."""
    submitted: int
    correctable: bool
    training: bool


class RequestedTerms(Struct, frozen=True):
    """Terms that a person is asked to agree to."""

    terms: str
    """Hash that identifies them."""
    requirements: bool
    """True if there are requirements."""
    again: bool
    """True if they agreed to other terms before."""


class Work(Struct, frozen=True):
    """Next step on the annotator's page."""

    campaign: About
    state: WorkState
    message: str | None
    progress: OwnProgress
    asked: RequestedTerms | None
    completion: PanelCompletion | None
    item: GivenItem | None
    guideline: int
    resume: str


class Instructions(Struct, frozen=True):
    """Current guidelines."""

    version: int
    html: str
    tabs: list[Tab]


class Agreed(Struct, frozen=True, forbid_unknown_fields=True):
    """Terms that a person has read and agrees to."""

    terms: Annotated[str, Meta(max_length=100)]


class SentDraft(Struct, frozen=True, forbid_unknown_fields=True):
    """A draft, and the revision that it is based on."""

    revision: Revision
    draft: Json


class Saved(Struct, frozen=True):
    """Revision on which the next draft must be based."""

    revision: int


class SentAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer; submissions with the same nonce count once."""

    nonce: Nonce
    answer: Any
    seconds: Seconds
    revision: Revision | None = None
    """Revision of its draft; it is refused if a newer one is stored."""
    guideline: ShownVersion = None


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer in place of an earlier one."""

    nonce: Nonce
    answer: Any
    seconds: Seconds
    replaces: Annotated[str, Meta(max_length=100)]
    guideline: ShownVersion = None


class Received(Struct, frozen=True):
    """Receipt of a stored answer, with feedback."""

    id: str
    feedback: Json | None
    message: str | None
    progress: OwnProgress
    """Progress after this answer."""


class Return(Struct, frozen=True, forbid_unknown_fields=True):
    """Optional reason for giving an item back."""

    reason: Annotated[str, Meta(max_length=500)] = ""


@ROUTES.add("GET", _WORK, "annotator")
def get_work(call: Call) -> Work:
    """Return the next step, and assign the next item."""
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        person, assignment = allocation.assign_next(connection, campaign, call.annotator)
        state: WorkState = "item"
        if assignment is None:
            state = allocation.get_work_state(connection, campaign, call.annotator)
            person = people.find(connection, campaign, call.annotator)
        own_progress = progress.get_own_progress(connection, campaign, call.annotator)
        guideline = assignment and assignment.guideline
        guideline = guideline or guidelines.latest(connection, campaign.id)
    task, current_terms = tasks.create(campaign.task), terms.get_terms(campaign.settings)
    asked = RequestedTerms(current_terms.hash, current_terms.requires, bool(person.agreed))
    return Work(
        campaign=About(campaign.id, campaign.title, campaign.task, task.module),
        state=state,
        message=_message(campaign, state, own_progress),
        progress=own_progress,
        asked=asked if state == "consent" else None,
        completion=panels.find_completion(campaign, person, state, own_progress),
        item=None if assignment is None else _to_given_item(campaign, task, assignment),
        guideline=guideline,
        resume=resume_link(call, campaign.id, call.annotator),
    )


@ROUTES.add("POST", f"{_WORK}/consent", "annotator", body=Agreed)
def consent(call: Call) -> Nothing:
    """Agree to the terms."""
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        current_terms = terms.get_terms(campaign.settings)
        if current_terms.asks and call.body.terms != current_terms.hash:
            raise Conflict(terms.CHANGED)
        people.consent(connection, campaign, call.annotator)
    return Nothing()


@ROUTES.add("GET", f"{_WORK}/guidelines", "annotator")
def get_instructions(call: Call) -> Instructions:
    """Return the instructions as HTML."""
    with call.database.reading() as connection:
        newest = guidelines.get(connection, call.path["campaign"])
    html, tabs = presentation.render_markdown(newest.text), presentation.split_tabs(newest.text)
    return Instructions(newest.version, html, tabs)


@ROUTES.add("PUT", f"{_ITEM}/draft", "annotator", body=SentDraft)
def save_draft(call: Call) -> Saved:
    """Save the state of the page."""
    with call.database.writing() as connection:
        sent: SentDraft = call.body
        values = call.annotator, call.path["assignment"], sent.draft, sent.revision
        return Saved(submission.save_draft(connection, call.campaign(connection), *values))


@ROUTES.add("POST", f"{_ITEM}/answer", "annotator", body=SentAnswer)
def submit(call: Call) -> Received:
    """Store an answer."""
    return _store(call, submission.submit, call.body.revision)


@ROUTES.add("POST", f"{_ITEM}/correction", "annotator", body=Correction)
def correct(call: Call) -> Received:
    """Correct an answer."""
    return _store(call, submission.correct, call.body.replaces)


def _store(call: Call, store: Callable[..., Submission], earlier: Any) -> Received:
    """Store an answer in place of the draft or answer that it is based on."""
    sent: SentAnswer | Correction = call.body
    assignment = call.path["assignment"]
    values = sent.nonce, sent.answer, sent.seconds, earlier, sent.guideline
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        task = tasks.create(campaign.task)
        stored = store(connection, campaign, task, call.annotator, assignment, *values)
        own_progress = progress.get_own_progress(connection, campaign, call.annotator)
    messages = _make_messages(stored.stage_change) if stored.stage_change else ()
    return Received(stored.id, stored.feedback, " ".join(messages) or None, own_progress)


@ROUTES.add("POST", f"{_ITEM}/return", "annotator", body=Return)
def give_back(call: Call) -> Nothing:
    """Give an item back, so that others get it."""
    values = call.annotator, call.path["assignment"], call.body.reason
    with call.database.writing() as connection:
        allocation.give_back(connection, call.campaign(connection), *values)
    return Nothing()


@ROUTES.add("GET", f"{_WORK}/mine", "annotator")
def list_own_items(call: Call) -> list[ListedAnswer]:
    """List the person's own answers."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        answers = submission.list_own_items(connection, campaign, call.annotator)
    task, options = tasks.create(campaign.task), campaign.settings.options
    return [
        codec.to_struct(
            ListedAnswer,
            answer,
            key=str(answer.assignment),
            number=number,
            title=first_words(task.to_page(answer.content, answer.seed, options)),
        )
        for number, answer in zip(range(len(answers), 0, -1), answers, strict=True)
    ]


@ROUTES.add("GET", _ITEM, "annotator")
def get_own_answer(call: Call) -> AnsweredItem:
    """Return one of the person's own answers, for viewing or correction."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        id = call.path["assignment"]
        stored = submission.get_own_answer(connection, campaign, call.annotator, id)
        current = guidelines.latest(connection, campaign.id)
    task, assignment = tasks.create(campaign.task), stored.assignment
    page = assignment.content, assignment.seed, campaign.settings.options
    return codec.to_struct(
        AnsweredItem,
        _to_given_item(campaign, task, assignment),
        answer=task.answer_to_page(*page, stored.answer),
        answer_id=stored.id,
        submitted=stored.submitted,
        correctable=stored.correctable,
        guideline=current,
    )


def resume_link(call: Call, campaign: str, annotator: str) -> str:
    """Return a person's own link back to their work, the same for a whole day."""
    expires = (now() // _DAY + _RESUME_DAYS) * _DAY
    subject = f"{campaign} {annotator}"
    return call.link(
        f"/resume/{links.sign_token(call.site.secret, links.RESUME, subject, expires)}"
    )


def _to_given_item(campaign: Campaign, task: Task, assignment: Assignment) -> GivenItem:
    return codec.to_struct(
        GivenItem,
        assignment,
        assignment=assignment.id,
        key=str(assignment.id),
        content=task.to_page(assignment.content, assignment.seed, campaign.settings.options),
    )


def _make_messages(change: StageChange) -> Iterator[str]:
    if change.passed:
        yield f"You have completed “{change.stage}”."
    if change.mean is not None and change.needed is not None:
        reached, needed = floor(change.mean * 100 + _ROUNDING), round(change.needed * 100)
        yield f"Your mean was {reached} of 100; {needed} were needed."
    if change.passed:
        yield f"Next: “{change.to}”."


def _message(campaign: Campaign, state: WorkState, own_progress: OwnProgress) -> str | None:
    if state == "consent":
        return presentation.render_markdown(terms.get_terms(campaign.settings).text)
    if state == "finished" and not own_progress.stage_done:
        return "Others have done everything already: nothing is left to do. Thank you for coming."
    if state == "closed" and campaign.state == "draft":
        return "This campaign has not begun yet: come back later."
    return None
