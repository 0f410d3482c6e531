"""Consolidated text in a terminal, and as Markdown with a footnote for each sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import shorten
from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct

from tatian.consolidation.render import (
    BY_HAND,
    DISAGREE,
    MAX_LETTERS,
    SUPERSEDED,
    Edition,
    Verse,
    Witness,
    places,
)
from tatian.consolidation.result import SentenceOutcome
from tatian.views.palette import TERMINAL
from tatian.views.wording import join_items, printable, squeeze

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tatian.consolidation.render.notes import Parallel
    from tatian.consolidation.result import Consolidation, Disagreement, WrittenToken

MAX_QUOTED_CHARACTERS = 90
"""Maximum number of characters of a source that a footnote quotes."""

Author = Literal["", "glue", "own"]
"""Author of words: a source, Tatian or a person."""
AUTHORS: dict[Author, str] = {"glue": "written to join them", "own": "written by the editor"}
"""Remarks of a footnote on words that no source has."""
_REMARKS = {"conflict": "the accounts disagree", "superseded": "updated by a later account"}
_INNER = str.maketrans('“”"', "‘’'")
"""Quotation marks within a quotation."""


class VerseRun(Struct, frozen=True):
    """Neighbouring words of a verse that are of one kind."""

    text: str
    author: Author = ""
    conflict: int | None = None
    """Index of the conflict that they belong to."""


class Citation(Struct, frozen=True):
    """Sentences of one source that a verse comes from."""

    witness: Witness
    details: str
    """Rest of the citation after the source's letter: its sentences and their words."""


class Footnote(Struct, frozen=True):
    """Origin of a verse."""

    citations: tuple[Citation, ...]
    remarks: tuple[str, ...]
    """Further remarks on its words."""


def footnotes(edition: Edition) -> Iterator[Footnote]:
    """Yield the footnote of every verse: its sources, and remarks on words without a source."""
    from tatian.consolidation.render.notes import parallels

    writer = edition.consolidation.writer
    for verse, related in zip(edition.verses, parallels(edition), strict=True):
        groups = [[*group] for _, group in groupby(related, key=lambda parallel: parallel.witness)]
        groups.sort(key=lambda group: min(parallel.closeness for parallel in group))
        citations = [Citation(group[0].witness, _citation(group)) for group in groups]
        remarks = [
            f"{label}: {join_items([f'“{quoted}”' for quoted in words])}"
            for author, label in AUTHORS.items()
            if (words := _words_by(edition, verse, author))
        ]
        if len(citations) > MAX_LETTERS:
            remarks.insert(0, f"and {len(citations) - MAX_LETTERS} more accounts")
        if writer is not None and verse.number - 1 in writer.worded:
            remarks.append(f"worded by {writer.model}")
        if verse.sentence.why.endswith(BY_HAND):
            remarks.append(verse.sentence.why)
        remarks += [
            f"{_REMARKS[contradiction.relation]}: {claims_line(edition, contradiction)}"
            for contradiction in edition.consolidation.contradictions
            if verse.number - 1 in contradiction.sentences
        ]
        yield Footnote(tuple(citations[:MAX_LETTERS]), tuple(map(printable, remarks)))


def verse_runs(edition: Edition, verse: Verse) -> Iterator[VerseRun]:
    """Yield the words of a verse, after its heading, by author and conflict."""
    points = {
        edition.words[word].start: number
        for number, point in enumerate(edition.points)
        if verse.number - 1 in point.sentences
        for word in point.words
    }
    tokens = [token for token in verse.sentence.tokens if token.start >= verse.start]
    position = verse.start
    for (author, conflict), run in groupby(
        tokens, key=lambda token: (_author(token), points.get(token.start))
    ):
        tokens_of_run = [*run]
        if position < tokens_of_run[0].start:
            yield VerseRun(printable(edition.text[position : tokens_of_run[0].start]))
        position = tokens_of_run[-1].end
        yield VerseRun(printable(edition.text[tokens_of_run[0].start : position]), author, conflict)
    if position < verse.sentence.end:
        yield VerseRun(printable(edition.text[position : verse.sentence.end]))


def claims_line(edition: Edition, conflict: Disagreement) -> str:
    """Return the claims of a conflict in one line, each with its source's letter."""
    claims = [
        f"{edition.witness(claim.document).letter} “{squeeze(claim.text)}”"
        for claim in conflict.claims
    ]
    return "; ".join(claims)


def group_conflicts(consolidation: Consolidation) -> list[tuple[str, list[Disagreement]]]:
    """Separate conflicts from figures that a later source supersedes, each under its heading."""
    conflicts = consolidation.contradictions
    lists = {
        DISAGREE: [conflict for conflict in conflicts if conflict.relation == "conflict"],
        SUPERSEDED: [conflict for conflict in conflicts if conflict.relation == "superseded"],
    }
    return [(heading, listed) for heading, listed in lists.items() if listed]


def source_details(witness: Witness) -> list[str]:
    """Return the name of a source, then its title, date and file as far as known."""
    account = witness.account
    known = (account.title, account.date, account.path)
    return [printable(squeeze(name)) for name in dict.fromkeys((witness.name, *known)) if name]


def _citation(sentences: Sequence[Parallel]) -> str:
    """Cite sentences by number, with the words of those that are closest to the verse."""
    numbered = [str(sentence.number) for sentence in sentences if sentence.number > 0]
    noun = "sentences" if len(numbered) > 1 else "sentence"
    numbers = f"{noun} {join_items(numbered)}" if numbered else ""
    title = "headline" if len(numbered) < len(sentences) else ""
    closest = min(sentence.closeness for sentence in sentences)
    text = " ".join(sentence.text for sentence in sentences if sentence.closeness == closest)
    words = shorten(text, MAX_QUOTED_CHARACTERS, placeholder=" …").translate(_INNER)
    prefix = "otherwise in " if sentences[0].relation == "other" and closest else ""
    return f"{prefix}{' and '.join(filter(None, (title, numbers)))}: “{words}”"


def _author(token: WrittenToken) -> Author:
    return "own" if token.own else "glue" if token.glue else ""


def _words_by(edition: Edition, verse: Verse, author: Author) -> list[str]:
    """Return the words of a verse by one author, neighbouring words joined."""
    runs = (run for run in verse_runs(edition, verse) if run.author == author)
    texts = (squeeze(run.text).strip("(),. ") for run in runs)
    return [text for text in texts if any(character.isalnum() for character in text)]


MAX_ROWS = 24
"""Maximum number of sources named in the table and the legend before the rest is only counted."""

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "~": "&#126;"}
"""Entities of characters that a backslash does not escape in every Markdown."""
_SPECIAL = re.compile(r"([\\`*_\[\]])")
_BLOCK_START = re.compile(r"^(?:([-+#])|(\d+)([.)]))")


_RELATIONS = {"conflict": "conflicting", "superseded": "changed"}
"""Relations between claims, as adjectives."""


def contradiction_lines(consolidation: Consolidation) -> list[str]:
    """Return each conflict or superseded claim as one line, for standard error and terminals."""
    edition = Edition(consolidation)
    lines = []
    for contradiction in consolidation.contradictions:
        claims = "; ".join(
            f"{witness.letter} ({witness.name}) says “{squeeze(claim.text)}”"
            for claim in contradiction.claims
            for witness in (edition.witness(claim.document),)
        )
        lines.append(
            f"{_RELATIONS[contradiction.relation]} {contradiction.kind}, "
            f"{places(contradiction)}: {claims}"
            f" ({squeeze(contradiction.why)})"
        )
    return lines


def to_terminal(consolidation: Consolidation, console: Console) -> None:
    """Print the text coloured by source, its legend, the outcomes of sentences, and conflicts."""
    from rich.padding import Padding
    from rich.text import Text

    edition = Edition(consolidation)
    for paragraph in _paragraphs(edition):
        console.print(paragraph)
        console.print()
    console.print(_legend(edition))
    console.print()
    console.print(_outcome_table(edition))
    for line in contradiction_lines(consolidation):
        noted = Text.assemble(("† ", "bold red"), printable(line))
        console.print(Padding(noted, (0, 0, 0, 1)))


def _paragraphs(edition: Edition) -> list[Text]:
    from rich.text import Text

    paragraphs: list[Text] = []
    for verse in edition.verses:
        if verse.opens:
            paragraphs.append(Text())
        elif paragraphs:
            paragraphs[-1].append(" ")
        _append_verse(paragraphs[-1], edition, verse)
    return paragraphs


def _append_verse(paragraph: Text, edition: Edition, verse: Verse) -> None:
    position = verse.sentence.start
    for token in verse.sentence.tokens:
        paragraph.append(printable(edition.text[position : token.start]))
        word = printable(edition.text[token.start : token.end])
        paragraph.append(word, style="bold" if token.own else _style(edition.of(token)))
        position = token.end
    paragraph.append(printable(edition.text[position : verse.sentence.end]))
    letters = " ".join(witness.letter for witness in verse.witnesses)
    paragraph.append(f" [{letters}]" if letters else "", style="dim")


def _style(witnesses: tuple[Witness, ...]) -> str:
    if not witnesses:
        return "dim italic"
    several = " underline" if len(witnesses) > 1 else ""
    return _colour(witnesses[0]) + several


def _legend(edition: Edition) -> Text:
    from rich.text import Text

    legend = Text()
    for witness in edition.witnesses[:MAX_ROWS]:
        legend.append(f"{witness.letter} {printable(witness.name)}", style=_colour(witness))
        legend.append("   ")
    if len(edition.witnesses) > MAX_ROWS:
        legend.append(f"and {len(edition.witnesses) - MAX_ROWS} more   ")
    legend.append("several accounts", style="underline").append("   ")
    legend.append("no account", style="dim italic")
    return legend


def _outcome_table(edition: Edition) -> Table:
    from rich import box
    from rich.table import Table

    table = Table("Account", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("sentences", *get_args(SentenceOutcome)):
        table.add_column(heading, justify="right")
    for witness in edition.witnesses[:MAX_ROWS]:
        counts = Counter(sentence.fate for sentence in witness.account.sentences)
        table.add_row(
            f"{witness.letter} {_markup_free(witness.name)}",
            str(len(witness.account.sentences)),
            *(str(counts[fate]) for fate in get_args(SentenceOutcome)),
        )
    if len(edition.witnesses) > MAX_ROWS:
        table.add_row(f"… {len(edition.witnesses) - MAX_ROWS} more")
    return table


def _colour(witness: Witness) -> str:
    return TERMINAL[witness.index] if witness.index < len(TERMINAL) else "default"


def _markup_free(text: str) -> str:
    from rich.markup import escape

    return escape(printable(text))


def to_markdown(consolidation: Consolidation) -> str:
    """Render Markdown: the text, the key to the sources, the conflicts, and the footnotes."""
    edition = Edition(consolidation)
    blocks = [
        f"# {escape_markdown(consolidation.title)}" if consolidation.title else "",
        *_footnoted(edition),
        "## Accounts",
        "\n".join(map(_account, edition.witnesses)),
    ]
    for heading, conflicts in group_conflicts(consolidation):
        blocks += [f"## {heading}", _conflict_list(edition, conflicts)]
    notes = zip(edition.verses, footnotes(edition), strict=True)
    blocks.append("\n".join(f"[^{verse.number}]: {_footnote(note)}" for verse, note in notes))
    return "\n\n".join(block for block in blocks if block) + "\n"


def escape_markdown(text: str) -> str:
    """Escape text so that Markdown shows it as it is, on one line."""
    escaped = _SPECIAL.sub(r"\\\1", squeeze(text))
    return "".join(_ENTITIES.get(character, character) for character in escaped)


def _footnoted(edition: Edition) -> list[str]:
    blocks: list[list[str]] = []
    for verse in edition.verses:
        if verse.heading:
            blocks.append([f"## {escape_markdown(verse.heading)}"])
        written = escape_markdown(edition.text[verse.start : verse.sentence.end])
        if verse.opens:
            blocks.append([])
            written = _BLOCK_START.sub(_escape_block, written)
        blocks[-1].append(f"{written}[^{verse.number}]")
    return [" ".join(sentences) for sentences in blocks]


def _escape_block(start: re.Match[str]) -> str:
    """Keep a paragraph's first characters from starting a list or a heading."""
    mark, number, point = start.groups()
    return f"\\{mark}" if mark else f"{number}\\{point}"


def _account(witness: Witness) -> str:
    return f"- **{witness.letter}** " + ", ".join(map(escape_markdown, source_details(witness)))


def _conflict_list(edition: Edition, disagreements: Sequence[Disagreement]) -> str:
    items = []
    for number, disagreement in enumerate(disagreements, start=1):
        claims = "; ".join(
            f"**{edition.witness(claim.document).letter}** “{escape_markdown(claim.text)}”"
            for claim in disagreement.claims
        )
        why = escape_markdown(disagreement.why)
        items.append(
            f"{number}. {disagreement.kind.capitalize()}, {places(disagreement)}: {claims} ({why})"
        )
    return "\n".join(items)


def _footnote(note: Footnote) -> str:
    cited = [
        f"**{citation.witness.letter}**, {escape_markdown(citation.details)}"
        for citation in note.citations
    ]
    return "; ".join([*(cited or ["no account"]), *map(escape_markdown, note.remarks)])
