"""Terms that people agree to before they work: one text with requirements, pay and consent.

Stored terms are never deleted. People who agreed to a text with another hash are asked again.
"""

from __future__ import annotations

from hashlib import sha256

from msgspec import Struct
from sqlalchemy import Connection, insert, select

from tatian.workbench.settings import CampaignSettings, Pay
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import campaigns, terms

NO_PURPOSE = (
    "people come from a panel or are paid, and nothing tells them what their answers are used for: "
    "give the campaign a consent text ('consent' in its settings)"
)
"""Warning to managers of a campaign that `lacks_purpose`."""
CHANGED = "the terms have changed meanwhile: please read them again"
"""Message to a person who agrees to outdated terms."""


class CampaignTerms(Struct, frozen=True):
    """A campaign's terms at one moment."""

    text: str
    """Markdown; may be empty."""
    asks: bool
    """True if people must agree: there is a consent text, or there are requirements."""
    requires: bool
    """True if there are requirements."""

    @property
    def hash(self) -> str:
        """SHA-256 of the text, which identifies the terms."""
        return sha256(self.text.encode()).hexdigest()


def get_terms(settings: CampaignSettings) -> CampaignTerms:
    """Return the terms of these settings."""
    requires = bool(settings.requirements.strip())
    asks = requires or bool(settings.consent.strip())
    parts = (
        f"### Who may take part\n\n{settings.requirements.strip()}" if requires else "",
        describe_pay(settings.pay) if settings.pay else "",
        settings.consent.strip(),
    )
    return CampaignTerms("\n\n".join(part for part in parts if part), asks, requires)


def describe_pay(pay: Pay) -> str:
    """Return a sentence about the pay."""
    parts = [f"{pay.item:.2f} {pay.currency} for each item"]
    if pay.bonus and pay.every:
        parts.append(f"a bonus of {pay.bonus:.2f} {pay.currency} for every {pay.every:,} items")
    text = ", and ".join(parts)
    return f"You are paid {text}; training is {'' if pay.training else 'not '}paid."


def lacks_purpose(settings: CampaignSettings) -> bool:
    """Return True if a campaign with a panel or pay has no consent text."""
    return not settings.consent.strip() and (settings.panel is not None or settings.pay is not None)


def store_terms(connection: Connection, campaign: str, agreed: CampaignTerms) -> None:
    """Store the text of terms, unless it is stored already."""
    if agreed.hash not in read_stored(connection, campaign):
        lock_campaign = select(campaigns.c.id).where(campaigns.c.id == campaign)
        connection.execute(lock_campaign.with_for_update(key_share=True))
    if agreed.hash not in read_stored(connection, campaign):
        row = {"campaign": campaign, "hash": agreed.hash, "text": agreed.text, "created": now()}
        connection.execute(insert(terms).values(row))


def read_stored(connection: Connection, campaign: str) -> dict[str, str]:
    """Return the texts that people agreed to in a campaign, by hash."""
    query = select(terms.c.hash, terms.c.text).where(terms.c.campaign == campaign)
    return {row.hash: row.text for row in connection.execute(query)}
