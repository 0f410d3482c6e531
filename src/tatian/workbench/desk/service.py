"""The desk of a server: running consolidations and questions to models, events, and caches."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from tatian import limits
from tatian.chat import Answer
from tatian.consolidation.result import Consolidation
from tatian.consolidation.verification.result import TracedSentence
from tatian.workbench.desk import projects, results
from tatian.workbench.desk.additions import extend_text
from tatian.workbench.desk.decisions import SetLength
from tatian.workbench.desk.editor import apply_decisions
from tatian.workbench.desk.jobs import ConsolidateJob, Job, VerifyJob, WriteJob
from tatian.workbench.desk.manuscript import Manuscript, to_manuscript
from tatian.workbench.desk.models import (
    DeskModels,
    NamedModels,
    load_models,
    model_problem,
    store_models,
)
from tatian.workbench.desk.process import Listener, ModelProcess, Ticket
from tatian.workbench.desk.projects import Project, ProjectSummary, RunState
from tatian.workbench.desk.publication import find_missing_days
from tatian.workbench.desk.results import StoredConsolidation
from tatian.workbench.desk.state import (
    ProjectInputs,
    ProjectState,
    consolidated_sources,
    move_verdict,
    update_metadata,
    verdict_key,
)
from tatian.workbench.errors import BadRequest
from tatian.workbench.storage.database import Database, describe_problem

_MAX_MANUSCRIPTS = 8
"""Maximum number of manuscripts in memory."""
_MAX_EVENTS = 200
"""Maximum number of events in memory."""
_MAX_VIEWS = 16
"""Maximum number of views in memory, one per revision that a page shows."""
_CONTEXT = 2
"""Number of sentences before a typed one that are its context when it is verified."""
_log = logging.getLogger(__name__)


class _Titled(Struct, frozen=True):
    """The title of a consolidation, read without the rest."""

    title: str | None = None


class Event(Struct, frozen=True):
    """Event for the open pages of a project."""

    number: int
    project: str
    kind: str
    data: dict[str, Any]


class Desk:
    """Runs consolidations and questions in the background, and caches what pages need."""

    def __init__(
        self,
        database: Database,
        command_line: NamedModels | None = None,
        job_limit: float = limits.DESK_JOB_SECONDS,
    ) -> None:
        self.database = database
        self.command_line = command_line or NamedModels()
        """Models set on the command line, which cannot be changed in a browser."""
        with database.reading() as connection:
            self.language_models = load_models(connection, self.command_line)
        self.models = ModelProcess(job_limit)
        self.stopping: Callable[[], bool] = lambda: False
        """Returns True while the server shuts down, so that event streams end."""
        self._lock = threading.Lock()
        self._runs: dict[str, tuple[Ticket, RunState]] = {}
        self._started: set[str] = set()
        self._questions: dict[tuple[str, str], str] = {}
        self._events: deque[Event] = deque(maxlen=_MAX_EVENTS)
        self._number = 0
        self._manuscripts: OrderedDict[tuple[str, str, int], Manuscript] = OrderedDict()
        self._views: OrderedDict[tuple[str, str, int], Any] = OrderedDict()

    @property
    def judge(self) -> str:
        """Name of the judge of sentences."""
        return self.language_models.judge

    def exchange_view(
        self, project: str, stamp: str, revision: int, view: Any, seen: int | None
    ) -> Any:
        """Cache the view that pages get at a revision; return that of the revision `seen`."""
        with self._lock:
            seen_view = self._views.get((project, stamp, seen or 0))
            self._views[project, stamp, revision] = view
            while len(self._views) > _MAX_VIEWS:
                self._views.popitem(last=False)
        return seen_view

    def close(self) -> None:
        """End all running work."""
        self.models.close()

    def send_event(self, project: str, kind: str, **data: Any) -> None:
        """Send an event to the open pages of a project."""
        with self._lock:
            self._number += 1
            self._events.append(Event(self._number, project, kind, data))

    def events_since(self, project: str, since: int) -> tuple[int, list[Event]]:
        """Return the events of a project after a number, and the number of the last event."""
        with self._lock:
            newer = (event for event in self._events if event.number > since)
            return self._number, [event for event in newer if event.project == project]

    def run_state(self, project: Project) -> RunState:
        """Return the progress of a project's consolidation, or how the last one ended."""
        state = project.weaving
        if self._is_interrupted(project.id, state.state):
            state = replace(state, state="interrupted")
        return self.progress(project.id) or state

    def _is_interrupted(self, project: str, state: str) -> bool:
        """Return True if a state was stored by an earlier server that did not finish its work."""
        return state in ("waiting", "running") and project not in self._started

    def with_progress(self, summary: ProjectSummary) -> ProjectSummary:
        """Return the summary of a project with its current progress."""
        if current := self.progress(summary.id):
            return replace(summary, weaving=current.state)
        if self._is_interrupted(summary.id, summary.weaving):
            return replace(summary, weaving="interrupted")
        return summary

    def progress(self, project: str) -> RunState | None:
        """Return the progress of a consolidation that runs on this server."""
        with self._lock:
            ticket, state = self._runs.get(project, (None, None))
        if ticket is not None and state is not None and state.state == "waiting":
            return replace(state, place=self.models.place(ticket))
        return state

    def consolidate(self, project: Project, *, anew: bool = False) -> RunState:
        """Start a consolidation, unless one is running; keep an up-to-date text unless `anew`.

        An edited text is only extended by sentences of added sources.
        """
        with self.database.writing() as connection:
            accounts = projects.list_sources(connection, project.id)
            if not accounts:
                raise BadRequest("there is nothing to consolidate: add sources first")
            if days := find_missing_days([account.document() for account in accounts]):
                projects.set_days(connection, project.id, days)
                accounts = projects.list_sources(connection, project.id)
                self.send_event(project.id, "accounts")
            decisions = projects.list_decisions(connection, project.id)
            length = projects.wanted_length(project, decisions)
            stamp = results.compute_stamp(accounts, length)
            is_current = (
                not anew
                and results.find_stamp(connection, project.id, stamp) == stamp
                and not self.writer_problem(self._manuscript(connection, project.id, stamp))
            )
            changes = (stored.decision for stored in decisions[: project.done])
            is_edited = not all(isinstance(change, SetLength) for change in changes)
            state = RunState("idle" if is_current else "waiting")
            if (current := self.progress(project.id)) is not None:
                return current
            self._started.add(project.id)
            projects.store_run_state(connection, project.id, state)
            models = self.language_models
            answers = results.get_answers(connection, project.id) if models.text_model else {}
        if is_current:
            return state
        job = ConsolidateJob(tuple(accounts), length, models, answers)

        def finished(result: bytes) -> None:
            text = result.decode()
            if is_edited and not anew:
                text = self._extend(project.id, length, text)
            self._finish(project.id, RunState("idle"), StoredConsolidation(stamp, length, text))

        def failed(problem: str) -> None:
            end = RunState("failed", problem=problem) if problem else RunState("cancelled")
            self._finish(project.id, end, None)

        def progress(stage: str, done: int, of: int) -> None:
            with self._lock:
                if run := self._runs.get(project.id):
                    self._runs[project.id] = (run[0], RunState("running", stage, done, of))

        listener = Listener(finished, failed, progress, self._answer_callback(project.id))
        with self._lock:
            if project.id not in self._runs:
                ticket = self.models.put(job, project.owner, listener)
                self._runs[project.id] = (ticket, state)
        return self.progress(project.id) or state

    def _extend(self, project: str, length: int | None, text: str) -> str:
        """Return the last text with sentences of added sources if possible, else the new text."""
        with self.database.reading() as connection:
            last = results.last_consolidation(connection, project, length)
        if last is None:
            return text
        merged = extend_text(*(msgspec.json.decode(t, type=Consolidation) for t in (last, text)))
        return msgspec.json.encode(merged).decode() if merged else text

    def _answer_callback(self, project: str) -> Callable[[Mapping[str, Answer]], None]:
        """Return a callback that stores a language model's answers with a project."""

        def answered(answers: Mapping[str, Answer]) -> None:
            try:
                with self.database.writing() as connection:
                    if projects.exists(connection, project):
                        results.store_answers(connection, project, answers)
            except SQLAlchemyError as error:
                _log.warning("an answer could not be stored: %s", type(error).__name__)

        return answered

    def writer_problem(self, manuscript: Manuscript) -> str:
        """Return why a text was not made by the chosen models; empty if it was."""
        return model_problem(self.language_models, manuscript.consolidation.writer)

    def choose_models(self, models: DeskModels) -> None:
        """Choose and store language models."""
        with self.database.writing() as connection:
            store_models(connection, models, self.command_line)
        self.language_models = models

    def cancel(self, project: Project) -> RunState:
        """Stop a consolidation."""
        with self._lock:
            run = self._runs.get(project.id)
        if run is not None:
            self.models.stop(run[0])
        return self.run_state(project) if run is None else RunState("cancelled")

    def forget(self, project: Project) -> None:
        """Stop the work for a deleted project, and clear its caches."""
        self.cancel(project)
        with self._lock:
            caches: list[dict[Any, Any]] = [self._manuscripts, self._views, self._questions]
            for cache in caches:
                for key in [entry for entry in cache if entry[0] == project.id]:
                    del cache[key]
        self.send_event(project.id, "deleted")

    def _finish(self, project: str, state: RunState, stored: StoredConsolidation | None) -> None:
        try:
            with self.database.writing() as connection:
                if projects.exists(connection, project):
                    if stored is not None:
                        title = msgspec.json.decode(stored.woven, type=_Titled).title
                        results.store_consolidation(connection, project, stored, title)
                    projects.store_run_state(connection, project, state)
        except SQLAlchemyError as error:
            problem = f"the text could not be stored: {describe_problem(error, self.database)}"
            _log.warning("%s", problem)
            state, stored = RunState("failed", problem=problem), None
            self._started.discard(project)
        finally:
            with self._lock:
                self._runs.pop(project, None)
        self.send_event(project, "weaving", state=state)
        if stored is not None:
            self.send_event(project, "woven")

    def apply_decisions(self, connection: Connection, inputs: ProjectInputs) -> ProjectState:
        """Return a project with its decisions applied."""
        manuscript, accounts = inputs.manuscript, update_metadata(inputs.manuscript, inputs.sources)
        edited = apply_decisions(manuscript, accounts, inputs.in_force)
        inputs, manuscript = replace(inputs, manuscript=edited.manuscript), edited.manuscript
        texts = [manuscript.layout(line).text for line in edited.lines if line.typed]
        keys = [verdict_key(text, manuscript, self.judge) for text in texts]
        findings = results.get_findings(connection, inputs.project.id, keys)
        return ProjectState(**msgspec.structs.asdict(inputs), edited=edited, findings=findings)

    def load_inputs(self, connection: Connection, project: Project) -> ProjectInputs | None:
        """Return the data of a project's text; None before the first consolidation."""
        accounts = tuple(projects.list_sources(connection, project.id))
        decisions = tuple(projects.list_decisions(connection, project.id))
        length = projects.wanted_length(project, decisions)
        stamp = results.compute_stamp(accounts, length)
        if (text_stamp := results.find_stamp(connection, project.id, stamp)) is None:
            return None
        manuscript = self._manuscript(connection, project.id, text_stamp)
        return ProjectInputs(project, accounts, decisions, stamp, text_stamp, manuscript)

    def _manuscript(self, connection: Connection, project: str, stamp: str) -> Manuscript:
        # A later text may have the same stamp: this request may still read the earlier one.
        key = project, stamp, results.get_time(connection, project, stamp)
        with self._lock:
            manuscript = self._manuscripts.pop(key, None)
        if manuscript is None:
            text = results.get_consolidation(connection, project, stamp)
            manuscript = to_manuscript(msgspec.json.decode(text, type=Consolidation))
        with self._lock:
            self._manuscripts[key] = manuscript
            while len(self._manuscripts) > _MAX_MANUSCRIPTS:
                self._manuscripts.popitem(last=False)
        return manuscript

    def verify_typed(self, state: ProjectState) -> None:
        """Start to verify the sentences that a person typed and that have no verdict."""
        lines = state.edited.lines
        for number, line in enumerate(lines):
            if line.typed:
                text = state.manuscript.layout(line).text
                key = verdict_key(text, state.manuscript, self.judge)
                context = lines[max(0, number - _CONTEXT) : number]
                before = " ".join(line.text for line in context)
                if key not in state.findings:
                    self._verify_line(state, key, before, text)

    def _verify_line(self, state: ProjectState, key: str, before: str, text: str) -> None:
        start = len(before) + 2 if before else 0

        def convert(result: bytes) -> bytes:
            traced = msgspec.json.decode(result, type=list[TracedSentence])
            return msgspec.json.encode([move_verdict(sentence, -start) for sentence in traced])

        with_context = f"{before}\n\n{text}" if before else text
        job = VerifyJob(consolidated_sources(state.manuscript), with_context, start, self.judge)
        self.ask(state.project, key, job, "woven", convert)

    def ask(
        self,
        project: Project,
        key: str,
        job: Job,
        event: str,
        convert: Callable[[bytes], bytes] = bytes,
        **data: Any,
    ) -> None:
        """Run a job and store its converted result under a key; `event` and `data` announce it.

        Do nothing if the job is running or has failed.
        """
        id = project.id
        if isinstance(job, WriteJob):
            with self.database.reading() as connection:
                job = replace(job, answers=results.get_answers(connection, id))
        with self._lock:
            if (id, key) in self._questions:
                return
            self._questions[id, key] = ""

        def finished(result: bytes) -> None:
            try:
                with self.database.writing() as connection:
                    if projects.exists(connection, id):
                        results.store_finding(connection, id, key, convert(result).decode())
            except SQLAlchemyError as error:
                _log.warning("a finding is lost: %s", describe_problem(error, self.database))
            finally:
                with self._lock:
                    self._questions.pop((id, key), None)
                self.send_event(id, event, **data)

        def failed(problem: str) -> None:
            with self._lock:
                self._questions[id, key] = problem or "stopped"
            self.send_event(id, event, **data)

        listener = Listener(finished, failed, answered=self._answer_callback(id))
        self.models.put(job, project.owner, listener, urgent=True)

    def retry(self, project: str, key: str) -> None:
        """Allow a failed question to be asked again."""
        with self._lock:
            if self._questions.get((project, key)):
                del self._questions[project, key]

    def is_asked(self, project: str, key: str) -> bool:
        """Return True if a question is running or has failed."""
        with self._lock:
            return (project, key) in self._questions

    def problem(self, project: str, key: str) -> str:
        """Return why a question failed; empty if it did not."""
        with self._lock:
            return self._questions.get((project, key), "")
