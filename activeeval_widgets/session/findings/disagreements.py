"""Instances on which two models differ."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from activeeval_widgets.session.findings.fixed_n import is_known
from activeeval_widgets.session.findings.one_minus import one_minus
from activeeval_widgets.session.findings.who_was_right import (
    BOTH,
    FIRST,
    NEITHER,
    SECOND,
    InPart,
    WhoWasRight,
    as_share_right,
    disagreements_table,
    outcomes,
    right_measure,
)
from activeeval_widgets.stats import Accuracy, ClassPredictions, ConfusionPair, ErrorRate, Estimate
from activeeval_widgets.stats._typing import IntArray
from activeeval_widgets.stats.intervals import at_once

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


def _check_two(findings: "Findings", name: str) -> tuple[str, str]:
    """Return the names of the two models."""
    names = findings.question.names
    if len(names) == 2:
        return names[0], names[1]
    if len(names) > 2:
        raise ValueError(
            f"{name}() is about two models, and this session about {len(names)}: name two, as in "
            f"session.of({names[0]!r}, {names[1]!r}).{name}()"
        )
    raise ValueError(f"{name}() is about two models, and this session is about one")


def judged_disagreements(findings: "Findings") -> tuple[IntArray, IntArray]:
    """Return the labeled instances on which two models differ, and which model was right.

    Returns
    -------
    instances : ndarray of shape (n,)
        Indices into the pool, in draw order.
    outcomes : ndarray of shape (n,)
        0 for the first model, 1 for the second, 2 for both, 3 for neither.

    Raises
    ------
    ValueError
        If the session is not about two models.

    See Also
    --------
    Findings.model_disagreements : A table with the content of the instances.

    Examples
    --------
    >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]]}
    >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1)
    >>> session.findings.judged_disagreements()[1].tolist()
    [1, 1]
    """
    _check_two(findings, "judged_disagreements")
    draws = np.concatenate([findings.draws.labeled()[0], findings.draws.not_counted_yet()]).astype(np.intp)
    order, first = np.unique(draws, return_index=True)
    labeled = order[np.argsort(first)]
    apart: IntArray = labeled[findings._differs[labeled]]
    values = [findings.log.label_of(index) for index in apart.tolist()]
    y_true = findings.labels.decode(values, apart.tolist())
    return apart, outcomes(findings.measure, findings.models, apart, y_true)


def model_disagreements(findings: "Findings") -> pd.DataFrame:
    """Return the labeled instances on which two models differ, and which model was right.

    Returns
    -------
    DataFrame
        One row per instance, in draw order: instance_id, content (its title, first words or file), label,
        prediction and confidence of each model ("prediction: A", "confidence: A", and so on), and "right":
        the name of the model that was right, "both" or "neither". For numbers and lists, which are not
        right or wrong, "better": the name of the model whose prediction was better by the measure, or
        "as good". An empty table has no columns.

    Raises
    ------
    ValueError
        If the session is not about two models; `session.of("A", "B")` selects two.

    See Also
    --------
    who_was_right : Counts, and estimated shares of the pool.
    Opinions.disagreements : Instances that people labeled differently.

    Examples
    --------
    >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]]}
    >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1)
    >>> table = session.findings.model_disagreements().sort_values("content")
    >>> table[["content", "label", "prediction: old", "prediction: new", "right"]].values.tolist()
    [['b', 1, 0, 1, 'new'], ['c', 1, 0, 1, 'new']]
    """
    names = _check_two(findings, "model_disagreements")
    return disagreements_table(*findings.judged_disagreements(), names=names, session=findings)


def who_was_right(findings: "Findings", *, confidence_level: float | None = None) -> WhoWasRight:
    """Count the instances on which two models differ, and estimate how often each is right there.

    Parameters
    ----------
    confidence_level : float, optional
        The simultaneous level of both shares' anytime-valid intervals; by default the session's.

    Returns
    -------
    WhoWasRight

    Raises
    ------
    ValueError
        If the session is not about two models; `session.of("A", "B")` selects two.

    See Also
    --------
    Findings.model_disagreements : The labeled instances, one by one.

    Examples
    --------
    >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]]}
    >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
    >>> event = session.label(1)
    >>> found = session.who_was_right()
    >>> found.n_differing, found.n_labels == found.n_second
    (2, True)
    """
    names = _check_two(findings, "who_was_right")
    level = findings._level(confidence_level)
    _, outcome = findings.judged_disagreements()
    counts = np.bincount(outcome, minlength=NEITHER + 1).tolist()
    return WhoWasRight(
        models=names,
        n_instances=findings.pool.n_instances,
        n_differing=int(np.count_nonzero(findings._differs)),
        n_labels=int(outcome.size),
        n_first=counts[FIRST],
        n_second=counts[SECOND],
        n_both=counts[BOTH],
        n_neither=counts[NEITHER],
        shares=_shares_right(findings, level),
        is_one_right=_is_one_right(findings),
    )


def _shares_right(findings: "Findings", level: float) -> tuple[Estimate, Estimate] | None:
    is_known = isinstance(findings.models[0], ClassPredictions) and not findings.pool.is_streamed
    if not is_known or not findings._differs.any():
        return None
    measure, is_one_right = right_measure(findings.measure), _is_one_right(findings)
    if level not in findings._right:
        own = level if is_one_right else at_once(level, 2)
        models = findings.models[:1] if is_one_right else findings.models
        findings._right = {
            level: [InPart(findings, measure, own, level, findings._differs, model) for model in models]
        }
    answered = findings.draws.answers.answered()
    found = [
        as_share_right(reading.read(answered)[0].estimate, measure) for reading in findings._right[level]
    ]
    return found[0], (one_minus(found[0]) if is_one_right else found[1])


def _is_one_right(findings: "Findings") -> bool:
    """Return whether exactly one of two models is right where they differ."""
    model = findings.models[0]
    return (
        isinstance(model, ClassPredictions)
        and model.n_classes == 2
        and isinstance(right_measure(findings.measure), ErrorRate | Accuracy)
    )


def confusions(findings: "Findings") -> ConfusionPair:
    """Estimate the confusion matrices of two models from the same labels and weights.

    The weights are those of the estimated difference, so that the matrices agree with it.

    Returns
    -------
    ConfusionPair
        Both matrices, and the standard errors of the cells' differences: 0 if all instances that can be
        drawn have an answer.

    Raises
    ------
    ValueError
        If the session is not about two models; `session.of("A", "B")` selects two. If a fixed q is 0 on some
        instances, so that they are never drawn.
    TypeError
        If the models do not predict classes.

    See Also
    --------
    confusion : The confusion matrix of one model.

    Examples
    --------
    >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]]}
    >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1)
    >>> found = session.confusions()
    >>> found.first.shares.round(3).tolist(), found.second.shares.round(3).tolist()
    ([[0.0, 1.0], [0.0, 0.0]], [[0.0, 0.333], [0.0, 0.667]])
    """
    _check_two(findings, "confusions")
    first, second = findings.models
    if not isinstance(first, ClassPredictions) or not isinstance(second, ClassPredictions):
        raise TypeError(f"confusion matrices are for ClassPredictions, got {findings.models!r:.200}")
    found = findings.draws.source.confusion(
        findings.measure, findings.draws.answers, is_known=is_known(findings)
    )
    assert isinstance(found, ConfusionPair)  # noqa: S101 - for the type checker
    return found
