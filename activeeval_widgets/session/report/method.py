"""The section of a report about methods, with sources."""

from activeeval_widgets.session.findings.excluded_counted import HOLDS_IF
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.watched_interval import WatchedInterval
from activeeval_widgets.stats.text import percent

_BETTING = (
    "The guaranteed interval is a confidence sequence by betting: with a probability of {level} the true "
    "value is inside at every number of labels, so you may look, and stop, at any time (Waudby-Smith &"
    " Ramdas, Estimating means of bounded random variables by betting, JRSS-B 2024)."
)
_LIMIT = (
    "The interval is an asymptotic confidence sequence: in the limit of many labels the true value is "
    "inside at every number of labels with a probability of {level}; with few labels this is rough "
    "(Waudby-Smith et al., Time-uniform central limit theory and asymptotic confidence sequences, "
    "2021)."
)
_BOTH = (
    "The approximate interval, too, holds at every number of labels, but only in the limit of many: it is "
    "the estimate ± a multiple of its standard error, and is withheld where that was measured not to hold "
    "(Waudby-Smith et al., Time-uniform central limit theory and asymptotic confidence sequences, 2021)."
)
_EXCLUDED = f"Instances that can't be labeled were left out: the result is about those that can. {HOLDS_IF}"


def method_of(session: Findings, watched: WatchedInterval) -> list[str]:
    """Return a paragraph each on draws, estimate and intervals."""
    interval = _LIMIT if watched.is_asymptotic else _BETTING
    parts = [*session.method, interval.format(level=percent(watched.confidence_level))]
    if not watched.is_asymptotic and watched.estimate().has_approximate:
        parts.append(_BOTH)
    return [*parts, _EXCLUDED] if session.log.n_excluded else parts
