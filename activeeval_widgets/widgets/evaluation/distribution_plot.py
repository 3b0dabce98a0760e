"""Which instances are drawn: the pool by a number such as the model's confidence, beside the draws."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.models import is_scorer, subject_of
from activeeval_widgets.session.findings.plot_axes import (
    MAX_MARKS,
    axis,
    multiple_text,
    nice_range,
    round_ticks,
)
from activeeval_widgets.session.findings.sentences import capitalized
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.stats.predictions.class_labels import class_in_words
from activeeval_widgets.stats.text import percent
from activeeval_widgets.widgets.evaluation.histogram import PoolHistogram, PoolPart, TimesHistogram
from activeeval_widgets.widgets.evaluation.marks import Mark, times_uniform
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.plot_texts import nouns
from activeeval_widgets.widgets.evaluation.pool_axis import PoolAxis, pool_axis
from activeeval_widgets.widgets.evaluation.rug import comb, is_crowded, rug
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.wording.models import allows_predictions
from activeeval_widgets.widgets.wording.questions import words_of

_POOL_BAR, _DRAWN_BAR = (0.08, 0.48), (0.52, 0.92)
"""The extents of the two bars in a bin, as shares of its width."""

_MIN_TOP = 0.1
"""The smallest upper end of the vertical axis."""

_LABEL = 0.18
"""The largest share of the horizontal axis that the present instance's label takes."""

_ABOVE_BARS = 0.1
"""How far above the bars the present instance is marked, as a share of the plot's height."""

_AS_OFTEN = 0.05
"""Multiples that differ from 1 by at most this are described as equally often."""


class DistributionPlot:
    """Two histograms with common bins, for the pool and the draws, with the present instance marked above."""

    def __init__(
        self,
        histogram: PoolHistogram | TimesHistogram,
        nouns: tuple[str, str] = ("instance", "instances"),
        subject: str = "the model",
    ) -> None:
        self._histogram, self._subject = histogram, subject
        self._noun, self._nouns = nouns

    def content(
        self,
        q: FloatArray,
        left: Callable[[], AnyArray],
        draws: IntArray,
        times: FloatArray,
        marks: Sequence[Mark],
        present: tuple[int, float] | None,
        *,
        marked_as: str = "model wrong",
    ) -> dict[str, Any]:
        """Return the plot as the page draws it, with a summary and a table.

        Parameters
        ----------
        q : ndarray of shape (n_rows,)
            The current instrumental distribution: the probability of each instance of a row.
        left : callable
            Returns the number of instances of each row that can still be drawn, (n_rows,).
        draws : ndarray of shape (n_draws,)
            The instances of the labeled draws.
        times : ndarray of shape (n_draws,)
            How often each was to be drawn, as a multiple of uniform draws.
        marks : sequence of Mark
            The labeled draws that can be selected; of many, the latest are kept.
        present : tuple of int and float, or None
            The index of the instance on screen, and how often it was to be drawn, as a multiple of uniform
            draws.
        marked_as : str
            The meaning of the marks of wrong instances.
        """
        found = self._histogram.bins(q, left, draws, times)
        edges, pool, n_drawn = found.edges, found.pool, found.n_drawn
        n_draws = int(n_drawn.sum())
        drawn = n_drawn / max(n_draws, 1)
        marked = list(marks)[-MAX_MARKS:]
        heights = np.maximum(pool, drawn)
        here = None if present is None or not self._histogram.shows() else self._histogram.place(*present)
        top = nice_range((0.0, max(_MIN_TOP, float(heights.max()) * (1.1 + _ABOVE_BARS))), (0.0, 1.3))[1]
        low, high = float(edges[0]), float(edges[-1])
        widths = np.diff(edges)

        def bars(kind: str, part: tuple[float, float], values: FloatArray) -> dict[str, Any]:
            lefts, rights = (edges[:-1] + share * widths for share in part)
            shown = np.flatnonzero(values > 0)
            return comb(kind, lefts[shown], rights[shown], 0.0, values[shown])

        wrong = [self._histogram.place(mark.index, mark.times) for mark in marked if mark.is_wrong]
        has_rug = is_crowded(wrong, (low, high))
        in_order = sorted(marked, key=lambda mark: self._histogram.place(mark.index, mark.times))
        bands = [bars("pool-bars", _POOL_BAR, pool)]
        legend = [["pool-bars", f"all {self._nouns}"]]
        points: list[dict[str, Any]] = []
        if n_draws:
            bands.append(bars("drawn-bars", _DRAWN_BAR, drawn))
            legend.append(["drawn-bars", "asked so far"])
        if wrong:
            legend.append(["rug" if has_rug else "wrong", marked_as])
        if has_rug:
            bands.append(rug("rug", wrong, (low, high), (0.0, top)))
        elif wrong:
            points.append({"kind": "wrong", "shape": "foot", "x": wrong, "y": [0.0] * len(wrong)})
        this_one: list[dict[str, Any]] = []
        if present is not None and here is not None:
            # Its label is on the side with more room, above the bars there.
            beside = here + (high - low) * (_LABEL if here <= (low + high) / 2 else -_LABEL)
            first, last = sorted(np.searchsorted(edges, [here, beside], side="right") - 1)
            tallest = float(heights[max(first, 0) : last + 1].max(initial=0.0))
            at = {"x": [here], "y": [min(tallest + _ABOVE_BARS * top, top)]}
            points.append({"kind": "present", "shape": "diamond", **at, "label": "this one"})
            this_one = [{"name": "This one", "by": "point", **at, "text": [self.present_text(*present)]}]
        note = [] if present is None else [self.present_text(*present)]
        note += [self._part_text(part, n_draws) for part in found.parts[:1] if n_draws]
        if found.n_never:
            note.append(f"{found.n_never:,} more are never drawn: their labels don't count.")
        so_far = f"{n_draws:,} asked so far"
        summary = f"Shares of all {self._nouns} and of those asked, by {self._by(found.label)}; {so_far}."
        return {
            "heading": f"Which {self._nouns} are asked",
            "note": " ".join(note),
            "x": axis(low, high, found.ticks, found.tick_text, title=found.label, **found.options),
            "y": axis(0.0, top, round_ticks(0.0, min(top, 1.0)), lambda tick: percent(tick, 0)),
            "bands": bands,
            "curves": [],
            "lines": [],
            "points": points,
            "sides": [],
            "legend": legend,
            "stops": [
                {
                    "name": capitalized(found.label),
                    "by": "x",
                    "x": ((edges[:-1] + edges[1:]) / 2).tolist(),
                    "y": heights.tolist(),
                    "text": [
                        self._bin_text(text, *of_bin)
                        for text, *of_bin in zip(
                            found.texts, pool.tolist(), n_drawn.tolist(), drawn.tolist(), strict=True
                        )
                    ],
                },
                {
                    "name": "Labeled",
                    "by": "point",
                    "is_foot": True,
                    "x": [self._histogram.place(mark.index, mark.times) for mark in in_order],
                    "y": [0.0] * len(in_order),
                    "text": [f"{_asked(mark.times)}. {mark.text}" for mark in in_order],
                    "index": [mark.index for mark in in_order],
                },
                *this_one,
            ],
            "summary": " ".join([summary, *(self._part_text(part, n_draws) for part in found.parts)]),
            "columns": [capitalized(found.label), f"Of all {self._nouns}", "Of those asked", "Asked"],
            "rows": [
                [text, _share(of_pool), _share(of_draws) if n_draws else "–", f"{n:,}"]
                for text, of_pool, of_draws, n in zip(
                    [*found.texts, *(part.name for part in found.parts)],
                    [*pool.tolist(), *(part.pool for part in found.parts)],
                    [*drawn.tolist(), *(part.n_drawn / max(n_draws, 1) for part in found.parts)],
                    [*n_drawn.tolist(), *(part.n_drawn for part in found.parts)],
                    strict=True,
                )
            ],
        }

    def present_text(self, index: int, times: float) -> str:
        """Return how often the present instance was to be asked, and why, if the page may say it."""
        why = self._histogram.why(index, self._subject)
        return f"{_asked(times)}{why}."

    def _by(self, label: str) -> str:
        """Return the quantity on the axis, in a sentence."""
        if isinstance(self._histogram, TimesHistogram):
            return "how often each is asked"
        return label if label.startswith(self._subject) else f"the {label}"

    def _bin_text(self, text: str, pool: float, n_drawn: int, drawn: float) -> str:
        text_of_bin = f"{capitalized(text)}: {_share(pool)} of all {self._nouns}"
        if not n_drawn:
            return f"{text_of_bin}, none asked so far"
        is_more = pool > 0 and abs(drawn / pool - 1) > _AS_OFTEN
        more = f" ({multiple_text(drawn / pool)} as many as at random)" if is_more else ""
        return f"{text_of_bin}, {_share(drawn)} of those asked{more}"

    def _part_text(self, part: PoolPart, n_draws: int) -> str:
        asked = f" and {_share(part.n_drawn / n_draws)} of those asked" if n_draws else ""
        return f"{capitalized(part.name)}: {_share(part.pool)} of all {self._nouns}{asked}."


def _asked(times: float) -> str:
    if abs(times - 1) <= _AS_OFTEN:
        return "Asked as often as at random"
    return f"Asked {multiple_text(times)} as often as at random"


def _share(value: float) -> str:
    """Return a share in percent, with a decimal if it is small."""
    return percent(value, 1 if 0 < value < 0.0995 else 0)


class DistributionPanel(Panel):
    """Which instances are asked, as a plot and as a table."""

    name = "distribution"
    title = "Which instances are asked"
    kind = "plot"

    def __init__(self, plot: DistributionPlot) -> None:
        self._plot = plot

    @classmethod
    def of(cls, session: Session) -> Self:
        """See `Panel.of`."""
        layout = pool_axis(session)
        rows = session.draws.rows
        if layout is None:
            return cls(DistributionPlot(TimesHistogram(rows.models[0].counts), nouns(session)))
        who = session.question.names[0] if session.question.pairs else subject_of(session.models)
        return cls(DistributionPlot(_histogram_of(session, layout), nouns(session), who))

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        draws = snapshot.labeled[0]
        return self._plot.content(
            snapshot.q,
            lambda: snapshot.left,
            draws,
            times_uniform(snapshot.session, draws),
            snapshot.marks,
            snapshot.present,
            marked_as=words_of(snapshot.session).marked,
        )


def _histogram_of(session: Session, layout: PoolAxis) -> PoolHistogram:
    """Return the pool by a number; for a measure of one class, also by whether the model predicts it."""
    model, positive = session.draws.rows.models[0], session.measure.positive
    is_positive = None
    if positive is not None and not session.question.pairs and allows_predictions(session):
        is_positive = model.predicts_positive(positive)
    verb = "predicted" if model.assists and not is_scorer(session.models) else "judged"
    named = class_in_words(positive)
    parts = None if is_positive is None else (is_positive, f"{verb} {named}", f"{verb} otherwise")
    return PoolHistogram(layout, model.counts, session.draws.rows.of, parts)
