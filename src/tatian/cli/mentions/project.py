"""``tatian mentions project``: gold on a clean transcript becomes gold on its ASR output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.common import any_path, examples, keep_inputs, output_option, quiet_option, say
from tatian.cli.mentions.reading import from_option, note_form, read_plain, read_texts, write_jsonl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tatian.mentions.data import LinkedText


@click.command(
    epilog=examples(
        "tatian mentions project trans.jsonl asr.jsonl -o asr-gold.jsonl",
        "tatian mentions project trans.jsonl asr.txt",
    )
)
@click.argument("trans", type=any_path)
@click.argument("asr", type=any_path)
@click.option("--exact-case", is_flag=True, help="Upper and lower case are different letters.")
@from_option
@output_option
@quiet_option
def project(
    trans: str, asr: str, exact_case: bool, origin: str | None, output: str, quiet: bool
) -> None:
    """Carry the mentions of TRANS over to ASR, what a recogniser of speech made of the same words.

    Each offset of a transcript is mapped to one of the recognised text by the minimum edit distance
    with backtracking. TRANS is any file with linked mentions. ASR is one too, whose mentions do not
    count, or plain text with a line for each transcript. Texts are paired by their ids, lines by
    their order. Mentions of which too little was heard are reported.
    """
    from tatian.mentions.projection import project_all

    keep_inputs(output, (trans, asr))
    if not quiet:
        note_form(output)
    texts = read_texts([trans], origin)
    lost = 0

    def carried() -> Iterator[LinkedText]:
        nonlocal lost
        for found in project_all(texts, read_plain(asr), exact_case=exact_case):
            lost += len(found.vanished)
            if not quiet:
                for one in found.vanished:
                    say("warning", f"text '{found.text.id}': too little was heard of '{one.term}'")
            yield found.text

    write_jsonl(carried(), output)
    if not quiet:
        total = sum(len(text.mentions) for text in texts)
        say("note", f"mentions carried over: {total - lost} of {total}")
