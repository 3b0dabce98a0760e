"""Sentences about the agreement of raters, for a report."""

from collections.abc import Sequence
from math import inf, isfinite, sqrt
from typing import Any, Protocol

import numpy as np

from activeeval_widgets.session.draws.session_draws import SessionDraws
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.stats import (
    Agreement,
    Estimate,
    Measure,
    VarianceSplit,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
    variance_split,
)
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Differences
from activeeval_widgets.stats.questions.question import Question
from activeeval_widgets.stats.text import percent, with_minus

_TOO_WIDE = 0.5
"""The maximum width of a useful interval for a share; twice that for a coefficient from −1 to 1."""

_MANY_TIMES = 99.5
"""Cost ratios above this are written as 100."""

MAX_LABELED = 0.2
"""From this share of labeled instances on, the effect of other people's answers is stated."""


class Rated(Protocol):
    """Ratings, as returned by `Opinions.ratings`."""

    @property
    def draws(self) -> IntArray:
        """Indices into the pool, in draw order."""

    @property
    def q_draws(self) -> FloatArray:
        """The probability of each draw."""

    @property
    def values(self) -> list[list[Any]]:
        """By draw and rater, the label; None if there is none."""


class RatedSession(Protocol):
    """The part of a `Session` that is used here."""

    @property
    def pool(self) -> Any:
        """The instances and the predictions."""

    @property
    def labels(self) -> Any:
        """The possible labels."""

    @property
    def measure(self) -> Measure:
        """The measure."""

    @property
    def question(self) -> Question:
        """What is estimated."""

    @property
    def findings(self) -> Findings:
        """What the labels say."""

    @property
    def draws(self) -> SessionDraws:
        """The draws and their labels."""

    @property
    def people(self) -> Any:
        """The people who label."""

    @property
    def opinions(self) -> Any:
        """Their opinions on the same instances."""

    @property
    def n_labels(self) -> int:
        """The number of labels."""

    def estimate(self, *, interval: str) -> Estimate:
        """Return the estimate."""


def agreement_sentences(session: RatedSession, *, unit: str | None = None) -> list[str]:
    """Return sentences about agreement, also beyond chance, and about the value of second opinions."""
    if session.people.n_raters < 2 and session.people.second_opinions <= 0:
        return []
    rated, noun = session.opinions.ratings(), session.pool.noun
    design: dict[str, Any] = {"confidence_level": session.findings.confidence_level}
    if session.draws.is_replaced:
        design["weights"] = 1 / (session.pool.n_instances * np.asarray(rated.q_draws))
    else:
        design["q_draws"] = rated.q_draws
    split = _split(session, rated, design)
    if not session.draws.is_replaced:
        design["n_instances"] = session.pool.n_instances
    found = _COEFFICIENTS[session.labels.kind](rated, {"draws": rated.draws, **design})
    lines = [line for line in (_share_agreed(found, noun), _beyond_chance(found)) if line]
    if split.n_double:
        lines += [*_variance(session, split, noun), _ESTIMAND, *_other_answers(session, split, unit)]
    return lines


_ESTIMAND = (
    "The estimate is about what one of these people, chosen at random, would say; where somebody decided "
    "between different opinions, about the label decided on."
)


def _table(rated: Rated) -> Any:
    n_raters = len(rated.values[0]) if rated.values else 0
    table = np.full((len(rated.values), max(n_raters, 2)), None, dtype=object)
    for row, given in zip(table, rated.values, strict=True):
        row[:n_raters] = given
    return table


def _of_classes(rated: Rated, options: dict[str, Any]) -> list[Agreement]:
    table = _table(rated)
    kappa = cohen_kappa if table.shape[1] == 2 else fleiss_kappa
    return [each(table, **options) for each in (percent_agreement, kappa, krippendorff_alpha)]


def _of_numbers(rated: Rated, options: dict[str, Any]) -> list[Agreement]:
    return [krippendorff_alpha(_table(rated), distance="interval", **options)]


def _of_grades(rated: Rated, options: dict[str, Any]) -> list[Agreement]:  # noqa: ARG001
    return []


_COEFFICIENTS = {"class": _of_classes, "number": _of_numbers, "grades": _of_grades}
"""The coefficients by kind of label. There is no common one for lists of grades."""


def _split(session: RatedSession, rated: Rated, design: dict[str, Any]) -> VarianceSplit:
    """Split the variance of the estimate, or of one from as many draws as are rated."""
    table = _table(rated)
    decoded = np.full(table.shape, None, dtype=object)
    for person, column in enumerate(table.T):
        rows = [row for row, value in enumerate(column) if value is not None]
        labels = session.labels.decode([column[row] for row in rows], rated.draws[rows].tolist())
        for row, label in zip(rows, labels, strict=True):
            decoded[row, person] = label
    # For more than two models, the variance of the estimate for the best so far.
    leaders = session.findings.leader().models
    models = leaders if len(leaders) > 1 else leaders[0]
    error = session.estimate(interval="wald").standard_error
    if not (isfinite(error) and error > 0 and session.n_labels and len(table)):
        return variance_split(session.measure, models, rated.draws, decoded.tolist(), **design)
    n_rated = np.unique(rated.draws[[any(v is not None for v in row) for row in table]]).size
    scaled = error * sqrt(session.n_labels / max(n_rated, 1))
    return variance_split(
        session.measure, models, rated.draws, decoded.tolist(), standard_error=scaled, **design
    )


# -- sentences


def _share_agreed(found: Sequence[Agreement], noun: str) -> str | None:
    agreed = next((each for each in found if each.coefficient == "percent agreement"), None)
    if agreed is None:
        return None
    if agreed.withheld:
        return f"How far people agree is not known yet: {agreed.reason}."
    if agreed.standard_error == 0:
        return f"Two people agree on {percent(agreed.value, 0)} of the pool: all of it has two opinions."
    ends = f"{100 * agreed.low:.0f} to {percent(agreed.high, 0)}"
    n = f"{agreed.n_double:,} {noun} with two opinions or more"
    if agreed.high - agreed.low > _TOO_WIDE:
        return f"How far people agree is hardly known yet: on {ends} of the pool, by {n}."
    return (
        f"Two people agree on {percent(agreed.value, 0)} of the pool ({ends}): by {n}, weighted so that they "
        "stand for the pool."
    )


def _beyond_chance(found: Sequence[Agreement]) -> str | None:
    corrected = [each for each in found if each.coefficient != "percent agreement"]
    if not corrected or (corrected[0].n_double < 2 and len(corrected) < len(found)):
        return None
    if corrected[-1].withheld:
        return f"How much more they agree than by chance is not known yet: {corrected[-1].reason}."
    known = [each for each in corrected if each.high - each.low <= 2 * _TOO_WIDE]
    if not known:
        return "How much more they agree than by chance is not known yet: the intervals are too wide."
    values = ", ".join(
        f"{each.coefficient} {_number(each.value)} ({_number(each.low)} to {_number(each.high)})"
        for each in known
    )
    return (
        f"Beyond chance: {values}. 1 is full agreement, 0 what chance would give. These intervals are "
        "approximate."
    )


def _number(value: float) -> str:
    return with_minus(f"{value:.2f}")


def _variance(session: RatedSession, split: VarianceSplit, noun: str) -> list[str]:
    if split.withheld:
        return [f"How much of the error is due to who answers is not known yet: {split.reason}."]
    lines = [
        f"About {percent(split.value, 0)} ({100 * split.low:.0f} to {percent(split.high, 0)}) of the "
        f"estimate's variance is due to who answered, the rest to which {noun} were drawn."
    ]
    if session.n_labels >= session.pool.n_instances:
        return [*lines, "All of the pool is labeled: only further opinions tell more."]
    # A second opinion pays off if c₁/c₂ · W/B > 2: see `optimal_opinions`.
    ratios = [2 * (1 - share) / share if share > 0 else inf for share in (split.value, split.high, split.low)]
    about, least, most = (f"{ratio:.2g}" if ratio < _MANY_TIMES else "100" for ratio in ratios)
    lines.append(
        f"To make the estimate more precise, labels of further {noun} help more than second opinions, unless "
        f"getting one of the {noun} costs more than about {about} times what an opinion does ({least} to "
        f"{most})."
    )
    return lines


def _other_answers(session: RatedSession, split: VarianceSplit, unit: str | None) -> list[str]:
    """Return a sentence about the raters' part of the variance once much of the pool is labeled."""
    share = session.n_labels / session.pool.n_instances
    if split.withheld or share < MAX_LABELED:
        return []
    # The raters' part is W/n for n draws; with n of m labeled, the labeled pool has the variance W n/m².
    error = sqrt(split.raters * min(split.n_draws / session.n_labels, 1.0)) * share
    size = Numbers(Differences(session.measure), error, unit=unit).size(error)
    return [
        f"{percent(share, 0)} of the pool is labeled, and the interval is about the pool as it was labeled: "
        f"other people's answers would move the value by about ±{size}."
    ]
