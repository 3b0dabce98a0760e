"""Findings about several models: selection, leaderboard, pairs and verdict."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from activeeval_widgets.session.findings.estimation import suitable_measure
from activeeval_widgets.session.findings.fixed_n import is_known
from activeeval_widgets.session.findings.leaderboard import (
    Leaderboard,
    read_leaderboard,
)
from activeeval_widgets.session.findings.models import positions_of
from activeeval_widgets.session.findings.pairs import pairs_table
from activeeval_widgets.session.findings.round_robin import RoundRobin
from activeeval_widgets.session.findings.verdict import Verdict, check_margin, read_verdict
from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.question import Comparison

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


def of(findings: "Findings", *models: int | str) -> "Findings":
    """Return findings for one of the models, or for the difference of two, from the same labels.

    Parameters
    ----------
    *models : str or int
        The names or positions of one or two models.

    Returns
    -------
    Findings
        It has the session's `estimate`, `trajectory`, `watched`, `confusion` and so on, and follows the
        session. Draws are optimal for the session's own question, and valid for this one.

    Raises
    ------
    ValueError, TypeError
        If there is no such model, or the draws can't estimate it by itself.

    See Also
    --------
    leaderboard : All models.

    Examples
    --------
    >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.2, 0.8]] * 3}
    >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1)
    >>> session.estimate().value, session.of("old").estimate().value, session.of("new").estimate().value
    (1.0, 1.0, 0.0)
    """
    which = positions_of(findings.models, models)
    if which == tuple(range(len(findings.models))):
        return findings
    if which not in findings._of:
        made = findings._of_models(which)
        made.draws.source.check(findings.measure)
        findings._of[which] = made
    return findings._of[which]


def leaderboard(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    confidence_level: float | None = None,
) -> Leaderboard:
    """Return the leaderboard: each model's estimate, and which may still be the best.

    With probability at least the confidence level, no model's interval is ever wrong; and with that
    probability the best model is never called beaten. Both hold at all numbers of labels.

    In a large pool with many models, the best model so far and its differences from the others are up to
    date. The other intervals are at most 15 labels old, and as valid.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name; see `estimate`.
    positive : class label, optional
        The class of interest for a measure given by name.
    confidence_level : float, optional
        The simultaneous level of all intervals, and that of all verdicts; by default the session's.

    Returns
    -------
    Leaderboard
        With the best model so far first.

    Raises
    ------
    ValueError, TypeError
        If there is only one model, or the measure does not suit the predictions.

    See Also
    --------
    of : Findings for one or two of the models.

    Examples
    --------
    >>> models = {"A": [[0.9, 0.1]] * 9, "B": [[0.2, 0.8]] * 9, "C": [[0.9, 0.1]] * 8 + [[0.1, 0.9]]}
    >>> session = Session(Pool(["x"] * 9, predictions=models), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1)
    >>> session.leaderboard().to_frame()[["model", "may_be_best"]].values.tolist()
    [['B', True], ['C', False], ['A', False]]
    """
    findings.question.expect(Comparison, "a leaderboard")
    level = findings._level(confidence_level)
    asked = suitable_measure(findings, measure, positive)
    key = type(asked), repr(asked), level
    return findings._boards.get(
        (*key, findings.log.revision), lambda: _read_leaderboard(findings, key, asked, level)
    )


def _read_leaderboard(
    findings: "Findings",
    key: tuple[type, str, float],
    measure: Measure,
    level: float,
) -> Leaderboard:
    if is_known(findings) or not findings.draws.source.needs_round_robin(len(findings.question.names)):
        return read_leaderboard(findings, measure, level)
    return findings._round_robins.get(key, lambda: RoundRobin(findings, measure, level)).read()


def _precompute_leaderboards(findings: "Findings") -> Iterator[None]:
    """Precompute the leaderboards after the next label, step by step; see `RoundRobin.precompute`."""
    for each in findings._round_robins.values():
        yield from each.precompute()


def pair_estimate(
    findings: "Findings", first: int | str, second: int | str, measure: Measure | str | None = None, *,
    positive: Any = None, confidence_level: float | None = None,
) -> Estimate:  # fmt: skip
    """Estimate the difference of two models, with an interval that holds for all pairs simultaneously.

    With probability at least the confidence level no pair's interval is ever wrong, so pairs may be selected
    after looking at the results. Each has level 1 − α/(K(K − 1)/2) for K models. A pair that was selected
    before the first label has a narrower interval of its own: `of(first, second).estimate()`.

    Parameters
    ----------
    first, second : str or int
        The names or positions of the models.
    measure : Measure or str, optional
        Another measure than the session's, or its name; see `estimate`.
    positive : class label, optional
        The class of interest for a measure given by name.
    confidence_level : float, optional
        The simultaneous level of all pairs' intervals; by default the session's.

    Returns
    -------
    Estimate
        The first model's measure minus the second's.

    Raises
    ------
    ValueError, TypeError
        If there are no such models, or the measure does not suit the predictions.

    See Also
    --------
    pairs : All pairs as a table.
    leaderboard : Which models may be the best; it needs fewer labels than all pairs.

    Examples
    --------
    >>> models = {"A": [[0.9, 0.1]] * 9, "B": [[0.2, 0.8]] * 9, "C": [[0.9, 0.1]] * 8 + [[0.1, 0.9]]}
    >>> session = Session(Pool(["x"] * 9, predictions=models), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1)
    >>> round(session.pair_estimate("A", "C").value, 3)
    0.111
    """
    which = positions_of(findings.models, (first, second))
    level = findings._level(confidence_level)
    own = findings.question.level_of_pairs(level)
    asked = suitable_measure(findings, measure, positive)
    return replace(findings.of(*which).estimate(asked, confidence_level=own), confidence_level=level)


def pairs(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    confidence_level: float | None = None,
) -> pd.DataFrame:
    """Estimate the differences of all pairs of models, with simultaneous intervals.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name; see `estimate`.
    positive : class label, optional
        The class of interest for a measure given by name.
    confidence_level : float, optional
        The simultaneous level of all intervals; by default the session's.

    Returns
    -------
    DataFrame
        One row per pair, in the order of the models: first, second, difference (first minus second), low,
        high, standard_error, better (the name of the better model, "" if unknown),
        is_asymptotic (the interval is approximate).

    Raises
    ------
    ValueError, TypeError
        If there is only one model, or the measure does not suit the predictions.

    See Also
    --------
    pair_estimate : The estimate for one pair.
    leaderboard : Which models may be the best.

    Examples
    --------
    >>> models = {"A": [[0.9, 0.1]] * 9, "B": [[0.2, 0.8]] * 9, "C": [[0.9, 0.1]] * 8 + [[0.1, 0.9]]}
    >>> session = Session(Pool(["x"] * 9, predictions=models), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1)
    >>> session.pairs()[["first", "second", "better"]].values.tolist()
    [['A', 'B', 'B'], ['A', 'C', 'C'], ['B', 'C', 'B']]
    """
    findings.question.expect(Comparison, "a table of pairs")
    asked = suitable_measure(findings, measure, positive)
    found = [
        findings.pair_estimate(*pair, asked, confidence_level=confidence_level)
        for pair in findings.question.pairs
    ]
    return pairs_table(findings.question.names, found, asked)


def verdict(
    findings: "Findings",
    margin: float | None = None,
    *,
    measure: Measure | str | None = None,
    positive: Any = None,
    confidence_level: float | None = None,
) -> Verdict:
    """Return which of two models is better according to the confidence sequence.

    Parameters
    ----------
    margin : float, optional
        The difference below which models are equivalent, in the measure's unit; by default the session's
        (`Revisions.declare_margin`).
    measure : Measure or str, optional
        Another measure than the session's, or its name; see `estimate`. The session's margin does not
        apply to it.
    positive : class label, optional
        The class of interest for a measure given by name.
    confidence_level : float, optional
        The probability that no verdict is ever wrong, at any number of labels and for any margin; by default
        the session's confidence level.

    Returns
    -------
    Verdict
        `str` converts it to a sentence.

    Raises
    ------
    ValueError, TypeError
        If the session is not about two models (`of` selects two of several), `margin` is not a positive
        finite number, or the measure does not suit the predictions.

    See Also
    --------
    estimate : The difference with its interval.
    Revisions.declare_margin : Declares which differences don't matter.

    Examples
    --------
    >>> models = {"old": [[0.9, 0.1]] * 90, "new": [[0.2, 0.8]] * 90}
    >>> session = Session(Pool(["x"] * 90, predictions=models), ErrorRate())
    >>> print(session.verdict())
    Not decided yet.
    >>> for _ in range(30):
    ...     event = session.label(1)
    >>> session.verdict().better
    'new'
    """
    findings.question.expect(Difference, "a verdict", remedy="ask of() for two of several")
    level = findings._level(confidence_level)
    asked = suitable_measure(findings, measure, positive)
    wanted = check_margin(margin)
    if wanted is None and measure is None:
        wanted = findings.log.margin
    return read_verdict(findings, asked, findings.watched(asked, confidence_level=level), wanted)


def leader(findings: "Findings") -> "Findings":
    """Return the findings that the estimate is about: for more than two models, those for the best so far.

    See Also
    --------
    of : Findings for any of the models.

    Examples
    --------
    >>> models = {"A": [[0.9, 0.1]] * 9, "B": [[0.2, 0.8]] * 9, "C": [[0.9, 0.1]] * 8 + [[0.1, 0.9]]}
    >>> session = Session(Pool(["x"] * 9, predictions=models), ErrorRate())
    >>> event = session.label(1)
    >>> [model.name for model in session.findings.leader().models]
    ['B']
    """
    leader = findings._leader(findings.measure, findings.confidence_level)
    return findings if leader is None else leader[0]


def _leader(findings: "Findings", measure: Measure, level: float) -> "tuple[Findings, float] | None":
    """Return findings for the best of more than two models and the level of its interval, else None."""
    if not findings.question.is_of_leader:
        return None
    leader = findings.leaderboard(measure, confidence_level=level).leader
    return findings.of(leader.position), findings.question.level_of_each(level)
