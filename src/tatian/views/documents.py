"""A page of documents, one below the other, each of which folds away."""

from __future__ import annotations

from html import escape

from tatian.views.page import page, read_assets, style_sheet


def documents_page(title: str, header: str, body: str, package: str, *, foot: str = "") -> str:
    """The whole page; `package` has its own text.css and page.js, and the rest is HTML.

    `foot` is what stands after the documents.
    """
    shown = (
        '<a class="skip" href="#documents">Skip to the text</a>\n'
        f"<header>\n<h1>{escape(title)}</h1>\n{header}\n</header>\n"
        f'<main id="documents" tabindex="-1">\n{body}\n</main>\n{foot}'
    )
    style = "\n".join(
        [style_sheet("tatian.views", "documents.css"), read_assets(package, "text.css")]
    )
    return page(title, shown, style, read_assets(package, "page.js"))


def folded(name: str, note: str, inner: str, number: int, *, opened: bool) -> str:
    """One document; `note` and `inner` are HTML."""
    return (
        f'<details class="doc" id="d{number}"{" open" * opened}>'
        f"<summary><h2><bdi>{escape(name)}</bdi></h2> {note}</summary>\n{inner}\n</details>"
    )
