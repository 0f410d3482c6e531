"""Documents as CorefUD: their own rows with their present chains, or new ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from tatian.analysis.conllu import parse, to_conllu
from tatian.coreference.data.composing import (
    Placed,
    Places,
    local_label,
    note_spacing,
    with_tokens,
)
from tatian.coreference.data.corefud import KNOWN_META, NAME, Found, annotation
from tatian.coreference.data.entities import FIELDS, GLOBAL, Bracket, Fields
from tatian.coreference.data.nodes import (
    Marked,
    Marks,
    Node,
    Piece,
    cells,
    fields_named,
    nodes,
    with_entity,
)
from tatian.coreference.data.original import original
from tatian.text import Document
from tatian.text.formats import Losses


def write(documents: Iterable[Document], losses: Losses) -> Iterator[str]:
    """Each document in CoNLL-U, with ids that no two documents of the file share."""
    used: set[str] = set()
    declared: tuple[str, ...] | None = None
    for given in documents:
        document = with_tokens(given)
        sheet = _Sheet(document, losses)
        text, declared = sheet.written(used, declared)
        yield text


class _Sheet:
    """One document on its way out."""

    def __init__(self, document: Document, losses: Losses) -> None:
        self.document = document
        self.losses = losses
        source = original(document, NAME)
        lines = source.split("\n") if source is not None else []
        rows = nodes(lines)
        forms = [row.form for row in rows if not row.empty]
        self.own = forms == [token.text for token in document.tokens]
        if not self.own:
            source = to_conllu(document, apart=True)
            lines = source.split("\n")
            written = next(parse(source)).text if document.tokens else ""
            note_spacing(document, written, losses)
        self.source = source or ""
        self.lines = lines
        self.names = fields_named(lines) or self._inherited()

    def _inherited(self) -> tuple[str, ...] | None:
        told = self.document.metadata.extra.get(GLOBAL)
        return tuple(told.split("-")) if told and self.own else None

    def written(
        self, used: set[str], declared: tuple[str, ...] | None
    ) -> tuple[str, tuple[str, ...] | None]:
        """The text, and the fields that the file has declared by now."""
        names = self.names or FIELDS
        before = annotation(self.document, self.lines, names)
        after = self._marked(before.found, before.nodes, before.fields, used)
        used.update(one.opening.id for one in after)
        old, new = cells(one.marked for one in before.found), cells(after)
        self._note_crossing(after, new, before.nodes)
        changed = False
        for place in {*old, *new}:
            brackets = new.get(place, [])
            if sorted(old.get(place, [])) != sorted(brackets):
                line = before.nodes[place].line
                self.lines[line] = with_entity(self.lines[line], "".join(map(str, brackets)))
                changed = True
        if fields_named(self.lines) is None and (new or not self.own) and declared != names:
            self._declare(names)
            changed = True
        if not self.own:
            self._describe()
            changed = True
        text = "\n".join(self.lines) if changed else self.source
        return text, names if fields_named(self.lines) else declared

    def _marked(
        self, before: Sequence[Found], rows: Sequence[Node], fields: Fields, used: set[str]
    ) -> list[Marked]:
        """The mentions as they are to be written: those that were there stay as they were."""
        known = {one.label for one in before}
        standing: dict[tuple[str, object], list[Marked]] = {}
        for one in before:
            standing.setdefault((one.label, one.mention), []).append(one.marked)
        after = [one.marked for one in before if one.mention is None]
        words = [place for place, node in enumerate(rows) if not node.empty]
        labels = _Labels(self.document, known, used, numbered=(self.names or FIELDS)[0] != "eid")
        for placed in Places(self.document).mentions(self.losses):
            label = labels.of(placed)
            there = standing.get((label, placed.mention))
            after.append(there.pop() if there else self._new(placed, label, words, fields))
        return after

    def _new(self, placed: Placed, label: str, words: Sequence[int], fields: Fields) -> Marked:
        for what in fields.unheld(placed.mention):
            self.losses.add(what, self.document.id)
        values = fields.values(placed.mention, placed.chain.type)
        of = len(placed.ranges)
        return Marked(
            tuple(
                Piece(
                    Bracket(label, part, of, opens=True, closes=False, fields=values),
                    words[places.start],
                    words[places.stop - 1],
                )
                for part, places in enumerate(placed.ranges, 1)
            )
        )

    def _note_crossing(
        self, after: Sequence[Marked], new: dict[int, list[Bracket]], rows: Sequence[Node]
    ) -> None:
        """Note mentions of one chain that cross: their brackets pair otherwise when read."""
        written = [
            Node(node.line, node.token, node.empty, "", "".join(map(str, new.get(place, []))))
            for place, node in enumerate(rows)
        ]
        again = Counter(_extent(one) for one in Marks(written).read())
        wrong = sum((Counter(map(_extent, after)) - again).values())
        if wrong:
            what = "mentions of one chain that cross each other: brackets pair them otherwise"
            self.losses.add(what, self.document.id, wrong)

    def _declare(self, names: Sequence[str]) -> None:
        self._insert([f"# {GLOBAL} = {'-'.join(names)}"])

    def _describe(self) -> None:
        """The metadata as comments, unless they are there."""
        known = self.document.metadata
        told = {name: getattr(known, field) for name, field in KNOWN_META.items()}
        told |= {name: value for name, value in known.extra.items() if name != GLOBAL}
        there = {line.partition("=")[0].strip() for line in self.lines if line.startswith("# meta")}
        self._insert(
            f"# meta::{_line(name)} = {_line(value)}"
            for name, value in told.items()
            if value and f"# meta::{_line(name)}" not in there
        )

    def _insert(self, comments: Iterable[str]) -> None:
        place = next((at for at, line in enumerate(self.lines) if "newdoc" in line), -1) + 1
        while self.lines[place : place + 1] and self.lines[place].startswith(f"# {GLOBAL}"):
            place += 1
        self.lines[place:place] = comments


def _line(value: str) -> str:
    return " ".join(value.split())


def _extent(marked: Marked) -> tuple[str, tuple[tuple[int, int], ...]]:
    return marked.opening.id, tuple((piece.first, piece.last) for piece in marked.pieces)


class _Labels:
    """Ids for the chains of a document: those they had, or new ones."""

    def __init__(
        self, document: Document, known: set[str], used: set[str], *, numbered: bool
    ) -> None:
        self._document = document
        self._known = known
        self._given: dict[str, str] = {}
        taken = known if numbered else known | used
        prefix = "" if numbered else "e"
        numbers = (f"{prefix}{number}" for number in count(1))
        self._free = (label for label in numbers if label not in taken)

    def of(self, placed: Placed) -> str:
        """The id of a mention's chain."""
        chain = placed.chain
        label = self._given.get(chain.id)
        if label is None:
            own = local_label(chain, self._document)
            label = own if own in self._known else next(self._free)
            self._given[chain.id] = label or ""
        return label or ""
