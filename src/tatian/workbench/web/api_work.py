"""The API of the annotator's page: items, drafts, answers, instructions."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from tatian.workbench.accounts import links
from tatian.workbench.campaigns import allocation, guidelines, people, progress, submission, terms
from tatian.workbench.campaigns.allocation import Assignment, Standing
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.progress import OwnProgress
from tatian.workbench.campaigns.stages import StageChange
from tatian.workbench.campaigns.submission import Submitted
from tatian.workbench.storage.database import now
from tatian.workbench.tasks import Plain, Task, tasks
from tatian.workbench.web import api_taking_part, markdown
from tatian.workbench.web.api_taking_part import Asked, Completion
from tatian.workbench.web.api_users import Nothing
from tatian.workbench.web.markdown import Tab
from tatian.workbench.web.naming import beginning
from tatian.workbench.web.routing import Call, Route

_DAY = 24 * 3_600_000
_RESUME = 60
"""Days that somebody's own link works."""
_ROUNDING = 1e-6
"""Of a hundred: a mean of 0.29 is 29, though floating point puts it a little below."""
Nonce = Annotated[str, Meta(min_length=8, max_length=100)]
Seconds = Annotated[float, Meta(ge=0, le=10_000_000)]
_LARGEST = (1 << 31) - 1
Revision = Annotated[int, Meta(ge=0, le=_LARGEST)]
Current = Annotated[int, Meta(description="The version of the instructions that holds now.")]
Shown = Annotated[
    Annotated[int, Meta(ge=1, le=_LARGEST)] | None,
    Meta(description="The version of the instructions that was shown; null: not known."),
]
BuildsOn = Annotated[
    Revision | None,
    Meta(
        description="The revision of the draft that the answer was made from. Where a newer one is "
        "stored the answer is refused: 409 with the code `stale`, `draft` and `revision`. Null: "
        "nothing is compared."
    ),
]
Number = Annotated[
    int, Meta(description="Its place in the order in which they were answered, from 1.")
]
Title = Annotated[str, Meta(description="How its item begins; empty where it has no text.")]
Way = Annotated[OwnProgress, Meta(description="How far one is, this answer counted.")]


class About(Struct, frozen=True):
    """The campaign, as its annotators know it."""

    id: str
    title: str
    task: str
    module: str


class Given(Struct, frozen=True):
    """An item in the annotator's hands, without anything that would unblind."""

    assignment: int
    key: str
    """What annotators call it; the item's own key might tell a test from the rest."""
    stage: int
    content: Plain
    draft: Any
    revision: int
    suggestion: Any
    preannotated: bool
    expires: int


class Answered(Struct, frozen=True):
    """An item that the annotator has answered, to look at or correct."""

    assignment: int
    key: str
    stage: int
    content: Plain
    answer: Plain
    answer_id: str
    submitted: int
    correctable: bool
    guideline: Current


class Mine(Struct, frozen=True):
    """One of the annotator's answers, as their list shows it."""

    assignment: int
    key: str
    number: Number
    title: Title
    submitted: int
    correctable: bool
    training: bool


class Work(Struct, frozen=True):
    """Everything that the page needs to go on."""

    campaign: About
    state: Standing
    message: str | None
    progress: OwnProgress
    asked: Asked | None
    completion: Completion | None
    item: Given | None
    guideline: Current
    resume: str


class Instructions(Struct, frozen=True):
    """The guidelines that hold now."""

    version: int
    html: str
    tabs: list[Tab]


class Draft(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's state, and the revision that it builds on."""

    revision: Revision
    draft: Plain


class Saved(Struct, frozen=True):
    """The revision that the next draft builds on."""

    revision: int


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer; the same nonce means the same submission, however often it is sent."""

    nonce: Nonce
    answer: Any
    seconds: Seconds
    revision: BuildsOn = None
    guideline: Shown = None


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer in place of an earlier one."""

    nonce: Nonce
    answer: Any
    seconds: Seconds
    replaces: Annotated[str, Meta(max_length=100)]
    guideline: Shown = None


class Received(Struct, frozen=True):
    """That the answer is stored, and what there is to learn from it."""

    id: str
    feedback: Plain | None
    message: str | None
    progress: Way


class Return(Struct, frozen=True, forbid_unknown_fields=True):
    """Why an item is given back, if somebody likes to say."""

    reason: Annotated[str, Meta(max_length=500)] = ""


def work(call: Call) -> Work:
    """What to do now; gives out the next item where there is none open."""
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        assignment = allocation.next_item(connection, campaign, call.annotator)
        state: Standing = "item"
        if assignment is None:
            state = allocation.standing(connection, campaign, call.annotator)
        person = people.find(connection, campaign, call.annotator)
        way = progress.own(connection, campaign, person.id)
        current = guidelines.latest(connection, campaign.id)
    task = tasks.create(campaign.task)
    return Work(
        campaign=About(campaign.id, campaign.title, campaign.task, task.module),
        state=state,
        message=_message(campaign, state, way),
        progress=way,
        asked=api_taking_part.asked(campaign, person) if state == "consent" else None,
        completion=api_taking_part.completion(campaign, person, state, way),
        item=None if assignment is None else _given(campaign, task, assignment),
        guideline=current,
        resume=resume_link(call, campaign.id, call.annotator),
    )


def instructions(call: Call) -> Instructions:
    """The guidelines that hold now, as HTML."""
    with call.database.reading() as connection:
        found = guidelines.get(connection, call.path["campaign"])
    return Instructions(found.version, markdown.rendered(found.text), markdown.tabs(found.text))


def save_draft(call: Call) -> Saved:
    """Keep a page's state, and the item in the annotator's hands."""
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        own = call.path["assignment"]
        mine = allocation.held(connection, campaign, call.annotator, own, lock=False)
        revision = submission.save_draft(connection, mine, call.body.draft, call.body.revision)
    return Saved(revision)


def submit(call: Call) -> Received:
    """Store an answer; sending it again changes nothing."""
    given: Answer = call.body
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        done = submission.submit(
            connection,
            campaign,
            tasks.create(campaign.task),
            call.annotator,
            call.path["assignment"],
            given.nonce,
            given.answer,
            given.seconds,
            given.revision,
            given.guideline,
        )
        way = progress.own(connection, campaign, call.annotator)
    return _received(done, way)


def correct(call: Call) -> Received:
    """Store an answer in place of an earlier one, which is kept."""
    given: Correction = call.body
    with call.database.writing() as connection:
        campaign = call.campaign(connection)
        done = submission.correct(
            connection,
            campaign,
            tasks.create(campaign.task),
            call.annotator,
            call.path["assignment"],
            given.nonce,
            given.answer,
            given.seconds,
            given.replaces,
            given.guideline,
        )
        way = progress.own(connection, campaign, call.annotator)
    return _received(done, way)


def give_back(call: Call) -> Nothing:
    """Leave an item to somebody else."""
    with call.database.writing() as connection:
        allocation.give_back(
            connection,
            call.campaign(connection),
            call.annotator,
            call.path["assignment"],
            call.body.reason,
        )
    return Nothing()


def mine(call: Call) -> list[Mine]:
    """The annotator's own answers, the latest first."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        found = submission.own(connection, campaign, call.annotator)
    task, options = tasks.create(campaign.task), campaign.settings.options
    return [
        Mine(
            one.assignment,
            str(one.assignment),
            number,
            beginning(task.shown(one.content, one.seed, options)),
            one.submitted,
            one.correctable,
            one.training,
        )
        for number, one in zip(range(len(found), 0, -1), found, strict=True)
    ]


def answered(call: Call) -> Answered:
    """One of the annotator's own answers, to look at or correct."""
    with call.database.reading() as connection:
        campaign = call.campaign(connection)
        own = submission.own_answer(connection, campaign, call.annotator, call.path["assignment"])
        current = guidelines.latest(connection, campaign.id)
    task, held = tasks.create(campaign.task), own.assignment
    shown = _given(campaign, task, held)
    return Answered(
        assignment=shown.assignment,
        key=shown.key,
        stage=shown.stage,
        content=shown.content,
        answer=task.restored(held.content, held.seed, campaign.settings.options, own.answer),
        answer_id=own.id,
        submitted=own.submitted,
        correctable=own.correctable,
        guideline=current,
    )


def resume_link(call: Call, campaign: str, annotator: str) -> str:
    """Somebody's own link back to their work; the same for a whole day."""
    expires = (now() // _DAY + _RESUME) * _DAY
    subject = f"{campaign} {annotator}"
    return call.link(f"/resume/{links.sign(call.site.secret, links.RESUME, subject, expires)}")


def _given(campaign: Campaign, task: Task, assignment: Assignment) -> Given:
    return Given(
        assignment=assignment.id,
        key=str(assignment.id),
        stage=assignment.stage,
        content=task.shown(assignment.content, assignment.seed, campaign.settings.options),
        draft=assignment.draft,
        revision=assignment.revision,
        suggestion=assignment.suggestion,
        preannotated=assignment.preannotated,
        expires=assignment.expires,
    )


def _received(done: Submitted, way: OwnProgress) -> Received:
    change = done.stage_change
    said = [] if change is None else [*_ended(change)]
    return Received(done.id, done.feedback, " ".join(said) or None, way)


def _ended(change: StageChange) -> Iterator[str]:
    if change.passed:
        yield f"You have completed “{change.stage}”."
    if change.mean is not None and change.needed is not None:
        reached, needed = floor(change.mean * 100 + _ROUNDING), round(change.needed * 100)
        yield f"Your mean was {reached} of 100; {needed} were needed."
    if change.passed:
        yield f"Next: “{change.to}”."


def _message(campaign: Campaign, state: Standing, way: OwnProgress) -> str | None:
    if state == "consent":
        return markdown.rendered(terms.of(campaign.settings).text)
    if state == "finished" and not way.stage_done:
        return "Others have done everything already: nothing is left to do. Thank you for coming."
    if state == "closed" and campaign.state == "draft":
        return "This campaign has not begun yet: come back later."
    return None


_WORK = "/work/{campaign}"
_ITEM = "/work/{campaign}/{assignment}"


def _route(
    method: Literal["GET", "POST", "PUT"],
    path: str,
    call: Any,
    summary: str,
    answer: Any,
    body: Any = None,
) -> Route:
    return Route(
        method=method,
        path=path,
        who="annotator",
        call=call,
        summary=summary,
        body=body,
        answer=answer,
    )


ROUTES = (
    _route("GET", _WORK, work, "What to do now; gives out the next item", Work),
    _route("GET", f"{_WORK}/guidelines", instructions, "The instructions as HTML", Instructions),
    _route("GET", f"{_WORK}/mine", mine, "One's own answers", list[Mine]),
    _route("PUT", f"{_ITEM}/draft", save_draft, "Keep the state of the page", Saved, Draft),
    _route("POST", f"{_ITEM}/answer", submit, "Store an answer", Received, Answer),
    _route("POST", f"{_ITEM}/return", give_back, "Leave an item to others", Nothing, Return),
    _route("GET", _ITEM, answered, "An own answer, to look at or correct", Answered),
    _route("POST", f"{_ITEM}/correction", correct, "Correct an answer", Received, Correction),
)
