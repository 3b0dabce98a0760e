"""How a session's numbers come about, in a few sentences with their sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from activeeval_widgets.session.pool.kinds import NOUNS

if TYPE_CHECKING:
    from activeeval_widgets.session.reading.watched_interval import WatchedInterval
    from activeeval_widgets.session.session import Session

_ADAPTIVE = (
    "{noun} were drawn without replacement, more often those whose label tells more about the {name}: "
    "by the model's own predictions, corrected by the labels so far (Sawade et al., Active risk "
    "estimation, ICML 2010; Kossen et al., Active testing, ICML 2021; Zrnic & Candès, Active "
    "statistical inference, ICML 2024). Each draw is weighted by the inverse of its probability, so "
    "that drawing some more often than others does not bias the estimate."
)
_ADAPTIVE_ESTIMATE = (
    "The estimate is the model's own expectation over all {noun}, corrected by what the weighted labels"
    " show (Cassel, Särndal & Wretman, Biometrika 1976)."
)
_FIXED = (
    "{noun} were drawn independently and with replacement, with probabilities that were fixed before "
    "the first label: higher where a label tells more about the {name} by the model's own predictions "
    "(Sawade et al., Active risk estimation, ICML 2010; Active estimation of F-measures, NIPS 2010; "
    "Active comparison of prediction models, NIPS 2012)."
)
_FIXED_ESTIMATE = (
    "The estimate is the average of the labels' contributions, each weighted by the inverse of its "
    "probability and divided by the sum of the weights."
)
_BETTING = (
    "The interval is a confidence sequence by betting: with a probability of {level} the true value is "
    "inside at every number of labels, so you may look, and stop, at any time (Waudby-Smith &"
    " Ramdas, Estimating means of bounded random variables by betting, JRSS-B 2024)."
)
_LIMIT = (
    "The interval is an asymptotic confidence sequence: in the limit of many labels the true value is "
    "inside at every number of labels with a probability of {level}; with few labels this is rough "
    "(Waudby-Smith et al., Time-uniform central limit theory and asymptotic confidence sequences, "
    "2021)."
)
_EXCLUDED = "Instances that can't be labeled were left out: the result is about those that can."


def method_of(session: Session, watched: WatchedInterval) -> list[str]:
    """How the session drew, estimated, and bounded; one paragraph each.

    Parameters
    ----------
    session : Session
        The session.
    watched : WatchedInterval
        Its interval.
    """
    is_adaptive = session.protocol == "adaptive"
    draws, estimate = (_ADAPTIVE, _ADAPTIVE_ESTIMATE) if is_adaptive else (_FIXED, _FIXED_ESTIMATE)
    words = {
        "noun": NOUNS[session.pool.kind],
        "name": session.measure.name,
        "level": f"{100 * watched.confidence_level:g} %",
    }
    text = draws.format(**words)
    parts = [
        text[0].upper() + text[1:],
        estimate.format(**words),
        (_LIMIT if watched.is_asymptotic else _BETTING).format(**words),
    ]
    return [*parts, _EXCLUDED] if session.n_excluded else parts
