"""Predictions of settled conflicts, compared with the server."""

from __future__ import annotations

from typing import Any

from tatian.consolidation.result import Account
from tatian.text.layers import capitalized, render
from tatian.workbench.desk.manuscript import words_of


def test_predicted_capitals_are_those_of_the_server(desk: Any, window: Any) -> None:
    words = (
        "seven, twenty-one, o'clock, iPhone, NATO, élan, ßeta, p.m, 9, ten people, “few” of them"
    )
    prediction = window().evaluate(
        """async (words) => {
          const { PREDICTIONS } = await import("/static/desk/predictions.js");
          const tokens = [{ start: 0, end: 2, sources: [[0, 0, 2, "copied"]] }];
          tokens.push({ start: 3, end: 7, sources: [[0, 3, 7, "copied"]] });
          const sentences = [{ text: "Xy fell", tokens, disputes: ["d"], verdict: null }];
          const first = { account: 0, start: 0, end: 2, words: "Xy" };
          const decided = (word) => {
            const claims = [first, { account: 1, start: 0, end: 9, words: word }];
            return { dispute: "d", how: "one", claim: 1, prediction: { settled: null, claims } };
          };
          return words.map((word) => PREDICTIONS.settle(sentences, decided(word))[0].text);
        }""",
        words.split(", "),
    )
    for word, text in zip(words.split(", "), prediction, strict=True):
        account = Account("a", None, None, None, None, word, ())
        assert text == f"{render(capitalized(words_of(account, 0, len(word))))} fell"


def test_a_claim_in_the_words_of_a_third_account_is_settled_where_they_say_all_of_it(
    desk: Any, window: Any
) -> None:
    told = window().evaluate(
        """async () => {
          const { PREDICTIONS } = await import("/static/desk/predictions.js");
          const word = (start, end, ...claimed) => ({ start, end, sources: [
            [0, 50 + start, 50 + end, "copied"],
            ...claimed.map((at) => [2, at, at + 3, "copied"]),
          ] });
          const [six, few, tons, sank] = [word(0, 3, 0), word(0, 3), word(4, 8, 4), word(9, 14)];
          const sentences = [
            { text: "Six tons sank.", tokens: [six, tons, sank] },
            { text: "Few tons sank.", tokens: [few, tons, sank] },
          ].map((one) => ({ ...one, disputes: ["d"], verdict: null }));
          const claims = [
            { account: 1, start: 0, end: 4, text: "nine", words: "nine" },
            { account: 2, start: 0, end: 8, text: "six tons", words: "six tons" },
          ];
          const prediction = { settled: null, claims };
          const decided = { dispute: "d", how: "one", claim: 0, prediction };
          return PREDICTIONS.settle(sentences, decided).map(({ text }) => text);
        }"""
    )
    assert told == ["Nine sank.", "Few tons sank."]
