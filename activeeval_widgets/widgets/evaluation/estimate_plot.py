"""The estimate after each draw, with its anytime-valid interval, and marks where the model was wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, Self

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.goals import decided_values
from activeeval_widgets.session.findings.plot_axes import (
    axis,
    nice_range,
    round_ticks,
    step_up,
    value_ticks,
)
from activeeval_widgets.session.findings.sentences import capitalized
from activeeval_widgets.stats import Estimate
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.stats.text import noun_for
from activeeval_widgets.widgets.evaluation.bands import from_where_narrower, runs
from activeeval_widgets.widgets.evaluation.marks import Mark
from activeeval_widgets.widgets.evaluation.model_courses import ModelCourse, courses_of
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.plot_texts import noun_of_draws, trajectory_text
from activeeval_widgets.widgets.evaluation.rug import is_crowded, rug
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.wording.measures import (
    format_round,
    sides_text,
)
from activeeval_widgets.widgets.wording.questions import words_of

X_STEPS = [step * 10.0**power for power in range(1, 8) for step in (2.5, 5, 7.5, 10, 15, 20)]


@dataclass(frozen=True)
class EstimatePlot:
    """A line for the estimate, a band for its interval, and marks where the model was wrong.

    Attributes
    ----------
    quantity : Quantity
        The estimated quantity.
    unit : str
        The unit of the horizontal axis: "label" or "draw".
    marked : str, optional
        The meaning of the marks; by default, that a model is wrong, or just one of two is right.
    """

    quantity: Quantity
    unit: str = "label"
    marked: str = ""

    def content(
        self,
        trajectory: Sequence[Estimate],
        band: FloatArray,
        marks: Sequence[Mark],
        *,
        approximate: FloatArray | None = None,
        is_asymptotic: bool = False,
        shows_wald: bool = False,
        threshold: float | None = None,
        courses: Sequence[ModelCourse] = (),
        n_models: int = 0,
    ) -> dict[str, Any]:
        """Return the plot as the page draws it.

        Parameters
        ----------
        trajectory : sequence of Estimate
            At most about 200 estimates after increasing numbers of draws, from 0 (where anything is
            possible).
        band : ndarray of shape (2, n_estimates)
            The ends of the displayed interval at each of these.
        marks : sequence of Mark
            The draws whose labels contradict the model, or distinguish two models.
        approximate : ndarray of shape (2, n_estimates), optional
            The ends of the approximate interval at each of these, NaN where it is withheld.
        is_asymptotic : bool
            Whether it is the only interval.
        shows_wald : bool
            Whether the Wald interval is shown in addition to the band.
        threshold : float, optional
            The goal's threshold.
        courses : sequence of ModelCourse
            Of more than two models, those with a curve, the current best first; the trajectory is its own.
        n_models : int
            The number of models.
        """
        if approximate is not None and not is_asymptotic:
            approximate = from_where_narrower(band, approximate)
        n_draws = trajectory[-1].n_draws if trajectory else 0
        x = [float(estimate.n_draws) for estimate in trajectory]
        latter = band[:, 2 * len(x) // 3 :] if x else np.array([[-np.inf], [np.inf]])
        if is_asymptotic and approximate is not None:
            known = approximate[:, 2 * len(x) // 3 :]
            known = known[:, np.isfinite(known[0])]
            latter = known if known.size else latter
        shown = [point for point in trajectory if isfinite(point.value)]
        values = [point.value for point in shown[-len(x) // 2 :]]
        for model in courses:
            values += [y for y in model.y[-len(model.y) // 2 :] if isfinite(y)]
        low, high = self._ends(latter, values, threshold)
        # Only finite numbers can be drawn: an unbounded interval is cut off far outside.
        height = high - low
        least, greatest = low - height, high + height
        bands = [] if is_asymptotic else runs("band", x, np.clip(band, least, greatest))
        if approximate is not None:
            bands += runs("approximate", x, np.clip(approximate, least, greatest))
        x_high = step_up(n_draws, X_STEPS)
        foot = [low] * len(marks)
        wrong = [float(mark.number) for mark in marks]
        has_rug = is_crowded(wrong, (0, x_high))
        curves = [_curve("leader" if courses else "estimate", shown, "value")]
        curves += [{"kind": model.kind, "x": model.x, "y": model.y} for model in courses[::-1]]
        # A line through one point draws nothing.
        points = [{**curve, "shape": "dot"} for curve in curves if len(curve["x"]) == 1]
        legend = [["estimate", self._estimate_text()]]
        note = {}
        n_shown = len(courses)
        if 0 < n_shown < n_models:
            note["note"] = f"The best {n_shown} of {n_models} models so far."
        if courses:
            legend = [[model.kind, model.name] for model in courses]
        legend += [[kind, _BANDS[kind]] for kind in dict.fromkeys(band["kind"] for band in bands)]
        if has_rug:
            bands.append(rug("rug", wrong, (0, x_high), (low, high)))
        if shows_wald:
            wald = [point for point in trajectory if isfinite(point.standard_error)]
            ends = [_curve("wald", wald, "low"), _curve("wald", wald, "high")]
            curves += [{**end, "y": np.clip(end["y"], least, greatest).tolist()} for end in ends]
            legend.append(["wald", "Wald, for a fixed number of labels"])
        if marks:
            legend.append(["rug" if has_rug else "wrong", self._marked_as()])
        if not has_rug:
            points.append({"kind": "wrong", "shape": "foot", "x": wrong, "y": foot})
        null = self.quantity.null_value
        lines = [] if null is None else [{"kind": "zero", "y": null}]
        if threshold not in (None, null):
            lines.append({"kind": "goal", "y": threshold})
            legend.append(["goal", f"goal: {self._round_text(threshold)}"])
        return {
            "heading": self._heading(),
            "x": axis(0, x_high, round_ticks(0, x_high), lambda tick: f"{tick:,.0f}", title=f"{self.unit}s"),
            "y": axis(
                low,
                high,
                round_ticks(low, high),
                value_ticks(self.quantity, max(abs(low), abs(high))),
            ),
            "bands": bands,
            "curves": curves,
            "lines": lines,
            "points": points,
            "sides": sides_text(self.quantity),
            "legend": legend,
            **note,
            "stops": [
                {
                    "name": "Estimates",
                    "by": "x",
                    "x": [float(point.n_draws) for point in shown],
                    "y": [point.value for point in shown],
                    "text": [
                        self._stop_text(
                            point, band[:, i], None if approximate is None else approximate[:, i], threshold
                        )
                        for i, point in enumerate(trajectory)
                        if isfinite(point.value)
                    ],
                },
                {
                    "name": capitalized(self._marked_as()),
                    "by": "point",
                    "is_foot": True,
                    "x": wrong,
                    "y": foot,
                    "text": [f"{self.unit.capitalize()} {mark.number:,}. {mark.text}" for mark in marks],
                    "index": [mark.index for mark in marks],
                },
                *(self._model_stops(model) for model in courses[1:]),
            ],
        }

    def _ends(
        self, latter: FloatArray, values: Sequence[float], threshold: float | None
    ) -> tuple[float, float]:
        """Return the ends of the vertical axis, which need not contain the wide band of the beginning."""
        smallest, largest = self.quantity.range
        if not values and isfinite(largest - smallest):  # no labels yet
            return smallest, largest
        low, high = float(latter[0].min()), float(latter[1].max())
        # If the band is unbounded, use the estimates.
        low = min([low if isfinite(low) else inf, *values], default=low)
        high = max([high if isfinite(high) else -inf, *values], default=high)
        if threshold is not None and smallest <= threshold <= largest:
            low, high = min(low, threshold), max(high, threshold)
        return nice_range((low, high), (smallest, largest))

    def _marked_as(self) -> str:
        return self.marked or ("only one model right" if self.quantity.sides else "model wrong")

    def _heading(self) -> str:
        return f"{capitalized(self.quantity.name)} after each {self.unit}"

    def _estimate_text(self) -> str:
        quantity = self.quantity
        unit = "" if quantity.repeats_unit else quantity.unit().strip()
        return quantity.heading.lower() + (f" ({unit})" if unit else "")

    def _model_stops(self, model: ModelCourse) -> dict[str, Any]:
        numbers = Numbers(Quantity(self.quantity.measure))
        text = [
            f"{n:,.0f} {noun_for(n, f'{self.unit}s')}: {model.name} {numbers.value(value)}"
            for n, value in zip(model.x, model.y, strict=True)
        ]
        return {"name": model.name, "by": "point", "x": model.x, "y": model.y, "text": text}

    def _round_text(self, value: float) -> str:
        return format_round(self.quantity.measure, value, sign=self.quantity.sign)

    def _stop_text(
        self, point: Estimate, ends: FloatArray, within: FloatArray | None, threshold: float | None
    ) -> str:
        numbers = Numbers.of(self.quantity, point, apart=() if threshold is None else [threshold])
        low, high = numbers.ends(*ends.tolist())
        value = numbers.value(point.value)
        unit = noun_for(point.n_draws, f"{self.unit}s")
        interval = "exact" if low == high else f"between {low} and {high}"
        text = f"{point.n_draws:,} {unit}: {value}, {interval}"
        if within is None or not isfinite(within[0]) or (within == ends).all():
            return text
        return f"{text}, approximately {numbers.interval(*within.tolist())}"


def _curve(kind: str, points: Sequence[Estimate], name: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "x": [float(point.n_draws) for point in points],
        "y": [float(getattr(point, name)) for point in points],
    }


_BANDS = {"band": "interval", "approximate": "approximate interval"}


class EstimatePlotPanel(Panel):
    """The estimate after each label, as a plot and a table."""

    name = "trajectory"
    title = "Estimate after each label"
    kind = "plot"

    def __init__(self, plot: EstimatePlot) -> None:
        self._plot = plot

    @classmethod
    def of(cls, session: Session) -> Self:
        """See `Panel.of`."""
        return cls(EstimatePlot(session.question.quantity, noun_of_draws(session), words_of(session).marked))

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> dict[str, Any]:
        """See `Panel.content`."""
        trajectory, band = snapshot.trajectory, snapshot.band
        return {
            **self._plot.content(
                trajectory,
                band,
                [mark for mark in snapshot.marks if mark.is_wrong],
                approximate=snapshot.approximate,
                is_asymptotic=snapshot.watched.is_asymptotic,
                shows_wald=options.get("shows_wald", False),
                threshold=snapshot.threshold,
                courses=courses_of(snapshot),
                n_models=len(snapshot.session.question.names),
            ),
            **trajectory_text(
                snapshot.session.question.quantity,
                trajectory,
                band,
                snapshot.approximate,
                unit=self._plot.unit,
                apart=decided_values(snapshot.session.findings, snapshot.goal),
            ),
        }
