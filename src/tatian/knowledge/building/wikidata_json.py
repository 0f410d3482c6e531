"""Items of a Wikidata dump, of which only what a knowledge base needs is decoded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import msgspec
from msgspec import Raw, Struct

from tatian.errors import InputError
from tatian.knowledge.building.files import Stream
from tatian.knowledge.entities import Kind

T = TypeVar("T")
Nothing = list[None]
"""What PHP writes for an empty map."""


class Term(Struct, frozen=True):
    """A label, description or alias."""

    value: str


class Terms(Struct, frozen=True):
    """A term in English; ``mul`` stands for all languages."""

    en: Term | None = None
    mul: Term | None = None

    @property
    def text(self) -> str:
        """The words, or nothing."""
        found = self.en or self.mul
        return found.value if found else ""


class Aliases(Struct, frozen=True):
    """Other names, in English or in all languages."""

    en: list[Term] = []
    mul: list[Term] = []


class Sitelink(Struct, frozen=True):
    """A page about the item."""

    title: str


class Sitelinks(Struct, frozen=True):
    """Pages about the item; only Wikipedia in English counts."""

    enwiki: Sitelink | None = None


class Named(Struct, frozen=True):
    """As much of an item as its name needs."""

    id: str
    labels: Terms | Nothing = []
    sitelinks: Sitelinks | Nothing = []

    @property
    def label(self) -> str:
        """Its English label, or nothing."""
        return self.labels.text if isinstance(self.labels, Terms) else ""

    @property
    def title(self) -> str:
        """Of its page in the English Wikipedia, or nothing."""
        linked = isinstance(self.sitelinks, Sitelinks) and self.sitelinks.enwiki
        return linked.title if linked else ""


class Item(Named, frozen=True):
    """An item with all that is kept."""

    descriptions: Terms | Nothing = []
    aliases: Aliases | Nothing = []
    claims: dict[str, Raw] | Nothing = []


class DataValue(Struct, frozen=True):
    """The value of a statement, read by its type."""

    value: Raw
    type: str


class Snak(Struct, frozen=True):
    """A property with a value, an unknown value or none."""

    snaktype: str
    datavalue: DataValue | None = None


class Statement(Struct, frozen=True):
    """What an item says of itself, and when it holds."""

    mainsnak: Snak
    rank: str = "normal"
    qualifiers: dict[str, list[Snak]] | Nothing = []


class _Reference(Struct, frozen=True):
    id: str


class _Time(Struct, frozen=True):
    time: str
    precision: int = 11


_item = msgspec.json.Decoder(Item)
_named = msgspec.json.Decoder(Named)
_statements = msgspec.json.Decoder(list[Statement])
_reference = msgspec.json.Decoder(_Reference)
_time = msgspec.json.Decoder(_Time)

_DAY, _MONTH, _YEAR = 11, 10, 9
"""Precisions of a date, as Wikidata counts them."""


def read_items(stream: Stream) -> Iterator[Item]:
    """The items that have a page in the English Wikipedia."""
    for number, line in _lines(stream):
        if b'"enwiki"' in line and (item := _decoded(_item, line, number, stream)).title:
            yield item


def read_names(stream: Stream) -> Iterator[Named]:
    """Every item with its title and label."""
    for number, line in _lines(stream):
        yield _decoded(_named, line, number, stream)


def _lines(stream: Stream) -> Iterator[tuple[int, bytes]]:
    """The lines of the array; raises if its end is missing."""
    number, closed, seen = 0, False, False
    for number, line in enumerate(stream.lines(), start=1):
        stripped = line.strip().rstrip(b",")
        if number == 1 and not stripped.startswith((b"[", b"{")):
            raise InputError(
                "not a Wikidata dump: it should begin with [", path=stream.path, line=1
            )
        closed = stripped == b"]"
        if stripped not in (b"", b"[", b"]"):
            seen = True
            yield number, stripped
    if not seen:
        raise InputError("not a Wikidata dump: it has no items", path=stream.path)
    if not closed:
        raise InputError(
            f"the dump ends without ], after {stream.offset:,} bytes: the file was cut off",
            path=stream.path,
            line=number,
        )


def _decoded(decoder: msgspec.json.Decoder[T], line: bytes, number: int, stream: Stream) -> T:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"not an item of Wikidata: {error}", path=stream.path, line=number
        ) from error


def statements(item: Item, wanted: str) -> list[tuple[str, str, str]]:
    """The ids that a property has as values, with since and until; preferred ones first."""
    if not isinstance(item.claims, dict) or wanted not in item.claims:
        return []
    found = [
        statement
        for statement in _statements.decode(item.claims[wanted])
        if statement.rank != "deprecated"
    ]
    found.sort(key=lambda statement: statement.rank != "preferred")
    return [
        (value, _when(statement, SINCE), _when(statement, UNTIL))
        for statement in found
        if (value := _id_of(statement.mainsnak))
    ]


def _id_of(snak: Snak) -> str:
    data = snak.datavalue
    if data is None or data.type != "wikibase-entityid":
        return ""
    return _reference.decode(data.value).id


def _when(statement: Statement, properties: tuple[str, ...]) -> str:
    if not isinstance(statement.qualifiers, dict):
        return ""
    for wanted in properties:
        for snak in statement.qualifiers.get(wanted, ()):
            if snak.datavalue is not None and snak.datavalue.type == "time":
                return iso_date(_time.decode(snak.datavalue.value))
    return ""


def iso_date(time: _Time) -> str:
    """``+1996-05-00T00:00:00Z`` to the precision it has: 1996-05, 1996; nothing if vaguer."""
    if time.precision < _YEAR:
        return ""
    sign = "-" if time.time.startswith("-") else ""
    year, _, rest = time.time.lstrip("+-").partition("T")[0].partition("-")
    month, _, day = rest.partition("-")
    parts = [sign + year.lstrip("0").rjust(4, "0")]
    if time.precision >= _MONTH and month.strip("0"):
        parts.append(month)
        if time.precision >= _DAY and day.strip("0"):
            parts.append(day)
    return "-".join(parts)


RELATIONS = {
    "P31": "type",
    "P279": "subclass of",
    "P106": "occupation",
    "P39": "position",
    "P27": "nationality",
    "P102": "party",
    "P108": "employer",
    "P69": "education",
    "P463": "member of",
    "P54": "team",
    "P641": "sport",
    "P101": "field",
    "P140": "religion",
    "P172": "ethnicity",
    "P19": "place of birth",
    "P20": "place of death",
    "P551": "residence",
    "P26": "spouse",
    "P3373": "sibling",
    "P166": "award",
    "P800": "notable work",
    "P1303": "instrument",
    "P17": "country",
    "P131": "located in",
    "P30": "continent",
    "P36": "capital",
    "P37": "official language",
    "P38": "currency",
    "P47": "borders",
    "P35": "head of state",
    "P6": "head of government",
    "P122": "form of government",
    "P452": "industry",
    "P159": "headquarters",
    "P112": "founded by",
    "P169": "chief executive",
    "P488": "chair",
    "P127": "owned by",
    "P749": "parent organisation",
    "P361": "part of",
    "P136": "genre",
    "P50": "author",
    "P57": "director",
    "P170": "creator",
    "P175": "performer",
    "P276": "location",
}
"""Property and the relation that a fact of it has, the most telling first."""

SINCE, UNTIL = ("P580", "P571"), ("P582", "P576")
"""Qualifiers that say from when and until when a statement holds."""

_CLASSES: dict[Kind, str] = {
    "person": "Q5",
    "location": (
        "Q515 Q1549591 Q6256 Q3624078 Q7275 Q35657 Q532 Q3957 Q486972 Q5119 Q1093829 Q15284 "
        "Q484170 Q747074 Q23442 Q4022 Q8502 Q46831 Q23397 Q165 Q9430 Q5107 Q82794 Q34442 "
        "Q41176 Q811979 Q12280 Q1248784 Q55488 Q483110 Q22698 Q46169 Q473972 Q3257686 Q123705 "
        "Q188509 Q2983893 Q10864048 Q13220204 Q15978299 Q107390 Q48091 Q1221156 Q47168 "
        "Q498162 Q1637706 Q3024240 Q28171280 Q56061 Q15642541 Q2221906 Q35509 Q33837 "
        "Q1402592 Q39816 Q8072 Q150784 Q185113 Q93352 Q40080 Q12323 Q16970 Q23413 Q24354 "
        "Q570116 Q1496967 Q7930989 Q1907114 Q174844 Q200250 Q902814 Q5084 Q13212489 Q194203 "
        "Q262166 Q42744322 Q50337 Q34876 Q1620908 Q133442 Q202435 Q6465"
    ),
    "organisation": (
        "Q43229 Q783794 Q4830453 Q6881511 Q891723 Q167037 Q163740 Q7278 Q3918 Q875538 "
        "Q3914 Q9826 Q38723 Q476028 Q12973014 Q847017 Q13393265 Q4438121 Q15944511 Q215380 "
        "Q5741069 Q245065 Q484652 Q327333 Q2659904 Q35749 Q11204 Q1616075 Q15265344 "
        "Q11032 Q22687 Q46970 Q2085381 Q31855 Q16917 Q7075 Q33506 Q176799 "
        "Q245016 Q37726 Q4508 Q17149090 Q178706 Q294163 Q207320 Q79913 Q157031 Q48204 Q178790 "
        "Q1320047 Q18127 Q149566 Q11446438 Q2088357 Q216337"
    ),
}
CLASSES: dict[str, Kind] = {
    name: kind for kind, names in _CLASSES.items() for name in names.split()
}
"""What an item is, by what it is an instance of: human, city, country, business ..."""

DISAMBIGUATION = frozenset(("Q4167410", "Q22808320", "Q101352", "Q202444"))
LISTS = frozenset(("Q13406463", "Q12139612"))
SKIPPED = frozenset(
    ("Q4167836", "Q11266439", "Q4663903", "Q15184295", "Q14204246", "Q17633526", "Q21286738")
)
"""Categories, templates, portals, modules, project pages, news articles: no things at all."""
