"""What commands that read texts and write files tell users about both before it surprises them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tatian.cli.common import say

if TYPE_CHECKING:
    from tatian.text import Document


def form_for(form: str | None, output: str, endings: Mapping[str, str], default: str) -> str:
    """The format that was asked for, or that the output's name says; a name that says none, but
    ends like a file of some other kind, is refused.
    """
    if form is not None:
        return form
    ending = ending_of(output)
    if ending and ending not in endings:
        known = ", ".join(endings)
        raise click.UsageError(f"no format goes by '{ending}': say which by --to (known: {known})")
    return endings.get(ending, default)


def ending_of(output: str) -> str:
    """How a file's name ends, whether it is packed or not: ``.json``, or nothing."""
    return Path(output.lower().removesuffix(".gz")).suffix


class Foreign:
    """Texts that seem to be in another language, told in one line however many they are."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._first = ""
        self._count = 0

    def look(self, document: Document) -> None:
        """Note the document if it is not English."""
        if self._quiet:
            return
        from tatian.errors import NotEnglish
        from tatian.text.language import require_english

        try:
            require_english(document)
        except NotEnglish as error:
            self._first = self._first or str(error)
            self._count += 1

    def tell(self) -> None:
        """Warn of what was noted."""
        if self._count:
            more = f" (and {self._count - 1} more texts like it)" if self._count > 1 else ""
            say("warning", f"{self._first}; what is found in it means little{more}")
