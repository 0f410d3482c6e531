"""Tokenizer for English: words, numbers, punctuation marks and symbols, with exact offsets.

The conventions are those of the English Universal Dependencies treebanks. Clitics stand apart
("do|n't", "Bush|'s"), and hyphenated words are split except after a prefix ("well|-|known",
"non-profit"). A full stop belongs to its abbreviation unless it also ends the sentence.

The text is split at blanks into chunks. The tokens of a chunk do not depend on its context, except
for the full stop of an abbreviation, so those of common chunks are cached. No part of the pattern
backtracks over an unbounded length: the time is linear in the text.

The inverse, `detokenize`, joins the tokens of a corpus with English spacing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise

from tatian.text.lexicon import (
    BEFORE_NUMBERS,
    CAPITALIZED_ABBREVIATIONS,
    CLITICS,
    MAYBE_FINAL,
    MONTHS,
    NEVER_FINAL,
    NUMBER_WORDS,
    PREPOSITIONS,
    STOP_WORDS,
    WEEKDAYS,
    word_set,
)
from tatian.text.spans import Sentence, Span, Token

BLANK = r"\s\x00-\x1f\x7f-\x9f\u200b\u2060\ufeff"
"""Characters that print nothing: white space, control characters, byte order mark (in `[...]`)."""

BLANK_LINE = re.compile(r"(?>\r\n?|\n)[^\S\r\n]*+(?>\r\n?|\n)|[\f\u2029]")
"""End of a paragraph."""

PREFIXES = word_set(
    "anti co counter cross e ex inter mid mini multi non over post pre pro re semi sub super ultra "
    "un"
)
"""Prefixes that stay joined to the word after the hyphen."""

PARTS = {
    **{"".join(parts): parts for parts in (
        ("can", "not"), ("gon", "na"), ("wan", "na"), ("got", "ta"), ("gim", "me"), ("lem", "me"),
        ("du", "n", "no"), ("lot", "ta"), ("out", "ta"), ("c'm", "on"), ("y'", "all"),
        ("d'", "you"), ("d'", "ya"), ("i", "m"), ("i", "ve"), ("you", "re"), ("they", "re"),
        ("he", "s"), ("that", "s"), ("what", "s"), ("there", "s"), ("it", "ll"), ("you", "ll"),
        ("they", "ll"),
        *((verb, "nt") for verb in (
            "do", "did", "does", "is", "was", "are", "were", "has", "have", "had", "could",
            "would", "should", "ca", "wo", "ai",
        )),
    )}
}  # fmt: skip
"""Words that are written as one, and their tokens."""

_MARKS = (
    r"\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u0610-\u061a"
    r"\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0e31\u0e34-\u0e4e"
    r"\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
)
_LETTER = rf"[^\W\d_][{_MARKS}]*+"
_WORD = rf"(?:[^\W_][{_MARKS}]*+)(?:\w[{_MARKS}]*+)*+"
_EMOJI = r"[\u231a-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
_EMOJI_TAIL = r"[\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
_UNITS = (
    "am|pm|k|m|mm|cm|km|ft|hz|khz|mhz|ghz|kg|lbs?|oz|mg|ml|mph|kph|hrs?|mins?|secs?|yrs?|kb|mb|gb|tb"
    "|kw|mw|mwh|bn|in|sq"
)
_SUFFIXES = (
    "com|org|net|edu|gov|mil|info|biz|io|tv|me|us|uk|ca|au|nz|de|fr|eu|html?|php|asp|docx?|xlsx?"
    "|pdf|pptx?|txt|jpe?g|gif|png|zip|mp3|url"
)

_CHUNK = re.compile(rf"[^{BLANK}]++")
_PIECE = re.compile(
    rf"""
    (?P<address>
        (?:https?://|ftp://|mailto:|www\.)[^<>"“”]++
      | [\w.+%&-]{{1,64}}+@[\w-]{{1,63}}+(?:\.[\w-]{{1,63}}+){{1,8}}+
      | (?:[a-z0-9][\w-]{{0,62}}+\.){{1,8}}(?:{_SUFFIXES})(?![\w.]\w)(?:/[^<>"“”]*+|(?!\w))
      | [a-z]{{2,24}}+(?:\.[a-z]{{2,24}}+){{2,8}}+(?!\w))
  | (?P<emoji>[\U0001f1e6-\U0001f1ff]{{2}}
      | {_EMOJI}{_EMOJI_TAIL}*+(?:\u200d{_EMOJI}{_EMOJI_TAIL}*+)*+)
  | (?P<emoticon>(?<![\w"])
        (?:[:;=][-'^o]?[)(\]\[DPpO/\\|*]{{1,9}}+|<3{{1,9}}+|\^_{{1,9}}+\^|\(:)(?![\w(/]))
  | (?P<handle>(?<!\w)[@\#](?=[^\W\d])\w++)
  | (?P<dotted>(?<!\w)(?=(?:ph|{_LETTER})\.(?:sc|{_LETTER}))
        (?:(?:ph|{_LETTER})\.){{1,16}}+(?:sc\.?|{_LETTER}(?![\w.]))?(?!\w))
  | (?P<number>(?<![\w-])(?:\d-)?(?:\d{{3}}-){{1,2}}\d{{4}}(?![\w-])
      | (?<![\w-])\d{{1,4}}-\d{{1,2}}-\d{{2,4}}(?![\w-])
      | (?<!\w)[+-]?\.?\d++(?:[.,:/]\d++)*+(?:(?:st|nd|rd|th|'?s)(?!\w)|(?=(?:{_UNITS})?(?!\w))))
  | (?P<clitic>['’](?:s|re|ve|ll|d|m|em|til|cause|cuz|n['’]|\d\ds?)(?!\w))
  | (?P<currency>(?:US|AU?|CA?|HK|NZ)?\$++)
  | (?P<word>{_WORD}(?:(?:['’`&]|[-‐‑](?!-)){_WORD})*+)
  | (?P<marks>\.{{2,}}+|…++\.*+|\.?[?!]++|--++|––++|——++|''|``|‘‘|’’|‘’|<<++|>>++|\*++|=++|_++|~++
      |\#++|\+++)
  | (?P<other>.[{_MARKS}]*+)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_HYPHEN = re.compile("([-‐‑])")
_CLITIC = re.compile(r"(?:n['’`]t|['’`](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_TRUNCATED = re.compile(r"(?<![\w-])[^\W\d_]{1,3}-(?=[.,?!]?$)")
_CLOSING = frozenset(".,;:!?'’\"”»)]}>")

TokenOffsets = tuple[tuple[int, int], ...]


def tokenize(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """Return the tokens of ``text[start:end]``, which cover every character that is not blank."""
    stop = len(text) if end is None else end
    return [Token(first, last, text[first:last]) for first, last in _tokens(text, start, stop)]


def _tokens(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    for match in _CHUNK.finditer(text, start, stop):
        chunk = match.group()
        base, end = match.span()
        cuts, pending = _cut(chunk) if len(chunk) > 40 else _cached_cut(chunk)
        for index, (first, last) in enumerate(cuts):
            if index == pending and not _sentence_continues(
                chunk[first:last], text, base + first, end, stop
            ):
                yield base + first, base + last - 1
                first = last - 1
            yield base + first, base + last


def _cut(chunk: str) -> tuple[TokenOffsets, int]:
    """Return the tokens of a chunk, and the index of an abbreviation that may end the sentence."""
    cuts: list[tuple[int, int]] = []
    pending = -1
    position = 0
    length = len(chunk)
    while position < length:
        match = _TRUNCATED.match(chunk, position) or _PIECE.match(chunk, position)
        assert match is not None  # `other` matches anything
        first, last = match.span()
        kind = match.lastgroup
        if kind == "address":
            while last - first > 1 and chunk[last - 1] in _CLOSING:
                last -= 1
            cuts.append((first, last))
        elif kind in ("word", "dotted"):
            if (
                kind == "word"
                and chunk[last : last + 1] == "."
                and _can_be_abbreviation(chunk[first:last])
            ):
                last += 1
            if chunk[last - 1] == "." and length - last < 8 and _CLOSING.issuperset(chunk[last:]):
                pending = len(cuts)
            if kind == "word" and chunk[last - 1] != ".":
                cuts.extend(_parts(chunk, first, last))
            else:
                cuts.append((first, last))
        else:
            cuts.append((first, last))
        position = last
    return tuple(cuts), pending


_cached_cut = lru_cache(maxsize=1 << 15)(_cut)


def _can_be_abbreviation(word: str) -> bool:
    """Check whether a full stop after `word` can belong to it."""
    key = word.lower() + "."
    if len(word) == 1:
        return word.isalpha() and (word.isupper() or key in BEFORE_NUMBERS) and word != "I"
    if key in CAPITALIZED_ABBREVIATIONS and word.islower():
        return False
    return key in NEVER_FINAL or key in MAYBE_FINAL or key in BEFORE_NUMBERS


_NEXT_WORD = re.compile(rf"([{BLANK}]*+)([\"'“‘(\[]*+)([^{BLANK}]?[\w.]*+)")
_MOSTLY_FINAL = word_set("a.m. p.m. etc.")
_STARTERS = word_set("now yes please thank thanks yesterday today")
_HALF_DAYS = word_set("a.m. p.m.")
_ZONE = re.compile(rf"[{BLANK}]++([A-Z][a-z]++)(?: [A-Z][a-z]++){{0,2}} [Tt]ime\b")
_OPENING_REACH = 80
"""Characters before "p.m." that are searched for the opening of its sentence."""
_OPENED = re.compile(r"(?:.*(?:[.?!…]['\"”’)]*[ \t]+|[\r\n]))?(.*)", re.DOTALL)
"""Text after the last end of a sentence or line, as its group."""
_TIME_WORDS = (
    PREPOSITIONS
    | WEEKDAYS.keys()
    | MONTHS.keys()
    | frozenset(NUMBER_WORDS)
    | word_set(
        "a.m p.m am pm just shortly soon only exactly precisely approximately roughly nearly "
        "almost early earlier late later the a and or as moments minutes hours half quarter today "
        "tonight yesterday morning afternoon evening night noon day same that next following time"
    )
)


def _opens_with_time(text: str, start: int) -> bool:
    """Check whether only a time precedes the "p.m." at `start` in its sentence: "By 9 p.m. Ann"."""
    before = text[max(0, start - _OPENING_REACH) : start]
    match = _OPENED.fullmatch(re.sub(r"(?<=m)\.(?= [a-z])", "", before))
    opening = match[1].lstrip("\"'“‘([") if match else ""
    words = [word.strip(",.–—-") for word in opening.split()]
    if not words or not (opening[0].isupper() or opening[0].isdigit()):
        return False
    return all(not word or word[0].isdigit() or word.lower() in _TIME_WORDS for word in words)


def _sentence_continues(abbreviation: str, text: str, start: int, position: int, stop: int) -> bool:
    """Check whether a sentence continues at `position`, after the abbreviation at `start`."""
    following = _NEXT_WORD.match(text, position, min(stop, position + 64))
    if following is None or not following[3] or BLANK_LINE.search(following[1]):
        return False
    key, word = abbreviation.lower(), following[3].rstrip(".").lower()
    initial = len(abbreviation) == 2 and abbreviation[0].isupper()
    date = word in MONTHS or word + "." in MONTHS or word in WEEKDAYS
    if key in NEVER_FINAL:
        return True
    if key in BEFORE_NUMBERS and not initial:
        return following[3][0].isdigit() or date
    if not following[3][0].isupper() or date:
        return True
    if key in _HALF_DAYS:
        zone = _ZONE.match(text, position, min(stop, position + 64))
        if (zone and zone[1].lower() not in STOP_WORDS) or _opens_with_time(text, start):
            return True
    if key in _MOSTLY_FINAL:
        return following[3].isupper() and 2 <= len(word) <= 4
    return word not in STOP_WORDS and word not in _STARTERS


def _parts(chunk: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Cut a word at its hyphens and clitics."""
    word = chunk[first:last]
    if "-" not in word and "‐" not in word and "‑" not in word:
        yield from _clitics(word, first)
        return
    pieces = _HYPHEN.split(word)
    position, index = first, 0
    while index < len(pieces):
        piece = pieces[index]
        if piece.lower() in PREFIXES and index + 2 < len(pieces) and len(pieces[index + 2]) > 1:
            piece += pieces[index + 1] + pieces[index + 2]
            index += 2
        yield from _clitics(piece, position)
        position += len(piece)
        index += 1


def _clitics(word: str, first: int) -> Iterator[tuple[int, int]]:
    last = first + len(word)
    parts = PARTS.get(word.lower().replace("’", "'"))
    if parts is not None and word != "IM":
        for part in parts:
            yield first, first + len(part)
            first += len(part)
    elif (match := _CLITIC.search(word)) is not None and match.start() > 0:
        yield first, first + match.start()
        yield first + match.start(), last
    else:
        yield first, last


ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
    "\\/": "/",
    "\\*": "*",
}
"""Penn Treebank escapes for characters that its format could not contain."""

_JOINED = frozenset(pair for parts in PARTS.values() for pair in pairwise(parts))
_BOUND_LEFT = re.compile(r"[,.;:?!%)\]}”»°]|\.{2,}|…|[?!]{2,}")
_BOUND_RIGHT = re.compile(r"[(\[{“«‘`#]|(?:US|AU?|CA?|HK|NZ)?[$£€¥]")
_DASHED = STOP_WORDS - PREPOSITIONS - {"all", "half", "no", "one", "other", "just", "must", "s"}
_PLURAL = re.compile(r"(?i).*[sxz]")


def detokenize(
    words: Sequence[str], space_after: Sequence[bool] | None = None
) -> tuple[str, tuple[Span, ...]]:
    """Return the text of `words`, and the span of each in it.

    `space_after` is the spacing of the corpus (`SpaceAfter=No` in CoNLL-U); without it, English
    rules apply. Penn Treebank escapes such as ``-LRB-`` are replaced by their characters.
    """
    forms = [ESCAPES.get(word, word) for word in words]
    if space_after is None:
        gaps = _english_gaps(words, forms)
    elif len(space_after) == len(forms):
        gaps = [" " if space else "" for space in space_after]
    else:
        raise ValueError(f"{len(words)} words, but space_after has {len(space_after)} entries")
    gaps[-1:] = [""] if forms else []
    ends = list(accumulate(len(form) + len(gap) for form, gap in zip(forms, gaps, strict=True)))
    spans = tuple(
        Span(end - len(gap) - len(form), end - len(gap))
        for form, gap, end in zip(forms, gaps, ends, strict=True)
    )
    return "".join(form + gap for form, gap in zip(forms, gaps, strict=True)), spans


def compose(lines: Iterable[str | Sequence[str]]) -> tuple[str, list[Token], list[Sentence]]:
    """Return the text of sentences, one per line; words get English spacing."""
    line_texts: list[str] = []
    tokens: list[Token] = []
    sentences: list[Sentence] = []
    offset = 0
    for sentence in lines:
        line, spans = (
            (sentence, tokenize(sentence)) if isinstance(sentence, str) else detokenize(sentence)
        )
        tokens += [Token(offset + s.start, offset + s.end, s.of(line)) for s in spans]
        sentences.append(Sentence(offset, offset + len(line)))
        line_texts.append(line)
        offset += len(line) + 1
    return "\n".join(line_texts), tokens, sentences


def _english_gaps(words: Sequence[str], forms: Sequence[str]) -> list[str]:
    """Return the blank or nothing that follows each word in English."""
    opening = _opening_quotes(words, forms)
    last = len(forms) - 1
    return ["" if at < last and _is_joined(forms, opening, at) else " " for at in range(last + 1)]


def _opening_quotes(words: Sequence[str], forms: Sequence[str]) -> list[bool]:
    """Return which straight quotes open: they alternate, except apostrophes after a plural."""
    opening = [False] * len(forms)
    inside = {'"': False, "'": False}
    for index, (word, form) in enumerate(zip(words, forms, strict=True)):
        if form not in inside:
            continue
        if word in ("``", "''"):
            opens = word == "``"
        elif index and index == len(forms) - 1:
            opens = False
        elif form == "'" and not inside[form] and index and _PLURAL.fullmatch(forms[index - 1]):
            continue
        else:
            opens = not inside[form]
        opening[index] = inside[form] = opens
    return opening


def _is_joined(forms: Sequence[str], opening: Sequence[bool], index: int) -> bool:
    """Check whether no blank stands between the words at `index` and `index` + 1."""
    left, right = forms[index], forms[index + 1]
    if left in ("'", '"') and opening[index]:
        return True
    if right.lower() in CLITICS or (left.lower(), right.lower()) in _JOINED:
        return True
    if _BOUND_LEFT.fullmatch(right):
        return True
    if _BOUND_RIGHT.fullmatch(left):
        return left != "#" or right[0].isalnum()
    if right in ("'", '"', "’", "’’"):
        return not opening[index + 1]
    if right in ("-", "‐", "‑", "/"):
        return _joins_words(forms, index + 1)
    if left in ("-", "‐", "‑", "/"):
        return _joins_words(forms, index)
    return False


def _joins_words(forms: Sequence[str], index: int) -> bool:
    """Check whether the hyphen or slash at `index` joins its neighbours."""
    if not 0 < index < len(forms) - 1:
        return False
    left, right = forms[index - 1], forms[index + 1]
    if not (left[-1].isalnum() and right[0].isalnum()):
        return False
    if forms[index] == "/":
        return True
    chained = "-" in (*forms[max(0, index - 2) : index], *forms[index + 2 : index + 3])
    function_word = left.lower() in _DASHED or right.lower() in _DASHED
    return chained or not function_word
