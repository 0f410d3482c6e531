"""Which data forbid commercial use: nothing that is shipped is trained on them.

GUM's texts have the licences of their sources, genre by genre (its LICENSE.md); its annotations are
CC BY. SICK is CC BY-NC-SA.
"""

from __future__ import annotations

NON_COMMERCIAL_GENRES = frozenset("essay fiction letter podcast reddit whow".split())
PUBLIC_DOMAIN = frozenset(("GUM_fiction_moon", "GUM_fiction_time"))
"""Documents of these genres that are free all the same, by Lovecraft and Wells."""
NON_COMMERCIAL_PAIRS = frozenset(("sick",))
"""Sources of entailment pairs."""


def free_of_gum(name: str) -> bool:
    """Whether a document of GUM, or a sentence named after it, may be used by anyone."""
    document = name.partition("-")[0]
    genre = document.split("_")[1] if document.startswith("GUM_") else ""
    return genre not in NON_COMMERCIAL_GENRES or document in PUBLIC_DOMAIN
