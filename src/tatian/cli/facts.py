"""``tatian facts``: coverage, redundancy and order of the facts of bundles."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from tatian.cli import options
from tatian.cli.files import keep_inputs
from tatian.cli.options import command
from tatian.cli.output import print_table, progress_bar, say, warn, write, write_json
from tatian.cli.scores import figures_json, items_json
from tatian.corpora.reading import read
from tatian.errors import InputError
from tatian.progress import track
from tatian.scoring import Scores

if TYPE_CHECKING:
    from tatian.corpora.bundles import Bundle

    Rows = dict[str, Scores]

FAULTS_FOUND = 1
"""Exit status if a bundle has faults."""


@command()
def score(
    bundles: str = options.path(),
    texts: str | None = options.path(required=False),
    fast: bool = options.flag("Consolidate as 'consolidate --fast' does."),
    form: str = options.format,
) -> None:
    """Score a text for each bundle, and compare it with the reference and the sources.

    A bundle holds the sources of one event, their facts and an editor's text, the reference.
    BUNDLES is a file of bundles (JSON or JSONL), or a folder of them. TEXTS is a folder of files
    named by the bundles' ids (ferry.txt), or JSONL with "id" and "text"; without it, Tatian
    consolidates each bundle itself.
    """
    from tatian.consolidation.metrics import difference_table, score_table
    from tatian.consolidation.metrics import score as measure
    from tatian.corpora.bundles import read_bundles

    all_bundles = read_bundles(bundles)
    measured_texts = _read_texts(texts) if texts else _consolidate(all_bundles, fast)
    rows = {
        "texts" if texts else "tatian": measure(all_bundles, measured_texts),
        "reference": measure(all_bundles, {b.id: b.reference_text() for b in all_bundles}),
        "stacked": measure(all_bundles, {b.id: b.stacked() for b in all_bundles}),
        "longest": measure(all_bundles, {b.id: b.longest() for b in all_bundles}),
    }
    if form == "json":
        write_json(_to_json(rows))
        return
    print_table(score_table(rows))
    (name, scores), *_ = rows.items()
    if len(scores.ids) > 1:
        write("")
        print_table(difference_table(name, scores, "stacked", rows["stacked"]))


@command()
def check(bundles: tuple[str, ...] = options.paths("BUNDLE...")) -> None:
    """Report faults of bundles that prevent measuring.

    Keys must occur in every source of their fact and, except in noise, in no other sentence. Ids
    must exist and be unique. The reference must state all important facts in their order. Each
    problem names bundle, fact and sentence. The exit status is 1 if there are any.
    """
    from tatian.consolidation.metrics import faults
    from tatian.corpora.bundles import read_bundles

    all_bundles = read_bundles(bundles, checked=False)
    all_faults = [fault for bundle in all_bundles for fault in faults(bundle)]
    for fault in all_faults:
        write(fault)
    say("note", f"bundles: {len(all_bundles)}, problems: {len(all_faults)}")
    if all_faults:
        sys.exit(FAULTS_FOUND)


@command()
def show(
    bundle: str = options.path(),
    text: str | None = options.path(required=False),
    fast: bool = options.flag("Consolidate as 'consolidate --fast' does."),
    output: str = options.output,
) -> None:
    """Write a page that shows where a text states each fact, repeats it, or leaves it out.

    BUNDLE holds one bundle. TEXT is one text, or several with their ids as 'facts score' reads
    them; without it, Tatian consolidates the bundle itself.
    """
    from tatian.consolidation.metrics import facts_page
    from tatian.corpora.bundles import read_bundles

    keep_inputs(output, tuple(path for path in (bundle, text) if path))
    only, *more = read_bundles(bundle)
    if more:
        raise InputError(f"has {1 + len(more)} bundles: a page shows one", path=bundle)
    measured_texts = _read_texts(text) if text else _consolidate([only], fast)
    if len(measured_texts) > 1 and only.id not in measured_texts:
        raise InputError(f"no text for the bundle '{only.id}'", path=text)
    shown = measured_texts.get(only.id) or next(iter(measured_texts.values()))
    write(facts_page(only, shown), output)


def _read_texts(path: str) -> dict[str, str]:
    return {document.id: document.text for document in read(path, warn=warn)}


def _consolidate(bundles: list[Bundle], fast: bool) -> dict[str, str]:
    from tatian.consolidation import consolidate
    from tatian.pipeline import Pipeline

    pipeline = Pipeline.fast() if fast else Pipeline()
    texts = {}
    with progress_bar() as progress:
        for bundle in track(bundles, "consolidating", progress):
            result = consolidate(bundle.documents(), pipeline=pipeline, fast=fast)
            texts[bundle.id] = result.text
    return texts


def _to_json(rows: Rows) -> dict[str, Any]:
    from tatian.consolidation.metrics import compare

    (_, scores), *others = rows.items()
    return {
        **figures_json(scores),
        "bundles": items_json(scores),
        "beside": {
            name: {
                **{measure: figure.value for measure, figure in other.items()},
                "tests": to_builtins(compare(scores, other)),
            }
            for name, other in others
        },
    }
