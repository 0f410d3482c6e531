"""State of one server's desk: running consolidations and questions, events, and caches.

A restart loses nothing that matters. A consolidation that was cut off is shown as interrupted, and
questions are asked again when a page needs them.
"""

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

_MOST_MANUSCRIPTS = 8
"""Manuscripts that are kept in memory, at most."""
_EVENTS = 200
_SEEN = 16
"""Views of pages that are remembered by revision, at most."""
_CONTEXT = 2
"""Sentences before a typed one that are verified with it, as context."""
_log = logging.getLogger(__name__)


class _Titled(Struct, frozen=True):
    title: str | None = None


class Event(Struct, frozen=True):
    """Event for the open pages of a project."""

    number: int
    project: str
    kind: str
    data: dict[str, Any]


class Desk:
    """Runner of background consolidations and questions, with caches for the pages."""

    def __init__(
        self,
        database: Database,
        command_line: NamedModels | None = None,
        longest: float = limits.DESK_JOB_SECONDS,
    ) -> None:
        self.database = database
        self.command_line = command_line or NamedModels()
        """Language models of the command line, which cannot be changed in a browser."""
        with database.reading() as connection:
            self.language_models = load_models(connection, self.command_line)
        self.models = ModelProcess(longest)
        self.stopping: Callable[[], bool] = lambda: False
        """Returns True when the server is about to end, so that streams end too."""
        self._lock = threading.Lock()
        self._weaving: dict[str, tuple[Ticket, RunState]] = {}
        self._begun: set[str] = set()
        self._asked: dict[tuple[str, str], str] = {}
        self._events: deque[Event] = deque(maxlen=_EVENTS)
        self._number = 0
        self._manuscripts: OrderedDict[tuple[str, str], Manuscript] = OrderedDict()
        self._seen: OrderedDict[tuple[str, str, int], Any] = OrderedDict()

    @property
    def judge(self) -> str:
        """Judge of sentences."""
        return self.language_models.judge

    def remembered_view(self, project: str, woven: str, revision: int | None) -> Any:
        """Return the view that a page got at a revision, if it is still stored."""
        with self._lock:
            return self._seen.get((project, woven, revision or 0))

    def remember_view(self, project: str, woven: str, revision: int, view: Any) -> None:
        """Store the view that a page gets at a revision."""
        with self._lock:
            self._seen[project, woven, revision] = view
            while len(self._seen) > _SEEN:
                self._seen.popitem(last=False)

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
        if self._is_cut_off(project.id, state.state):
            state = replace(state, state="interrupted")
        return self.progress(project.id) or state

    def _is_cut_off(self, project: str, state: str) -> bool:
        """Return True if a consolidation was cut off by the end of an earlier server."""
        return state in ("waiting", "running") and project not in self._begun

    def with_progress(self, summary: ProjectSummary) -> ProjectSummary:
        """Return the summary of a project with its current progress."""
        current = self.progress(summary.id)
        last = "interrupted" if self._is_cut_off(summary.id, summary.weaving) else summary.weaving
        return replace(summary, weaving=current.state if current else last)

    def progress(self, project: str) -> RunState | None:
        """Return the progress of a consolidation that runs on this server."""
        with self._lock:
            ticket, state = self._weaving.get(project, (None, None))
        if ticket is not None and state is not None and state.state == "waiting":
            return replace(state, place=self.models.place(ticket))
        return state

    def consolidate(self, project: Project, *, anew: bool = False) -> RunState:
        """Start a consolidation, unless one is running or the text is up to date.

        If sources were only added to an edited text, it is kept and extended, unless `anew`.
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
            done = (
                not anew
                and results.find_stamp(connection, project.id, stamp) == stamp
                and not self.writer_problem(self._manuscript(connection, project.id, stamp))
            )
            in_force = decisions[: project.done]
            worked_on = any(not isinstance(stored.decision, SetLength) for stored in in_force)
            waiting = RunState("idle" if done else "waiting")
            if (under_way := self.progress(project.id)) is not None:
                return under_way
            self._begun.add(project.id)
            projects.store_run_state(connection, project.id, waiting)
            chosen = self.language_models
            answers = results.get_answers(connection, project.id) if chosen.text_model else {}
        if done:
            return waiting
        job = ConsolidateJob(tuple(accounts), length, chosen, answers)

        def finished(result: bytes) -> None:
            text = result.decode()
            if worked_on and not anew:
                text = self._extend(project.id, length, text)
            self._finish(project.id, RunState("idle"), StoredConsolidation(stamp, length, text))

        def failed(problem: str) -> None:
            state = RunState("failed", problem=problem) if problem else RunState("cancelled")
            self._finish(project.id, state, None)

        def progress(stage: str, done: int, of: int) -> None:
            with self._lock:
                if held := self._weaving.get(project.id):
                    self._weaving[project.id] = (held[0], RunState("running", stage, done, of))

        listener = Listener(finished, failed, progress, self._answer_callback(project.id))
        with self._lock:
            if project.id not in self._weaving:
                ticket = self.models.put(job, project.owner, listener)
                self._weaving[project.id] = (ticket, waiting)
        return self.progress(project.id) or waiting

    def _extend(self, project: str, length: int | None, woven: str) -> str:
        """Return the last text, extended by sentences of added sources; or else the new text."""
        with self.database.reading() as connection:
            before = results.last_consolidation(connection, project, length)
        if before is None:
            return woven
        texts = (msgspec.json.decode(result, type=Consolidation) for result in (before, woven))
        merged = extend_text(*texts)
        return msgspec.json.encode(merged).decode() if merged else woven

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
        """Return why a text is not as the chosen language model makes it; empty if it is."""
        return model_problem(self.language_models, manuscript.consolidation.writer)

    def choose_models(self, chosen: DeskModels) -> None:
        """Use other language models from now on, and after a restart."""
        with self.database.writing() as connection:
            store_models(connection, chosen, self.command_line)
        self.language_models = chosen

    def cancel(self, project: Project) -> RunState:
        """Stop a consolidation; the last text stays."""
        with self._lock:
            held = self._weaving.get(project.id)
        if held is None:
            return self.run_state(project)
        self.models.stop(held[0])
        return RunState("cancelled")

    def forget(self, project: Project) -> None:
        """Forget a project that is deleted."""
        self.cancel(project)
        with self._lock:
            caches: list[dict[Any, Any]] = [self._manuscripts, self._seen, self._asked]
            for cache in caches:
                for key in [entry for entry in cache if entry[0] == project.id]:
                    del cache[key]
        self.send_event(project.id, "deleted")

    def _finish(self, project: str, state: RunState, kept: StoredConsolidation | None) -> None:
        try:
            with self.database.writing() as connection:
                if projects.exists(connection, project):
                    if kept is not None:
                        title = msgspec.json.decode(kept.woven, type=_Titled).title
                        results.store_consolidation(connection, project, kept, title)
                    projects.store_run_state(connection, project, state)
        except SQLAlchemyError as error:
            lost = f"the text could not be stored: {describe_problem(error, self.database)}"
            _log.warning("%s", lost)
            state, kept = RunState("failed", problem=lost), None
            self._begun.discard(project)
        finally:
            with self._lock:
                self._weaving.pop(project, None)
                self._manuscripts.pop((project, kept.stamp if kept else ""), None)
        self.send_event(project, "weaving", state=state)
        if kept is not None:
            self.send_event(project, "woven")

    def apply_decisions(self, connection: Connection, ground: ProjectInputs) -> ProjectState:
        """Return a project with its decisions applied."""
        manuscript, accounts = ground.manuscript, update_metadata(ground.manuscript, ground.sources)
        edited = apply_decisions(manuscript, accounts, ground.in_force)
        ground, manuscript = replace(ground, manuscript=edited.manuscript), edited.manuscript
        texts = [manuscript.layout(line).text for line in edited.lines if line.typed]
        keys = [verdict_key(text, manuscript, self.judge) for text in texts]
        findings = results.get_findings(connection, ground.project.id, keys)
        return ProjectState(**msgspec.structs.asdict(ground), edited=edited, findings=findings)

    def load_inputs(self, connection: Connection, project: Project) -> ProjectInputs | None:
        """Return what a project's text is made of; None before the first consolidation."""
        accounts = tuple(projects.list_sources(connection, project.id))
        decisions = tuple(projects.list_decisions(connection, project.id))
        length = projects.wanted_length(project, decisions)
        stamp = results.compute_stamp(accounts, length)
        if (woven := results.find_stamp(connection, project.id, stamp)) is None:
            return None
        manuscript = self._manuscript(connection, project.id, woven)
        return ProjectInputs(project, accounts, decisions, stamp, woven, manuscript)

    def _manuscript(self, connection: Connection, project: str, woven: str) -> Manuscript:
        with self._lock:
            held = self._manuscripts.pop((project, woven), None)
        if held is None:
            text = results.get_consolidation(connection, project, woven)
            held = to_manuscript(msgspec.json.decode(text, type=Consolidation))
        with self._lock:
            self._manuscripts[project, woven] = held
            while len(self._manuscripts) > _MOST_MANUSCRIPTS:
                self._manuscripts.popitem(last=False)
        return held

    def verify_typed(self, present: ProjectState) -> None:
        """Verify the sentences that a person typed, unless verified or under verification."""
        lines = present.edited.lines
        for number, line in enumerate(lines):
            if line.typed:
                text = present.manuscript.layout(line).text
                key = verdict_key(text, present.manuscript, self.judge)
                before = " ".join(
                    previous.text for previous in lines[max(0, number - _CONTEXT) : number]
                )
                if key not in present.findings:
                    self._verify_line(present, key, before, text)

    def _verify_line(self, present: ProjectState, key: str, before: str, text: str) -> None:
        start = len(before) + 2 if before else 0

        def kept(result: bytes) -> bytes:
            traced = msgspec.json.decode(result, type=list[TracedSentence])
            return msgspec.json.encode([move_verdict(sentence, -start) for sentence in traced])

        whole = f"{before}\n\n{text}" if before else text
        job = VerifyJob(consolidated_sources(present.manuscript), whole, start, self.judge)
        self.ask(present.project, key, job, "woven", kept)

    def ask(
        self,
        project: Project,
        key: str,
        job: Job,
        event: str,
        kept: Callable[[bytes], bytes] = bytes,
        **data: Any,
    ) -> None:
        """Run a job and store its result under a key, unless that is under way or has failed."""
        id = project.id
        if isinstance(job, WriteJob):
            with self.database.reading() as connection:
                job = replace(job, answers=results.get_answers(connection, id))
        with self._lock:
            if (id, key) in self._asked:
                return
            self._asked[id, key] = ""

        def finished(result: bytes) -> None:
            try:
                with self.database.writing() as connection:
                    if projects.exists(connection, id):
                        results.store_finding(connection, id, key, kept(result).decode())
            except SQLAlchemyError as error:
                _log.warning("a finding is lost: %s", describe_problem(error, self.database))
            finally:
                with self._lock:
                    self._asked.pop((id, key), None)
                self.send_event(id, event, **data)

        def failed(problem: str) -> None:
            with self._lock:
                self._asked[id, key] = problem or "stopped"
            self.send_event(id, event, **data)

        listener = Listener(finished, failed, answered=self._answer_callback(id))
        self.models.put(job, project.owner, listener, urgent=True)

    def retry(self, project: str, key: str) -> None:
        """Let a question that failed be asked again."""
        with self._lock:
            if self._asked.get((project, key)):
                del self._asked[project, key]

    def is_asked(self, project: str, key: str) -> bool:
        """Return True if a question is under way or has failed."""
        with self._lock:
            return (project, key) in self._asked

    def problem(self, project: str, key: str) -> str:
        """Return why a question failed; empty if it did not."""
        with self._lock:
            return self._asked.get((project, key), "")
