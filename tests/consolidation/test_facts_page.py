"""The page shows each fact where it is told, told again, or missing."""

from __future__ import annotations

import re

from tatian.consolidation.metrics import facts_page

from .facts import bundle


def shown(text: str) -> str:
    """The page, without its tags' attributes but for their class."""
    return facts_page(bundle(), text)


def test_a_sentence_leads_to_its_facts_and_back() -> None:
    page = shown("Nobody was hurt. A fire took Dunby's mill.")
    assert "<a class='told' href='#fact-3'>3</a>" in page
    assert "stated in sentence <a href='#sentence-1'>1</a>" in page
    for target in re.findall(r"href='#([\w-]+)'", page):
        assert f"id='{target}'" in page


def test_repeated_and_divided_facts_are_marked() -> None:
    page = shown("Nobody was hurt. Nobody was hurt. There was a fire at the mill. In Dunby!")
    assert "again in <a href='#sentence-2'>2</a>" in page
    assert "<a class='again' href='#fact-3'>(3)</a>" in page
    assert "</a> and the next" in page


def test_missing_facts_torn_quotations_and_noise_are_marked() -> None:
    page = shown('Posted at noon today\n\n"So it was.')
    assert page.count("<li id='fact-") == page.count("class='missing'") == len(bundle().facts)
    assert "class='noise'>Posted at noon today" in page
    assert "<p class='torn'>" in page


def test_texts_are_no_markup_and_nothing_is_fetched() -> None:
    page = facts_page(bundle(id="<i>"), "<script>alert(1)</script>")
    assert "<script" not in page
    assert "<i>" not in page
    assert "http://" not in page.replace("http-equiv", "")
