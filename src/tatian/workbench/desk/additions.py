"""A text that was worked on, with what accounts tell that were added since.

What was there stays where it is and as it is. Of a new weave only the sentences of the added
accounts are taken, each beside the sentence that it follows there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from tatian.consolidation.result import (
    Consolidation,
    Disagreement,
    SourceSentence,
    conflicts_first,
)
from tatian.text.content import is_telling
from tatian.workbench.desk.leftout import lacking, said_concepts
from tatian.workbench.desk.manuscript import Line, Manuscript, closed, sentence_id, taken_apart
from tatian.workbench.desk.points import dispute_id
from tatian.workbench.desk.sheet import put_together

ADDED = "new, of an account that was added"
"""How the reason begins for which a sentence stands where it does."""
_SAME = 0.2
"""Share of a new sentence's words that one of the text may lack and still tell it."""
_TOLD = "a sentence of the text tells it"
_UNPLACED = "the text does not have what tells it"


def grown(before: Consolidation, now: Consolidation) -> Consolidation | None:
    """Return the text of `before` with what `now` tells of added accounts.

    None where accounts were not only added.
    """
    texts = {account.id: account.text for account in now.documents}
    if any(texts.get(account.id) != account.text for account in before.documents):
        return None
    added = set(texts) - {account.id for account in before.documents}
    if not added:
        return None
    old, new = taken_apart(before), taken_apart(now)
    lines = [_kept(line, new) for line in old.lines]
    told = _insert(lines, new, added)
    fates = dict(_fates(old, new, lines, added, told))
    woven = replace(now, contradictions=conflicts_first(_disputes(before, now)))
    manuscript = taken_apart(woven)
    return put_together(manuscript, lines, fates, now.documents, before.title)


def _kept(line: Line, new: Manuscript) -> Line:
    """A line as it was, with the sources that its words have by now; it is new no longer."""
    why = line.why.removeprefix(f"{ADDED}; ").removeprefix(ADDED)
    same = next((one for one in new.lines if one.id == line.id and one.text == line.text), None)
    return replace(line, why=why, words=same.words if same and not line.heading else line.words)


def _insert(lines: list[Line], new: Manuscript, added: set[str]) -> dict[str, str]:
    """Put the lines of added accounts in; gives those that are told already, by what tells them."""
    told: dict[str, str] = {}
    for number, line in enumerate(new.lines):
        place = _place(lines, new.lines, number)
        for fresh in reversed(list(_fresh(line, new, added))):
            if teller := _teller(fresh, {*line.told, *line.origins}, lines):
                told |= dict.fromkeys(fresh.origins, teller.id)
                continue
            ends = place == len(lines) or lines[place].opens
            opens = fresh.opens and (ends or bool(fresh.heading))
            lines.insert(place, replace(fresh, opens=opens))
    return told


def _fresh(line: Line, new: Manuscript, added: set[str]) -> Iterator[Line]:
    """A line of added accounts alone, or else their sentences in it as they stand there."""
    own = [id for id in line.origins if new.sources[id].account.id in added]
    why = f"{ADDED}; {line.why}" if line.why else ADDED
    if own and len(own) == len(line.origins):
        yield replace(line, why=why)
        return
    for source in own:
        yield Line(source, closed(new.copied(source)), (source,), why=why)


def _teller(fresh: Line, related: set[str], lines: Sequence[Line]) -> Line | None:
    """The line that tells all of a new one, of those that the new weave put together with it."""
    for line in lines:
        if not related.isdisjoint(line.origins):
            places, share = lacking(fresh.text, said_concepts(line.text))
            exact = any(is_telling(fresh.text[start:end]) for start, end in places)
            if share <= _SAME and not exact:
                return line
    return None


def _place(lines: Sequence[Line], order: Sequence[Line], number: int) -> int:
    """The place behind the nearest line before it in the new weave, or before the next one."""
    places = {line.id: place for place, line in enumerate(lines)}
    for line in reversed(order[:number]):
        if line.id in places:
            return places[line.id] + 1
    for line in order[number + 1 :]:
        if line.id in places:
            return places[line.id]
    return len(lines)


def _fates(
    old: Manuscript,
    new: Manuscript,
    lines: Sequence[Line],
    added: set[str],
    told: Mapping[str, str],
) -> Iterator[tuple[str, SourceSentence]]:
    """What became of every sentence of the accounts."""
    places = {line.id: place for place, line in enumerate(lines)}
    was = [places[line.id] for line in old.lines]
    worded: dict[str, list[int]] = {}
    telling: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        for id in line.origins:
            worded.setdefault(id, []).append(place)
        for id in line.told:
            telling.setdefault(id, []).append(place)
    for id, source in new.sources.items():
        now = source.sentence
        if source.account.id not in added:
            held = old.sources[sentence_id(source.account.id, now)].sentence
            yield id, replace(held, into=tuple(was[number] for number in held.into))
        elif id in worded:
            yield id, replace(now, into=tuple(worded[id]))
        elif id in told:
            yield id, replace(now, fate="redundant", into=(places[told[id]],), why=_TOLD)
        elif now.fate == "unused":
            yield id, now
        else:
            tellers = [new.lines[number] for number in now.into]
            named = [places[line.id] for line in tellers if line.id in places]
            other = [
                place
                for line in tellers
                for origin in line.origins
                for place in (*worded.get(origin, ()), *telling.get(origin, ()))
            ]
            into = tuple(sorted(set(named or other)))
            fate = replace(now, fate="redundant", into=into)
            yield id, fate if into else replace(now, fate="unused", into=(), why=_UNPLACED)


def _disputes(before: Consolidation, now: Consolidation) -> Iterator[Disagreement]:
    """Those of the new weave, and those of the text that it does not speak of."""
    yield from now.contradictions
    known = {claim for one in now.contradictions for claim in dispute_id(one).split("+")}
    for one in before.contradictions:
        if known.isdisjoint(dispute_id(one).split("+")):
            yield one
