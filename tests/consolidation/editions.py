"""Further consolidations made by hand, with what documents and editions treat in their own way."""

from __future__ import annotations

from msgspec.structs import replace

from tatian.consolidation.result import (
    SCHEMA,
    Account,
    Consolidation,
    Disagreement,
    SentenceOutcome,
)

from .samples import Loom, kept, sentences_of


def marked() -> Consolidation:
    """A sentence of an account, and one that a person wrote."""
    loom = Loom({"only": "It rained."})
    loom.weave(("It rained.", "only"))
    loom.weave(("Nobody was hurt",), (".",))
    first, typed = loom.sentences
    own = (*(replace(token, own=True) for token in typed.tokens[:-1]), typed.tokens[-1])
    sentences = (replace(first, why="order of only"), replace(typed, tokens=own))
    return Consolidation(SCHEMA, loom.text, sentences, kept(only="It rained."))


def reported() -> Consolidation:
    """Two accounts, the second of a later day."""
    texts = {"monday": "It rained.", "friday": "It snowed."}
    loom = Loom(texts)
    loom.weave(("It rained.", "monday"))
    loom.weave(("Reported on March 18, 2024:",), ("It snowed.", "friday"), paragraph=True)
    return Consolidation(SCHEMA, loom.text, tuple(loom.sentences), kept(**texts))


def untold() -> Consolidation:
    """Two accounts that disagree about something that the text does not repeat."""
    texts = {"one": "It rained. It was cold.", "two": "It poured. It was cold there."}
    loom = Loom(texts)
    loom.weave(("It was cold.", "one"))
    fates: list[SentenceOutcome] = ["kept", "redundant"]
    documents = tuple(
        Account(name, None, None, "2024-02", None, text, sentences_of(text, [
            (f"{said}.", "unused", (), "left out for length"), (f"{told}", fate, (0,), "told"),
        ]))
        for (name, text), fate in zip(texts.items(), fates, strict=True)
        for said, told in [text.split(". ")]
    )  # fmt: skip
    claims = (loom.claim("one", "rained"), loom.claim("two", "poured"))
    found = Consolidation(SCHEMA, loom.text, tuple(loom.sentences), documents)
    return replace(found, contradictions=(Disagreement("name", claims, "they disagree", ()),))
