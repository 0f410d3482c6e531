"""Sentence splitter for English text, based on its tokens and its layout.

A sentence ends at a full stop, question or exclamation mark that closes one, or at a blank line. It
also ends at a line break that is no hard wrapping. In transcripts without
punctuation it ends where a new clause seems to start. The stop of an abbreviation is a token only
if it also ends the sentence (`tatian.text.tokenizer` decides): every token "." is an end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tatian.text.lexicon import PRONOUNS, REPORTING_VERBS, word_set
from tatian.text.spans import Sentence, Token
from tatian.text.tokenizer import BLANK_LINE, tokenize

NARROW, WIDE = 50, 120
"""Smallest and largest width of hard-wrapped lines, in characters."""

UNPUNCTUATED = 50
"""Number of words without punctuation from which a text is a transcript, cut into clauses."""

MAX_SENTENCE_TOKENS = 300
"""Maximum number of tokens of a sentence; anything longer is a list or a table."""

_CLOSERS = frozenset("\"'”’)]}»") | {"''", "’’"}
_OPENERS = frozenset("\"'“‘([{«") | {"``", "‘‘"}
_QUOTES = frozenset("\"'”’") | {"''", "’’"}
_FINAL = re.compile(r"\.?[?!]+|\.+|…+\.*")
_RULE = re.compile(r"[-=_*~#+]{5,}")
_EMOTICON = re.compile(r"[:;=][-'^o]?[)(\]\[DPpO/\\|*]+|<3+|\^_+\^|\(:")
_ADDRESS = re.compile(r"(?:https?://|www\.)")
_ENUMERATOR = re.compile(r"\d{1,3}(?:\.\d{1,2})*|[A-Za-z]|[ivxIVX]{1,4}")
_OLD_MONEY = re.compile(r"\d[sd]$")
"""Shillings and pence before a full stop: "4d. an hour"."""
_LINE = re.compile(r"([^\r\n]*)(\r\n?|\n|$)")


def split(text: str) -> list[Sentence]:
    """Return the sentences of `text`, without the white space around them."""
    return split_tokens(text, tokenize(text))


def split_tokens(text: str, tokens: Sequence[Token]) -> list[Sentence]:
    """Return the sentences that `tokens` (all tokens of `text`, in order) make up."""
    sentences: list[Sentence] = []
    begin = 0
    for end in _ends(text, tokens):
        for first, last in _divide_long(tokens, begin, end):
            sentences.append(Sentence(tokens[first].start, tokens[last - 1].end))
        begin = end
    return sentences


def _ends(text: str, tokens: Sequence[Token]) -> Iterator[int]:
    """Yield the index of the token after each sentence."""
    breaks = _unwrapped_breaks(text)
    begin, index, count = 0, 0, len(tokens)
    while index < count:
        after = index + 1
        if _FINAL.fullmatch(tokens[index].text):
            after = _skip_closers(text, tokens, after)
            ends = after == count or _mark_ends(text, tokens, begin, index, after)
        else:
            ends = after == count or _rule_ends(tokens, index)
        if ends or _break_ends(text, tokens, after, breaks):
            yield after
            begin = after
        index = after


def _skip_closers(text: str, tokens: Sequence[Token], after: int) -> int:
    """Skip the closing quotes, brackets, note numbers and smileys that belong to an end."""
    while after < len(tokens):
        token = tokens[after]
        adjacent = tokens[after - 1].end == token.start
        if adjacent and (token.text in _CLOSERS or _FINAL.fullmatch(token.text)):
            after += 1
        elif BLANK_LINE.search(text, tokens[after - 1].end, token.start):
            break
        elif _EMOTICON.fullmatch(token.text):
            after += 1
        elif (
            token.text == "["
            and after + 2 < len(tokens)
            and tokens[after + 1].text.isdigit()
            and tokens[after + 2].text == "]"
        ):
            after += 3
        else:
            break
    return after


def _mark_ends(text: str, tokens: Sequence[Token], begin: int, index: int, after: int) -> bool:
    """Check whether the mark at `index` ends the sentence that began at `begin`."""
    mark, following = tokens[index].text, tokens[after]
    if tokens[after - 1].end == following.start:
        return mark == "." and _lacks_blank(tokens, index)
    if mark == "." and _numbers_item(tokens, begin, index):
        return False
    if mark == "." and following.text in (".", ".."):
        return False
    stop = tokens[index].start
    if not following.text[0].isupper() and _OLD_MONEY.search(text, max(0, stop - 2), stop):
        return False
    quoted = tokens[after - 1].text in _QUOTES
    first = _first_word(tokens, after)
    if first[0].islower() and not _ADDRESS.match(first):
        return not quoted and (mark == "." or mark[-1] in "?!")
    return not (quoted and mark != "." and _names_speaker(tokens, after))


def _lacks_blank(tokens: Sequence[Token], index: int) -> bool:
    """Check whether the stop at `index` ends a sentence without a blank after it: "end.Then"."""
    before, following = tokens[index - 1].text, tokens[index + 1].text
    return index > 0 and len(before) > 1 and before.islower() and following.istitle()


def _numbers_item(tokens: Sequence[Token], begin: int, index: int) -> bool:
    """Check whether the stop at `index` belongs to an item's or heading's number: "2. Methods"."""
    opens = index - begin == 1 or (index - begin > 1 and tokens[index - 2].text == ":")
    return opens and _ENUMERATOR.fullmatch(tokens[index - 1].text) is not None


def _first_word(tokens: Sequence[Token], index: int) -> str:
    while index < len(tokens) - 1 and tokens[index].text in _OPENERS:
        index += 1
    return tokens[index].text


def _names_speaker(tokens: Sequence[Token], index: int) -> bool:
    """Check whether the words at `index` say who spoke: '"Why?" Mr. Smith asked.'."""
    for token in tokens[index : index + 4]:
        if token.text in REPORTING_VERBS:
            return True
        if not (token.text[0].isupper() or token.text.lower() in PRONOUNS):
            return False
    return False


def _rule_ends(tokens: Sequence[Token], index: int) -> bool:
    """Check whether a ruled line or a list of addresses stands here."""
    token, following = tokens[index].text, tokens[index + 1].text
    if _RULE.fullmatch(token) or _RULE.fullmatch(following):
        return True
    return bool(_ADDRESS.match(token) and _ADDRESS.match(following))


def _break_ends(text: str, tokens: Sequence[Token], after: int, breaks: frozenset[int]) -> bool:
    """Check whether a paragraph ends before the token at `after`, or a line that is not wrapped."""
    if after == len(tokens):
        return True
    first, last = tokens[after - 1].end, tokens[after].start
    if first == last or text[first:last] == " ":
        return False
    return bool(BLANK_LINE.search(text, first, last)) or not breaks.isdisjoint(range(first, last))


def _unwrapped_breaks(text: str) -> frozenset[int]:
    """Return the offsets of line ends that are not hard wrapping.

    Wrapping puts a word on the next line only when it no longer fits; a line that had room for the
    next one's first word was ended on purpose.
    """
    if "\n" not in text and "\r" not in text:
        return frozenset()
    punctuated = re.search(r"[.!?][\"'”’)]*\s", text) is not None
    breaks: set[int] = set()
    block: list[tuple[str, int]] = []
    for match in _LINE.finditer(text):
        if match[1].strip():
            block.append((match[1].rstrip(), match.start(2)))
        else:
            breaks.update(_breaks_of_block(block, punctuated))
            block = []
    breaks.update(_breaks_of_block(block, punctuated))
    return frozenset(breaks)


def _breaks_of_block(block: Sequence[tuple[str, int]], punctuated: bool) -> Iterator[int]:
    if len(block) < 2:
        return
    width = max(len(line) for line, _ in block)
    for (line, offset), (following, _) in pairwise(block):
        word = following.split(maxsplit=1)[0]
        continues = punctuated and (word[0].islower() or line.endswith((",", "-", "–", "—")))
        fits = len(line) + 1 + len(word) <= width
        if not continues and (fits or not NARROW <= width <= WIDE):
            yield offset


def _divide_long(tokens: Sequence[Token], begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a sentence, or the pieces of one that is too long."""
    while end - begin > UNPUNCTUATED:
        cut = _cut_transcript(tokens, begin, end) or _cut_list(tokens, begin, end)
        if cut is None:
            break
        yield begin, cut
        begin = cut
    if begin < end:
        yield begin, end


_CONNECTIVES = word_set("and but so because well now then okay ok also or")
_SUBJECTS = word_set(
    "i we you he she it they there this that these those who what people everybody someone"
)


def _cut_transcript(tokens: Sequence[Token], begin: int, end: int) -> int | None:
    """Return where to cut unpunctuated words: before a new clause, after a dozen words or more."""
    window = tokens[begin : min(begin + UNPUNCTUATED, end)]
    if any(not token.text[0].isalnum() and token.text[0] not in "'’-" for token in window):
        return None
    shortest, longest = 12, 40
    words = [token.text.lower() for token in window[: longest + 1]]
    for place in range(shortest, longest):
        if words[place] in _CONNECTIVES and words[place + 1] in _SUBJECTS:
            return begin + place
    for place in range(longest - 1, shortest, -1):
        if words[place] in _SUBJECTS and words[place - 1] not in _CONNECTIVES:
            return begin + place
    return begin + longest


def _cut_list(tokens: Sequence[Token], begin: int, end: int) -> int | None:
    """Return where to cut an overlong sentence: after the last semicolon or comma in reach."""
    if end - begin <= MAX_SENTENCE_TOKENS:
        return None
    for marks in (";", ":", ","):
        for place in range(begin + MAX_SENTENCE_TOKENS - 1, begin + MAX_SENTENCE_TOKENS // 2, -1):
            if tokens[place].text == marks:
                return place + 1
    return begin + MAX_SENTENCE_TOKENS
