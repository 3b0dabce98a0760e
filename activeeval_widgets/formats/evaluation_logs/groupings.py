"""Collect what may group a log's samples: metadata, and the length of the answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from activeeval_widgets.formats.json_text import without_surrogates
from activeeval_widgets.stats.text import counted

LENGTH = "length"
"""The grouping by the number of words in the answer, of three groups of about equal size."""

_MAX_NAMES = 50
_LONGEST = 80


class Groupings:
    """Metadata and lengths of samples, collected in one pass."""

    def __init__(self) -> None:
        self._metadata: dict[str, dict[int, str]] = {}
        self._n_words: list[int] = []

    def add(self, metadata: Any, answer: str) -> None:
        """Add the next sample."""
        at = len(self._n_words)
        self._n_words.append(len(answer.split()))
        for name, value in metadata.items() if isinstance(metadata, Mapping) else ():
            text = str(value) if isinstance(value, str | bool | int | float) else ""
            is_known = name in self._metadata or len(self._metadata) < _MAX_NAMES
            if is_known and 0 < len(text) <= _LONGEST:
                cells = self._metadata.setdefault(str(name), {})
                cells[at] = without_surrogates(text)

    def whole(self) -> dict[str, list[str]]:
        """Return each sample's group by grouping, for groupings of several groups, but not one a sample."""
        n = len(self._n_words)
        found = {name: [cells.get(at, "") for at in range(n)] for name, cells in self._metadata.items()}
        found.setdefault(LENGTH, _bands(self._n_words))
        return {name: cells for name, cells in found.items() if 1 < len(set(cells)) < max(n, 3)}


def _bands(n_words: Sequence[int]) -> list[str]:
    """Name three ranges of lengths with about equally many samples."""
    if not n_words:
        return []
    ordered = sorted(n_words)
    low, high = (ordered[(len(ordered) * part) // 3 - 1 if len(ordered) > 2 else 0] for part in (1, 2))
    middle = f"{low + 1} to {high} words" if low + 1 < high else counted(high, "words")
    names = (f"up to {counted(low, 'words')}", middle, f"more than {counted(high, 'words')}")
    return [names[0] if n <= low else names[1] if n <= high else names[2] for n in n_words]
