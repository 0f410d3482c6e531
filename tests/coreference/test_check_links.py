"""What is linked, and what only optionally: sections 3.7, 5.3 and 5.4 of the definition."""

from __future__ import annotations

import pytest

from .check_samples import found, strings

BROKEN = [
    (
        "indefinite-appositive",
        "[a|Ms. Ima Head, [a|a 10-year MUC veteran^veteran],^Ima Head] left.",
        "a 10-year MUC veteran",
    ),
    (
        "indefinite-appositive",
        "[a|San Diego, [a|one of America's finest cities^one],^San Diego] grew.",
        "one of America's finest cities",
    ),
    ("indefinite-appositive", "[a|Jane Roe], [a|a former judge^judge], won.", "a former judge"),
    (
        "indefinite-appositive",
        "[a|The Smiths, [a|strange people^people],^Smiths] left.",
        "strange people",
    ),
    (
        "unpunctuated-apposition",
        "[a|The real estate company^company] [a|Century 21] grew.",
        "Century 21",
    ),
    ("unpunctuated-apposition", "They hired [a|the realtor] [a|Century 21].", "Century 21"),
    (
        "unpunctuated-apposition",
        "[a|Presidential advisor^advisor] [a|Joe Smarty] left.",
        "Joe Smarty",
    ),
    ("unpunctuated-apposition", "[a|Treasury Secretary^Secretary] [a|Bucks] left.", "Bucks"),
    ("unpunctuated-apposition", "He took [a|the job of [a|manager]^job].", "manager"),
    ("unpunctuated-apposition", "[a|The ship [a|Aurora]^ship] sank.", "Aurora"),
    (
        "indefinite-predicate",
        "[a|Mediation] is [a|a viable alternative to bankruptcy^alternative].",
        "a viable alternative to bankruptcy",
    ),
    (
        "indefinite-predicate",
        "[a|Farm-debt mediation^mediation] is [a|one of the Farm Belt's success stories^one].",
        "one of the Farm Belt's success stories",
    ),
    (
        "indefinite-predicate",
        "[a|ARPA program managers^managers] are [a|nice people^people].",
        "nice people",
    ),
    ("indefinite-predicate", "[a|Roe] is considered [a|a genius].", "a genius"),
    (
        "possible-identity",
        "[a|Phinneas Flounder] may be [a|the dumbest man who ever lived^man].",
        "the dumbest man who ever lived",
    ),
    (
        "possible-identity",
        "[a|Phinneas Flounder] is a leading candidate to become [a|president].",
        "president",
    ),
    (
        "possible-identity",
        "If elected, [a|Phinneas Flounder] would be [a|the first Californian^Californian].",
        "the first Californian",
    ),
    ("possible-identity", "[a|Roe] is probably [a|the thief].", "the thief"),
    ("possible-identity", "[a|Roe] seems to be [a|the leader].", "the leader"),
    ("possible-identity", "[a|Roe] is not [a|the mayor].", "the mayor"),
    ("implied-copula", "They named [a|Henry Higgins] [a|president].", "president"),
    (
        "implied-copula",
        "[a|Henry Higgins] is considered [a|Sudsy Soap's best sales director^director].",
        "Sudsy Soap's best sales director",
    ),
    ("implied-copula", "They made [a|him] [a|king].", "king"),
    ("implied-copula", "[a|Jane Roe] was appointed [a|chief judge^judge].", "chief judge"),
    (
        "as-phrase",
        "[a|Higgins] will serve as [a|president of Dreamy Detergents^president].",
        "president of Dreamy Detergents",
    ),
    ("as-phrase", "As [a|mayor], [a|Roe] built it.", "mayor"),
    ("as-phrase", "The board chose [a|Roe] as [a|its leader^leader].", "its leader"),
]


@pytest.mark.parametrize(("rule", "marked", "string"), BROKEN)
def test_forbidden_links_are_reported(rule: str, marked: str, string: str) -> None:
    assert [(one.rule, one.string) for one in found(marked)] == [(rule, string)]


def test_conjuncts_that_share_a_modifier_are_optional() -> None:
    marked = "[a|Ms. Fribble^Fribble] was [a|president] and [a|CEO of Amalgamated Inc.^CEO]"
    assert strings("shared-modifier", marked) == ["president", "CEO of Amalgamated Inc."]


@pytest.mark.parametrize(
    "marked",
    [
        "[a|Ms. Fribble^Fribble] was [a?|president] and [a?|CEO of Amalgamated Inc.^CEO]",
        "[a|Roe] is [a|the founder] and [a|the owner of the bank^owner].",
        "[a|Roe] met [b|his wife^wife] and [c|his best friend^friend].",
    ],
)
def test_conjuncts_without_a_shared_modifier_get_no_advice(marked: str) -> None:
    assert strings("shared-modifier", marked) == []


@pytest.mark.parametrize(
    "marked",
    [
        "[a|Julius Caesar, [a|the well-known emperor,^emperor]^Julius Caesar] died.",
        "[a|Peter Holland, 45, [a|deputy general manager,^manager]^Peter Holland] left.",
        "[a|Oslo], [a|the capital of Norway^capital], won.",
        "[a|Jane Roe], [a|her] sister said, won.",
        "[a|Jane Roe] [a|herself] came.",
        "They gave [a|Jane Roe] [a|her] money.",
        "General Motors announced [a|[b|their] third quarter profit of [a|$0.02]^profit].",
        "[a|Bill Clinton] is [a|the President of the United States^President].",
        "[a|Henry Higgins, who was formerly [a|sales director for Sudsy Soaps,^director]"
        "^Henry Higgins] became [a|president of Dreamy Detergents^president].",
        "Dreamy Detergents named [a|Henry Higgins] to be [a|president].",
        "Dreamy Detergents named [a|Henry Higgins] [a?|president].",
        "[a|Higgins] will serve as [a?|president of Dreamy Detergents^president].",
        "[a|Jane Roe] will be [a|the next mayor^mayor].",
        "[a|Roe] is no longer [a|the mayor].",
        "[a|It] was [a|$0.02].",
        "[a|The temperature] is [a|90].",
        "[a|Roe] is as tall as [b|the boss].",
        "[a|Roe], as well as [b|the boss], left.",
        "As [a|Roe] said, [a|she] left.",
        "[a|He] shot [a|himself] with [a|his] revolver.",
        "Most [b|producers] may be late. [a|Most linguists^linguists] prefer [a|their] parsers.",
    ],
)
def test_allowed_links_are_not_reported(marked: str) -> None:
    assert [one for one in found(marked) if one.rule not in ("head-inside",)] == []


def test_formats_without_status_get_no_advice_on_it() -> None:
    marked = "They named [a|Henry Higgins] [a|president]."
    assert found(marked, markup=False) == []


def test_a_mark_is_named_once_for_each_rule() -> None:
    marked = "[a|Jane Roe, [a|the lawyer]^Jane Roe], was named [a|chairman]."
    assert strings("implied-copula", marked) == ["chairman"]
