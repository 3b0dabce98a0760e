"""Where two models differ: the pool by both models' predictions, and which was right."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.pairs import Pair, chosen_pair
from activeeval_widgets.session.findings.plot_axes import MAX_MARKS
from activeeval_widgets.session.findings.without_probabilities import guidance
from activeeval_widgets.session.report.model_pairs import sentences_of
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.measures.base import Term
from activeeval_widgets.stats.questions.question import Comparison
from activeeval_widgets.widgets.evaluation.differing_plot import Judged, differing_plot
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.plot_texts import nouns
from activeeval_widgets.widgets.evaluation.pool_axis import PoolAxis
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.wording.models import abbreviated


class DifferingPanel(Panel):
    """Where two models differ; of more than two, the chosen ones or the current best two."""

    name = "differing"
    title = "Where the models differ"
    kind = "differing"
    is_hidden_at_first = True
    is_optional = True
    asked = Comparison

    def __init__(self) -> None:
        self._axes: dict[int, PoolAxis | None] = {}

    @classmethod
    def of(cls, session: Session) -> Self | None:
        """See `Panel.of`."""
        return None if session.measure.is_of_systems else cls()

    def content(self, snapshot: Snapshot, options: Mapping[str, Any]) -> dict[str, Any]:
        """See `Panel.content`."""
        session = snapshot.session
        pair = chosen_pair(session.findings, options)
        findings = session.of(*pair)
        first, second = (session.question.names[position] for position in pair)
        heading = f"Where {first} and {second} differ"
        return {
            "heading": heading,
            "sentences": [*sentences_of(session.findings, findings), *guidance(session.findings)],
            "n_labels": int(findings.judged_disagreements()[0].size),
            "pair": list(pair),
            "plot": self._plot(snapshot, pair, findings, heading),
        }

    def _plot(
        self, snapshot: Snapshot, pair: Pair, findings: Findings, heading: str
    ) -> dict[str, Any] | None:
        """Return the pool by both models; None if they only give classes."""
        session = snapshot.session
        names = session.question.names
        found = [self._axis(session, position) for position in pair]
        first, second = found
        if first is None or second is None:
            return None
        if not first.is_share:
            low, high = min(first.low, second.low), max(first.high, second.high)
            first, second = (PoolAxis(each.values, each.label, False, low, high) for each in (first, second))
        one, two = (session.draws.rows.models[position] for position in pair)
        left, q = snapshot.left.astype(np.float64), snapshot.q
        total = left @ q
        times: FloatArray = np.where(left > 0, q, 0.0) * left.sum() / (total if total > 0 else 1.0)
        counts = np.ones(one.n_instances) if one.counts is None else one.counts.astype(np.float64)
        return differing_plot(
            (first, second),
            one.differs(two),
            times,
            counts,
            _judged(snapshot, findings, (first, second)),
            (names[pair[0]], names[pair[1]]),
            nouns=nouns(session),
            is_right=one.kind == "class",
            heading=heading,
        )

    def _axis(self, session: Session, position: int) -> PoolAxis | None:
        if position not in self._axes:
            self._axes[position] = _axis_of(session, position)
        return self._axes[position]


def _axis_of(session: Session, position: int) -> PoolAxis | None:
    """Return an axis of each row's confidence, prediction or expected value of a list."""
    model, name = session.draws.rows.models[position], abbreviated(session.question.names[position])
    if model.kind == "class":
        certainty = model.certainty
        if certainty is None or not certainty.is_share:
            return None
        values = certainty.values
        low = min(float(values.min()), 0.9)
        return PoolAxis(values, f"{certainty.label} of {name}", True, np.floor(10 * low + 1e-9) / 10, 1.0)
    values, label = _numbers(session, model)
    low, high = float(values.min()), float(values.max())
    room = 0.03 * (high - low) or 0.5
    return PoolAxis(values, f"{label} of {name}", False, low - room, high + room)


def _numbers(session: Session, model: Predictions) -> tuple[FloatArray, str]:
    mean = getattr(model, "mean", None)
    if mean is not None:
        return mean, "prediction"
    expected = session.measure.moments([Term(model, np.ones(1))], model.belief([]), 0.0).first
    return expected, f"expected {session.measure.name}"


def _judged(snapshot: Snapshot, findings: Findings, axes: tuple[PoolAxis, PoolAxis]) -> list[Judged]:
    """Return the latest labels of instances on which the models differ."""
    instances, outcome = (each[-MAX_MARKS:] for each in findings.judged_disagreements())
    rows = snapshot.session.draws.rows.of(instances)
    return [
        Judged(
            index=index,
            x=float(axes[0].values[row]),
            y=float(axes[1].values[row]),
            who=who,
            text=_text(snapshot, index, findings),
        )
        for index, row, who in zip(instances.tolist(), rows.tolist(), outcome.tolist(), strict=True)
    ]


def _text(snapshot: Snapshot, index: int, findings: Findings) -> str:
    """Return a label with both models' predictions in words."""
    label = snapshot.label_text(findings.log.label_of(index))
    named = zip(findings.question.names, findings.models, strict=True)
    predictions = [f"{name}: {text}" for name, model in named if (text := model.describe(index).in_short)]
    return f"{findings.pool.ids[index]}, labeled {label}. {'; '.join(predictions)}".rstrip()
