"""A base of a few invented people, places and companies, for the tests of generation."""

from __future__ import annotations

from pathlib import Path

from tatian.aggregation.data.records import Instance
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.building.builder import build
from tatian.knowledge.building.tables import EntityTable

SHORT = {"is=": "occupation=", "head=": "position=President of the United States@", ";": "|"}
ROWS = """\
Ana Brüll||person|is=politician;nationality=France;party=Socialist Party (France)
Marc Ober|Ober|person|is=politician;is=lawyer;nationality=France
Luc Denis||person|is=politician;nationality=France
Otto Kern||person|is=politician;nationality=Germany
Ida Voss|Voss|person|is=tennis player;nationality=Germany;sport=Tennis
Jan Voss|Voss|person|is=politician;nationality=Germany
Per Lund||person|is=footballer;nationality=Sweden
Nils Berg||person|is=painter
Sam Rich||person|is=politician;is=businessperson;nationality=United States;head=2017..2021
Tom Gold||person|is=businessperson;nationality=United States
Ron First||person|is=politician;nationality=United States;head=1993..2001
Joe Last||person|is=politician;nationality=United States;head=2001..2009
Mia Hits||person|is=baseball player;nationality=United States;team=Rockford Reds
Bo Catch||person|is=baseball player;nationality=Cuba;team=Rockford Reds
Una Drum||person|is=musician;member of=The Pebbles
Vic Bass||person|is=musician;member of=The Pebbles
Lyon||location|type=city;country=France
Nantes||location|type=city;country=France
Bonn||location|type=city;country=Germany
Springfield, Texas|Springfield|location|type=city;country=United States;located in=Texas
Waxford||location|type=city;country=United States;located in=Texas
Springfield (state)|Springfield|location|type=state;located in=United States
Ohia||location|type=state;located in=United States
France||location|type=country;continent=Europe
Germany||location|type=country;continent=Europe
United States||location|type=country;continent=North America
Acme Chips||organisation|type=company;industry=Semiconductor;country=United States
Bolt Soft||organisation|type=company;industry=Software;country=United States
Le Jour||organisation|type=newspaper;country=France
Radio Sept||organisation|type=broadcaster;country=France
World Corn Council||organisation|type=intergovernmental organization;country=France
World Rye Council||organisation|type=intergovernmental organization;country=France
"""


def small_world(folder: Path) -> KnowledgeBase:
    """The base, open."""
    table = folder / "world.tsv"
    rows = [line.split("|") for line in ROWS.splitlines()]
    for short, whole in SHORT.items():
        rows = [[*row[:3], row[3].replace(short, whole)] for row in rows]
    lines = ["\t".join(row) for row in rows]
    table.write_text("\n".join(["title\taliases\tkind\tfacts", *lines]) + "\n", "utf-8")
    build([EntityTable(table)], folder / "world.kb")
    return KnowledgeBase.open(folder / "world.kb")


def people(*names: str, date: str = "", context: str = "") -> Instance:
    """An instance of persons."""
    return Instance("i", names, "person", date=date, context=context)
