"""What people typed into a form: read once, field by field, every mistake kept beside its field."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any


class Blank(dict[str, Any]):
    """Values by name for a template; those that are not there are empty."""

    def __missing__(self, name: str) -> str:
        return ""


class Form:
    """Fields by name, and `problems`: what is wrong with which."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = fields
        self.problems: dict[str, str] = Blank()

    def text(self, name: str, *, most: int = 10_000, required: bool = False) -> str:
        """One field without the blanks around it."""
        value = self.fields.get(name, "").strip().replace("\r\n", "\n")
        if "\0" in value:
            self.problems[name] = "This holds a character that cannot be stored."
        elif len(value) > most:
            self.problems[name] = f"At most {most:,} characters, please; this has {len(value):,}."
        elif required and not value:
            self.problems[name] = "This is needed."
        return value

    def whole(self, name: str, least: int, most: int) -> int | None:
        """A whole number; None where the field is empty or wrong."""
        value = self.text(name)
        if not value:
            return None
        try:
            number = int(value)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            self.problems[name] = f"A whole number from {least:,} to {most:,}, please."
            return None
        return number

    def needed(self, name: str, least: int, most: int) -> int:
        """A whole number that must be given; `least` stands in for a wrong one."""
        number = self.whole(name, least, most)
        if number is None:
            self.problems.setdefault(name, f"A whole number from {least:,} to {most:,}, please.")
            return least
        return number

    def share(self, name: str) -> float | None:
        """A percentage as a fraction of 1; None where the field is empty or wrong."""
        value = self.text(name).removesuffix("%").strip()
        if not value:
            return None
        try:
            percent = float(value)
        except ValueError:
            percent = -1.0
        if not 0 <= percent <= 100:
            self.problems[name] = "A percentage from 0 to 100, please."
            return None
        return round(percent / 100, 12)

    def flag(self, name: str) -> bool:
        """Whether a box is ticked."""
        return name in self.fields

    def choice(self, name: str, allowed: Collection[str], default: str) -> str:
        """One of several values."""
        value = self.fields.get(name, default)
        if value not in allowed:
            self.problems[name] = "Choose one of these, please."
            return default
        return value

    def moment(self, name: str) -> int | None:
        """Milliseconds since 1970 of a date and time in UTC; None where the field is empty."""
        value = self.text(name)
        if not value:
            return None
        try:
            return round(datetime.fromisoformat(value).replace(tzinfo=UTC).timestamp() * 1000)
        except (ValueError, OverflowError):
            self.problems[name] = "A date and time such as 2027-03-31T18:00, please."
            return None
