"""``tatian coref convert``: from one coreference format to another, with nothing lost unsaid."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tatian.cli.common import (
    STREAM,
    any_path,
    examples,
    keep_inputs,
    quiet_option,
    strict_option,
    tell_losses,
)
from tatian.cli.coref.reading import WRITTEN, expand, from_option, read_documents, write_texts
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.cli.coref.reading import Source
    from tatian.coreference.data.formats import Format
    from tatian.text import Document
    from tatian.text.formats import Losses

    Inputs = list[tuple[list[Document], Format, Source]]


@click.command(
    epilog=examples(
        "tatian coref convert key.sgm --to conll",
        "tatian coref convert gum.conllu.gz --to muc -o gum.sgm --strict",
        "tatian coref convert ecbplus/ --to conll -o topics/",
    )
)
@click.argument("files", nargs=-1, required=True, type=any_path)
@click.option("--to", "target", type=click.Choice(WRITTEN), required=True, help="What to write.")
@from_option
@click.option(
    "-o",
    "--output",
    type=any_path,
    default=STREAM,
    help="Write to this file, or into this directory (it ends in / or is there).",
)
@strict_option
@quiet_option
def convert(
    files: tuple[str, ...],
    target: str,
    origin: str | None,
    output: str,
    strict: bool,
    quiet: bool,
) -> None:
    """Convert coreference FILEs, or all of a directory, to another format.

    Read are MUC SGML, CoNLL-2012, OntoGUM, CorefUD, GAP, ECB+, clusters as JSON and Tatian's JSONL.
    A document that is written in the format it came from stays as it was, byte for byte. What the
    target cannot hold is reported, with how often it was lost and the first document concerned.

    With a directory as output every input becomes a file in it.
    """
    from tatian.coreference.data.formats import find
    from tatian.text.formats import Losses

    keep_inputs(output, files)
    paths = expand(files)
    inputs = [read_documents(path, origin) for path in paths]
    format, losses = find(target), Losses()
    folder = output != STREAM and (output.endswith(("/", os.sep)) or Path(output).is_dir())
    if folder:
        written = _for_directory(inputs, paths, format, output, losses)
    else:
        written = {output: _together(inputs, format, losses)}
    if not any(map(any, written.values())):
        reasons = [message for message in losses.messages() if "left out" in message]
        raise InputError(f"nothing to write as {target}: {'; '.join(reasons) or 'no documents'}")
    if not (quiet or strict):
        tell_losses(losses, target)
    if strict and losses.counts:
        raise InputError(f"{target} would lose {'; '.join(losses.messages())}")
    if folder:
        _make(Path(output))
    for name, texts in written.items():
        keep_inputs(name, tuple(paths))
        write_texts(texts, name, _encoding(inputs, format))


def _together(inputs: Inputs, format: Format, losses: Losses) -> list[str]:
    documents = [document for found, _, _ in inputs for document in found]
    return list(format.write(documents, losses))


def _for_directory(
    inputs: Inputs, paths: Sequence[str], format: Format, output: str, losses: Losses
) -> dict[str, list[str]]:
    """What to write, by file."""
    written: dict[str, list[str]] = {}
    for (documents, _, _), path in zip(inputs, paths, strict=True):
        name = _free(output, _stem(path), format, written)
        written[name] = list(format.write(documents, losses))
    return written


def _stem(path: str) -> str:
    return "text" if path == STREAM else Path(path).name.removesuffix(".gz").rpartition(".")[0]


def _free(output: str, stem: str, format: Format, taken: dict[str, list[str]]) -> str:
    """A name for a file that no other has yet."""
    safe = "".join(one if one.isalnum() or one in "-_." else "_" for one in stem).lstrip(".")
    name = str(Path(output, f"{safe or 'text'}{format.suffixes[0]}"))
    number = 1
    while name in taken:
        number += 1
        name = str(Path(output, f"{safe or 'text'}-{number}{format.suffixes[0]}"))
    return name


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be made: {reason}", path=str(folder)) from error


def _encoding(inputs: Inputs, format: Format) -> str:
    """As the files were where their format stays, UTF-8 otherwise."""
    encodings = {source.encoding for _, found, source in inputs if found.name == format.name}
    stays = all(found.name == format.name for _, found, _ in inputs)
    return encodings.pop() if stays and len(encodings) == 1 else "utf-8"
