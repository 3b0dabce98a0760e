"""The section of a report about methods, with sources."""

from activeeval_widgets.session.findings.estimated_interval import approximate_within
from activeeval_widgets.session.findings.excluded_counted import HOLDS_IF
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.watched_interval import WatchedInterval
from activeeval_widgets.stats.text import counted, percent

_BETTING = (
    "The guaranteed interval is a confidence sequence by betting: with a probability of {level} {what} "
    "at every number of labels, so you may look, and stop, at any time (Waudby-Smith &"
    " Ramdas, Estimating means of bounded random variables by betting, JRSS-B 2024)."
)
_LIMIT = (
    "The interval is an asymptotic confidence sequence: in the limit of many labels {what} at every "
    "number of labels with a probability of {level}; with few labels this is rough "
    "(Waudby-Smith et al., Time-uniform central limit theory and asymptotic confidence sequences, "
    "2021)."
)
_BOTH = (
    "The approximate interval, too, holds at every number of labels, but only in the limit of many: it is "
    "the estimate ± a multiple of its standard error, and is withheld where that was measured not to hold "
    "(Waudby-Smith et al., Time-uniform central limit theory and asymptotic confidence sequences, 2021)."
)
_EXCLUDED = f"Instances that can't be labeled were left out: the result is about those that can. {HOLDS_IF}"


def _known_before(session: Findings) -> list[str]:
    """Return a paragraph on labels that were known before the session, if there are any."""
    state, known = session.log.state, session.pool.known
    if state.went_on:
        until = " and ".join(
            f"{counted(n_labels, 'labels')} (as the session {name})" for name, n_labels in state.went_on
        )
        return [
            f"Votes have changed after {until}. The {session.measure.name} is the same whatever the votes "
            "say, and draws have known probabilities, so all count, each by the votes of its time. How good "
            "the votes are is not estimated."
        ]
    if state.carried:
        n, n_answered = counted(len(state.carried), "labels"), counted(session.log.n_known_before, "draws")
        return [
            f"{n} were carried over from the session {state.after}, to {session.pool.noun} with the same "
            f"content. They guide the draws and answered {n_answered}. No earlier draw counts: all are drawn "
            "anew, so what was done about the labels meanwhile does no harm."
        ]
    if state.after is not None:
        return [
            f"This session follows {state.after}. No label was carried over: no instance has the content of "
            "one that was labeled there."
        ]
    if known is None:
        return []
    had = f"{len(known.values):,} of {session.pool.n_instances:,} {session.pool.noun} had labels before"
    if known.is_sample:
        how = "a uniform random sample"
        if known.probabilities is not None:
            how = "a random sample with these probabilities, each drawn independently"
        return [f"{had}. They were said to be {how}, so they count as the first draws."]
    given = [session.log.label_of(index) for index in known.values]
    pairs = [(old, new) for old, new in zip(known.values.values(), given, strict=True) if new is not None]
    n_same = sum(old == new for old, new in pairs)
    again = f" {len(pairs):,} of them were drawn and labeled again: {n_same:,} the same." if pairs else ""
    return [f"{had}. These only guided the draws: estimate and intervals don't count them.{again}"]


def method_of(session: Findings, watched: WatchedInterval) -> list[str]:
    """Return a paragraph each on draws, estimate and intervals."""
    interval = _LIMIT if watched.is_asymptotic else _BETTING
    parts = [*session.method]
    if not session.log.is_complete:  # else nothing is left open
        n = len(session.question.names)
        what = "the true value is inside"
        if session.question.is_of_leader:
            what = f"the true values of all {n} models are inside their intervals"
        parts.append(interval.format(level=percent(session.confidence_level), what=what))
        found = watched.estimate()
        if not watched.is_asymptotic and approximate_within(found) is not None:
            parts.append(_BOTH)
    if session.log.n_excluded:
        parts.append(_EXCLUDED)
    return [*parts, *_known_before(session)]
