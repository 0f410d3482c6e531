"""The consolidated text in a terminal, and as Markdown with a footnote for each sentence."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, get_args

from tatian.consolidation.render import Edition, Verse, Witness, places
from tatian.consolidation.render.apparatus import Footnote, about, footnotes
from tatian.union.models import Fate
from tatian.views.palette import TERMINAL
from tatian.views.wording import printable, squeeze

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tatian.consolidation.result import Consolidation


ROWS = 24
"""How many accounts the table and the legend name before the rest is only counted."""

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "~": "&#126;"}
"""Not every Markdown lets a backslash keep these from being markup."""
SPECIAL = re.compile(r"([\\`*_\[\]])")
BLOCK = re.compile(r"^(?:([-+#])|(\d+)([.)]))")


def contradiction_lines(consolidation: Consolidation) -> list[str]:
    """Each contradiction as one line, for standard error and terminals."""
    edition = Edition(consolidation)
    lines = []
    for found in consolidation.contradictions:
        claims = "; ".join(
            f"{witness.letter} ({witness.name}) says “{squeeze(claim.text)}”"
            for claim in found.claims
            for witness in (edition.witness(claim.document),)
        )
        lines.append(f"{found.kind}, {places(found)}: {claims} ({squeeze(found.why)})")
    return lines


def to_terminal(consolidation: Consolidation, console: Console) -> None:
    """The text coloured by source, its legend, what became of the accounts, contradictions."""
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
    for heading in ("sentences", *get_args(Fate)):
        table.add_column(heading, justify="right")
    for witness in edition.witnesses[:ROWS]:
        counts = Counter(sentence.fate for sentence in witness.account.sentences)
        table.add_row(
            f"{witness.letter} {_markup_free(witness.name)}",
            str(len(witness.account.sentences)),
            *(str(counts[fate]) for fate in get_args(Fate)),
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
    """Markdown: the text, the key to the accounts, the disagreements, and the footnotes."""
    edition = Edition(consolidation)
    blocks = [
        f"# {escape_markdown(consolidation.title)}" if consolidation.title else "",
        *_footnoted(edition),
        "## Accounts",
        "\n".join(map(_account, edition.witnesses)),
    ]
    if consolidation.contradictions:
        blocks += ["## Where the accounts disagree", _disagreements(edition)]
    notes = zip(edition.verses, footnotes(edition), strict=True)
    blocks.append("\n".join(f"[^{verse.number}]: {_footnote(note)}" for verse, note in notes))
    return "\n\n".join(block for block in blocks if block) + "\n"


def escape_markdown(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
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


def _disagreements(edition: Edition) -> str:
    items = []
    for number, found in enumerate(edition.consolidation.contradictions, start=1):
        claims = "; ".join(
            f"**{edition.witness(claim.document).letter}** “{escape_markdown(claim.text)}”"
            for claim in found.claims
        )
        why = escape_markdown(found.why)
        items.append(f"{number}. {found.kind.capitalize()}, {places(found)}: {claims} ({why})")
    return "\n".join(items)


def _footnote(note: Footnote) -> str:
    cited = [f"**{one.witness.letter}**, {escape_markdown(one.rest)}" for one in note.citations]
    return "; ".join([*(cited or ["no account"]), *map(escape_markdown, note.remarks)])
