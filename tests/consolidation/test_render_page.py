"""The page as a file: complete, self-contained, safe, and true to the consolidation."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from msgspec.structs import replace

from tatian.consolidation.render.page import to_fragment, to_html
from tatian.consolidation.result import (
    Aggregation,
    Consolidation,
    Draft,
    WovenChain,
    Writing,
    WrittenMention,
)
from tatian.formats.wiki import wikipedia_url

from .samples import chorus, crowd, ferry, hostile, lone, nothing

UNUSED = Aggregation("the two", (), score=0.7, support=("Ann: occupation diver",))

SAMPLES = [ferry, hostile, lone, nothing, chorus]
VOID = {"meta", "link", "input", "br", "img", "hr"}


class Reader(HTMLParser):
    """Collects all start tags, and the text of the elements outside the help by class."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[tuple[str, set[str], list[str]]] = []
        self.texts: list[tuple[str, set[str], str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.tags.append((tag, known))
        if tag not in VOID:
            self.open.append((tag, set((known.get("class") or "").split()), []))

    def handle_endtag(self, tag: str) -> None:
        name, classes, held = self.open.pop()
        assert name == tag, f"</{tag}> closes <{name}>"
        if not any(each == "dialog" for each, _, _ in self.open):
            self.texts.append((name, classes, "".join(held)))

    def handle_data(self, data: str) -> None:
        for _, _, held in self.open:
            held.append(data)

    def of(self, name: str) -> list[str]:
        return [text for _, classes, text in self.texts if name in classes]

    def script(self, kind: str | None) -> list[str]:
        kinds = [known.get("type") for tag, known in self.tags if tag == "script"]
        texts = [text for tag, _, text in self.texts if tag == "script"]
        return [text for text, each in zip(texts, kinds, strict=True) if each == kind]


def data_of(page: str) -> Any:
    return json.loads(Reader(page).script("application/json")[0])


def source_words(sample: Consolidation) -> list[list[str]]:
    texts = {each.id: each.text for each in sample.documents}
    return [
        [
            "".join(texts[source.document][source.start : source.end].split())
            for source in token.sources
        ]
        for sentence in sample.sentences
        for token in sentence.tokens
    ]


@pytest.mark.parametrize("make", SAMPLES)
def test_tags_are_balanced(make: Any) -> None:
    assert Reader(to_html(make())).open == []


@pytest.mark.parametrize("make", SAMPLES)
def test_every_output_word_is_there_in_order(make: Any) -> None:
    sample = make()
    words = [sample.text[token.start : token.end] for s in sample.sentences for token in s.tokens]
    assert Reader(to_html(sample)).of("w") == words


@pytest.mark.parametrize("make", SAMPLES)
def test_the_pieces_of_each_word_are_its_sources(make: Any) -> None:
    sample = make()
    page = to_html(sample)
    pieces = ["".join(each.split()) for each in Reader(page).of("p")]
    found = [
        ["".join(pieces[first:after]) for _, _, first, after, _ in sources]
        for sources in data_of(page)["words"]
    ]
    assert found == source_words(sample)


@pytest.mark.parametrize("make", SAMPLES)
def test_every_sentence_of_every_account_is_readable_without_a_script(make: Any) -> None:
    sample = make()
    shown = [" ".join(each.split()) for each in Reader(to_html(sample)).of("s")]
    for account in sample.documents:
        for sentence in account.sentences:
            words = " ".join(account.text[sentence.start : sentence.end].split())
            assert any(each.startswith(words) for each in shown)


def test_source_sentences_show_their_outcome() -> None:
    assert Reader(to_html(ferry())).of("fate") == [
        "merged 1", "merged 2", "kept 3", "unused", "kept 5",
        "merged 1", "merged 1", "merged 2", "unused",
        "redundant 1", "kept 4", "merged 4",
    ]  # fmt: skip


def test_text_outside_the_sentences_of_an_account_is_shown() -> None:
    assert [each.strip() for each in Reader(to_html(ferry())).of("rest")] == ["🚢"]


def test_sentences_have_source_letters_without_a_script() -> None:
    letters = [each.replace("from", "").split() for each in Reader(to_html(ferry())).of("sigla")]
    assert letters == [["A", "B", "C"], ["A", "B"], ["A"], ["C"], ["A"]]


def test_a_long_row_of_letters_ends_in_a_count() -> None:
    (letters,) = Reader(to_html(chorus(14))).of("sigla")
    assert letters.replace("from", "").split() == [*"ABCDEFGHIJKL", "+2"]


def test_words_of_several_accounts_carry_a_line_for_each_up_to_three() -> None:
    runs = [classes for _, classes, _ in Reader(to_html(chorus(14))).texts if "r" in classes]
    assert runs == [{"r", "u1-0", "u2-1", "u3-2", "many"}]


def test_a_phrase_that_the_text_does_not_use_says_what_it_rests_on() -> None:
    page = to_html(replace(ferry(), aggregations=(UNUSED,)))
    assert "<q>the two</q> could stand for" in page
    assert "<summary>why</summary><ul><li>Ann: occupation diver</li></ul>" in page


def test_glue_is_marked() -> None:
    glue = [text for _, classes, text in Reader(to_html(ferry())).texts if "glue" in classes]
    assert glue == [",", ",", "who", ",", "and", "has"]


def test_drafts_of_a_model_and_refusals_are_shown() -> None:
    drafts = (Draft("Hers.", (0,)), Draft("<b>His</b>.", (1, 2), "it lost 80"))
    page = to_html(replace(ferry(), writer=Writing("some-model", drafts, "it fell silent")))
    read = Reader(page)
    marked = [text for _, classes, text in read.texts if "sigla" in classes and "✎" in text]
    assert marked == ["✎ by a language model"]
    (told,) = [text for tag, _, text in read.texts if tag == "section" and "some-model" in text]
    assert "some-model worded sentence 1. It was not asked again: it fell silent." in told
    assert "sentences 2 and 3: <b>His</b>. it lost 80" in told
    assert "✎" not in to_html(ferry())


def test_accounts_beyond_the_eighth_share_a_neutral_colour() -> None:
    columns = [str(known["class"]) for tag, known in Reader(to_html(chorus(10))).tags
               if tag == "article"]  # fmt: skip
    assert columns == [*(f"account c{number}" for number in range(8)), *2 * ["account cn"]]


@pytest.mark.parametrize("make", SAMPLES)
def test_page_loads_nothing(make: Any) -> None:
    page = Reader(to_html(make()))
    for tag, known in page.tags:
        assert tag not in {"img", "iframe", "object", "embed", "video", "audio", "base"}
        assert "src" not in known
        if tag == "link":
            assert str(known["href"]).startswith("data:")
        assert not any(name.startswith("on") or name == "style" for name in known)
    assert "@import" not in to_html(make())
    assert "url(" not in to_html(make())


@pytest.mark.parametrize("make", SAMPLES)
def test_the_policy_allows_exactly_the_style_and_scripts_of_the_page(make: Any) -> None:
    page = Reader(to_html(make()))
    policy = next(known["content"] for _, known in page.tags if known.get("http-equiv"))
    style = next(text for tag, _, text in page.texts if tag == "style")
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    allowed = set(re.findall(r"'sha256-([^']+)'", policy))
    assert allowed == {
        base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()
        for each in [style, *page.script(None)]
    }


def test_hostile_text_adds_no_element() -> None:
    page = Reader(to_html(hostile()))
    assert [tag for tag, _ in page.tags].count("script") == 3
    assert "img" not in [tag for tag, _ in page.tags]


def test_the_data_cannot_close_its_script() -> None:
    block = to_html(hostile()).partition('id="data">')[2].partition("</script>")[0]
    assert not set("<>&\u2028\u2029") & set(block)
    assert data_of(to_html(hostile()))["sentences"][0][4] == "</script> & why <b>"


def test_placeholders_in_the_accounts_are_not_filled_in() -> None:
    sample = lone()
    changed = json.loads(json.dumps(sample.to_json()).replace("It rained.", "{{data}}.."))
    page = to_html(Consolidation.from_json(changed))
    assert "{{data}}" in html.unescape(re.sub(r"<[^>]+>", "", page.partition("<main>")[2]))


@pytest.mark.parametrize(
    ("title", "address"),
    [
        ("Lindholm (harbour)", "Lindholm_(harbour)"),
        ('A "quoted" <title>/?#%', "A_%22quoted%22_%3Ctitle%3E/%3F%23%25"),
        ("C++", "C%2B%2B"),
        ("Åre", "%C3%85re"),
    ],
)
def test_wikipedia_addresses_are_quoted(title: str, address: str) -> None:
    assert wikipedia_url(title) == f"https://en.wikipedia.org/wiki/{address}"


def test_links_open_apart_and_give_nothing_away() -> None:
    links = [known for tag, known in Reader(to_html(ferry())).tags
             if tag == "a" and str(known["href"]).startswith("http")]  # fmt: skip
    assert len(links) == 2
    assert all(known["rel"] == "noopener noreferrer" for known in links)


def test_a_page_says_so_when_nothing_was_used() -> None:
    assert Reader(to_html(nothing())).of("nothing") == ["Nothing of the accounts was used."]


def test_rendering_is_deterministic() -> None:
    assert to_html(ferry()) == to_html(ferry())


def test_page_of_many_sources_is_small() -> None:
    sample = crowd()
    given = sum(len(each.text) for each in sample.documents) + len(sample.text)
    assert len(to_html(sample)) < 12 * given


def test_a_fragment_is_one_frame_that_holds_the_page() -> None:
    fragment = Reader(to_fragment(ferry()))
    ((tag, known),) = fragment.tags
    assert tag == "iframe"
    assert known["srcdoc"] == to_html(ferry())
    assert known["title"] == "One text from three accounts"
    assert "allow-same-origin" not in str(known["sandbox"])


def test_a_notebook_shows_the_fragment() -> None:
    assert ferry()._repr_html_() == to_fragment(ferry())


@pytest.mark.parametrize(
    ("name", "kind", "listed"),
    [
        ("May", "", False),
        ("May 6, 1937", "", False),
        ("last week", "", False),
        ("1937", "", False),
        ("May", "PER", True),
        ("the fire", "", True),
    ],
)
def test_times_are_not_among_people_and_things(name: str, kind: str, listed: bool) -> None:
    woven = replace(
        ferry(), chains=(WovenChain("c", name, kind, ()),), mentions=(), aggregations=()
    )
    assert (f'<span class="name">{name}</span>' in to_html(woven)) is listed


def test_a_general_thing_has_no_page_of_another_noun() -> None:
    whole = ferry()
    first = whole.text.split()[0]
    mention = WrittenMention(0, len(first), "c", ("Fire",))
    woven = replace(
        whole,
        chains=(WovenChain("c", "The cause", "", ()),),
        mentions=(mention,),
        aggregations=(),
    )
    assert "Wikipedia: Fire" not in to_html(woven)
