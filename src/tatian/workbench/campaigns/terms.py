"""What people agree to before they work: exactly which text, kept for good.

The terms of a campaign are its requirements, its pay and its consent text, put together as people
read them. They are known by the hash of that text: whoever agreed to others is asked again.
"""

from __future__ import annotations

from hashlib import sha256

from msgspec import Struct
from sqlalchemy import Connection, insert, select

from tatian.workbench.settings import CampaignSettings, Pay
from tatian.workbench.storage.database import now
from tatian.workbench.storage.tables import campaigns, terms

UNSAID = (
    "people come from a panel or are paid, and nothing tells them what their answers are used for: "
    "give the campaign a consent text ('consent' in its settings)"
)
"""What those who run a campaign are told where `unsaid`."""
CHANGED = "the terms have changed meanwhile: please read them again"
"""What somebody is told who agrees to others than those that hold."""


class CampaignTerms(Struct, frozen=True):
    """A campaign's terms as they are at one moment."""

    text: str
    """Markdown; empty where there is nothing to say."""
    asks: bool
    """Whether people have to agree: there is a consent text, or requirements that one must meet."""
    requires: bool
    """Whether there are requirements among them."""

    @property
    def hash(self) -> str:
        """What tells these terms from any others: SHA-256 of the text."""
        return sha256(self.text.encode()).hexdigest()


def of(settings: CampaignSettings) -> CampaignTerms:
    """The terms that these settings make."""
    requires = bool(settings.requirements.strip())
    asks = requires or bool(settings.consent.strip())
    parts = (
        f"### Who may take part\n\n{settings.requirements.strip()}" if requires else "",
        described(settings.pay) if settings.pay else "",
        settings.consent.strip(),
    )
    return CampaignTerms("\n\n".join(part for part in parts if part), asks, requires)


def described(pay: Pay) -> str:
    """What people are told of their pay before they join."""
    parts = [f"{pay.item:.2f} {pay.currency} for each item"]
    if pay.bonus and pay.every:
        parts.append(f"a bonus of {pay.bonus:.2f} {pay.currency} for every {pay.every:,} items")
    text = ", and ".join(parts)
    return f"You are paid {text}; training is {'' if pay.training else 'not '}paid."


def unsaid(settings: CampaignSettings) -> bool:
    """Whether strangers or paid people are asked to work without being told what for."""
    return not settings.consent.strip() and (settings.panel is not None or settings.pay is not None)


def keep(connection: Connection, campaign: str, agreed: CampaignTerms) -> None:
    """Store the text of terms that somebody agrees to, once for all who do."""
    if agreed.hash in kept(connection, campaign):
        return
    one_by_one = select(campaigns.c.id).where(campaigns.c.id == campaign)
    connection.execute(one_by_one.with_for_update(key_share=True))
    if agreed.hash not in kept(connection, campaign):
        row = {"campaign": campaign, "hash": agreed.hash, "text": agreed.text, "created": now()}
        connection.execute(insert(terms).values(row))


def kept(connection: Connection, campaign: str) -> dict[str, str]:
    """Every text that anybody agreed to in a campaign, by its hash."""
    found = select(terms.c.hash, terms.c.text).where(terms.c.campaign == campaign)
    return {row.hash: row.text for row in connection.execute(found)}
