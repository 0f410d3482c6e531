"""The kinds of errors of Appendix J, as far as words show them."""

from tatian.union.metrics import error_table, find_errors
from tatian.union.metrics.mistakes import KINDS

HORTON = "Army Secretary Francis Harvey resigned in Boston on Friday."


def kinds(sources, union):
    return [(error.kind, error.criterion) for error in find_errors(sources, union)]


def test_a_good_union_has_no_errors():
    assert find_errors(["A ferry sank.", "A ferry sank in fog."], "A ferry sank in fog.") == []


def test_content_without_a_source_is_hallucinated():
    (error,) = find_errors(
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
    found = find_errors(
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


def test_a_less_exact_figure_in_the_place_of_the_exact_one_is_one_way_entailment():
    sources = [
        "An earthquake hit the province of Aceh, killing a child and injuring dozens of people.",
        "An earthquake hit Aceh, killing a child and injuring at least 50 people.",
    ]
    (error,) = find_errors(sources, sources[0])
    assert (error.kind, error.criterion, error.text) == (
        "uni-directional entailment",
        "coverage",
        "50",
    )


def test_a_figure_that_only_lost_its_bound_is_no_error():
    sources = ["A fall of about 200 feet killed him.", "A fall of 200 feet killed him."]
    assert find_errors(sources, sources[0]) == []


def test_loss_beside_a_similar_word_is_lexical_similarity():
    sources = [
        "Tim Shields announced Wednesday that the RCMP arrested two Bountiful residents and "
        "leaders of a polygamist group, Winston Blackmore and James Oler.",
        "Wally Oppal announced that Winston Blackmore and James Oler were arrested on charges of "
        "polygamy.",
    ]
    union = (
        "Tim Shields and Wally Oppal announced Wednesday that the RCMP arrested two Bountiful "
        "residents, Winston Blackmore and James Oler, on charges of polygamy."
    )
    assert ("lexically similar but different", "leaders polygamist group") in [
        (error.kind, error.text) for error in find_errors(sources, union)
    ]


def test_a_beginning_before_a_colon_is_a_prefix_though_its_names_are_there():
    sources = [
        "Doctor Who has finally selected its 12th doctor: Peter Capaldi is set to replace Matt "
        "Smith.",
        "Steven Moffat announced on Doctor Who Live that Peter Capaldi will replace Matt Smith.",
    ]
    union = (
        "Peter Capaldi is set to replace Matt Smith, Steven Moffat announced on Doctor Who Live."
    )
    assert ("ignores prefix", "coverage") in kinds(sources, union)


RECORDER = (
    'The recorder revealed that the descent appeared "controlled" and the elevators were out of '
    "unison."
)
ENGINES = "The cockpit turned off both engines, something experienced pilots would not do."


def test_a_comment_that_comes_to_stand_behind_other_words_is_wrongly_attached():
    union = (
        'The recorder revealed that the descent appeared "controlled," the cockpit turned off both '
        "engines, and the elevators were out of unison, something experienced pilots would not do."
    )
    assert ("wrong attachment", "faithfulness") in kinds([RECORDER, ENGINES], union)


def test_a_comment_that_stays_where_it_was_is_not():
    union = (
        "The recorder revealed that the elevators were out of unison and the cockpit turned off "
        "both engines, something experienced pilots would not do."
    )
    assert ("wrong attachment", "faithfulness") not in kinds([RECORDER, ENGINES], union)


def test_repeated_content_is_a_paraphrase_error():
    first, second = (
        "Art dealers register purchased paintings.",
        "Dealers must register paintings by law.",
    )
    found = kinds([first, second], f"{first} {second}")
    assert ("paraphrase", "redundancy") in found


def test_the_table_has_every_kind_and_counts_them_by_what_they_cost():
    found = find_errors(["Fire crews came to Halverne."], "Fire crews came in Tesco.")
    rows = {row[0]: row[1:4] for row in error_table([found]).rows}
    assert list(rows) == list(KINDS)
    assert rows["external hallucination"] == (0, 1, 0)
    assert sum(row[0] for row in rows.values()) == 1


def test_an_error_names_its_words_where_they_stand():
    union = "Fire crews came in Tesco."
    for error in find_errors(["Fire crews came."], union):
        for word in error.words:
            assert union[word.start : word.end] == word.text
