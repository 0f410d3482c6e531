"""The consolidated text as Markdown, with a footnote for each sentence's sources."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tatian.consolidation.render.edition import Edition, Verse, Witness, places
from tatian.views.wording import listed, squeeze

if TYPE_CHECKING:
    from tatian.consolidation.result import Consolidation

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "~": "&#126;"}
"""Not every Markdown lets a backslash keep these from being markup."""
SPECIAL = re.compile(r"([\\`*_\[\]])")
BLOCK = re.compile(r"^(?:([-+#])|(\d+)([.)]))")


def to_markdown(consolidation: Consolidation) -> str:
    """The text, the key to the accounts, the disagreements, and the footnotes."""
    edition = Edition(consolidation)
    blocks = [*_paragraphs(edition), "## Accounts", "\n".join(map(_account, edition.witnesses))]
    if consolidation.contradictions:
        blocks += ["## Where the accounts disagree", _disagreements(edition)]
    blocks.append("\n".join(_footnote(edition, verse) for verse in edition.verses))
    return "\n\n".join(block for block in blocks if block) + "\n"


def escape(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    escaped = SPECIAL.sub(r"\\\1", squeeze(text))
    return "".join(ENTITIES.get(character, character) for character in escaped)


def _paragraphs(edition: Edition) -> list[str]:
    paragraphs: list[list[str]] = []
    for verse in edition.verses:
        written = escape(edition.text[verse.sentence.start : verse.sentence.end])
        if verse.opens:
            paragraphs.append([])
            written = BLOCK.sub(_guard, written)
        paragraphs[-1].append(f"{written}[^{verse.number}]")
    return [" ".join(sentences) for sentences in paragraphs]


def _guard(start: re.Match[str]) -> str:
    """Keep a paragraph's first characters from starting a list or a heading."""
    mark, number, point = start.groups()
    return f"\\{mark}" if mark else f"{number}\\{point}"


def _account(witness: Witness) -> str:
    account = witness.account
    about = [each for each in (account.title, account.date, account.path) if each]
    rest = [escape(each) for each in about if each != witness.name]
    return f"- **{witness.letter}** " + ", ".join([escape(witness.name), *rest])


def _disagreements(edition: Edition) -> str:
    items = []
    for number, found in enumerate(edition.consolidation.contradictions, start=1):
        claims = "; ".join(
            f"**{edition.witness(claim.document).letter}** “{escape(claim.text)}”"
            for claim in found.claims
        )
        why = escape(found.why)
        items.append(f"{number}. {found.kind.capitalize()}, {places(found)}: {claims} ({why})")
    return "\n".join(items)


def _footnote(edition: Edition, verse: Verse) -> str:
    used = [f"**{witness.letter}**{_places(verse, witness)}" for witness in verse.witnesses]
    own = [
        f"“{escape(edition.text[token.start : token.end])}”"
        for token in verse.sentence.tokens
        if token.glue and edition.text[token.start : token.end].isalnum()
    ]
    note = "; ".join(used) or "no account"
    joined = f"; written to join them: {', '.join(own)}" if own else ""
    return f"[^{verse.number}]: {note}{joined}"


def _places(verse: Verse, witness: Witness) -> str:
    """The sentences of one account that words of the verse come from."""
    starts = [
        source.start
        for token in verse.sentence.tokens
        for source in token.sources
        if source.document == witness.account.id
    ]
    numbers = [
        str(number)
        for number, sentence in enumerate(witness.account.sentences, start=1)
        if any(sentence.start <= start < sentence.end for start in starts)
    ]
    return f", sentence{'s' if len(numbers) > 1 else ''} {listed(numbers)}" if numbers else ""
