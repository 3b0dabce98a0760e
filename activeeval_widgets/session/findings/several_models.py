"""What the labels say of several models: some of them, all of them, which is better."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from activeeval_widgets.session.findings.estimation import suiting
from activeeval_widgets.session.findings.fixed_n import is_known
from activeeval_widgets.session.findings.leaderboard import (
    Leaderboard,
    read_leaderboard,
)
from activeeval_widgets.session.findings.models import positions_of
from activeeval_widgets.session.findings.pairs import pairs_table
from activeeval_widgets.session.findings.turns import InTurns
from activeeval_widgets.session.findings.verdict import Verdict, check_margin, read_verdict
from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats._validation import check_fraction
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.question import Comparison

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


def of(findings: "Findings", *models: int | str) -> "Findings":
    """What the same labels say of one of the models, or of the difference of two.

    Parameters
    ----------
    *models : str or int
        One model or two, by their names or their positions.

    Returns
    -------
    Findings
        With the session's `estimate`, `trajectory`, `watched`, `confusion` and so on; it goes on with the
        session. The draws are the best for the session's own question, and as valid for this one.

    Raises
    ------
    ValueError, TypeError
        If there is no such model, or draws can't tell of it alone.

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
    confidence_level: float = 0.95,
) -> Leaderboard:
    """All models by the labels so far: each one's measure, and who may still be the best.

    Whatever one looks at and whenever one stops: with the confidence level no model's interval is ever
    wrong, and with the confidence level the best model is never called beaten.

    In a large pool with many models the best so far is up to date, and so are the differences from it.
    The intervals of the other models, and of the differences between these, are up to 15 labels old, and
    hold as well.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name: see `estimate`.
    positive : class label, optional
        For a measure by its name: the class of interest.
    confidence_level : float
        Of all intervals at once, and of all verdicts at once.

    Returns
    -------
    Leaderboard
        The best so far first.

    Raises
    ------
    ValueError, TypeError
        If there is one model only, or the measure does not suit the predictions.

    See Also
    --------
    of : One model, or two, in full.

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
    level = check_fraction("confidence_level", confidence_level, closed=False)
    asked = suiting(findings, measure, positive)
    key = type(asked), repr(asked), level
    revision = findings.log.revision
    if key not in findings._boards or findings._boards[key][0] != revision:
        findings._boards.put(key, (revision, _read_leaderboard(findings, key, asked, level)))
    return findings._boards[key][1]


def _read_leaderboard(
    findings: "Findings",
    key: tuple[type, str, float],
    measure: Measure,
    level: float,
) -> Leaderboard:
    if is_known(findings) or not findings.draws.source.takes_turns(len(findings.question.names)):
        return read_leaderboard(findings, measure, level)
    return findings._in_turns.get(key, lambda: InTurns(findings, measure, level)).read()


def _steps_ahead(findings: "Findings") -> Iterator[None]:
    """Do ahead what leaderboards take after the next label, step by step; see `InTurns.ahead`."""
    for each in findings._in_turns.values():
        yield from each.ahead()


def pair_estimate(
    findings: "Findings", first: int | str, second: int | str, measure: Measure | str | None = None, *,
    positive: Any = None, confidence_level: float = 0.95,
) -> Estimate:  # fmt: skip
    """The difference of two of the models, with an interval that holds for all pairs at once.

    Whichever pairs one chooses, by whatever one saw, and whenever one stops: with the confidence level no
    pair's interval is ever wrong. Each is of level 1 − α/(K(K − 1)/2) for K models. A pair that was
    settled on before the first label has its own, narrower one: `of(first, second).estimate()`.

    Parameters
    ----------
    first, second : str or int
        Their names, or their positions.
    measure : Measure or str, optional
        Another measure than the session's, or its name: see `estimate`.
    positive : class label, optional
        For a measure by its name: the class of interest.
    confidence_level : float
        Of all pairs' intervals at once.

    Returns
    -------
    Estimate
        The first one's measure minus the second's.

    Raises
    ------
    ValueError, TypeError
        If there are no such two models, or the measure does not suit the predictions.

    See Also
    --------
    pairs : All of them, as a table.
    leaderboard : Who may still be the best, which asks less than all pairs.

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
    level = check_fraction("confidence_level", confidence_level, closed=False)
    own = findings.question.level_of_pairs(level)
    asked = suiting(findings, measure, positive)
    return replace(findings.of(*which).estimate(asked, confidence_level=own), confidence_level=level)


def pairs(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """The differences of all pairs of models, with intervals that hold for all of them at once.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name: see `estimate`.
    positive : class label, optional
        For a measure by its name: the class of interest.
    confidence_level : float
        Of all intervals at once.

    Returns
    -------
    DataFrame
        One row a pair, in the order of the models: first, second, difference (first minus second), low,
        high, standard_error, better (the name of the better one, "" while that is not known),
        is_asymptotic (the interval is approximate).

    Raises
    ------
    ValueError, TypeError
        If there is one model only, or the measure does not suit the predictions.

    See Also
    --------
    pair_estimate : One of them.
    leaderboard : Who may still be the best.

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
    asked = suiting(findings, measure, positive)
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
    confidence_level: float = 0.95,
) -> Verdict:
    """Which of two models is better, by the labels so far and the interval that may be watched.

    Parameters
    ----------
    margin : float, optional
        The difference below which they are as good as each other, in the measure's unit; the session's
        (`Revisions.declare_margin`) unless given.
    measure : Measure or str, optional
        Another measure than the session's, or its name: see `estimate`. The session's margin is not
        applied to it.
    positive : class label, optional
        For a measure by its name: the class of interest.
    confidence_level : float
        With it no verdict is ever wrong, at whichever number of labels and by whichever margin.

    Returns
    -------
    Verdict
        `str(…)` says it in a sentence.

    Raises
    ------
    ValueError, TypeError
        If the session is not about two models: `of` gives two of several; if `margin` is no positive
        finite number, or the measure does not suit the predictions.

    See Also
    --------
    estimate : The difference, with its interval.
    Revisions.declare_margin : Says which differences don't matter.

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
    level = check_fraction("confidence_level", confidence_level, closed=False)
    asked = suiting(findings, measure, positive)
    wanted = check_margin(margin)
    if wanted is None and measure is None:
        wanted = findings.log.margin
    return read_verdict(findings, asked, findings.watched(asked, confidence_level=level), wanted)


def told(findings: "Findings") -> "Findings":
    """What the estimate is of: the session; of more than two models, the best so far alone.

    See Also
    --------
    of : Any of the models.

    Examples
    --------
    >>> models = {"A": [[0.9, 0.1]] * 9, "B": [[0.2, 0.8]] * 9, "C": [[0.9, 0.1]] * 8 + [[0.1, 0.9]]}
    >>> session = Session(Pool(["x"] * 9, predictions=models), ErrorRate())
    >>> event = session.label(1)
    >>> [model.name for model in session.findings.told().models]
    ['B']
    """
    leader = findings._leader(findings.measure, 0.95)
    return findings if leader is None else leader[0]


def _leader(findings: "Findings", measure: Measure, level: float) -> "tuple[Findings, float] | None":
    """Of more than two models, the best so far, and the level of its interval for all to hold at once."""
    if not findings.question.is_of_leader:
        return None
    leader = findings.leaderboard(measure, confidence_level=level).leader
    return findings.of(leader.position), findings.question.level_of_each(level)
