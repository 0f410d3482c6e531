"""What a reader sees on a page, in the terms the tests speak in."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from tatian.consolidation.result import Consolidation

LIT = """() => [...document.querySelectorAll('.account')].map((account) => {
  const lit = [...account.querySelectorAll('.p.lit')];
  return lit.map((piece) => piece.textContent).join(' ');
})"""


def word(page: Page, text: str, nth: int = 0) -> Locator:
    """A word of the consolidated text."""
    return page.locator("#text .w").get_by_text(text, exact=True).nth(nth)


def sentence(page: Page, words: str) -> Locator:
    """A sentence of an account that contains some words."""
    return page.locator(".s", has_text=words)


def lit_sources(page: Page) -> list[str]:
    """What is lit in each account, in their order."""
    return [" ".join(each.split()) for each in page.evaluate(LIT)]


def lit_words(page: Page) -> str:
    """The words of the text that are lit, blanks between them."""
    return " ".join(page.locator("#text .w.lit").all_text_contents())


def line(page: Page) -> str:
    """What the status line says."""
    return " ".join(page.locator("#reading").inner_text().split())


def tokens(sample: Consolidation) -> list[str]:
    """All words of the text."""
    return [sample.text[each.start : each.end] for s in sample.sentences for each in s.tokens]


def sources(sample: Consolidation, number: int) -> list[str]:
    """What must be lit in each account for one word, blanks removed."""
    token = [each for s in sample.sentences for each in s.tokens][number]
    held = []
    for account in sample.documents:
        places = sorted(
            {(each.start, each.end) for each in token.sources if each.document == account.id}
        )
        held.append("".join("".join(account.text[start:end].split()) for start, end in places))
    return held


def joined(texts: list[str]) -> list[str]:
    """The same texts without blanks."""
    return ["".join(each.split()) for each in texts]
