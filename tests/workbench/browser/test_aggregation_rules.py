"""The rules of the aggregation page, compared with the server's."""

from __future__ import annotations

import random
from typing import Any

from playwright.sync_api import Browser

from tatian.aggregation.data import Instance
from tatian.aggregation.data.rules import normalize_phrase
from tatian.workbench.tasks.aggregation import rules as server

WORDS = (
    "the The THE two three 3 12 twenty-one a these both all some of them they it we and And or "
    "are have rowers French café's Tal Lund aoki AOKI Åse Ines O’Neil people persons areas "
    "organizations entities / , . ... ; & na n/a N.A. discussed. rowers/athletes 日本 х ß ½ ٣ "
    'In this article are discussed . sisters-in-law — <b> "quoted" Tal\'s the-rowers '
    "rowers, Bo, Johnson Peru, cities; boats, famous, AT&T Bosnia Herzegovina 1,000 Microsoft، AND"
).split()
WORDS += ("as well as", "as  Well as", "Johnson & Johnson", "Bosnia and Herzegovina")
ALONE = [
    "",
    "   ",
    ".",
    "…",
    "n/a",
    " NA. ",
    "w" * 151,
    "rowers " * 30,
    "In X, A are discussed. The",
    "Ines, Bo",
    "Ines and Bo",
    "the city, the state",
    "the Johnson & Johnson rivals",
    "Microsoft, Johnson & Johnson",
    "the Bosnia and Herzegovina neighbours",
    "large, old cities",
    "New York City, New York",
]
SETS = [
    Instance("one", ("Ines Tal", "Bo Lund", "Mei Aoki"), "person"),
    Instance("two", ("Åse Tal", "Shaun O'Neil", "Ines Tal"), "person"),
    Instance("three", ("New York", "New York City"), "location"),
    Instance(
        "five", ("Johnson & Johnson", "Bosnia and Herzegovina", "Microsoft Corp."), "location"
    ),
    Instance("four", tuple(f"Firm {letter}" for letter in "ABCDEFGHIJKL"), "organization"),
]


def phrases(seed: int, count: int) -> list[str]:
    """Draw phrases of words that the rules mention."""
    draw = random.Random(seed)
    made = [
        draw.choice((" ", " ", "  ")).join(draw.choices(WORDS, k=draw.randint(1, 9)))
        for _ in range(count)
    ]
    return ALONE + made


def test_page_and_server_agree_on_every_phrase(workbench: Any, browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{workbench.url}/health")
    for seed, instance in enumerate(SETS):
        given = phrases(seed, 150)
        pairs = [list(pair) for pair in zip(given, [*given[1:], given[0]], strict=True)]
        said = page.evaluate(
            """async ({told, names, pairs}) => {
              const { Rules } = await import('/static/tasks/aggregation/rules.js');
              const rules = new Rules(told, names);
              return pairs.map((pair) => [rules.check(pair), rules.normalize(pair[0])]);
            }""",
            {
                "told": server.browser_rules(instance),
                "names": list(instance.entities),
                "pairs": pairs,
            },
        )
        for pair, (found, plain) in zip(pairs, said, strict=True):
            expected = [
                [
                    {"rule": one.rule, "message": one.message, "refused": one.is_refused}
                    for one in each
                ]
                for each in server.check_phrases(pair, instance)
            ]
            assert found == expected, pair
            assert plain == normalize_phrase(pair[0]), pair
    context.close()
