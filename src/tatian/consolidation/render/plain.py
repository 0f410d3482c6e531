"""Consolidated text in a terminal, and as Markdown with a footnote for each sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import shorten
from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct

from tatian.consolidation.render import (
    BY_HAND,
    DISAGREE,
    LETTERS,
    SUPERSEDED,
    Edition,
    Verse,
    Witness,
)
from tatian.views.wording import join_items, printable, squeeze

if TYPE_CHECKING:
    from tatian.consolidation.render.notes import Parallel
    from tatian.consolidation.result import Disagreement, WrittenToken
import re
from collections import Counter
from typing import TYPE_CHECKING

from tatian.consolidation.render import places
from tatian.consolidation.result import SentenceOutcome
from tatian.views.palette import TERMINAL

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tatian.consolidation.result import Consolidation

QUOTED = 90
"""Most characters of a source that a footnote quotes."""

Hand = Literal["", "glue", "own"]
"""Author of words: a source, Tatian or a person."""
HANDS: dict[Hand, str] = {"glue": "written to join them", "own": "written by the editor"}
"""Remarks of a footnote on words that no source has."""
_REMARKS = {"conflict": "the accounts disagree", "superseded": "updated by a later account"}
_INNER = str.maketrans('“”"', "‘’'")
"""Quotation marks within a quotation."""


class VerseRun(Struct, frozen=True):
    """Neighbouring words of a verse that are of one kind."""

    text: str
    hand: Hand = ""
    disputed: int | None = None
    """Index of the conflict that they are part of."""


class Citation(Struct, frozen=True):
    """Sentences of one source that a verse comes from."""

    witness: Witness
    rest: str
    """Rest of the citation after the source's letter: its sentences and their words."""


class Footnote(Struct, frozen=True):
    """Origin of a verse."""

    citations: tuple[Citation, ...]
    remarks: tuple[str, ...]
    """Further remarks on its words."""


def footnotes(edition: Edition) -> Iterator[Footnote]:
    """Yield the citations of every verse, with remarks on words of other authors."""
    from tatian.consolidation.render.notes import parallels

    writer = edition.consolidation.writer
    for verse, beside in zip(edition.verses, parallels(edition), strict=True):
        cited = [[*group] for _, group in groupby(beside, key=lambda parallel: parallel.witness)]
        cited.sort(key=lambda group: min(parallel.closeness for parallel in group))
        citations = [Citation(group[0].witness, _cited(group)) for group in cited]
        remarks = [
            f"{label}: {join_items([f'“{words}”' for words in said])}"
            for hand, label in HANDS.items()
            if (said := _said(edition, verse, hand))
        ]
        if len(citations) > LETTERS:
            remarks.insert(0, f"and {len(citations) - LETTERS} more accounts")
        if writer is not None and verse.number - 1 in writer.worded:
            remarks.append(f"worded by {writer.model}")
        if verse.sentence.why.endswith(BY_HAND):
            remarks.append(verse.sentence.why)
        remarks += [
            f"{_REMARKS[contradiction.relation]}: {claimed(edition, contradiction)}"
            for contradiction in edition.consolidation.contradictions
            if verse.number - 1 in contradiction.sentences
        ]
        yield Footnote(tuple(citations[:LETTERS]), tuple(map(printable, remarks)))


def runs(edition: Edition, verse: Verse) -> Iterator[VerseRun]:
    """Yield the words of a verse, after its heading, by author and conflict."""
    points = {
        edition.words[word].start: number
        for number, point in enumerate(edition.points)
        if verse.number - 1 in point.sentences
        for word in point.words
    }
    tokens = [token for token in verse.sentence.tokens if token.start >= verse.start]
    position = verse.start
    for (whose, disputed), run in groupby(
        tokens, key=lambda token: (_hand(token), points.get(token.start))
    ):
        held = [*run]
        if position < held[0].start:
            yield VerseRun(printable(edition.text[position : held[0].start]))
        position = held[-1].end
        yield VerseRun(printable(edition.text[held[0].start : position]), whose, disputed)
    if position < verse.sentence.end:
        yield VerseRun(printable(edition.text[position : verse.sentence.end]))


def claimed(edition: Edition, disputed: Disagreement) -> str:
    """Return what each source says in a conflict."""
    said = [
        f"{edition.witness(claim.document).letter} “{squeeze(claim.text)}”"
        for claim in disputed.claims
    ]
    return "; ".join(said)


def apart(consolidation: Consolidation) -> list[tuple[str, list[Disagreement]]]:
    """Separate conflicts from figures that a later source supersedes, each under its heading."""
    conflicts = consolidation.contradictions
    lists = {
        DISAGREE: [conflict for conflict in conflicts if conflict.relation == "conflict"],
        SUPERSEDED: [conflict for conflict in conflicts if conflict.relation == "superseded"],
    }
    return [(heading, listed) for heading, listed in lists.items() if listed]


def about(witness: Witness) -> list[str]:
    """Return what is known of a source: its usual name, then title, date and file."""
    account = witness.account
    known = (account.title, account.date, account.path)
    return [printable(squeeze(name)) for name in dict.fromkeys((witness.name, *known)) if name]


def _cited(sentences: Sequence[Parallel]) -> str:
    """Cite sentences by number, with the words of those that are closest to the verse."""
    body = [str(sentence.number) for sentence in sentences if sentence.number > 0]
    numbers = f"sentence{'s' if len(body) > 1 else ''} {join_items(body)}" if body else ""
    title = "headline" if len(body) < len(sentences) else ""
    closest = min(sentence.closeness for sentence in sentences)
    said = " ".join(sentence.text for sentence in sentences if sentence.closeness == closest)
    words = shorten(said, QUOTED, placeholder=" …").translate(_INNER)
    otherwise = "otherwise in " if sentences[0].relation == "other" and closest else ""
    return f"{otherwise}{' and '.join(filter(None, (title, numbers)))}: “{words}”"


def _hand(token: WrittenToken) -> Hand:
    return "own" if token.own else "glue" if token.glue else ""


def _said(edition: Edition, verse: Verse, by: Hand) -> list[str]:
    """Return the words of a verse by one author, neighbouring words joined."""
    said = (squeeze(run.text).strip("(),. ") for run in runs(edition, verse) if run.hand == by)
    return [words for words in said if any(character.isalnum() for character in words)]


ROWS = 24
"""Most sources named in the table and the legend before the rest is only counted."""

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "~": "&#126;"}
"""Entities of characters that a backslash does not escape in every Markdown."""
SPECIAL = re.compile(r"([\\`*_\[\]])")
BLOCK = re.compile(r"^(?:([-+#])|(\d+)([.)]))")


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
    console.print(_fates(edition))
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
        _append(paragraphs[-1], edition, verse)
    return paragraphs


def _append(paragraph: Text, edition: Edition, verse: Verse) -> None:
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
    for witness in edition.witnesses[:ROWS]:
        legend.append(f"{witness.letter} {printable(witness.name)}", style=_colour(witness))
        legend.append("   ")
    if len(edition.witnesses) > ROWS:
        legend.append(f"and {len(edition.witnesses) - ROWS} more   ")
    legend.append("several accounts", style="underline").append("   ")
    legend.append("no account", style="dim italic")
    return legend


def _fates(edition: Edition) -> Table:
    from rich import box
    from rich.table import Table

    table = Table("Account", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("sentences", *get_args(SentenceOutcome)):
        table.add_column(heading, justify="right")
    for witness in edition.witnesses[:ROWS]:
        counts = Counter(sentence.fate for sentence in witness.account.sentences)
        table.add_row(
            f"{witness.letter} {_markup_free(witness.name)}",
            str(len(witness.account.sentences)),
            *(str(counts[fate]) for fate in get_args(SentenceOutcome)),
        )
    if len(edition.witnesses) > ROWS:
        table.add_row(f"… {len(edition.witnesses) - ROWS} more")
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
    for heading, conflicts in apart(consolidation):
        blocks += [f"## {heading}", _disagreements(edition, conflicts)]
    notes = zip(edition.verses, footnotes(edition), strict=True)
    blocks.append("\n".join(f"[^{verse.number}]: {_footnote(note)}" for verse, note in notes))
    return "\n\n".join(block for block in blocks if block) + "\n"


def escape_markdown(text: str) -> str:
    """Escape text so that Markdown shows it as it is, on one line."""
    escaped = SPECIAL.sub(r"\\\1", squeeze(text))
    return "".join(ENTITIES.get(character, character) for character in escaped)


def _footnoted(edition: Edition) -> list[str]:
    blocks: list[list[str]] = []
    for verse in edition.verses:
        if verse.heading:
            blocks.append([f"## {escape_markdown(verse.heading)}"])
        written = escape_markdown(edition.text[verse.start : verse.sentence.end])
        if verse.opens:
            blocks.append([])
            written = BLOCK.sub(_guard, written)
        blocks[-1].append(f"{written}[^{verse.number}]")
    return [" ".join(sentences) for sentences in blocks]


def _guard(start: re.Match[str]) -> str:
    """Keep a paragraph's first characters from starting a list or a heading."""
    mark, number, point = start.groups()
    return f"\\{mark}" if mark else f"{number}\\{point}"


def _account(witness: Witness) -> str:
    return f"- **{witness.letter}** " + ", ".join(map(escape_markdown, about(witness)))


def _disagreements(edition: Edition, disagreements: Sequence[Disagreement]) -> str:
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
        f"**{citation.witness.letter}**, {escape_markdown(citation.rest)}"
        for citation in note.citations
    ]
    return "; ".join([*(cited or ["no account"]), *map(escape_markdown, note.remarks)])
