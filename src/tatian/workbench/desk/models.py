"""Language models that a desk uses: a writer or an editor of texts, and a judge of sentences.

They are chosen on the command line, or in the browser, which stores them in the database.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import Connection

from tatian.chat import Endpoint, refuse_local
from tatian.consolidation.result import Writing
from tatian.consolidation.verification.verdict import LOCAL, SMALL
from tatian.errors import InputError
from tatian.limits import DESK_METADATA_CHARACTERS
from tatian.workbench.storage.migrations import recall, remember

_STORED = "desk-models"
_GGUF = ".gguf"
Place = Annotated[str, Meta(max_length=DESK_METADATA_CHARACTERS)]


class NamedModels(Struct, frozen=True):
    """Language models that a command line names; a # and the model's name may follow."""

    writer: Place = ""
    """Address of the model that words texts; empty without one."""
    editor: Place = ""
    """Address of the model that orders and merges sentences; empty without one."""
    judge: str | None = None
    """``small``, ``local``, or the address of the model that verifies sentences; None for the
    stored one."""

    @property
    def places(self) -> set[str]:
        """All addresses, files and names."""
        return {self.writer, self.editor, self.judge or ""} - {""}

    @property
    def text_model(self) -> str:
        """Address of the model that works on texts; empty without one."""
        return self.writer or self.editor


class DeskModels(NamedModels, frozen=True, forbid_unknown_fields=True):
    """Language models that a desk uses."""

    judge: Place = SMALL


def check_models(models: NamedModels, *, files: Collection[str] = ()) -> NamedModels:
    """Return the models; InputError if one cannot be used. Nothing is sent anywhere.

    Of GGUF files on this machine, only `files` are allowed.
    """
    if models.writer and models.editor:
        raise InputError("a writer words the whole text: do without an editor")
    refuse_local(models.writer, "writer")
    refuse_local(models.editor, "editor")
    for where in sorted(models.places - {SMALL, LOCAL}):
        if not (where.endswith(_GGUF) and where in files):
            Endpoint(where.partition("#")[0])
    return models


def load_models(connection: Connection, named: NamedModels) -> DeskModels:
    """Return the command line's models; stored ones where it names none."""
    stored = recall(connection, _STORED)
    kept = msgspec.json.decode(stored, type=DeskModels) if stored else DeskModels()
    judge = kept.judge if named.judge is None else named.judge
    if named.text_model:
        return DeskModels(named.writer, named.editor, judge)
    return DeskModels(kept.writer, kept.editor, judge)


def store_models(connection: Connection, chosen: DeskModels, command_line: NamedModels) -> None:
    """Store the chosen models, except those that the command line set."""
    kept = load_models(connection, NamedModels())
    text = kept if command_line.text_model else chosen
    judge = chosen.judge if command_line.judge is None else kept.judge
    stored = DeskModels(text.writer, text.editor, judge)
    remember(connection, _STORED, msgspec.json.encode(stored).decode())


def model_problem(models: DeskModels, done: Writing | None) -> str:
    """Return why a text is not as the chosen model makes it; empty if it is."""
    if done is not None and done.problem and models.text_model:
        state = "stopped halfway" if done.drafts else "could not be asked"
        rest = "the rest is in the sources' own words. Consolidate again to ask it once more"
        return f"the language model {state} ({done.problem}): {rest}"
    if done is not None and not models.text_model:
        worked = done.worded or done.role == "editor"
        gone = "the text is by a language model that is no longer chosen: consolidate again"
        return f"{gone} to do without it" if worked else ""
    if not models.text_model:
        return ""
    name = models.text_model.partition("#")[2]
    same_use = done is not None and (done.role == "writer") == bool(models.writer)
    if done is not None and same_use and name in ("", done.model):
        return ""
    return "the language model has not been asked yet: consolidate again to ask it"
