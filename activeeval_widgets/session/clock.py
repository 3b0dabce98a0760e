"""The current time, in one place, so that tests can replace it."""

from datetime import UTC, datetime, timedelta


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def as_text(time: datetime, *, later: float = 0.0) -> str:
    """Format a time, shifted by `later` seconds, as events store it: ISO 8601 with milliseconds."""
    return (time + timedelta(seconds=later)).isoformat(timespec="milliseconds")
