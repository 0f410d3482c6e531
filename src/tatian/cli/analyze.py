"""``tatian analyze``: tags, lemmas, trees and names of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from tatian.cli.common import ending_of, keep_inputs, progress_bar, say, warner, writer
from tatian.cli.options import (
    any_path,
    examples,
    model_option,
    output_option,
    quiet_option,
    to_option,
)

if TYPE_CHECKING:
    from tatian.analysis import Analyser
    from tatian.text import Document


@click.command(
    epilog=examples(
        "tatian analyze story.txt > story.json",
        "tatian analyze corpus/ stories.jsonl.gz --to conllu -o corpus.conllu",
        "tatian analyze gold-tokens.conllu --to conllu > predicted.conllu",
        "echo 'Ann Lee moved to Oslo.' | tatian analyze - --to conllu",
    )
)
@click.argument("files", nargs=-1, required=True, type=any_path, metavar="FILE...")
@to_option("json", "conllu", default="json")
@output_option
@model_option("Analysis")
@quiet_option
def analyze(
    files: tuple[str, ...],
    form: str | None,
    output: str,
    model: str | None,
    quiet: bool,
) -> None:
    """Find tokens, sentences, tags, trees and names.

    FILE is what 'consolidate' reads. CoNLL-U (.conllu) keeps its tokens, sentences, comments and
    multiword tokens. JSON is one document per line, see 'tatian schema document'; in
    CoNLL-U, names are in the last column (NER=B-PER).
    """
    from tatian.analysis.api import analyses
    from tatian.corpora.reading import iterate
    from tatian.formats.conllu_writer import to_conllu

    keep_inputs(output, files)
    analyser = _analyser(model, quiet)
    form = form or ("conllu" if ending_of(output) == ".conllu" else "json")
    with progress_bar(quiet=quiet) as progress, writer(output) as put:
        found = analyses(analyser, iterate(files, warn=warner(quiet)), progress)
        for number, document in enumerate(found):
            put(to_conllu(document, apart=number > 0) if form == "conllu" else _json_line(document))


def _analyser(model: str | None, quiet: bool) -> Analyser:
    from tatian.analysis import analysers
    from tatian.analysis.installed import best_model, unavailable

    if model is None and (problem := unavailable()) and not quiet:
        say("note", f"tokens and sentences only: {problem}")
    return analysers.create(model or best_model())


def _json_line(document: Document) -> str:
    return msgspec.json.encode(document).decode() + "\n"
