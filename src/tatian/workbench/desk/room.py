"""One server's desk: what is being woven or asked for, what is told to open pages, what is at hand.

Nothing that only this knows is missed after a restart: a weave that was cut off is shown as such,
and what was asked for is asked for again by whoever looks.
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
from tatian.consolidation.proof.result import TracedSentence
from tatian.consolidation.proof.verdict import SMALL
from tatian.consolidation.result import Consolidation
from tatian.workbench.desk import projects, weaves
from tatian.workbench.desk.additions import grown
from tatian.workbench.desk.decisions import Shorten
from tatian.workbench.desk.editor import apply
from tatian.workbench.desk.jobs import Job, ProofJob, WeaveJob, WriteJob
from tatian.workbench.desk.manuscript import Manuscript, taken_apart
from tatian.workbench.desk.mastheads import missing_days
from tatian.workbench.desk.present import Ground, Present, as_woven, known, verdict_key
from tatian.workbench.desk.process import Listener, ModelProcess, Ticket
from tatian.workbench.desk.projects import Project, ProjectSummary, Weaving
from tatian.workbench.desk.weaves import StoredWeave
from tatian.workbench.errors import BadRequest
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.failures import problem

_AT_HAND = 8
"""Weaves that are kept taken apart."""
_EVENTS = 200
_SEEN = 16
"""Revisions that are remembered as pages were shown them."""
_CONTEXT = 2
"""Sentences before one that are read with it."""
_log = logging.getLogger(__name__)


class _Titled(Struct, frozen=True):
    title: str | None = None


class Event(Struct, frozen=True):
    """Something that open pages of a project are told."""

    number: int
    project: str
    kind: str
    data: dict[str, Any]


class Desk:
    """Weaves and asks in the background, and remembers what pages need at once."""

    def __init__(
        self,
        database: Database,
        writer: str = "",
        longest: float = limits.DESK_JOB_SECONDS,
        judge: str = SMALL,
    ) -> None:
        self.database, self.writer, self.judge = database, writer, judge
        self.models = ModelProcess(longest)
        self.stopping: Callable[[], bool] = lambda: False
        """Whether the server is about to end, so that streams end too."""
        self._lock = threading.Lock()
        self._weaving: dict[str, tuple[Ticket, Weaving]] = {}
        self._begun: set[str] = set()
        self._asked: dict[tuple[str, str], str] = {}
        self._events: deque[Event] = deque(maxlen=_EVENTS)
        self._number = 0
        self._at_hand: OrderedDict[tuple[str, str], Manuscript] = OrderedDict()
        self._seen: OrderedDict[tuple[str, str, int], Any] = OrderedDict()

    def seen(self, project: str, woven: str, revision: int | None) -> Any:
        """What a page was shown at a revision, if it is still known."""
        with self._lock:
            return self._seen.get((project, woven, revision or 0))

    def see(self, project: str, woven: str, revision: int, what: Any) -> None:
        """Remember what a page is shown."""
        with self._lock:
            self._seen[project, woven, revision] = what
            while len(self._seen) > _SEEN:
                self._seen.popitem(last=False)

    def close(self) -> None:
        """End whatever is under way."""
        self.models.close()

    def tell(self, project: str, kind: str, **data: Any) -> None:
        """Let open pages of a project know."""
        with self._lock:
            self._number += 1
            self._events.append(Event(self._number, project, kind, data))

    def told(self, project: str, since: int) -> tuple[int, list[Event]]:
        """What pages were told of a project after an event, and the number of the last."""
        with self._lock:
            new = [one for one in self._events if one.number > since and one.project == project]
            return self._number, new

    def weaving(self, project: Project) -> Weaving:
        """How far the weave of a project is, or how the last one ended."""
        stated = project.weaving
        return self.progress(project.id) or (
            replace(stated, state="interrupted")
            if self._cut_off(project.id, stated.state)
            else stated
        )

    def _cut_off(self, project: str, state: str) -> bool:
        """Whether a weave ended with an earlier server; one of ours may end while this is asked."""
        return state in ("waiting", "running") and project not in self._begun

    def now(self, one: ProjectSummary) -> ProjectSummary:
        """A project in a list, with how far its weave is."""
        held = self.progress(one.id)
        last = "interrupted" if self._cut_off(one.id, one.weaving) else one.weaving
        return replace(one, weaving=held.state if held else last)

    def progress(self, project: str) -> Weaving | None:
        """How far a weave is that is under way here."""
        with self._lock:
            ticket, state = self._weaving.get(project, (None, None))
        if ticket is not None and state is not None and state.state == "waiting":
            return replace(state, place=self.models.place(ticket))
        return state

    def weave(self, project: Project, *, anew: bool = False) -> Weaving:
        """Begin to weave, unless that is under way or done already.

        A text that was worked on stays as it is where accounts were only added, unless `anew`.
        """
        with self.database.writing() as connection:
            accounts = projects.accounts(connection, project.id)
            if not accounts:
                raise BadRequest("there is nothing to weave: put accounts in first")
            if days := missing_days([account.document() for account in accounts]):
                projects.set_days(connection, project.id, days)
                accounts = projects.accounts(connection, project.id)
                self.tell(project.id, "accounts")
            made = projects.decisions(connection, project.id)
            length = projects.wanted_length(project, made)
            stamp = weaves.stamp(accounts, length)
            done = (
                not anew
                and weaves.weave_for(connection, project.id, stamp) == stamp
                and not self.unworded(self._manuscript(connection, project.id, stamp))
            )
            worked_on = any(not isinstance(one.decision, Shorten) for one in made[: project.done])
            waiting = Weaving("idle" if done else "waiting")
            if (under_way := self.progress(project.id)) is not None:
                return under_way
            self._begun.add(project.id)
            projects.note_weaving(connection, project.id, waiting)
            answers = weaves.answers(connection, project.id) if self.writer else {}
        if done:
            return waiting
        job = WeaveJob(tuple(accounts), length, self.writer, self.judge, answers)

        def finished(result: bytes) -> None:
            text = result.decode()
            if worked_on and not anew:
                text = self._grown(project.id, length, text)
            self._ended(project.id, Weaving("idle"), StoredWeave(stamp, length, text))

        def failed(problem: str) -> None:
            state = Weaving("failed", problem=problem) if problem else Weaving("cancelled")
            self._ended(project.id, state, None)

        def progress(stage: str, done: int, of: int) -> None:
            with self._lock:
                held = self._weaving.get(project.id)
                if held:
                    now = Weaving("running", stage, done, of)
                    self._weaving[project.id] = (held[0], now)

        listener = Listener(finished, failed, progress, self._keeps_answers(project.id))
        with self._lock:
            if project.id not in self._weaving:
                ticket = self.models.put(job, project.owner, listener)
                self._weaving[project.id] = (ticket, waiting)
        return self.progress(project.id) or waiting

    def _grown(self, project: str, length: int | None, woven: str) -> str:
        """The last text with what a new weave adds to it, where accounts were only added."""
        with self.database.reading() as connection:
            before = weaves.last_weave(connection, project, length)
        if before is None:
            return woven
        texts = (msgspec.json.decode(one, type=Consolidation) for one in (before, woven))
        text = grown(*texts)
        return msgspec.json.encode(text).decode() if text else woven

    def _keeps_answers(self, project: str) -> Callable[[Mapping[str, Answer]], None]:
        """Let a project keep what a language model answers for it."""

        def answered(answers: Mapping[str, Answer]) -> None:
            try:
                with self.database.writing() as connection:
                    if projects.exists(connection, project):
                        weaves.keep_answers(connection, project, answers)
            except SQLAlchemyError as error:
                _log.warning("an answer could not be stored: %s", type(error).__name__)

        return answered

    def unworded(self, manuscript: Manuscript) -> str:
        """What is to be said of a text that a language model might word, and has not."""
        done = manuscript.woven.writer
        if not self.writer or (done and not done.problem):
            return ""
        if done is None:
            return "the language model has not been asked yet: weave again to let it word the text"
        how = "stopped halfway" if done.drafts else "could not be asked"
        rest = "the rest is in the accounts' own words. Weave again to ask it once more"
        return f"the language model {how} ({done.problem}): {rest}"

    def cancel(self, project: Project) -> Weaving:
        """Stop weaving; the text that was woven last stays."""
        with self._lock:
            held = self._weaving.get(project.id)
        if held is None:
            return self.weaving(project)
        self.models.stop(held[0])
        return Weaving("cancelled")

    def forget(self, project: Project) -> None:
        """Let go of a project that is deleted."""
        self.cancel(project)
        with self._lock:
            memories: list[dict[Any, Any]] = [self._at_hand, self._seen, self._asked]
            for held in memories:
                for key in [one for one in held if one[0] == project.id]:
                    del held[key]
        self.tell(project.id, "deleted")

    def _ended(self, project: str, state: Weaving, kept: StoredWeave | None) -> None:
        try:
            with self.database.writing() as connection:
                if projects.exists(connection, project):
                    if kept is not None:
                        title = msgspec.json.decode(kept.woven, type=_Titled).title
                        weaves.keep_weave(connection, project, kept, title)
                    projects.note_weaving(connection, project, state)
        except SQLAlchemyError as error:
            lost = f"the text could not be stored: {problem(error, self.database)}"
            _log.warning("%s", lost)
            state, kept = Weaving("failed", problem=lost), None
            self._begun.discard(project)
        finally:
            with self._lock:
                self._weaving.pop(project, None)
                self._at_hand.pop((project, kept.stamp if kept else ""), None)
        self.tell(project, "weaving", state=state)
        if kept is not None:
            self.tell(project, "woven")

    def worked(self, connection: Connection, ground: Ground) -> Present:
        """A project with its text as decided."""
        manuscript, accounts = ground.manuscript, known(ground.manuscript, ground.accounts)
        edited = apply(manuscript, accounts, ground.in_force)
        ground, manuscript = replace(ground, manuscript=edited.manuscript), edited.manuscript
        keys = [
            verdict_key(manuscript.laid(line).text, manuscript, self.judge)
            for line in edited.lines
            if line.typed
        ]
        found = weaves.findings(connection, ground.project.id, keys)
        return Present(**msgspec.structs.asdict(ground), edited=edited, found=found)

    def ground(self, connection: Connection, project: Project) -> Ground | None:
        """What a project's text is made of; None where nothing is woven yet."""
        accounts = tuple(projects.accounts(connection, project.id))
        made = tuple(projects.decisions(connection, project.id))
        length = projects.wanted_length(project, made)
        stamp = weaves.stamp(accounts, length)
        woven = weaves.weave_for(connection, project.id, stamp)
        if woven is None:
            return None
        manuscript = self._manuscript(connection, project.id, woven)
        return Ground(project, accounts, made, stamp, woven, manuscript)

    def _manuscript(self, connection: Connection, project: str, woven: str) -> Manuscript:
        with self._lock:
            held = self._at_hand.pop((project, woven), None)
        if held is None:
            text = weaves.weave(connection, project, woven)
            held = taken_apart(msgspec.json.decode(text, type=Consolidation))
        with self._lock:
            self._at_hand[project, woven] = held
            while len(self._at_hand) > _AT_HAND:
                self._at_hand.popitem(last=False)
        return held

    def trace_own(self, present: Present) -> None:
        """Ask whether the accounts bear out what a person typed, where nobody has asked yet."""
        lines = present.edited.lines
        for number, line in enumerate(lines):
            if line.typed:
                text = present.manuscript.laid(line).text
                key = verdict_key(text, present.manuscript, self.judge)
                before = " ".join(one.text for one in lines[max(0, number - _CONTEXT) : number])
                if key not in present.found:
                    self._trace_line(present, key, before, text)

    def _trace_line(self, present: Present, key: str, before: str, text: str) -> None:
        start = len(before) + 2 if before else 0

        def kept(result: bytes) -> bytes:
            own = [
                replace(
                    one,
                    start=one.start - start,
                    end=one.end - start,
                    tokens=tuple(
                        replace(token, start=token.start - start, end=token.end - start)
                        for token in one.tokens
                    ),
                    unproved=tuple(
                        replace(part, start=part.start - start, end=part.end - start)
                        for part in one.unproved
                    ),
                )
                for one in msgspec.json.decode(result, type=list[TracedSentence])
            ]
            return msgspec.json.encode(own)

        whole = f"{before}\n\n{text}" if before else text
        job = ProofJob(as_woven(present.manuscript), whole, start, self.judge)
        self.ask(present.project, key, job, "woven", kept)

    def ask(
        self,
        of: Project,
        key: str,
        job: Job,
        event: str,
        kept: Callable[[bytes], bytes] = bytes,
        **data: Any,
    ) -> None:
        """Find something out and keep it under its key, unless that is under way or has failed."""
        project = of.id
        if isinstance(job, WriteJob):
            with self.database.reading() as connection:
                job = replace(job, answers=weaves.answers(connection, project))
        with self._lock:
            if (project, key) in self._asked:
                return
            self._asked[project, key] = ""

        def finished(result: bytes) -> None:
            try:
                with self.database.writing() as connection:
                    if projects.exists(connection, project):
                        weaves.keep_finding(connection, project, key, kept(result).decode())
            except SQLAlchemyError as error:
                _log.warning("a finding could not be stored: %s", problem(error, self.database))
            with self._lock:
                self._asked.pop((project, key), None)
            self.tell(project, event, **data)

        def failed(problem: str) -> None:
            with self._lock:
                self._asked[project, key] = problem or "stopped"
            self.tell(project, event, **data)

        listener = Listener(finished, failed, answered=self._keeps_answers(project))
        self.models.put(job, of.owner, listener, urgent=True)

    def again(self, project: str, key: str) -> None:
        """Let something be asked once more that could not be found out."""
        with self._lock:
            if self._asked.get((project, key)):
                del self._asked[project, key]

    def asked(self, project: str, key: str) -> bool:
        """Whether something is being found out, or could not be."""
        with self._lock:
            return (project, key) in self._asked

    def problem(self, project: str, key: str) -> str:
        """Why something could not be found out; empty where it can."""
        with self._lock:
            return self._asked.get((project, key), "")
