"""The result of a session in sentences and numbers."""

from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

from activeeval_widgets.session.findings.best_threshold import threshold_sentence
from activeeval_widgets.session.findings.certain_values import certain_value_sentences
from activeeval_widgets.session.findings.estimated_interval import approximate_within, outside_sentence
from activeeval_widgets.session.findings.excluded_counted import excluded_text
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.goals import Goal, decided_values
from activeeval_widgets.session.findings.heavy_tail import better_measures, beyond_clip
from activeeval_widgets.session.findings.models import subject_of
from activeeval_widgets.session.findings.sentences import begun
from activeeval_widgets.session.findings.verdict import INFORMATIVE, read_verdict
from activeeval_widgets.session.findings.watched_interval import WatchedInterval
from activeeval_widgets.session.findings.without_probabilities import guidance
from activeeval_widgets.stats import Estimate, uniform_draws_needed
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.predictions.base import mixture
from activeeval_widgets.stats.questions.best_of import BestOf
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.text import counted, joined_by_and, noun_for, percent

_ABOUT = 0.25
"""A model is about as good as promised if its interval is within this share of the distance from the promised
value to the nearer end of the range: from 3% to 5% if 4% were promised."""

_FEWEST = 40
"""The minimum number of draws for reporting a variance."""


class Promise(NamedTuple):
    """The measure according to the model's own probabilities, compared with the estimate."""

    promised: str
    found: str
    verdict: str  # "" if the interval leaves it open
    is_of_labels: bool = False  # no model is better or worse

    def text(self, who: str) -> str:
        """Return the comparison as a clause about the model."""
        if self.is_of_labels:
            return (
                f"the labels say {self.verdict}"
                if self.verdict
                else "whether the labels agree is not known yet"
            )
        return f"{who} is {self.verdict}" if self.verdict else f"whether {who} is as good is not known yet"


@dataclass(frozen=True)
class Result:
    """The result of a session: its numbers, and sentences about them."""

    estimate: Estimate
    numbers: Numbers
    answer: str
    confidence: str
    caveats: tuple[str, ...]
    is_exact: bool
    n_labels: int
    minutes: float | None  # without idle time
    uniform: float | None  # labels that uniform sampling would need for this standard error
    promise: Promise | None

    def __repr__(self) -> str:
        return f"<{' '.join(filter(None, (self.answer, self.confidence)))}>"


def result_of(
    session: Findings, watched: WatchedInterval, *, unit: str | None = None, goal: Goal | None = None
) -> Result:
    """Compute the result of a session so far."""
    leader = session.leader()
    found = session.estimate() if session.question.is_of_leader else watched.estimate()
    apart = decided_values(session, goal)
    numbers = Numbers.of(session.question.quantity, found, unit=unit, apart=apart)
    is_exact = found.is_defined and found.low == found.high
    is_uninformative = says_little(found, watched)
    return Result(
        estimate=found,
        numbers=numbers,
        answer=_answer(session, found, numbers, watched, is_exact=is_exact),
        confidence=" ".join(
            filter(
                None,
                [
                    _confidence(
                        session, found, numbers, is_exact=is_exact, is_uninformative=is_uninformative
                    ),
                    threshold_sentence(session),
                ],
            )
        ),
        caveats=(*certain_value_sentences(session), *_caveats(leader, watched)),
        is_exact=is_exact,
        n_labels=session.n_labels,
        minutes=session.log.minutes,
        # For several models it would be about one value, not about the choice among them.
        uniform=None if session.question.is_of_leader else uniform_labels(leader),
        promise=None if is_uninformative else _promise(leader, found, numbers),
    )


def says_little(found: Estimate, watched: WatchedInterval) -> bool:
    """Return whether an interval is withheld, or covers almost the whole range."""
    return found.withheld or found.high - found.low >= INFORMATIVE * (watched.whole[1] - watched.whole[0])


def model_in_words(session: Findings) -> str:
    """Return the subject of sentences about the model that the value is of."""
    if session.question.is_of_leader:
        return session.leader().question.names[0]
    return subject_of(session.models)


def instances_of(session: Findings, n: int = 2) -> str:
    """Return the instances that the measure covers, such as "images that can be labeled"; one for n = 1."""
    noun = noun_for(n, session.pool.noun)
    return f"{noun} that can be labeled" if session.log.n_excluded else noun


def uniform_labels(session: Findings) -> float | None:
    """Return how many labels uniform sampling would have needed; see `Result.uniform`."""
    draws, y_true = session.draws.labeled()
    if draws.size < _FEWEST or session.log.n_excluded or not session.models[0].is_model:
        return None
    needed = uniform_draws_needed(
        session.measure,
        list(session.models),
        draws,
        session.draws.weights(),
        y_true,
        session.estimate().standard_error,
    )
    return needed if isfinite(needed) else None


def _answer(
    session: Findings, found: Estimate, numbers: Numbers, watched: WatchedInterval, *, is_exact: bool
) -> str:
    if not found.is_defined:
        if not session.n_labels:
            return "No labels yet."
        if session.log.is_complete:
            return f"The {session.measure.name} is not defined by these labels, and there are no more."
        return f"There are not enough labels yet to tell the {session.measure.name}."
    match session.question:
        case BestOf():
            return _best(session, found, numbers, is_exact=is_exact)
        case Difference():
            return _comparison(session, found, numbers, watched, is_exact=is_exact)
    about = _about(is_exact)
    who = subject_of(session.models)
    sentence = session.measure.sentence.replace("The model", "{first}").replace("the model", "{who}")
    return sentence.format(
        first=begun(who, [session.models[0].name or ""]),
        who=who,
        name=session.measure.name,
        value=about + numbers.value(found.value),
        instances=instances_of(session),
        root=about + numbers.root(found.value),
    )


def _about(is_exact: bool) -> str:
    return "" if is_exact else "about "


def _best(session: Findings, found: Estimate, numbers: Numbers, *, is_exact: bool) -> str:
    """Return a sentence such as "A is the best: its error rate is about 9.1%."."""
    board = session.leaderboard()
    value = _about(is_exact) + numbers.value(found.value)
    left = [each.name for each in board.models if each.may_be_best]
    if is_exact and len(left) > 1:
        return begun(
            f"{joined_by_and(left)} have the same {session.measure.name}: {value}. None is better.", left
        )
    if board.best is not None:
        return begun(f"{board.best} is the best: its {session.measure.name} is {value}.", [board.best])
    others = [each.name for each in board.contenders[1:]]
    return begun(
        f"{board.leader.name} is the best so far: its {session.measure.name} is {value}. "
        f"But {joined_by_and(others)} may be better.",
        [board.leader.name],
    )


def _comparison(
    session: Findings, found: Estimate, numbers: Numbers, watched: WatchedInterval, *, is_exact: bool
) -> str:
    """Return a sentence such as "A is better by at least 1.2 points. Its error rate is …"."""
    measure, names = session.measure, session.question.names
    if found.low == found.high == 0:
        return f"Both models have the same {measure.name}."
    size = _about(is_exact) + numbers.size(found.value)
    is_first_better = (found.value > 0) == measure.greater_is_better
    better, other = names if is_first_better else names[::-1]
    direction = "higher" if measure.greater_is_better else "lower"
    verdict = read_verdict(session, measure, watched, session.log.margin)
    unit = numbers.label_unit
    if is_exact:
        text = f"{better} is better: its {measure.name} is {size} {direction}."
        if verdict.is_equivalent:
            text += f" That is less than the margin of {verdict.margin_text(unit)}."
    elif verdict.better is not None and verdict.better != better:
        text = verdict.text(unit)  # the estimate contradicts the interval
    elif verdict.better is not None:
        text = f"{verdict.claim(unit)}. Its {measure.name} is {size} {direction}."
    elif verdict.is_equivalent:
        text = f"{verdict.claim(unit)}. The {measure.name} of {better} is {size} {direction}."
    elif not float(numbers.plain(abs(found.value)).replace(",", "")):
        text = f"it is not clear which model is better: both have about the same {measure.name} so far."
    else:
        text = (
            f"it is not clear which model is better: the {measure.name} of {better} is {size} {direction} "
            f"than that of {other}, which may be chance."
        )
    return begun(text, names)


def _confidence(
    session: Findings, found: Estimate, numbers: Numbers, *, is_exact: bool, is_uninformative: bool
) -> str:
    if not found.is_defined:
        return ""
    if is_exact:
        if session.n_labels < session.pool.n_instances - session.log.n_excluded:
            return "The labels leave nothing open, so this is exact."
        n = session.n_labels
        who = f"The only {instances_of(session, 1)} has a label" if n == 1 else ""
        return f"{who or f'All {n:,} {instances_of(session)} have labels'}, so this is exact."
    if found.withheld:
        return "It is too early to say how sure this is."
    if is_uninformative:
        return "There are too few labels to say how sure this is."
    low, high = numbers.ends(found.low, found.high)
    level = percent(found.confidence_level)
    kind = f"Approximate {level}" if found.is_asymptotic else level
    subject = " of the difference" if session.question.quantity.sides else ""
    text = f"{kind} interval{subject}: {low} to {high}, valid however often you looked."
    within = None if found.is_asymptotic else approximate_within(found)
    if within is None:
        return text
    low, high = numbers.ends(*within)
    return f"{text} Approximate interval: {low} to {high}."


def _caveats(session: Findings, watched: WatchedInterval) -> list[str]:
    caveats = []
    found = watched.estimate()
    if found.is_defined and found.reason:
        caveats.append(found.reason)
    elif found.is_defined and found.is_asymptotic and found.low < found.high:
        caveats.append("The interval is approximate: rough with few labels, better with many.")
    advice = better_measures(session, found)
    if advice:
        caveats.append(advice)
    clipped = beyond_clip(session, found)
    if clipped:
        caveats.append(clipped)
    outside = outside_sentence(found)
    if outside:
        caveats.append(outside)
    caveats += guidance(session)
    caveats += waiting(session)
    if session.log.n_excluded:
        caveats.append(excluded_text(session, watched.confidence_level))
    return caveats


def not_counted_text(n: int) -> str:
    """Return a sentence about labels that do not count yet."""
    labels = f"{counted(n, 'labels')} {'does' if n == 1 else 'do'}"
    return f"{labels} not count yet: an earlier item is still open."


def waiting(session: Findings) -> list[str]:
    """Return sentences about labels that do not count yet, and about instances put aside."""
    sentences = []
    n_waiting = int(session.draws.not_counted_yet().size)
    if n_waiting:
        sentences.append(not_counted_text(n_waiting))
    if session.log.n_deferred:
        sentences.append(put_aside_text(session.log.n_deferred))
    return sentences


def put_aside_text(n: int) -> str:
    """Return a sentence about instances put aside and not answered yet."""
    return f"{n:,} put aside: the interval waits."


def _promise(session: Findings, found: Estimate, numbers: Numbers) -> Promise | None:
    model, measure = session.models[0], session.measure
    if session.question.quantity.sides or not model.promises or not found.is_defined:
        return None
    row_model = session.draws.rows.models[0]
    promised = float(measure.g(measure.introspective_mean(row_model, mixture([row_model]))))
    if not isfinite(promised):
        return None
    values = numbers.value(promised), numbers.value(found.value)
    is_of_labels = not measure.needs_model
    if found.low <= promised <= found.high:
        near = _ABOUT * min(abs(promised - end) for end in measure.value_range)
        is_near = isfinite(near) and max(found.high - promised, promised - found.low) <= near
        about = "about as much" if is_of_labels else "about as good"
        verdict = about if is_near else ""
    elif is_of_labels:
        verdict = "more" if found.value > promised else "less"
    elif (found.value > promised) == measure.greater_is_better:
        verdict = "better"
    else:
        verdict = "worse"
    return Promise(*values, verdict, is_of_labels)
