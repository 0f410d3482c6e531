"""Continuations of a prompt, several at once, with whole runs of words copied in one step.

A union repeats long runs of its sources, so what follows the last tokens in a source is a good
guess of what comes next. The guesses are read together with the token before them and kept as far
as the model would have written the same: the result is what one token at a time would give, in a
fraction of the steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
from msgspec import Struct

from tatian.union.models.lm.gguf import Floats
from tatian.union.models.lm.network import Adapter, Booleans, Cache, Integers, Network

PIECE = 256
"""Tokens of a prompt read at once."""
GUESSES = 10
"""Tokens guessed ahead, at most."""
AT_ONCE = 64
"""Tokens read in one step for all continuations."""
CONTEXTS = (2, 3, 4)
"""How many tokens must be as in a source for a guess; more after each guess that was no use."""
USEFUL = 2
"""Reading several tokens costs nearly three times as much as reading one."""

Following = dict[tuple[int, ...], Sequence[int]]


class Style(Struct, frozen=True, kw_only=True):
    """How to write."""

    ends: frozenset[int]
    """Tokens that end a continuation."""
    longest: int
    """Tokens of a continuation, at most."""
    samples: int = 1
    temperature: float = 0.0
    """0 takes the likeliest token; then all samples are alike."""
    likeliest: bool = False
    """Whether the first sample takes the likeliest tokens, whatever the temperature."""
    seed: int = 0


class Continuation(Struct, frozen=True):
    """What a language model wrote."""

    ids: tuple[int, ...]
    """Without the token that ended it."""
    log_probability: float
    """Of all its tokens and its end, among the tokens allowed."""
    finished: bool
    """Whether it ended by itself."""


class Reading:
    """A prompt that has been read; continuations start from it, and it stays as it is."""

    def __init__(
        self, network: Network, ids: Sequence[int], adapter: Adapter | None = None
    ) -> None:
        self.network = network
        self.adapter = adapter
        self.cache = Cache(network.shape, len(ids) + 64)
        self.states = np.zeros((network.shape.width, 0), np.float32)
        self._read(ids)

    def _read(self, ids: Sequence[int]) -> None:
        for begin in range(0, len(ids), PIECE):
            piece = np.array(ids[begin : begin + PIECE])
            places = self.cache.length + np.arange(len(piece))
            visible = np.arange(self.cache.length + len(piece))[:, None] <= places
            self.states = self.network.extend(self.cache, piece, places, visible, self.adapter)

    def followed_by(self, ids: Sequence[int]) -> Reading:
        """The same prompt with more after it."""
        longer = Reading(self.network, (), self.adapter)
        longer.cache = self.cache.copy(len(ids) + 64)
        longer.states = self.states
        longer._read(ids)
        return longer


def write(
    reading: Reading,
    style: Style,
    *,
    sources: Sequence[Sequence[int]] = (),
    allowed: Booleans | None = None,
) -> list[Continuation]:
    """Continue a prompt, `style.samples` times; `sources` are what is likely to be copied."""
    network, cache = reading.network, reading.cache.copy(256)
    prompt = cache.length
    streams = [_Stream(style, number, allowed) for number in range(style.samples)]
    first = network.logits(reading.states[:, -1:])[:, 0]
    for stream in streams:
        stream.take(first)
    following = _following(sources)
    while active := [stream for stream in streams if not stream.done]:
        room = max(1, AT_ONCE // len(active)) - 1
        steps = [[s.pending, *s.guess(following, min(room, GUESSES))] for s in active]
        begin = cache.length
        visible, positions = _view(active, steps, begin, prompt)
        ids = np.array([id for step in steps for id in step])
        states = network.extend(cache, ids, positions, visible, reading.adapter)
        columns = iter(np.ascontiguousarray(network.logits(states).T))
        for stream, step in zip(active, steps, strict=True):
            stream.advance(step, begin, list(islice(columns, len(step))))
            begin += len(step)
    return [stream.result() for stream in streams]


def _view(
    streams: Sequence[_Stream], steps: Sequence[Sequence[int]], begin: int, prompt: int
) -> tuple[Booleans, Integers]:
    """What the tokens of the next step see, and where in their continuations they stand."""
    count = sum(map(len, steps))
    visible = np.zeros((begin + count, count), np.bool_)
    visible[:prompt] = True
    positions = np.empty(count, np.int64)
    at = 0
    for stream, step in zip(streams, steps, strict=True):
        own = slice(at, at + len(step))
        visible[stream.places, own] = True
        visible[begin + at : begin + at + len(step), own] = np.tri(len(step), dtype=np.bool_).T
        positions[own] = prompt + len(stream.places) + np.arange(len(step))
        at += len(step)
    return visible, positions


class _Stream:
    """One continuation while it is being written."""

    def __init__(self, style: Style, number: int, allowed: Booleans | None) -> None:
        self._style = style
        self._temperature = 0.0 if style.likeliest and not number else style.temperature
        self._allowed = allowed
        self._random = np.random.default_rng((style.seed, number))
        self._ids: list[int] = []
        self._total = 0.0
        self._finished = False
        self._caution = 0
        self.places: list[int] = []
        """Where in the cache its tokens are."""
        self.done = False

    @property
    def pending(self) -> int:
        """The token that was chosen last and is not read yet."""
        return self._ids[-1]

    def take(self, logits: Floats) -> int:
        """Choose the next token."""
        if self._allowed is not None:
            logits = np.where(self._allowed, logits, np.float32(-np.inf))
        chosen = self._choose(logits)
        most = logits.max()
        self._total += float(logits[chosen] - most - np.log(np.exp(logits - most).sum()))
        if chosen in self._style.ends:
            self.done = self._finished = True
        else:
            self._ids.append(chosen)
            self.done = len(self._ids) >= self._style.longest
        return chosen

    def _choose(self, logits: Floats) -> int:
        if not self._temperature:
            return int(logits.argmax())
        scaled = (logits - logits.max()) / np.float32(self._temperature)
        heaps = np.cumsum(np.exp(scaled), dtype=np.float64)
        chosen = int(np.searchsorted(heaps, self._random.random() * heaps[-1], side="right"))
        return min(chosen, int(np.flatnonzero(np.isfinite(logits))[-1]))

    def guess(self, following: Following, most: int) -> Sequence[int]:
        """What stands in a source after the last tokens."""
        most = min(most, self._style.longest - len(self._ids))
        return following.get(tuple(self._ids[-CONTEXTS[self._caution] :]), ())[:most]

    def advance(self, step: Sequence[int], begin: int, logits: Sequence[Floats]) -> None:
        """Keep the guesses of `step` as far as they are what would have been chosen."""
        kept = 0
        for index, row in enumerate(logits):
            self.places.append(begin + index)
            chosen = self.take(row)
            kept = index
            if self.done or index + 1 == len(step) or chosen != step[index + 1]:
                break
        if len(step) > 1:
            self._caution = 0 if kept >= USEFUL else min(self._caution + 1, len(CONTEXTS) - 1)

    def result(self) -> Continuation:
        """What was written."""
        return Continuation(tuple(self._ids), self._total, self._finished)


def _following(sources: Sequence[Sequence[int]]) -> Following:
    """For some tokens in a row, what comes after them where they first stand."""
    found: Following = {}
    for source in sources:
        for length in CONTEXTS:
            for place in range(length, len(source)):
                before = tuple(source[place - length : place])
                found.setdefault(before, source[place : place + GUESSES])
    return found
