"""``tatian analyze``: tags, lemmas, trees and names; ``tatian entail``: entailment."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from tatian.cli import options
from tatian.cli.engine import SHARD_ENGINE, SHARD_OUTPUT, EngineOptions, run_shards
from tatian.cli.files import ending_of, keep_inputs
from tatian.cli.options import command
from tatian.cli.output import progress_bar, say, warn, writer
from tatian.errors import EmptyInput, InputError
from tatian.text.streams import open_stream

if TYPE_CHECKING:
    from tatian.analysis import Analyser


@command()
def analyze(
    files: tuple[str, ...] = options.paths("FILE..."),
    form: str | None = options.output_format("json", "conllu"),
    output: str = SHARD_OUTPUT,
    model: str | None = options.model("Analysis"),
    engine: EngineOptions = SHARD_ENGINE,
) -> int:
    """Find tokens, sentences, tags, trees and names.

    FILE is any file that 'consolidate' reads. CoNLL-U (.conllu) keeps its tokens, sentences,
    comments and multiword tokens. JSON output is JSON Lines, one document per line (see 'tatian
    schema document'). CoNLL-U output has names in the last column (NER=B-PER). If shards are
    written and documents failed, the exit status is 3.
    """
    from tatian.analysis.encoder import analyze_with
    from tatian.corpora.reading import iterate
    from tatian.formats.conllu_writer import to_conllu

    keep_inputs(output, files)
    if engine.writes_shards(output):
        from tatian.analysis.installed import best_model
        from tatian.pipeline.corpus_steps import AnalysisStep

        step = AnalysisStep(model or best_model(), form or "json")
        _analyser(step.model)
        return run_shards(step, files, output, engine)
    analyser = _analyser(model)
    form = form or ("conllu" if ending_of(output) == ".conllu" else "json")
    with progress_bar() as progress, writer(output) as put:
        analysed = analyze_with(analyser, iterate(files, warn=warn), progress)
        for number, document in enumerate(analysed):
            if form == "conllu":
                put(to_conllu(document, apart=number > 0))
            else:
                put(msgspec.json.encode(document).decode() + "\n")
    return 0


def _analyser(model: str | None) -> Analyser:
    from tatian.analysis import analysers
    from tatian.analysis.installed import best_model, unavailable

    if model is None and (problem := unavailable()):
        say("note", f"tokens and sentences only: {problem}")
    return analysers.create(model or best_model())


_FIELDS = ("premise", "hypothesis")


@command()
def entail(pairs: str = options.path(), output: str = options.output) -> None:
    """Judge whether each hypothesis follows from its premise.

    PAIRS is JSONL with "premise" and "hypothesis". Each record is printed with all its fields and
    two more: "label" (entailment, neutral or contradiction) and "probabilities". A label that it
    had before is kept as "gold".
    """
    from tatian.analysis.meaning import entails_all
    from tatian.corpora.decoding import refuse_binary

    keep_inputs(output, (pairs,))
    with open_stream(pairs) as stream, progress_bar() as progress, writer(output) as put:
        refuse_binary(stream.head(), stream.name)
        waiting: deque[dict[str, Any]] = deque()
        read = _pairs(stream.lines(), stream.name, waiting)
        for number, judged in enumerate(entails_all(read), start=1):
            progress("judging pairs", number, number + len(waiting))
            record = waiting.popleft()
            if "label" in record:
                record.setdefault("gold", record["label"])
            record["label"] = judged.label
            record["probabilities"] = judged
            put(msgspec.json.encode(record).decode() + "\n")


def _pairs(
    lines: Iterable[tuple[int, bytes]], path: str, waiting: deque[dict[str, Any]]
) -> Iterator[tuple[str, str]]:
    """Yield the texts of each record, which is put into `waiting`."""
    any_pair = False
    for number, line in lines:
        content = line.removeprefix(b"\xef\xbb\xbf").strip()
        if not content:
            continue
        any_pair = True
        record = _record(content, path, number)
        waiting.append(record)
        premise, hypothesis = (_text(record, field, path, number) for field in _FIELDS)
        yield premise, hypothesis
    if not any_pair:
        raise EmptyInput("the file has no pairs", path=path)


def _record(content: bytes, path: str, number: int) -> dict[str, Any]:
    """Return the fields of one line, undecoded so that they can be written unchanged."""
    from tatian.corpora.decoding import decode_utf8

    try:
        text = decode_utf8(content, path, number)
        return dict(msgspec.json.decode(text, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"not a JSON object on one line: {error}".replace("`", "'")
        raise InputError(message, path=path, line=number) from error


def _text(record: dict[str, Any], field: str, path: str, number: int) -> str:
    try:
        return msgspec.json.decode(record[field], type=str)
    except (KeyError, msgspec.DecodeError) as error:
        message = f"the record needs a string '{field}'"
        raise InputError(message, path=path, line=number) from error
