"""What a session's log says of each group of its pool."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from activeeval_widgets.session.findings.by_group import ByGroup, GroupEstimate
from activeeval_widgets.session.findings.estimation import suiting
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats._validation import check_fraction

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


def by_group(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """The measure within each group of the pool, with intervals that hold for all groups at once.

    Any group's interval may be watched, and so may all of them: with the confidence level no interval
    is ever wrong, at no number of labels. They wait, as the pool's own, for what was put aside.

    Parameters
    ----------
    measure : Measure or str, optional
        Another measure than the session's, or its name: see `estimate`.
    positive : class label, optional
        For a measure by its name: the class of interest.
    confidence_level : float
        Of all intervals at once; each is of level 1 − (1 − level)/k, for k groups.

    Returns
    -------
    DataFrame
        One row a group, in the order of their names, with the columns group, n_instances, n_labels,
        n_excluded, value, low, high, standard_error, is_exact (all of the group has an answer),
        is_asymptotic (the interval is approximate). For two models, differences; for more, the best so
        far, with intervals that hold for all groups of all models at once.

    Raises
    ------
    ValueError, TypeError
        If the pool has no groups or more than 1,000, or the measure does not suit the predictions.

    See Also
    --------
    estimate : Of the whole pool.
    group_estimates : The same as a list.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> pool = Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3, groups=["en", "en", "de"])
    >>> session = Session(pool, ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> session.by_group()[["group", "n_labels", "value"]].values.tolist()
    [['de', 1, 0.0], ['en', 2, 0.0]]
    """
    found = findings.group_estimates(measure, positive=positive, confidence_level=confidence_level)
    return pd.DataFrame(
        [
            {
                "group": each.group,
                "n_instances": each.n_instances,
                "n_labels": each.n_labels,
                "n_excluded": each.n_excluded,
                "value": each.estimate.value,
                "low": each.estimate.low,
                "high": each.estimate.high,
                "standard_error": each.estimate.standard_error,
                "is_exact": each.is_exact,
                "is_asymptotic": each.estimate.is_asymptotic,
            }
            for each in found
        ]
    )


def group_estimates(
    findings: "Findings",
    measure: Measure | str | None = None,
    *,
    positive: Any = None,
    confidence_level: float = 0.95,
) -> list[GroupEstimate]:
    """The same as `by_group`, as a list.

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
    list of GroupEstimate
        In the order of their names.

    Raises
    ------
    ValueError, TypeError
        As for `by_group`.

    See Also
    --------
    by_group : As a table.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> pool = Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3, groups=["en", "en", "de"])
    >>> [(each.group, each.n_instances) for each in Session(pool, ErrorRate()).group_estimates()]
    [('de', 1), ('en', 2)]
    """
    level = check_fraction("confidence_level", confidence_level, closed=False)
    asked = suiting(findings, measure, positive)
    leader = findings._leader(asked, level)
    if leader is not None:
        told: list[GroupEstimate] = leader[0].group_estimates(asked, confidence_level=leader[1])
        return [replace(each, estimate=replace(each.estimate, confidence_level=level)) for each in told]
    key = type(asked), repr(asked), level
    reading = findings._by_group.get(key, lambda: ByGroup(findings, asked, level))
    return reading.read(findings.draws.answers.answered())
