"""Labeled instances as plots mark them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.plot_axes import MAX_MARKS
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.widgets.wording.models import is_against, prediction_text


@dataclass(frozen=True)
class Mark:
    """A labeled draw.

    Attributes
    ----------
    number : int
        Its position among the labeled draws, from 1.
    index : int
        The index of its instance.
    times : float
        How often it was to be drawn at that time, as a multiple of uniform draws.
    is_wrong : bool
        Whether the label contradicts the model, or distinguishes two models.
    text : str
        A description in words.
    """

    number: int
    index: int
    times: float
    is_wrong: bool
    text: str


def marks(
    session: Session, draws: IntArray, y_true: AnyArray, label_text: Callable[[Any], str] = str
) -> list[Mark]:
    """Return the latest labeled draws, and the latest surprising ones, in draw order."""
    differs = is_against(session, draws, y_true)
    is_wrong = differs if len(differs) else np.zeros(draws.size, dtype=bool)
    chosen = np.zeros(draws.size, dtype=bool)
    chosen[-MAX_MARKS:] = True
    chosen[np.flatnonzero(is_wrong)[-MAX_MARKS:]] = True
    times = times_uniform(session, draws)
    return [
        Mark(
            number=i + 1,
            index=(index := int(draws[i])),
            times=float(times[i]),
            is_wrong=bool(is_wrong[i]),
            text=_text(session, index, label_text),
        )
        for i in np.flatnonzero(chosen).tolist()
    ]


def times_uniform(session: Session, draws: IntArray) -> FloatArray:
    """Return how often each labeled draw's instance was to be drawn, as a multiple of uniform draws.

    Without replacement, uniform draws are from what was left at that draw.

    Parameters
    ----------
    session : Session
        The session of the draws.
    draws : ndarray of shape (n_draws,)
        The labeled draws.
    """
    m = session.pool.n_instances
    if session.draws.is_replaced:
        return session.draws.q_draws() * m
    drawn = session.draws.so_far()
    n_before = np.flatnonzero(np.isin(drawn, draws))
    times: FloatArray = session.draws.q_draws() * (m - n_before)
    return times


def _text(session: Session, index: int, label_text: Callable[[Any], str]) -> str:
    label = label_text(session.log.label_of(index))
    return f"{session.pool.ids[index]}, labeled {label}. {prediction_text(session, index)}".rstrip()
