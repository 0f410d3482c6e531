"""Result tables, in every format with its own escapes."""

import csv
import io
import json
import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.statistics import Column, Marked, Score, Table
from tatian.statistics.tables import to_rich

ROUGE = Column("ROUGE-1", precision=1, scale=100, best="max")
HALF = Score.of("rouge1", [0.25, 0.75])
TABLE = Table.of(
    ["model", ROUGE, Column("Δ", precision=1, scale=100, signed=True, best="zero"), "pairs"],
    [("longer", 0.871, 0.317, 349), ("graft", HALF, -0.04, 349), ("broken", None, math.nan, 0)],
    title="Union",
)
NASTY = "a|b*c_d`e`<f>&g\\h{i}%j#k$l^m~n\no"


def table_of(text):
    return Table.of(["name", "value"], [(text, 1)])


def test_text_aligns_columns_and_stars_the_best():
    assert TABLE.render("text") == (
        "Union\n"
        "model        ROUGE-1       Δ  pairs\n"
        "longer         87.1*  +31.7     349\n"
        "graft   50.0 ± 25.0    -4.0*    349\n"
        "broken            –       –       0\n"
    )


def test_markdown_shows_errors_and_sets_the_best_in_bold():
    assert TABLE.render("markdown") == (
        "**Union**\n\n"
        "| model | ROUGE-1 | Δ | pairs |\n"
        "| --- | ---: | ---: | ---: |\n"
        "| longer | **87.1** | +31.7 | 349 |\n"
        "| graft | 50.0 ± 25.0 | **-4.0** | 349 |\n"
        "| broken | – | – | 0 |\n"
    )


def test_latex_uses_booktabs_and_mathematical_signs():
    assert TABLE.render("latex") == (
        "\\begin{table}\n\\centering\n\\caption{Union}\n"
        "\\begin{tabular}{lrrr}\n\\toprule\n"
        "model & ROUGE-1 & $\\Delta$ & pairs \\\\\n\\midrule\n"
        "longer & \\textbf{87.1} & $+$31.7 & 349 \\\\\n"
        "graft & 50.0 $\\pm$ 25.0 & \\textbf{$-$4.0} & 349 \\\\\n"
        "broken & -- & -- & 0 \\\\\n"
        "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
    )


def print_table(table):
    from rich.console import Console

    buffer = io.StringIO()
    Console(file=buffer, force_terminal=True, width=10_000).print(to_rich(table))
    return buffer.getvalue()


def test_marks_stand_after_figures_where_people_read_and_nowhere_else():
    table = Table.of(["model", ROUGE], [("a", Marked(HALF, "†")), ("b", Marked(0.6, ""))])
    assert "50.0 ± 25.0†" in table.render("text")
    assert "| a | 50.0 ± 25.0† |" in table.render("markdown")
    assert r"$\pm$ 25.0\textsuperscript{\textdagger{}}" in table.render("latex")
    assert "†" in print_table(table)
    assert table.render("csv").splitlines()[1:] == ["a,0.5,0.25", "b,0.6,"]
    assert json.loads(table.render("json"))["rows"][0]["ROUGE-1"] == HALF.to_json()


def test_the_best_of_a_column_may_carry_a_mark():
    table = Table.of(["model", ROUGE], [("a", Marked(0.5, "†")), ("b", Marked(0.6, "†"))])
    assert "| b | **60.0**† |" in table.render("markdown")


def test_csv_keeps_full_numbers_and_gives_errors_their_own_column():
    rows = list(csv.reader(io.StringIO(TABLE.render("csv"))))
    assert rows == [
        ["model", "ROUGE-1", "ROUGE-1 standard error", "Δ", "pairs"],
        ["longer", "0.871", "", "0.317", "349"],
        ["graft", "0.5", "0.25", "-0.04", "349"],
        ["broken", "", "", "", "0"],
    ]


def test_json_keeps_full_numbers_and_whole_scores():
    data = json.loads(TABLE.render("json"))
    assert data["title"] == "Union"
    assert data["columns"] == ["model", "ROUGE-1", "Δ", "pairs"]
    assert data["rows"][1] == {
        "model": "graft",
        "ROUGE-1": HALF.to_json(),
        "Δ": -0.04,
        "pairs": 349,
    }
    assert data["rows"][2] == {"model": "broken", "ROUGE-1": None, "Δ": None, "pairs": 0}


def test_terminal_shows_every_cell_unwrapped_and_ignores_markup_in_names():
    written = print_table(Table.of(["model", "x"], [("[bold]long[/bold] " + "name " * 40, 1)]))
    assert "[bold]long[/bold] " + "name " * 39 + "name" in written
    assert max(map(len, written.splitlines())) < 300


def test_markdown_escapes_what_would_be_markup():
    line = table_of(NASTY).render("markdown").splitlines()[2]
    assert line == r"| a\|b\*c\_d\`e\`\<f\>\&g\\h{i}%j#k$l^m\~n o | 1 |"


def test_latex_escapes_what_would_be_commands():
    assert (
        r"a\textbar{}b*c\_d`e`\textless{}f\textgreater{}\&g\textbackslash{}h\{i\}\%j\#k\$l"
        r"\textasciicircum{}m\textasciitilde{}n o & 1 \\"
    ) in table_of(NASTY).render("latex")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_csv_and_json_give_back_any_text(text):
    table = table_of(text)
    rows = list(csv.reader(io.StringIO(table.render("csv"), newline="")))
    assert rows[1] == [text, "1"]
    assert json.loads(table.render("json"))["rows"][0]["name"] == text


@given(st.text())
def test_text_formats_keep_one_line_per_row(text):
    for form, lines in (("text", 2), ("markdown", 3)):
        assert table_of(text).render(form).count("\n") == lines


def test_wide_letters_keep_text_aligned():
    lines = Table.of(["name", "n"], [("漢字", 1), ("abcd", 2)]).render("text").splitlines()
    assert lines == ["name  n", "漢字  1", "abcd  2"]


def test_values_that_look_equal_are_all_best():
    table = Table.of(["m", Column("x", precision=1, best="min")], [("a", 0.51), ("b", 0.52)])
    assert [row[1].bold for row in table.format_cells()] == [True, True]


def test_zero_has_no_minus():
    assert Table.of([Column("x", precision=1)], [(-0.01,)]).format_cells()[0][0].text == "0.0"
    signed = Table.of([Column("x", precision=1, signed=True)], [(-0.01,)])
    assert signed.format_cells()[0][0].text == "+0.0"


def test_whole_numbers_have_no_decimals_unless_scaled():
    assert Table.of(["x"], [(7,)]).format_cells()[0][0].text == "7"
    assert Table.of([Column("x", scale=100)], [(1,)]).format_cells()[0][0].text == "100.00"


def test_a_table_without_rows_still_has_its_header():
    assert Table.of(["a", "b"], []).render("markdown") == "| a | b |\n| --- | --- |\n"


def test_rows_of_the_wrong_width_are_refused():
    with pytest.raises(InputError, match="row 0 has 1 cells, the table 2 columns"):
        Table.of(["a", "b"], [(1,)])


def test_columns_of_one_name_are_refused():
    with pytest.raises(InputError, match="two columns of one name"):
        Table.of(["a", "a"], [])


def test_unknown_formats_are_refused():
    with pytest.raises(InputError, match="no table format 'pdf': known: text, markdown"):
        TABLE.render("pdf")


def test_rich_is_not_loaded_before_a_terminal_needs_it():
    script = "import sys, tatian.statistics; sys.exit('rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
