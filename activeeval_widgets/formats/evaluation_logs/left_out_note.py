"""Say which samples of a log are left out."""

from collections.abc import Sequence

from activeeval_widgets.stats.text import counted, listed

_LISTED = 5


def left_out_note(n: int, what: str, why: str, ids: Sequence[str] = ()) -> str:
    """Return a sentence with the number of samples, why they are left out, and some of their ids."""
    named = f": {listed(ids, _LISTED)}" if ids else ""
    return f"{counted(n, what)} {why} {'is' if n == 1 else 'are'} left out{named}."
