"""What time it is: the one place that knows, so that tests can tell another."""

from datetime import UTC, datetime, timedelta


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def as_text(time: datetime, *, later: float = 0.0) -> str:
    """A time, or one some seconds later, as events have it: ISO 8601, to the millisecond."""
    return (time + timedelta(seconds=later)).isoformat(timespec="milliseconds")
