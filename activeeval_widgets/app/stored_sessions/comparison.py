"""Compare sessions of one question side by side, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from html import escape
from typing import Any, NamedTuple

import click

from activeeval_widgets.app.printable import printable
from activeeval_widgets.app.stored_sessions.find_session import check_there
from activeeval_widgets.app.stored_sessions.listing import aligned, estimate_text, read_summary
from activeeval_widgets.session import Store
from activeeval_widgets.session.findings.plot_axes import nice_range, number_text, round_ticks, value_ticks
from activeeval_widgets.session.findings.sentences import capitalized
from activeeval_widgets.session.report.content import Report, Section
from activeeval_widgets.session.stores.protocol import store_member
from activeeval_widgets.stats.measures.parse_repr import measure_from_repr
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.stats.text import counted, cut

_CAPTION = "Dots: estimates. Lines: their intervals. Each interval holds by itself, not all at once."
_COLUMNS = 40
_WIDTH, _LEFT, _RIGHT, _ROW, _TOP = 720, 170, 700, 26, 8
_WIDEST = 24
_STYLE = """svg{color-scheme:light dark;font:12px system-ui,"DejaVu Sans",sans-serif}
text{fill:#5c626c}.grid{stroke:#e5e7eb}.zero{stroke:#5c626c}
@media (prefers-color-scheme:dark){text{fill:#b6bcc6}.grid{stroke:#3a3f47}.zero{stroke:#b6bcc6}
.interval{fill:#3c6fb8}.dot{fill:#a9caff}}"""


class Row(NamedTuple):
    """A session with its estimate; unknown ends are None."""

    name: str
    labels: str
    value: float | None
    low: float | None
    high: float | None
    text: str


class Comparison:
    """Sessions of one question on a common axis."""

    def __init__(self, rows: Sequence[Row], identities: Sequence[dict[str, str]]) -> None:
        self.rows = rows
        measure, sides = _question(identities[0])
        self.quantity: Quantity | None = None
        self.title = measure
        with suppress(ValueError):  # a user's function
            found = measure_from_repr(measure)
            self.quantity = Differences(found) if sides == 2 else Quantity(found)
            self.title = f"Difference in {found.name}" if sides == 2 else capitalized(found.name)
        n_pools = len({each.get("instances") for each in identities})
        self.subtitle = f"{counted(len(rows), 'sessions')} on {counted(n_pools, 'pools')}"
        known = [end for row in rows for end in (row.low, row.value, row.high) if end is not None]
        possible = (-float("inf"), float("inf")) if self.quantity is None else self.quantity.range
        if known and self.quantity is not None:
            self.low, self.high = nice_range((min(known), max(known)), possible)
        else:
            self.low, self.high = (min(known), max(known)) if known else (0.0, 1.0)
        if self.high <= self.low:
            self.low, self.high = self.low - 0.5, self.high + 0.5
        largest = max(abs(self.low), abs(self.high))
        self._tick = number_text(largest) if self.quantity is None else value_ticks(self.quantity, largest)

    def as_text(self) -> list[str]:
        """Return a line for each session, with its interval drawn in characters."""
        head = ("NAME", "LABELS", "ESTIMATE")
        table = aligned([head, *((row.name, row.labels, row.text) for row in self.rows)], widest=64)
        begin = max(map(len, table)) + 2
        bars = ["", *map(self._bar, self.rows)]
        lines = [f"{line:{begin}}{bar}".rstrip() for line, bar in zip(table, bars, strict=True)]
        ends = self._tick(self.low), self._tick(self.high)
        axis = " " * (begin + 1) + ends[0] + ends[1].rjust(_COLUMNS - len(ends[0]))
        return [f"{printable(self.title)}: {self.subtitle}", "", *lines, axis, "", _CAPTION]

    def _bar(self, row: Row) -> str:
        cells = [" "] * _COLUMNS
        if row.value is not None:
            first, last = (self._cell(end, row.value) for end in (row.low, row.high))
            if row.low is not None or row.high is not None:
                cells[first : last + 1] = "─" * (last + 1 - first)
            cells[self._cell(row.value, 0.0)] = "●"
        return f"│{''.join(cells)}│"

    def _share(self, end: float) -> float:
        return min(max((end - self.low) / (self.high - self.low), 0.0), 1.0)

    def _cell(self, end: float | None, otherwise: float) -> int:
        return round(self._share(otherwise if end is None else end) * (_COLUMNS - 1))

    def as_svg(self, *, is_alone: bool = True) -> str:
        """Return the plot; a standalone one has its own style, for light and dark."""
        bottom = _TOP + _ROW * len(self.rows)

        def x(value: float) -> float:
            return _LEFT + (_RIGHT - _LEFT) * self._share(value)

        parts = [f"<style>{_STYLE}</style>"] if is_alone else []
        for tick in round_ticks(self.low, self.high).tolist():
            kind = "zero" if self.quantity is not None and tick == self.quantity.null_value else "grid"
            parts.append(
                f'<line class="{kind}" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{_TOP}" y2="{bottom}"/>'
                f'<text x="{x(tick):.1f}" y="{bottom + 18}" text-anchor="middle">'
                f"{escape(self._tick(tick))}</text>"
            )
        for i, row in enumerate(self.rows):
            y = _TOP + _ROW * (i + 0.5)
            name = cut(row.name, _WIDEST)
            text = escape(printable(f"{row.name}: {row.text}, {row.labels} labels"))
            parts.append(f'<g><title>{text}</title><text x="{_LEFT - 12}" y="{y + 4}" text-anchor="end">')
            parts.append(f"{escape(printable(name))}</text>")
            if row.value is not None and row.low is not None and row.high is not None:
                across = f'x="{x(row.low):.1f}" width="{x(row.high) - x(row.low):.1f}"'
                parts.append(f'<rect class="interval" fill="#8fb3e8" {across} y="{y - 2.5}" height="5"/>')
            if row.value is not None:
                parts.append(f'<circle class="dot" fill="#1f5fbf" cx="{x(row.value):.1f}" cy="{y}" r="4.5"/>')
            parts.append("</g>")
        label = escape(printable(f"{self.title}: {self.subtitle}, each with its interval"))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {bottom + 28}" role="img" '
            f'aria-label="{label}">{"".join(parts)}</svg>\n'
        )

    def report(self) -> Report:
        """Return plot and numbers as a report, for HTML or Markdown."""
        rows = [
            (printable(row.name), f"{row.text}, {row.labels} {'label' if row.labels == '1' else 'labels'}")
            for row in self.rows
        ]
        title = printable(self.title)
        plot = self.as_svg(is_alone=False)
        return Report(title, self.subtitle, "", "", "", (), plot, [Section("Sessions", rows=rows)], _CAPTION)


def compared(stores: Sequence[Store], names: Sequence[str]) -> Comparison:
    """Read the named sessions, or all that are not archived; refuse different questions."""
    for name in names:
        check_there(stores, name)
    found: dict[str, tuple[Row, dict[str, str]]] = {}
    for store in stores:
        for name in store.names():
            details = store_member(store, "details")(name)
            if name not in found and (name in names if names else not details.get("is_archived")):
                found[name] = _row(store, name, details), store.identity(name) or {}
    chosen = {name: found[name] for name in names} if names else found
    if len(chosen) < 2:
        raise click.UsageError(
            f"There {'is one session' if chosen else 'are no sessions'}: compare takes two."
        )
    by_question: dict[tuple[str, int], list[str]] = {}
    for name, (_, identity) in chosen.items():
        by_question.setdefault(_question(identity), []).append(name)
    if len(by_question) > 1:
        listed = "; ".join(
            f"{measure}{'' if n == 1 else f' of {n} models'}: {', '.join(each)}"
            for (measure, n), each in by_question.items()
        )
        raise click.UsageError(
            f"The sessions ask different questions. Name those of one ({printable(listed)})."
        )
    return Comparison([row for row, _ in chosen.values()], [identity for _, identity in chosen.values()])


def _question(identity: dict[str, str]) -> tuple[str, int]:
    """Return the measure and the number of models."""
    return identity.get("measure", ""), identity.get("predictions", "").count("+") + 1


def _row(store: Store, name: str, details: dict[str, Any]) -> Row:
    _, n_labels, summary = read_summary(store, name, details)
    value, low, high = (summary.get(key) for key in ("value", "low", "high"))
    counts = summary.get("n_labels", n_labels)
    return Row(name, f"{counts:,}", value, low, high, estimate_text(summary) or "–")
