"""What several sources say of one page, made one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from tatian.knowledge.building.pages import Page
from tatian.knowledge.entities import Role

T = TypeVar("T")


def combine(pages: Sequence[Page], title: str) -> Page:
    """One page called `title`: the first source that knows a thing says it, lists are united."""
    return Page(
        title=title,
        kind=next((page.kind for page in pages if page.kind), None),
        role=_role(pages),
        description=next((page.description for page in pages if page.description), ""),
        categories=_united(page.categories for page in pages),
        aliases=_united(page.aliases for page in pages),
        facts=_united(page.facts for page in pages),
        wikidata=next((page.wikidata for page in pages if page.wikidata), ""),
        freebase=next((page.freebase for page in pages if page.freebase), ""),
    )


def _role(pages: Sequence[Page]) -> Role:
    """An article if a source that knows more than the title takes it for one."""
    others: list[Role] = [page.role for page in pages if page.role != "article"]
    if not others or any(page.role == "article" and _substantial(page) for page in pages):
        return "article"
    return others[0]


def _substantial(page: Page) -> bool:
    return bool(page.kind or page.description or page.facts or page.wikidata or page.freebase)


def _united(lists: Iterable[Sequence[T]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(item for items in lists for item in items))
