"""Connectives at the start and end of a sentence, and sentences without them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tatian.text import SourcedToken, Word

CONNECTIVES = re.compile(
    r"(?:however|meanwhile|moreover|furthermore|besides|nevertheless|nonetheless|otherwise|likewise"
    r"|similarly|consequently|additionally|instead|still|also|then|thus|therefore"
    r"|in (?:addition|turn|fact|any case|response)|as a result|on the other hand|that said|even so"
    r"|for (?:example|instance)|at the same time|after all),|(?:but|and|so|yet)(?! (?:far|much))\b",
    re.IGNORECASE,
)
"""Connectives that a sentence can do without."""
_SUBJECTS = frozenset({"DET", "PROPN", "NOUN", "PRON", "NUM", "ADJ"})
_CLOSING = re.compile(
    r"(?:,? )(?:too|though|however|either|as well|at (?:that|the) time"
    r"|(?:(?:shortly|soon|immediately) )?(?:afterwards?|thereafter))(?= \.$)",
    re.IGNORECASE,
)
_EARLY = 7
"""Number of opening words in which "also" refers to the sentence as a whole."""


def without_connectives(
    tokens: Sequence[SourcedToken], words: Mapping[int, Word]
) -> tuple[SourcedToken, ...]:
    """Remove connectives from a sentence that no longer follows its source's previous sentence."""
    text = " ".join(token.text for token in tokens[:6])
    kept = list(tokens)
    if (connective := CONNECTIVES.match(text.replace(" ,", ","))) and not tokens[0].quoted:
        count = len(connective[0].rstrip(",").split()) + connective[0].endswith(",")
        count += not connective[0].endswith(",") and [
            token.text for token in tokens[count : count + 1]
        ] == [","]
        rest = tokens[count : count + 1]
        word = words.get(rest[0].sources[0].start) if rest and rest[0].sources else None
        if word is not None and word.tag in _SUBJECTS:
            kept = kept[count:]
    for index, token in enumerate(kept[:_EARLY]):
        word = words.get(token.sources[0].start) if token.sources else None
        if token.text == "also" and not token.quoted and word and word.relation == "advmod":
            del kept[index]
            break
    closing = _CLOSING.search(" ".join(token.text for token in kept))
    if closing and not kept[-2].quoted:
        del kept[-1 - len(closing[0].split()) : -1]
    return tuple(kept)
