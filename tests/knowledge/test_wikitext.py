"""Wikitext becomes links, categories and plain words, and nothing of its markup is left."""

from __future__ import annotations

import time
from collections import Counter

import mwparserfromhell
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatian.knowledge.building.pages import Anchor
from tatian.knowledge.building.wikitext import parse_wikitext
from tatian.knowledge.building.wikitext_scan import redirect_target
from tatian.knowledge.entities import page_title

MARKS = ("[[", "]]", "{{", "}}", "'''", "<ref", "-->", "{|")


def anchors(wikitext: str) -> list[tuple[str, str]]:
    return [(anchor.target, anchor.shown) for anchor in parse_wikitext(wikitext).anchors]


def text(wikitext: str, title: str = "") -> str:
    return parse_wikitext(wikitext, title).text


@pytest.mark.parametrize(
    ("wikitext", "target", "shown"),
    [
        ("a [[lighthouse]] keeper", "Lighthouse", "lighthouse"),
        ("[[Harbour|the old port]]", "Harbour", "the old port"),
        ("two [[student]]s", "Student", "students"),
        ("[[bus]]es", "Bus", "buses"),
        ("the [[Keeper (profession)|]]", "Keeper (profession)", "Keeper"),
        ("[[Brest, France|]]", "Brest, France", "Brest"),
        ("[[Harbour#Natural harbours|bays]]", "Harbour", "bays"),
        ("[[Harbour#Natural harbours]]", "Harbour", "Harbour"),
        ("[[harbour_master]]", "Harbour master", "harbour master"),
        ("[[Caf%C3%A9|a café]]", "Café", "a café"),
        ("[[AT&amp;T]]", "AT&T", "AT&T"),
        ("[[Sea|''the'' '''deep''']]", "Sea", "the deep"),
        ("[[Sea|{{lang|fr|la mer}}]]", "Sea", "la mer"),
        ("[[Star Trek: Insurrection]]", "Star Trek: Insurrection", "Star Trek: Insurrection"),
    ],
)
def test_a_link_has_a_target_and_shown_words(wikitext: str, target: str, shown: str) -> None:
    assert anchors(wikitext) == [(target, shown)]


@pytest.mark.parametrize(
    "wikitext",
    [
        "[[File:Sea.jpg]]",
        "[[Image:Sea.jpg|thumb|200px|left]]",
        "[[Category:Seas]]",
        "[[fr:Mer]]",
        "[[:fr:Mer|in French]]",
        "[[wikt:sea|sea]]",
        "[[Wikipedia:Village pump]]",
        "[[:Category:Seas]]",
        "[[#History|below]]",
        "[[/subpage]]",
        "[[]]",
        "[[|]]",
        "[[a{b}c]]",
        "<nowiki>[[Sea]]</nowiki>",
        "<!-- [[Sea]] -->",
        "<ref>[[Sea]]</ref>",
        "[[Sea",
        "[http://sea.example the sea]",
    ],
)
def test_only_links_to_articles_become_anchors(wikitext: str) -> None:
    assert anchors(wikitext) == []


def test_repeated_links_are_counted() -> None:
    parsed = parse_wikitext("[[Sea]] and [[Sea]] and [[Sea|water]]")
    assert parsed.anchors == (Anchor("Sea", "Sea", 2), Anchor("Sea", "water", 1))


def test_a_caption_is_read_with_its_links_and_apart_from_the_sentence() -> None:
    wikitext = "The tower[[File:T.jpg|thumb|upright=1.2|A [[tower]] by [[Ida Holm|Ida]]]] is tall."
    parsed = parse_wikitext(wikitext)
    assert [anchor.target for anchor in parsed.anchors] == ["Tower", "Ida Holm"]
    assert parsed.paragraphs == ("A tower by Ida", "The tower is tall.")


def test_categories_lose_their_sort_key() -> None:
    wikitext = "x [[Category:Lighthouses in Norway|Holm]] [[category: engineers ]]"
    assert parse_wikitext(wikitext).categories == ("Lighthouses in Norway", "Engineers")


def test_the_fields_of_a_box_are_no_prose_but_its_templates_are_known() -> None:
    box = (
        "{{Infobox person\n| home = [[Bergen]], Norway\n| size = {{height|cm=172}}\n"
        "| type_label = [[List of things|Thing]]\n}}\nIda."
    )
    parsed = parse_wikitext(box)
    assert parsed.anchors == ()
    assert parsed.templates == ("infobox person", "height")
    assert parsed.text == "Ida."


def test_links_in_footnote_templates_do_not_count() -> None:
    assert anchors("built{{efn|By [[Ida Holm]].}} there") == []


@pytest.mark.parametrize("after", ["", " is", "{{ndash}}", " {{Box|y}} is"])
def test_a_box_is_passed_over_and_what_follows_on_its_line_is_read(after: str) -> None:
    parsed = parse_wikitext("{{Infobox x\n| a = {{coord|1|2}}\n}}" + after)
    assert parsed.templates[:2] == ("infobox x", "coord")
    assert parsed.text == after.replace("{{ndash}}", "–").replace("{{Box|y}} ", "").strip()


def test_links_in_templates_of_prose_count() -> None:
    assert anchors("{{quote|text=To the [[sea]].}} {{nowrap|[[Ida Holm]]}}") == [
        ("Sea", "sea"),
        ("Ida Holm", "Ida Holm"),
    ]


@pytest.mark.parametrize(
    ("wikitext", "shown"),
    [
        ("{{convert|5|km|mi}} away", "5 km away"),
        ("{{convert|5|to|8|km|mi}}", "5 to 8 km"),
        ("{{lang|fr|la mer}}", "la mer"),
        ("1900{{ndash}}1910", "1900–1910"),
        ("{{nowrap|Ida Holm}}", "Ida Holm"),
        ("{{circa|1850}}", "c. 1850"),
        ("{{HMS|Victory}}", "HMS Victory"),
        ("built{{citation needed|date=May 2020}} there", "built there"),
        ("{{PAGENAME}} is", "Page is"),
        ("{{as of|2005}}, none", "As of 2005, none"),
        ("{{{1|x}}}y", "y"),
        ("Utvær ({{IPA|x}}) stands", "Utvær stands"),
    ],
)
def test_inline_templates_show_what_readers_see(wikitext: str, shown: str) -> None:
    assert text(wikitext, "Page") == shown


@pytest.mark.parametrize(
    ("wikitext", "shown"),
    [
        ("'''Bold''' and ''italic''", "Bold and italic"),
        ("'''''Both''''' of them", "Both of them"),
        ("'''Ida''''s tower", "Ida's tower"),
        ("a &lt; b &amp; c&nbsp;d &ndash; e", "a < b & c d – e"),
        ("one<br />two", "one two"),
        ("H<sub>2</sub>O", "H2O"),
        ("see [http://sea.example the sea] or http://sea.example/x now", "see the sea or now"),
        (
            'built,<ref name="a">Holm, {{cite book|x}}</ref> then<ref name=b/> burnt',
            "built, then burnt",
        ),
        ("__NOTOC__ words", "words"),
        ("<nowiki>'''</nowiki>plain", "plain"),
        ("an <unknown tag>inside</unknown>", "an inside"),
        ("half <!-- open", "half"),
        ("1 < 2", "1 < 2"),
    ],
)
def test_styles_tags_and_references_are_removed(wikitext: str, shown: str) -> None:
    assert text(wikitext) == shown


def test_lines_of_a_paragraph_are_joined_and_lists_and_headings_are_not() -> None:
    parsed = parse_wikitext("One\ntwo.\n\n== Head ==\n* first\n# second\n: third\nend")
    assert parsed.paragraphs == (
        "One two.",
        "Head",
        "first",
        "second",
        "third",
        "end",
    )


def test_cells_of_a_table_are_read_without_their_attributes() -> None:
    table = '{| class="wikitable"\n! Name !! Built\n|-\n| style="x" | [[Utvær]] || 1900\n|}\nAfter.'
    parsed = parse_wikitext(table)
    assert parsed.anchors == (Anchor("Utvær", "Utvær"),)
    assert parsed.paragraphs == ("Name", "Built", "Utvær", "1900", "After.")


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        ("|+ Keepers\n! a !! b || c", ["+ Keepers", "a", "b", "c"]),
        ("| a\nb | c || d\n* e\n| f", ["a b | c || d e", "f"]),
        ("| {{nowrap|a|b}} || [[File:x.jpg|thumb|c]] d !! e", ["a", "c", "d !! e"]),
        ("|- style=x\n  | a | b | c\n|-\n! d | e", ["b | c", "e"]),
        ("| a\n{|\n| b || c\n|}\n| d", ["b", "c", "a", "d"]),
    ],
)
def test_a_cell_continues_over_lines_until_the_next_cell_mark(rows: str, cells: list[str]) -> None:
    assert parse_wikitext("{| class=x\n" + rows + "\n|}").paragraphs == tuple(cells)


@pytest.mark.parametrize(
    ("wikitext", "shown"),
    [
        ("[[a\nb|c]] {{ndash}}", "a b|c –"),
        ("{{a\nb|c}} [[d]]", "a b|c d"),
        ("[[File:a [[b]]|c]]", "File:a b|c"),
        ("{{ |a}} {{}} [[b]]", "|a b"),
        ("==Head== then [[b]]", "Head then b"),
        ("{{quote|\n* a\n----\n* b}}", "a b"),
    ],
)
def test_text_beside_links_and_templates_is_kept(wikitext: str, shown: str) -> None:
    assert text(wikitext) == shown


names = st.sampled_from(["Sea", "Ida Holm", "Utvær", "Old port", "a b"])
templates = st.sampled_from(["nowrap", "small", "quote"])
well_formed = st.recursive(
    st.sampled_from(["word", "(x)", "5 = 6", "it's", "&amp;"]) | names.map("[[{}]]".format),
    lambda inner: (
        st.builds("[[{}|{}]]".format, names, st.sampled_from(["word", "{{ndash}}"]))
        | st.builds("{{{{{}|1={}}}}}".format, templates, inner)
        | st.builds("[[File:a.jpg|thumb|{}]]".format, inner)
        | st.builds("\n{{|\n! {} !! {}\n|-\n| x || {}\n|}}\n".format, names, names, inner)
        | st.lists(inner, min_size=1, max_size=3).map(" ".join)
    ),
    max_leaves=8,
)


@given(well_formed)
def test_well_formed_pages_give_the_same_links_as_mwparserfromhell(wikitext: str) -> None:
    code = mwparserfromhell.parse(wikitext)
    links = [str(link.title) for link in code.filter_wikilinks()]
    parsed = parse_wikitext(wikitext)
    found = Counter({anchor.target: 0 for anchor in parsed.anchors})
    for anchor in parsed.anchors:
        found[anchor.target] += anchor.count
    assert found == Counter(page_title(link) for link in links if not link.startswith("File:"))
    used = [str(template.name) for template in code.filter_templates()]
    assert sorted(parsed.templates) == sorted(set(used))


def test_an_unclosed_box_does_not_swallow_the_page() -> None:
    parsed = parse_wikitext("{{Box\n| a = 1\n\n'''Ida''' built [[Utvær]].\n\n== Life ==\nMore.")
    assert parsed.anchors == (Anchor("Utvær", "Utvær"),)
    assert "More." in parsed.paragraphs


def test_the_lead_is_the_first_paragraph_that_names_the_page() -> None:
    wikitext = (
        "{{Box}}\n:''For the ship, see [[Utvær (ship)]].''\n\nThe motto reads: light for all "
        "who are at sea.\n\n'''Utvær''' is a [[lighthouse]] in the west of Norway.\n\n== Name =="
    )
    assert parse_wikitext(wikitext, "Utvær").lead == "Utvær is a lighthouse in the west of Norway."


@pytest.mark.parametrize(
    ("wikitext", "target"),
    [
        ("#REDIRECT [[Sea]]", "Sea"),
        ("#redirect: [[sea_water#Salt|salt]]\n{{R from x}}", "Sea water"),
        (" # REDIRECT[[Sea]]", "Sea"),
        ("See #REDIRECT [[Sea]]", ""),
        ("#REDIRECT nowhere", ""),
        ("#REDIRECT [[File:Sea.jpg]]", ""),
    ],
)
def test_redirects_are_recognized(wikitext: str, target: str) -> None:
    assert redirect_target(wikitext) == target


pieces = st.sampled_from(
    "[[ ]] {{ }} {{{ }}} {| |} |- ! || | = == ''' '' <ref> </ref> <ref/> <!-- --> <nowiki> "
    "</nowiki> <div <b> </b> &amp; & &#91; # * : ; http://a.b [http://c File: Category: fr: Sea "
    "word ( ) % %5B __TOC__ {{lang|fr| {{convert|1|".split()
) | st.sampled_from(["\n", " ", "\n\n", "\n{|\n", "\n|-\n"])
wikitexts = st.lists(pieces | st.text(max_size=5), max_size=60).map("".join)


@settings(max_examples=settings.default.max_examples * 3)
@given(wikitexts, st.text(max_size=10))
def test_broken_wikitext_neither_raises_nor_leaks_markup(wikitext: str, title: str) -> None:
    parsed = parse_wikitext(wikitext, title)
    shown = [*parsed.paragraphs, parsed.lead, *(anchor.shown for anchor in parsed.anchors)]
    for mark in MARKS:
        assert not any(mark in words for words in shown)
    for anchor in parsed.anchors:
        assert anchor.target == anchor.target.strip() != ""
        assert "#" not in anchor.target


@given(st.text(alphabet=st.characters(categories=("L", "N")), min_size=1, max_size=12))
def test_plain_words_stay_as_they_are(word: str) -> None:
    assert text(f"Before {word} after.") == f"Before {word} after."


HOSTILE = (
    *("[[", "[[a|", "[[File:a|", "[", "[http://a ", "[http://a[[", "''[[", "]]{{", "}}[["),
    *("{{", "{{{", "{", "{{a|", "{{a|b=", "'''{{", "{{a}}[[", "[[a|{{b|", "{{a|[[b]]", "{|\n"),
    *("<b>", "<ref>", "<!--", "<div ", '<a href="', "<nowiki>", "<", "{|\n|-\n|", "\n* ", "\n:;"),
    *("'''", "((", "&#", "[{{[", "\n \n", "{|\n|\n"),
)


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_wikitext_is_read_in_time_proportional_to_its_length(unit: str) -> None:
    begin = time.process_time()
    parse_wikitext(unit * 10_000)
    assert time.process_time() - begin < 1


def test_brackets_joined_by_removing_others_do_not_nest_without_bound() -> None:
    nested = "[{{[" * 3000 + "a" + "]{{]" * 3000
    assert parse_wikitext(f"{nested}\n\nthen [[Sea]]").text.endswith("\nthen Sea")


@pytest.mark.parametrize(("left", "right"), [("{{a|", "}}"), ("[[a|", "]]"), ("{|\n|", "\n|}")])
def test_deep_nesting_is_cut_and_what_follows_is_read(left: str, right: str) -> None:
    wikitext = f"{left * 500}x{right * 500}\n\nthen [[Sea]]"
    assert Anchor("Sea", "Sea") in parse_wikitext(wikitext).anchors
