"""A dictionary of terms: what it finds, what it refuses, how it is kept in a file."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.knowledge import dictionary as module
from tatian.knowledge import dictionary_words, dictionary_writer
from tatian.knowledge.dictionary import EXACT, PLURAL, SPELLED, Dictionary, Matches
from tatian.knowledge.dictionary_writer import write
from tatian.knowledge.entities import normal_form, words_of

TERMS = ["Open-source software", "software", "U.K.", "Denton, Texas", "city", "Café de Flore"]


def find_terms(terms: list[str], text: str, *, derived: bool = False) -> list[str]:
    matches = Dictionary.from_terms(numbered(terms)).find(text, derived=derived)
    return [text[start:end] for start, end in zip(matches.start, matches.end, strict=True)]


def numbered(terms: list[str]) -> list[tuple[str, int]]:
    return [(term, number) for number, term in enumerate(terms)]


def test_terms_are_found_within_others() -> None:
    matches = Dictionary.from_terms(numbered(TERMS)).find("We like open-source software.")
    assert matches.start.tolist() == [8, 20]
    assert matches.end.tolist() == [28, 28]
    assert matches.term.tolist() == [0, 1]
    assert matches.form.tolist() == [EXACT, EXACT]


@pytest.mark.parametrize(
    "text", ["OPEN SOURCE SOFTWARE", "open source\nsoftware", "Open_source-software"]
)
def test_a_term_is_found_however_it_is_written(text: str) -> None:
    assert find_terms(["Open source software"], text) == [text]


@pytest.mark.parametrize("text", ["u_k", "u k", "U.K", "u.k"])
def test_spelled_letters_are_one_term(text: str) -> None:
    assert find_terms(["U.K."], f"the {text} voted") == [text]


def test_accents_do_not_matter_on_either_side() -> None:
    assert find_terms(["Café de Flore", "naive"], "cafe de FLORE, naïve") == [
        "cafe de FLORE",
        "naïve",
    ]


def test_letters_of_other_scripts_are_found() -> None:
    assert find_terms(["Москва река", "東京"], "На Москва-река и 東京!") == ["Москва-река", "東京"]


def test_offsets_count_characters_beyond_the_basic_plane() -> None:
    matches = Dictionary.from_terms([("city", 7)]).find("\U0001f600 é city")
    assert (matches.start.tolist(), matches.end.tolist()) == ([4], [8])


def test_lone_surrogate_is_accepted() -> None:
    assert find_terms(["city"], "\ud800 city \udfff") == ["city"]


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("king arthur", "He was king. Arthur knew."),
        ("king arthur", "the king\n\nArthur"),
        ("king arthur", "the king (Arthur)"),
        ("king arthur", 'the king "Arthur"'),
        ("king arthur", "a king, Arthur"),
        ("king arthur", "a king - Arthur"),
        ("king arthur", "a king" + " " * 20 + "Arthur"),
        ("city", "electricity"),
        ("don", "I don't know"),
        ("u", "the U.S. army"),
        ("s army", "the U.S. army"),
        ("brien", "O'Brien"),
    ],
)
def test_phrases_do_not_cross_punctuation(term: str, text: str) -> None:
    assert find_terms([term], text) == []


@pytest.mark.parametrize(
    ("term", "text", "expected"),
    [
        ("Denton, Texas", "in Denton, Texas, today", "Denton, Texas"),
        ("Mission: Impossible", "saw Mission: Impossible", "Mission: Impossible"),
        ("denton texas", "in denton, texas today", "denton, texas"),
        ("jewish refugees", "the jewish. refugees came", "jewish. refugees"),
        ("St. Louis", "In St. Louis it", "St. Louis"),
        ("J. K. Rowling", "By J. K. Rowling", "J. K. Rowling"),
        ("1,000", "some 1,000 men", "1,000"),
        ("attorney general", "the Attorney General's office", "Attorney General"),
    ],
)
def test_phrases_cross_allowed_characters(term: str, text: str, expected: str) -> None:
    assert find_terms([term], text) == [expected]


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("student", "students"),
        ("city", "cities"),
        ("church", "churches"),
        ("video game", "video games"),
        ("wolf", "wolves"),
        ("knife", "knives"),
        ("woman", "women"),
        ("tooth", "teeth"),
        ("child", "children"),
    ],
)
def test_plurals_are_found_where_asked_for(term: str, text: str) -> None:
    dictionary = Dictionary.from_terms([(term, 3)])
    assert len(dictionary.find(text)) == 0
    matches = dictionary.find(text, derived=True)
    assert (matches.term.tolist(), matches.form.tolist()) == ([3], [PLURAL])


@pytest.mark.parametrize(("term", "text"), [("clas", "class"), ("thi", "this"), ("ga", "gas")])
def test_words_that_only_look_like_plurals_are_not_derived(term: str, text: str) -> None:
    assert find_terms([term], text, derived=True) == []


def test_an_abbreviation_is_found_where_its_letters_are_spelled() -> None:
    matches = Dictionary.from_terms([("UK", 5)]).find("from the u_k or the U.K.", derived=True)
    assert matches.start.tolist() == [9, 20]
    assert set(matches.form.tolist()) == {SPELLED}


def test_a_spelled_abbreviation_may_be_possessive() -> None:
    assert find_terms(["UK"], "the u_k's and the U.K.'s people", derived=True) == ["u_k", "U.K"]


def test_half_a_compound_is_marked() -> None:
    matches = Dictionary.from_terms([("French", 1), ("speaking", 2), ("men", 3)]).find(
        "French-speaking men"
    )
    assert matches.half.tolist() == [True, True, False]


def test_terms_are_looked_up_however_they_are_written() -> None:
    dictionary = Dictionary.from_terms(numbered(TERMS))
    assert len(dictionary) == len(TERMS)
    assert dictionary.get("OPEN SOURCE SOFTWARE") == 0
    assert "denton texas" in dictionary
    assert "open source" not in dictionary
    assert "" not in dictionary
    assert dictionary.numbers(["city", "nothing", "u k"]) == {"city": 4, "u k": 2}
    assert sorted(dictionary) == sorted((normal_form(term), n) for n, term in enumerate(TERMS))


def test_a_term_may_come_twice_with_one_number_not_with_two() -> None:
    assert len(Dictionary.from_terms([("a b", 1), ("A-B", 1)])) == 1
    with pytest.raises(InputError, match="'a b' has two numbers, 1 and 2"):
        Dictionary.from_terms([("A-B", 2), ("a b", 1)])


def test_terms_that_no_text_can_contain_are_left_out() -> None:
    long = " ".join(["word"] * (dictionary_writer.MAX_TERM_WORDS + 1))
    assert list(Dictionary.from_terms([("!?", 1), ("", 2), (long, 3), ("x" * 2000, 4)])) == []


def test_a_long_text_without_white_space_is_searched_in_bounded_pieces() -> None:
    text = "東京," * 200_000
    assert len(Dictionary.from_terms([("東京", 1)]).find(text)) == 200_000


def test_an_empty_dictionary_finds_nothing() -> None:
    assert find_terms([], "some text", derived=True) == []
    assert find_terms(["some"], "", derived=True) == []


letters = st.sampled_from("ab Sé-.,'\n東")
small = st.text(letters, max_size=8)


def slowly(terms: dict[str, int], text: str) -> set[tuple[int, int, int]]:
    """All matches by the plainest means: every stretch of words is tried."""
    cut = dictionary_words.split_words(text, capitals=not text.islower())
    spans = list(zip(cut.start.tolist(), cut.end.tolist(), strict=True))
    assert [normal_form(text[start:end]) for start, end in spans] == words_of(text)
    result = set()
    for low, (start, _) in enumerate(spans):
        for high in range(low, len(spans)):
            if high > low and not cut.joined[high]:
                break
            number = terms.get(normal_form(text[start : spans[high][1]]))
            if number is not None and cut.begins[low] and cut.ends[high]:
                result.add((start, spans[high][1], number))
    return result


def triples(dictionary: Dictionary, text: str) -> list[tuple[int, int, int]]:
    matches = dictionary.find(text)
    return list(
        zip(matches.start.tolist(), matches.end.tolist(), matches.term.tolist(), strict=True)
    )


def lists(matches: Matches) -> list[list[int]]:
    return [getattr(matches, name).tolist() for name in matches.__struct_fields__]


def as_terms(written: list[str]) -> dict[str, int]:
    return {term: n for n, term in enumerate(dict.fromkeys(map(normal_form, written))) if term}


@given(st.lists(small, max_size=12), st.text(letters, max_size=40))
def test_matching_equals_a_naive_search(written: list[str], text: str) -> None:
    terms = as_terms(written)
    found_ = triples(Dictionary.from_terms(terms.items()), text)
    assert len(found_) == len(set(found_))
    assert set(found_) == slowly(terms, text)
    assert found_ == sorted(found_)


def test_size_of_sorted_runs_does_not_change_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terms = [(f"{number % 7} of {number}", number) for number in range(200)]
    write(tmp_path / "whole", terms)
    for name, value in {"_BATCH": 29, "_FILE_BITS": 3, "_WINDOW_BYTES": 1 << 10}.items():
        monkeypatch.setattr(dictionary_writer, name, value)
    write(tmp_path / "parts", [*reversed(terms), *terms[:40]])
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parts", "whole"]


def test_memory_does_not_grow_with_the_number_of_terms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"_BATCH": 500, "_WINDOW_BYTES": 1 << 14}.items():
        monkeypatch.setattr(dictionary_writer, name, value)

    def peak(count: int) -> int:
        tracemalloc.start()
        write(tmp_path / "terms", ((f"term {number:x}", number) for number in range(count)))
        kept, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most - kept

    peak(500)
    assert peak(8000) < 1.2 * peak(2000)


@given(st.lists(small, max_size=12), st.text(letters, max_size=40))
def test_colliding_hashes_never_give_a_wrong_term(written: list[str], text: str) -> None:
    terms = as_terms(written)

    def weak(value: dictionary_words.Hashes) -> dictionary_words.Hashes:
        return (value & np.uint64(1)) << np.uint64(63)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dictionary_words, "mix_bits", weak)
        dictionary = Dictionary.from_terms(terms.items())
        assert dict(dictionary) == terms
        assert set(triples(dictionary, text)) == slowly(terms, text)


@given(st.lists(small, max_size=8), st.text(letters, max_size=400), st.integers(1, 60))
@settings(max_examples=settings.default.max_examples * 3 // 5)
def test_chunked_text_gives_the_same_matches(written: list[str], text: str, size: int) -> None:
    dictionary = Dictionary.from_terms(as_terms(written).items())
    whole = dictionary.find(text, derived=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", size)
        parts = dictionary.find(text, derived=True)
    assert lists(parts) == lists(whole)


@given(st.lists(small, max_size=8), st.lists(st.text(letters, max_size=30), max_size=6))
def test_texts_searched_together_give_the_same_matches(
    written: list[str], texts: list[str]
) -> None:
    dictionary = Dictionary.from_terms(as_terms(written).items())
    together = list(dictionary.find_in(texts, derived=True))
    assert len(together) == len(texts)
    for text, matches in zip(texts, together, strict=True):
        assert lists(matches) == lists(dictionary.find(text, derived=True))


@given(st.lists(st.text(max_size=12), max_size=20), st.text(max_size=60))
def test_word_boundaries_agree_with_normal_forms(written: list[str], text: str) -> None:
    terms = as_terms(written)
    assert dict(Dictionary.from_terms(terms.items())) == terms
    cut = dictionary_words.split_words(text)
    spans = zip(cut.start.tolist(), cut.end.tolist(), strict=True)
    assert [normal_form(text[start:end]) for start, end in spans] == words_of(text)


def test_a_written_dictionary_opens_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "terms"
    write(path, numbered(TERMS))
    opened = Dictionary.open(path)
    assert sorted(opened) == sorted(Dictionary.from_terms(numbered(TERMS)))
    assert opened.find("software in the U.K.").term.tolist() == [1, 2]
    assert [entry.name for entry in tmp_path.iterdir()] == ["terms"]


@given(st.permutations(numbered([*TERMS, "one", "two words", "three short words"])))
@settings(max_examples=settings.default.max_examples // 5)
def test_order_of_terms_does_not_change_the_file(
    tmp_path_factory: pytest.TempPathFactory, terms: list[tuple[str, int]]
) -> None:
    folder = tmp_path_factory.mktemp("order")
    write(folder / "one", terms)
    write(folder / "other", sorted(terms))
    assert (folder / "one").read_bytes() == (folder / "other").read_bytes()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: b"", "empty, not a dictionary"),
        (lambda data: b"SQLite format 3" + data[15:], "not a dictionary"),
        (lambda data: data[:20], "cut off within its header"),
        (lambda data: data[:-1], r"has [\d,]+ of its [\d,]+ bytes"),
        (lambda data: data + b" ", r"has [\d,]+ of its [\d,]+ bytes"),
        (lambda data: data[:8] + b"\x09" + data[9:], "version 9"),
        (lambda data: data[:16] + b"\xff" + data[17:], "its header is damaged"),
    ],
)
def test_invalid_dictionary_file_is_an_error(tmp_path: Path, damage, message: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "terms"
    write(path, numbered(TERMS))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match=message) as caught:
        Dictionary.open(path)
    assert caught.value.path == str(path)


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Dictionary.open(tmp_path / "none")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "terms"
    write(path, [("old", 1)])
    with pytest.raises(InputError):
        write(path, [("new", 1), ("NEW", 2)])
    assert list(Dictionary.open(path)) == [("old", 1)]
    with pytest.raises(InputError, match="cannot be written"):
        write(tmp_path / "no" / "folder", [("new", 1)])
