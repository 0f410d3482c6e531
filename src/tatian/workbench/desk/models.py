"""Language models of a desk: a writer or an editor of texts, and a judge of sentences.

They are set on the command line, or chosen in the browser and stored in the database.
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
from tatian.workbench.storage.schema import recall, remember

_STORED = "desk-models"
"""Key of the stored models."""
_GGUF = ".gguf"
ModelAddress = Annotated[str, Meta(max_length=DESK_METADATA_CHARACTERS)]


class NamedModels(Struct, frozen=True):
    """Addresses of language models, each followed by # and a name if the server has several."""

    writer: ModelAddress = ""
    """Address of the model that writes texts; empty for none."""
    editor: ModelAddress = ""
    """Address of the model that orders and merges sentences; empty for none."""
    judge: str | None = None
    """``small``, ``local``, or the address of a model; None for the stored one."""

    @property
    def places(self) -> set[str]:
        """All addresses, files and names."""
        return {self.writer, self.editor, self.judge or ""} - {""}

    @property
    def text_model(self) -> str:
        """Address of the writer or else the editor; empty for none."""
        return self.writer or self.editor


class DeskModels(NamedModels, frozen=True, forbid_unknown_fields=True):
    """Language models that a desk uses."""

    judge: ModelAddress = SMALL


def check_models(models: NamedModels, *, files: Collection[str] = ()) -> NamedModels:
    """Return the models; raise InputError if one cannot be used. Nothing is sent to them.

    `files` are the GGUF files that are allowed.
    """
    if models.writer and models.editor:
        raise InputError("a writer and an editor cannot be combined: choose one")
    refuse_local(models.writer, "writer")
    refuse_local(models.editor, "editor")
    for place in sorted(models.places - {SMALL, LOCAL}):
        if not (place.endswith(_GGUF) and place in files):
            Endpoint(place.partition("#")[0])
    return models


def load_models(connection: Connection, named: NamedModels) -> DeskModels:
    """Return the models that the command line sets, and the stored ones otherwise."""
    data = recall(connection, _STORED)
    stored = msgspec.json.decode(data, type=DeskModels) if data else DeskModels()
    judge = stored.judge if named.judge is None else named.judge
    if named.text_model:
        return DeskModels(named.writer, named.editor, judge)
    return DeskModels(stored.writer, stored.editor, judge)


def store_models(connection: Connection, chosen: DeskModels, command_line: NamedModels) -> None:
    """Store the chosen models, except those that the command line sets."""
    stored = load_models(connection, NamedModels())
    text_models = stored if command_line.text_model else chosen
    judge = chosen.judge if command_line.judge is None else stored.judge
    stored = DeskModels(text_models.writer, text_models.editor, judge)
    remember(connection, _STORED, msgspec.json.encode(stored).decode())


def model_problem(models: DeskModels, writing: Writing | None) -> str:
    """Return why a text was not made by the chosen models; empty if it was."""
    if not models.text_model:
        if writing is None or not (writing.worded or writing.role == "editor"):
            return ""
        problem = "the text is by a language model that is no longer chosen"
        return f"{problem}: consolidate again to do without it"
    if writing is not None and writing.problem:
        state = "stopped halfway" if writing.drafts else "could not be asked"
        consequence = "the rest is in the sources' own words. Consolidate again to ask it once more"
        return f"the language model {state} ({writing.problem}): {consequence}"
    name = models.text_model.partition("#")[2]
    same_role = writing is not None and (writing.role == "writer") == bool(models.writer)
    if writing is not None and same_role and name in ("", writing.model):
        return ""
    return "the language model has not been asked yet: consolidate again to ask it"
