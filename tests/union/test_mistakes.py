"""The kinds of errors of Appendix J, as far as words show them."""

from tatian.union.metrics import KINDS, error_table, errors

HORTON = "Army Secretary Francis Harvey resigned in Boston on Friday."


def kinds(sources, union):
    return [(error.kind, error.criterion) for error in errors(sources, union)]


def test_a_good_union_has_no_errors():
    assert errors(["A ferry sank.", "A ferry sank in fog."], "A ferry sank in fog.") == []


def test_what_no_source_says_is_hallucinated():
    (error,) = errors(
        ["Capaldi was revealed as the Doctor."],
        "Capaldi was revealed live as the Doctor in Cardiff.",
    )[-1:]
    assert (error.kind, error.criterion, error.text) == (
        "external hallucination",
        "faithfulness",
        "Cardiff",
    )


def test_a_beginning_that_is_left_out_is_a_prefix():
    sources = [
        "Doctor Who has finally selected its 12th doctor: Peter Capaldi will replace Matt Smith.",
        "Peter Capaldi will replace Matt Smith.",
    ]
    assert ("ignores prefix", "coverage") in kinds(
        sources, "Peter Capaldi will replace Matt Smith."
    )


def test_part_of_a_name_that_is_left_out_is_less_specific():
    found = errors(
        [HORTON, "Secretary Harvey quit."], "Army Secretary Harvey resigned in Boston on Friday."
    )
    assert [(error.kind, error.text) for error in found] == [
        ("uni-directional entailment", "Francis")
    ]


def test_a_name_joined_to_a_number_of_another_sentence_is_wrongly_attached():
    sources = ["The 12 passengers left.", "Rescuers and crew members came."]
    assert ("wrong attachment", "faithfulness") in kinds(
        sources, "The 12 crew members and the passengers left and rescuers came."
    )


def test_what_is_said_twice_is_a_paraphrase():
    first, second = (
        "Art dealers register purchased paintings.",
        "Dealers must register paintings by law.",
    )
    found = kinds([first, second], f"{first} {second}")
    assert ("paraphrase", "redundancy") in found


def test_the_table_has_every_kind_and_counts_them_by_what_they_cost():
    found = errors(["Fire crews came to Halverne."], "Fire crews came in Tesco.")
    rows = {row[0]: row[1:4] for row in error_table([found]).rows}
    assert list(rows) == list(KINDS)
    assert rows["external hallucination"] == (0, 1, 0)
    assert sum(row[0] for row in rows.values()) == 1


def test_an_error_names_its_words_where_they_stand():
    union = "Fire crews came in Tesco."
    for error in errors(["Fire crews came."], union):
        for word in error.words:
            assert union[word.start : word.end] == word.text
