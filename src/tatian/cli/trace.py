"""``tatian trace``: verification of a text against its sources."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tatian.cli import options
from tatian.cli.files import choose_format, keep_inputs
from tatian.cli.options import STREAM, command
from tatian.cli.output import console, progress_bar, warn, write, write_json
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.consolidation.verification import Trace

_FORMATS = ("text", "json", "html")
_FAILING = {
    "contradicted": frozenset(("contradicted",)),
    "unsupported": frozenset(("contradicted", "unsupported", "unknown")),
    "partly": frozenset(("contradicted", "unsupported", "unknown", "partly")),
}
"""Verdicts that fail a text, by the value of ``--fail-on``."""
VERIFICATION_FAILED = 1


@command()
def trace(
    text: str = options.path(),
    sources: tuple[str, ...] = options.paths("SOURCE..."),
    form: str | None = options.output_format(*_FORMATS),
    output: str = options.output,
    judge: str = options.judge,
    fail_on: str | None = options.choice(
        list(_FAILING),
        "Exit with 1 if a sentence has this verdict or a worse one, from contradicted (the worst) "
        "to partly; unknown counts as unsupported.",
        "--fail-on",
    ),
    verbose: bool = options.flag("Also show supported sentences, with their evidence."),
) -> int:
    """Verify a text against its sources, sentence by sentence.

    TEXT is any text, by any author; SOURCE is any file that 'consolidate' reads. Each sentence is
    supported, partly supported, contradicted or unsupported; if the judge cannot decide, it is
    unknown. The most important omissions of the text are listed. The judge is the model in the
    package (small), a language model on this machine (local; see 'tatian models install judge'), or
    MODEL, the address of an OpenAI-compatible server.
    """
    form = choose_format(form, output, _FORMATS)
    keep_inputs(output, (text, *sources))
    result = _trace(text, sources, judge)
    from tatian.consolidation.verification.result import coloured, summary

    if form == "json":
        write_json(result.to_json(), output)
    elif form == "html":
        write(result.to_html(), output)
    elif output == STREAM and sys.stdout.isatty():
        console(sys.stdout).print(coloured(result, verbose=verbose))
    else:
        write(summary(result, verbose=verbose), output)
    if fail_on and any(sentence.verdict in _FAILING[fail_on] for sentence in result.sentences):
        return VERIFICATION_FAILED
    return 0


def _trace(text: str, files: tuple[str, ...], judge_name: str) -> Trace:
    from tatian.consolidation.verification import trace as trace_text
    from tatian.consolidation.verification.judges import open_judge
    from tatian.corpora.reading import read

    texts = read([text], warn=warn)
    if len(texts) != 1:
        raise InputError(f"holds {len(texts)} texts: trace takes one at a time", path=text)
    sources = read(files, warn=warn)
    judge = open_judge(judge_name)
    with progress_bar() as progress:
        return trace_text(texts[0], sources, judge=judge, progress=progress)
