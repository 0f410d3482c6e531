"""The audit log as people read it: what was done in words, and moments as dates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from tatian.workbench.web.legible import moment

DONE: Mapping[str, str] = {
    "adjudication.decide": "decided an item",
    "adjudication.rule": "let a rule decide",
    "annotator.advance": "passed a stage",
    "annotator.consent": "agreed to the terms",
    "annotator.delete": "deleted personal data",
    "annotator.enter": "joined",
    "annotator.exclude": "excluded an annotator",
    "annotator.fail": "ended below a pass mark",
    "annotator.finish": "finished",
    "annotator.link": "showed an annotator's link",
    "annotator.promote": "promoted an annotator",
    "annotator.reinstate": "readmitted an annotator",
    "answer.correct": "corrected an answer",
    "answer.unscored": "could not score an answer: its item's right answer does not fit",
    "campaign.change": "changed the campaign",
    "campaign.create": "created the campaign",
    "campaign.delete": "deleted a campaign",
    "guidelines.add": "saved new guidelines",
    "invitation.create": "made an invitation",
    "invitation.revoke": "revoked an invitation",
    "item.change": "changed an item",
    "item.return": "gave an item back",
    "items.abandoned": "took back items left alone",
    "items.add": "added items",
    "items.suggest": "had suggestions made",
    "items.suggest_failed": "could not make suggestions",
    "records.import": "imported answers",
    "token.create": "made a token",
    "token.revoke": "revoked a token",
    "user.change": "changed a user",
    "user.create": "made a user",
    "user.link": "made a sign-in link",
    "user.password": "changed a password",
    "user.sign_in": "signed in",
    "user.sign_in_failed": "tried to sign in",
}
_MOMENTS = frozenset({"deadline", "expires"})
_HASH = re.compile(r"[0-9a-f]{32,}")
_SHORT = 12
"""Characters of a hash that tell it from others."""


def done(action: str) -> str:
    """What an action is called; its name where it is of a version that this one does not know."""
    return DONE.get(action, action)


def said(detail: Mapping[str, Any]) -> str:
    """An entry's details in one line, the settings left out: they have a page."""
    parts = [
        f"{name}: {_value(name, value)}"
        for name, value in detail.items()
        if value not in (None, "") and name != "settings"
    ]
    if "settings" in detail:
        parts.append("settings")
    return "; ".join(parts)


def _value(name: str, value: Any) -> str:
    if isinstance(value, str):
        return _HASH.sub(lambda found: f"{found[0][:_SHORT]}…", value)
    if name in _MOMENTS and isinstance(value, int):
        return moment(value)
    return msgspec.json.encode(value).decode()
