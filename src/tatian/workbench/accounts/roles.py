"""Who is asking, and what they may do."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tatian.workbench.accounts.sessions import Session
from tatian.workbench.accounts.users import User
from tatian.workbench.errors import NotFound, Refused

Who = Literal["anyone", "annotator", "user", "manager", "admin"]
"""Who may call: anybody; the annotator of the campaign in the address; whoever signed in; a
manager of the campaign in the address; admins. Admins may do whatever managers may."""


class Caller(Struct, frozen=True):
    """Somebody whose cookie or token was found good."""

    user: User | None = None
    annotator: str | None = None
    """Of the campaign in the address."""
    session: Session | None = None
    """None where a program signed in with a token."""

    @property
    def actor(self) -> str:
        """As the audit log names them."""
        if self.user is not None:
            return f"user:{self.user.name}"
        return f"annotator:{self.annotator}" if self.annotator else "anonymous"


def manages(user: User, campaign: str) -> bool:
    """Whether somebody runs this campaign."""
    return user.role == "admin" or campaign in user.campaigns


def allow(user: User, who: Who, campaign: str | None) -> None:
    """Refuse what a role does not include.

    A campaign of others answers as one that does not exist, so that nobody learns what there is.
    """
    if who in ("admin", "manager") and campaign is not None and not manages(user, campaign):
        raise NotFound(f"there is no campaign '{campaign}'")
    if who == "admin" and user.role != "admin":
        raise Refused("only an admin may do this")
