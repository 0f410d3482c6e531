"""Alignment of two versions of a text, offset by offset.

Minimum edit distance with backtracking, for projecting annotations from a clean transcript onto
speech recognition output. Memory is linear in the texts; time grows with the product of their
lengths, 64 cells of the edit matrix at a time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from tatian.text.spans import Span

Run = tuple[int, int, int, int]
"""Start and end in the source, start and end in the target."""
Block = tuple[Span, Span]
"""A span of the source, and the span of the target that corresponds to it."""


class OffsetMap(Struct, frozen=True):
    """Map between the offsets of a source and a target.

    Blocks follow each other without gaps in both texts. Inside a block, offsets map in proportion:
    one to one if both spans are equally long.
    """

    blocks: tuple[Block, ...]
    distance: int
    """Edit distance of the texts."""

    def target_span(self, span: Span) -> Span:
        """Return the span of the target for a span of the source; empty if it was deleted.

        Text inserted inside the span is part of it; text inserted at its edges is not.
        """
        return _project(span, self.blocks, 0)

    def source_span(self, span: Span) -> Span:
        """Return the span of the source for a span of the target."""
        return _project(span, self.blocks, 1)


def _project(span: Span, blocks: Sequence[Block], side: int) -> Span:
    """Project a span from one text (`side`) to the other."""
    if not blocks:
        return Span(0, 0)
    origin, image = blocks[-1][side], blocks[-1][1 - side]
    if span.start >= origin.end:
        return Span(image.end, image.end)
    start, _ = _project_character(span.start, blocks, side)
    if not span:
        return Span(start, start)
    _, end = _project_character(min(span.end, origin.end) - 1, blocks, side)
    return Span(start, end)


def _project_character(offset: int, blocks: Sequence[Block], side: int) -> tuple[int, int]:
    """Return the start and end of the image of the item at `offset`."""
    place = bisect_right(blocks, offset, key=lambda block: block[side].start) - 1
    origin, image = blocks[place][side], blocks[place][1 - side]
    inside = offset - origin.start
    first = image.start + inside * len(image) // len(origin)
    last = image.start + (inside + 1) * len(image) // len(origin)
    return first, last


def align(source: str, target: str, *, ignore_case: bool = False) -> OffsetMap:
    """Align two texts character by character with the fewest edits.

    Among alignments of equal cost, those that add or drop whole words are preferred. Letters
    inserted at the edge of a word belong to that word, so that words map to words: "refugees" to
    "refute. these", not to "refute. thes".
    """
    from rapidfuzz.distance import Levenshtein

    codes = Levenshtein.opcodes(source, target, processor=_lower if ignore_case else None)
    runs = [(code.src_start, code.src_end, code.dest_start, code.dest_end) for code in codes]
    changes = (run for code, run in zip(codes, runs, strict=True) if code.tag != "equal")
    edits = sum(max(b - a, d - c) for a, b, c, d in changes)
    slid = _slide(_merge(runs), source, target)
    final_runs = _with_word_edges(slid, source, target)
    return OffsetMap(tuple((Span(a, b), Span(c, d)) for a, b, c, d in final_runs), edits)


def _lower(text: str) -> str:
    """Return the text in lower case, with the same length."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def _kind(run: Run) -> tuple[bool, bool]:
    """Return whether a run has text in the source, and whether it has text in the target."""
    return run[1] > run[0], run[3] > run[2]


def _merge(runs: Iterable[Run]) -> list[Run]:
    """Merge neighbouring runs of one kind (kept or replaced, inserted, deleted)."""
    merged: list[Run] = []
    for run in runs:
        if merged and _kind(merged[-1]) == _kind(run):
            merged[-1] = (merged[-1][0], run[1], merged[-1][2], run[3])
        else:
            merged.append(run)
    return merged


_MAX_SHIFT = 64
"""Maximum number of characters by which a run is moved; it bounds the time for repetitive texts."""


def _slide(runs: Sequence[Run], source: str, target: str) -> list[Run]:
    """Move insertions and deletions to word edges, if that costs nothing."""
    slid = list(runs)
    for index in range(1, len(slid) - 1):
        a, b, c, d = slid[index]
        if all(_kind(slid[index])) or not all(_kind(slid[index + 1])):
            continue
        before, after = slid[index - 1], slid[index + 1]
        text, start, end = (source, a, b) if b > a else (target, c, d)
        left = before[1] - before[0] if all(_kind(before)) else 0
        shift = _best_shift(text, start, end, left, after[1] - after[0])
        slid[index - 1] = (before[0], before[1] + shift, before[2], before[3] + shift)
        slid[index] = (a + shift, b + shift, c + shift, d + shift)
        slid[index + 1] = (after[0] + shift, after[1], after[2] + shift, after[3])
    return [run for run in slid if any(_kind(run))]


def _best_shift(text: str, start: int, end: int, left: int, right: int) -> int:
    """Return the shift of ``text[start:end]`` that puts the most of its ends at word edges."""
    shifts = [0]
    for step in range(1, min(left, _MAX_SHIFT) + 1):
        if text[start - step] != text[end - step]:
            break
        shifts.append(-step)
    for step in range(min(right, _MAX_SHIFT)):
        if text[start + step] != text[end + step]:
            break
        shifts.append(step + 1)
    return max(shifts, key=lambda by: _is_edge(text, start + by) + _is_edge(text, end + by))


def _is_edge(text: str, place: int) -> bool:
    inside = 0 < place < len(text)
    return not inside or _is_letter(text[place - 1]) != _is_letter(text[place])


def _with_word_edges(runs: Sequence[Run], source: str, target: str) -> Iterator[Run]:
    """Attach letters added or dropped at the edge of a word to its outermost letter's block."""
    edges = [_edges(run, source, target) for run in runs]
    for index, (a, b, c, d) in enumerate(runs):
        if _kind((a, b, c, d)) != (True, True):
            (head_a, head_c), (tail_a, tail_c) = edges[index]
            head = index > 0 and all(_kind(runs[index - 1]))
            tail = index + 1 < len(runs) and all(_kind(runs[index + 1]))
            remainder = (a + head_a * head, b - tail_a * tail, c + head_c * head, d - tail_c * tail)
            if any(_kind(remainder)):
                yield remainder
            continue
        more_a, more_c = edges[index - 1][1] if index else (0, 0)
        next_a, next_c = edges[index + 1][0] if index + 1 < len(runs) else (0, 0)
        if more_a + more_c and b - a > 1:
            yield a - more_a, a + 1, c - more_c, c + 1
            a, c, more_a, more_c = a + 1, c + 1, 0, 0
        if next_a + next_c and b - a > 1:
            yield a - more_a, b - 1, c - more_c, d - 1
            a, c, more_a, more_c = b - 1, d - 1, 0, 0
        yield a - more_a, b + next_a, c - more_c, d + next_c


def _edges(run: Run, source: str, target: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the lengths of an edit's ends that belong to the words before and after it."""
    a, b, c, d = run
    if b > a and d > c:
        return (0, 0), (0, 0)
    if d > c:
        head, tail = _word_parts(target, c, d, source, a)
        return (0, head), (0, tail)
    head, tail = _word_parts(source, a, b, target, c)
    return (head, 0), (tail, 0)


def _word_parts(text: str, start: int, end: int, other: str, place: int) -> tuple[int, int]:
    """Count the letters at the two ends of ``text[start:end]``, placed at `place` of `other`."""
    before = place > 0 and _is_letter(other[place - 1])
    after = place < len(other) and _is_letter(other[place])
    head = tail = 0
    if before and not after and _is_letter(text[start - 1]):
        while start + head < end and _is_letter(text[start + head]):
            head += 1
    if after and not before and end < len(text) and _is_letter(text[end]):
        while end - tail > start + head and _is_letter(text[end - tail - 1]):
            tail += 1
    return head, tail


def _is_letter(char: str) -> bool:
    return char.isalnum() or char == "_"
