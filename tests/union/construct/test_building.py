"""A frame sentence takes in what only the other sentence says, where it belongs."""

from __future__ import annotations


def test_a_circumstance_goes_behind_what_belongs_to_its_verb(built):
    found = built(
        "The council closed the swimming pool.", "The council closed the pool because of a leak."
    )
    assert found[0] == "The council closed the swimming pool because of a leak."


def test_a_passive_report_gives_its_circumstances_to_the_active_one(built):
    found = built(
        "Villagers rescued the calf with ropes.",
        "The calf was rescued on Sunday by villagers.",
    )
    assert found[0] == "Villagers rescued the calf with ropes on Sunday."


def test_an_apposition_stays_with_its_noun(built):
    found = built(
        "Mara Lind opened the exhibition on Friday.",
        "Mara Lind, a retired diver, opened the exhibition.",
    )
    assert found[0] == "Mara Lind, a retired diver, opened the exhibition on Friday."


def test_the_fuller_name_takes_the_place_of_the_shorter(built):
    found = built("Lind opened the exhibition.", "Mara Lind opened the exhibition in Bergen.")
    assert found[0] == "Mara Lind opened the exhibition in Bergen."


def test_the_more_exact_time_stays(built):
    found = built("The pier burned on Monday.", "The pier burned on Monday night.")
    assert found[0] == "The pier burned on Monday night."


def test_another_statement_of_the_subject_is_a_relative_clause_or_joined_by_and(built):
    found = built("The singer lives in Porto.", "The singer won a prize.")
    assert "The singer, who won a prize, lives in Porto." in found
    assert "The singer lives in Porto and won a prize." in found


def test_a_statement_of_a_noun_that_is_no_subject_hangs_on_that_noun(built):
    found = built(
        "Nine barns burned down in the storm.", "The storm was named Clara by a radio station."
    )
    assert found[0] == (
        "Nine barns burned down in the storm, which was named Clara by a radio station."
    )


def test_plans_are_not_put_into_sentences_about_the_past(built):
    planned = "The ship will leave Oslo on Monday with 40 sailors."
    past = "The ship left Oslo on Monday."
    assert built(planned, past) == []
    assert built(past, planned)[0] == "The ship left Oslo on Monday with 40 sailors."


def test_a_headline_gives_its_verbs_the_tense_of_the_report(built):
    found = built("A storm hit the port on Friday.", "Storm hits port, sinks two boats")
    assert "A storm hit the port on Friday and sank two boats." in found


def test_an_article_that_a_headline_left_out_goes_by_sound(built):
    report = "A storm hit the port on Friday."
    found = built(report, "Storm hits port, sinks hourly ferry")
    assert "A storm hit the port on Friday and sank an hourly ferry." in found
    found = built(report, "Storm hits port, sinks unique ship")
    assert "A storm hit the port on Friday and sank a unique ship." in found


def test_attribution_stays_with_its_statement(built):
    found = built("Lightning hit a barn.", "The barn belonged to a cousin, a neighbour said.")
    assert found[0] == ("Lightning hit a barn, which belonged to a cousin, a neighbour said.")


def test_an_attributed_statement_in_the_middle_carries_its_speaker_along(built):
    found = built(
        "The tower was built in 1890.", "The tower will fall within a year, an engineer said."
    )
    assert any("which, an engineer said, will fall within a year," in text for text in found)


def test_a_thing_said_again_is_it(built):
    found = built(
        "Mara Lind criticised the plan.", "Mara Lind said the plan would ruin three farms."
    )
    assert "Mara Lind criticised the plan and said it would ruin three farms." in found


def test_quotations_are_not_changed(built):
    found = built(
        '"The boats are gone," the mayor said.', "The boats on the lake are gone, a guard said."
    )
    assert all('"The boats are gone,"' in text for text in found)
