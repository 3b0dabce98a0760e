"""The evidence that two models differ, after each label: the wealth of bets against "no difference"."""

from collections.abc import Mapping, Sequence
from math import ceil, inf, log10
from typing import Any, Self

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.plot_axes import axis, round_ticks, step_up
from activeeval_widgets.stats import Estimate
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.text import counted, percent
from activeeval_widgets.widgets.evaluation.estimate_plot import X_STEPS
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.plot_texts import noun_of_draws, rows_at
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot

_MOST = 1e6
"""Larger evidence is drawn and written as this."""

_MIN_TOP = 100.0


class WealthPanel(Panel):
    """An alternative to the estimate's plot, for two models only."""

    name = "wealth"
    title = "Evidence of a difference"
    asked = Difference

    def __init__(self, unit: str) -> None:
        self._unit = unit

    @classmethod
    def of(cls, session: Session) -> Self:
        """See `Panel.of`."""
        return cls(noun_of_draws(session))

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        return wealth_content(
            snapshot.watched_estimates,
            self._unit,
            snapshot.watched.confidence_level,
            snapshot.session.question.quantity.sides,
        )


def wealth_content(
    trajectory: Sequence[Estimate], unit: str, level: float, names: Sequence[str]
) -> dict[str, Any]:
    """Return the plot as the page draws it: on a logarithmic scale, with the sufficient evidence."""
    enough = round(1 / (1 - level), 6)
    x = [float(each.n_draws) for each in trajectory]
    found = [evidence_of(each) for each in trajectory]
    drawn = [min(max(each, 1.0), _MOST) for each in found]
    x_high = step_up(x[-1] if x else 0.0, X_STEPS)
    text = [
        f"{counted(each.n_draws, f'{unit}s')}: evidence {evidence_text(value)}"
        for each, value in zip(trajectory, found, strict=True)
    ]
    between = f"{names[0]} and {names[1]} differ"
    summary = "No labels yet."
    if x and x[-1]:
        summary = (
            f"After {counted(int(x[-1]), f'{unit}s')} the evidence that {between} is "
            f"{evidence_text(found[-1])}. "
            f"{evidence_text(enough)} is enough for {percent(level)} confidence."
        )
    return {
        "heading": f"Evidence of a difference after each {unit}",
        "x": axis(0, x_high, round_ticks(0, x_high), lambda tick: f"{tick:,.0f}", title=f"{unit}s"),
        "y": evidence_axis(max(drawn, default=1.0)),
        "bands": [],
        "curves": [{"kind": "estimate", "x": x, "y": drawn}],
        "lines": [{"kind": "goal", "y": enough}],
        "points": [],
        "sides": [],
        "legend": [
            ["estimate", "evidence"],
            ["goal", f"{evidence_text(enough)}: enough for {percent(level)} confidence"],
        ],
        "stops": [{"name": "Evidence", "by": "x", "x": x, "y": drawn, "text": text}],
        "summary": summary,
        "columns": [f"{unit.capitalize()}s", "Evidence", "p-value"],
        "rows": [
            [f"{trajectory[i].n_draws:,}", evidence_text(found[i]), f"{1 / found[i]:.2g}"]
            for i in rows_at(len(x))
            if trajectory[i].n_draws
        ],
    }


def evidence_axis(most: float) -> dict[str, Any]:
    """Return a logarithmic axis for evidence up to `most`; its upper end is a power of 10."""
    top = min(max(_MIN_TOP, 10.0 ** ceil(log10(most) - 1e-9)), _MOST)
    ticks = [10.0**power for power in range(round(log10(top)) + 1)]
    return axis(1, top, ticks, evidence_text, is_log=True)


def evidence_of(estimate: Estimate) -> float:
    """Return 1 over the p-value: the largest wealth so far of a bet of 1 against "no difference"."""
    if not estimate.pvalue <= 1:  # NaN: not known
        return 1.0
    return 1 / estimate.pvalue if estimate.pvalue > 0 else inf


def evidence_text(value: float) -> str:
    """Return evidence in words."""
    if value > _MOST:
        return f"more than {_MOST:,.0f}"
    # Rounded down, so that evidence is not overstated.
    number = int(value * 10 + 1e-9) / 10 if value < 100 else int(value)
    return f"{number:,.1f}".removesuffix(".0")
