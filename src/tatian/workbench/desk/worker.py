"""Worker process that runs the models, so that the server stays responsive and can stop jobs.

It reads jobs from standard input and writes reports to standard output, one JSON object per line,
until standard input ends.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from tatian.chat import KeptAnswers, TranscriptLine
from tatian.consolidation.verification.verdict import SMALL
from tatian.errors import TatianError
from tatian.pipeline import Pipeline
from tatian.text import Document, SourcedToken, Span
from tatian.text.layers import render
from tatian.workbench.desk.jobs import (
    ConsolidateJob,
    Job,
    Report,
    Stop,
    TraceJob,
    UnionJob,
    VerifyJob,
    WriteJob,
)
from tatian.workbench.desk.manuscript import words_in
from tatian.workbench.desk.models import DeskModels
from tatian.workbench.desk.projects import ProjectSource

if TYPE_CHECKING:
    from tatian.consolidation.verification.verdict import Judge

M = TypeVar("M")
"""A writer or an editor."""
MAX_CACHED_CHARACTERS = 4_000_000
"""Maximum number of characters of sources whose analysis is cached, apart from the last one."""
_READING = "reading sources"
"""Stage of a job that reads its sources."""
_NICENESS = 10
"""Niceness of this process, so that the server has priority."""


class _Stopped(TatianError):
    """The job was stopped."""


class JobRunner:
    """Runs jobs, and caches judges and the analyses of sources between them."""

    def __init__(self, out: int) -> None:
        self._out = os.fdopen(out, "wb")
        self._analysed: dict[tuple[str, str], Document] = {}
        self._judges: dict[str, Judge] = {}
        self._pipeline = Pipeline()
        self.stop = threading.Event()

    def run(self, job: Job) -> None:
        """Run a job, and report its result or its problem."""
        try:
            match job:
                case ConsolidateJob():
                    result = self._consolidate(job)
                case TraceJob() | VerifyJob():
                    result = self._verify(job)
                case UnionJob():
                    result = self._union(job)
                case WriteJob():
                    result = self._write(job)
            self._send(Report(result=Raw(result)))
        except _Stopped:
            self._send(Report(stopped=True))
        except TatianError as error:
            self._send(Report(problem=str(error)))
        except Exception as error:  # noqa: BLE001 - every failure must be reported
            sys.excepthook(type(error), error, error.__traceback__)
            self._send(Report(problem=f"a mistake of ours ({type(error).__name__})"))

    def _consolidate(self, job: ConsolidateJob) -> bytes:
        """Return the consolidation; if a language model fails, consolidate without one."""
        from tatian.consolidation import consolidate
        from tatian.consolidation.editor import open_editor
        from tatian.consolidation.result import Writing
        from tatian.consolidation.writer import open_writer

        documents = self._documents(job.accounts)

        def progress(stage: str, done: int, of: int) -> None:
            if stage != _READING:
                self._progress(stage, done, of)

        models = job.models
        try:
            consolidation = consolidate(
                documents,
                length=job.length,
                writer=self._open(open_writer, models.writer, job) if models.writer else None,
                editor=self._open(open_editor, models.editor, job) if models.editor else None,
                judge=self._judge(job),
                progress=progress,
            )
        except TatianError as error:
            if isinstance(error, _Stopped) or job.models == DeskModels():
                raise
            consolidation = consolidate(documents, length=job.length, progress=progress)
            name = models.text_model or models.judge
            failed = Writing(name, problem=str(error), role="merger" if models.editor else "writer")
            consolidation = replace(consolidation, writer=failed)
        return msgspec.json.encode(consolidation)

    def _verify(self, job: TraceJob | VerifyJob) -> bytes:
        from tatian.consolidation.verification import trace, trace_sentences

        text, documents = job.text, self._documents(job.accounts)
        judge, progress = self._judge(job), self._progress
        if isinstance(job, TraceJob):
            return msgspec.json.encode(trace(text, documents, judge=judge, progress=progress))
        sentences = trace_sentences(
            text, documents, start=job.start, judge=judge, progress=progress
        )
        return msgspec.json.encode(sentences)

    def _union(self, job: UnionJob) -> bytes:
        """Return the tokens of the union of sentences; none if the sources do not support it."""
        from tatian.consolidation.verification import trace_sentences
        from tatian.text.documents import Passage
        from tatian.union.models import mergers

        documents = {document.id: document for document in self._documents(job.accounts)}
        passages = [Passage(documents[id], Span(start, end)) for id, start, end in job.sentences]
        merged = mergers.create(mergers.default).merge(passages)
        tokens = [token for sentence in merged.sentences for token in sentence]
        traced = trace_sentences(render(tokens), list(documents.values()), judge=self._judge(job))
        is_supported = all(result.verdict == "supported" for result in traced)
        return msgspec.json.encode(tokens if is_supported else [])

    def _write(self, job: WriteJob) -> bytes:
        """Return the tokens of the model's rewording; none if it was rejected."""
        from tatian.consolidation import consolidate
        from tatian.consolidation.writer import open_writer

        texts = {account.id: account.text for account in job.accounts}
        documents = [
            Document(str(number), texts[id][start:end])
            for number, (id, start, end) in enumerate(job.sentences)
        ]
        consolidation = consolidate(
            documents,
            writer=self._open(open_writer, job.writer, job),
            judge=self._judge(job),
            progress=self._progress,
        )
        was_accepted = consolidation.writer and consolidation.writer.worded
        sentences = consolidation.sentences if was_accepted else ()
        words = [word for sentence in sentences for word in words_in(consolidation.text, sentence)]
        return msgspec.json.encode([_at_full_offsets(word, job.sentences) for word in words])

    def _open(self, open: Callable[..., M], location: str, job: ConsolidateJob | WriteJob) -> M:
        """Open a language model that writes or edits; the server stores its answers."""
        self._progress("asking the language model", 0, 0)

        def report(line: TranscriptLine) -> None:
            self._send(Report(answers={line.key: line.answer}))

        return open(location, KeptAnswers(job.answers, report), self._judge(job))

    def _judge(self, job: Job) -> Judge:
        """Return the judge of a job; those in this process are loaded only once."""
        from tatian.consolidation.verification.judges import LOCAL, open_judge

        if job.judge not in (SMALL, LOCAL):
            return open_judge(job.judge, KeptAnswers())
        if job.judge not in self._judges:
            self._judges[job.judge] = open_judge(job.judge)
        return self._judges[job.judge]

    def _documents(self, accounts: Sequence[ProjectSource]) -> list[Document]:
        """Return the analysed sources."""
        documents = []
        for number, account in enumerate(accounts):
            self._progress(_READING, number, len(accounts))
            document, key = account.document(), (account.id, account.text)
            analysed = self._analysed.pop(key, None) or self._pipeline.process(document)
            self._analysed[key] = analysed
            documents.append(replace(analysed, metadata=document.metadata))
        size = sum(len(text) for _, text in self._analysed)
        for key in list(self._analysed)[:-1]:
            if size <= MAX_CACHED_CHARACTERS:
                break
            size -= len(key[1])
            del self._analysed[key]
        return documents

    def _progress(self, stage: str, done: int, of: int) -> None:
        if self.stop.is_set():
            raise _Stopped("stopped")
        self._send(Report(stage, done, of))

    def _send(self, report: Report) -> None:
        self._out.write(msgspec.json.encode(report) + b"\n")
        self._out.flush()


def _at_full_offsets(word: SourcedToken, sentences: Sequence[tuple[str, int, int]]) -> SourcedToken:
    """Return a word whose sources are in documents instead of in the numbered `sentences`."""
    sources = []
    for source in word.sources:
        id, start, _ = sentences[int(source.document)]
        place = {"document": id, "start": source.start + start, "end": source.end + start}
        sources.append(replace(source, **place))
    return replace(word, sources=tuple(sources))


def main() -> None:
    """Run one job after the other until standard input ends."""
    out = os.dup(1)
    os.dup2(2, 1)  # Output of libraries must not mix with answers.
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    runner = JobRunner(out)
    jobs: queue.Queue[Job] = queue.Queue()
    decoder = msgspec.json.Decoder(Job | Stop)

    def listen() -> None:
        for line in sys.stdin.buffer:
            message = decoder.decode(line)
            if isinstance(message, Stop):
                runner.stop.set()
            else:
                runner.stop.clear()
                jobs.put(message)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        runner.run(jobs.get())


if __name__ == "__main__":
    main()
