"""`Findings`, a thin class over one module for each finding."""

from functools import cached_property
from threading import RLock
from typing import Any, NamedTuple, cast

import numpy as np

from activeeval_widgets.session.draws.deadlines import Deadlines
from activeeval_widgets.session.draws.protocol import Draws, of_models
from activeeval_widgets.session.draws.read_for_models import DrawsOfModels
from activeeval_widgets.session.draws.session_draws import SessionDraws
from activeeval_widgets.session.findings import best_threshold as best_threshold_finding
from activeeval_widgets.session.findings import calibration as calibration_finding
from activeeval_widgets.session.findings import course as course_finding
from activeeval_widgets.session.findings import (
    disagreements,
    estimation,
    fixed_n,
    group_estimates,
    several_models,
)
from activeeval_widgets.session.findings import guidelines as guidelines_finding
from activeeval_widgets.session.findings import judge as judge_finding
from activeeval_widgets.session.findings.by_group import ByGroup
from activeeval_widgets.session.findings.excluded_counted import ExcludedBounds
from activeeval_widgets.session.findings.leaderboard import Leaderboard
from activeeval_widgets.session.findings.models import predictions_in_words
from activeeval_widgets.session.findings.round_robin import RoundRobin
from activeeval_widgets.session.findings.sentences import capitalized
from activeeval_widgets.session.findings.trials import Trials
from activeeval_widgets.session.findings.watched_interval import WatchedInterval
from activeeval_widgets.session.findings.who_was_right import InPart
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.session_log import SessionLog
from activeeval_widgets.session.pool.label_kinds import Labels
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.recent_cache import RecentCache
from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_fraction
from activeeval_widgets.stats.questions.make import question_of


class Design(NamedTuple):
    """The number of raters of each draw, and whether draws serve all groups."""

    n_raters: int = 1
    second_opinions: float = 0.0
    for_groups: bool = False


ALONE = Design()
"""The default design: one label per instance."""

Asked = tuple[type, str, float]
"""Cache key: class and text of a measure, and a confidence level."""

AskedAt = tuple[type, str, float, int]
"""The same with the log's revision, for what is made anew after each answer."""

_MAX_KEPT = 16
"""The number of cached measures and levels."""


@one_thread_at_a_time
class Findings:
    """What the labels say about the models, or about some of them: `session.findings`, `session.of(…)`.

    Each finding is a function in its own module, and a method of this class.

    Attributes
    ----------
    pool, models, measure, labels, name, seed, y_range, confidence_level
        As in `Session`.
    question : Question
        What is estimated: one model, the difference of two, the best of several, or the labels themselves.
    log : SessionLog
        The event log.
    draws : SessionDraws
        The draws and their labels.
    lock : threading.RLock
        The session's lock.

    See Also
    --------
    Session.of : Findings for some of the models.

    Examples
    --------
    >>> session = Session(Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1)
    >>> session.findings.estimate().value
    1.0
    """

    def __init__(
        self,
        pool: Pool,
        measure: Measure,
        labels: Labels,
        log: SessionLog,
        draws: SessionDraws,
        *,
        name: str,
        seed: int,
        y_range: tuple[float, float] | None,
        confidence_level: float,
        lock: RLock,
        deadlines: Deadlines,
        design: Design = ALONE,
    ) -> None:
        self.lock = lock
        self.pool = pool
        self.models = pool.models
        self.measure = measure
        self.question = question_of(measure, pool.models)
        self.labels = labels
        self.log = log
        self.draws = draws
        self.name = name
        self.seed = seed
        self.y_range = y_range
        self.confidence_level = confidence_level
        self.design = design
        self._deadlines = deadlines

    def _of_models(self, which: tuple[int, ...]) -> "Findings":
        """Return findings for some of the models from the same labels."""
        pool, state = self.pool.with_models(of_models(self.pool.models, which)), self.log.state
        source = cast(Draws, DrawsOfModels(self.draws.source, which))
        return Findings(
            pool, self.measure, self.labels,
            SessionLog(pool, self.labels, state, self.lock, source.n_left),
            SessionDraws(source, state, self.labels, self.lock),
            name=self.name, seed=self.seed, y_range=self.y_range, confidence_level=self.confidence_level,
            lock=self.lock, deadlines=self._deadlines,
        )  # fmt: skip

    def _level(self, given: float | None) -> float:
        """Return the given confidence level, by default the session's."""
        if given is None:
            return self.confidence_level
        return check_fraction("confidence_level", given, closed=False)

    @property
    def n_labels(self) -> int:
        """The number of instances that have a label."""
        return self.log.n_labels

    @property
    def n_draws(self) -> int:
        """The number of draws, repeats included, up to the last answered one whose instance has a label."""
        return self.draws.n_labeled

    @property
    def q(self) -> FloatArray:
        """The instrumental distribution, (n_instances,); for adaptive draws, that of the latest block."""
        return self.draws.q

    @property
    def method(self) -> tuple[str, str]:
        """How instances are drawn and how the estimate is computed, a paragraph each, with sources."""
        words = {
            "noun": self.pool.noun,
            "name": self.measure.name,
            "predictions": predictions_in_words(self.models),
        }
        if not self.models[0].is_model:
            how = "with" if self.draws.is_replaced else "without"
            return (
                f"There is no model: {self.pool.noun} were drawn at random, {how} replacement, and only "
                "labels count.",
                f"The estimate is the {self.measure.name} of what was drawn.",
            )
        draws, estimate = (text.format(**words) for text in self.draws.source.method)
        return capitalized(draws), estimate

    @property
    def estimators(self) -> tuple[str, ...]:
        """The names of the estimators for these draws, the default first; see `estimate`."""
        return self.draws.source.estimators

    @cached_property
    def _can_differ(self) -> dict[tuple[type, str], IntArray | None]:
        return {}

    @cached_property
    def _by_group(self) -> RecentCache[Asked, ByGroup]:
        """Cached estimates by group; the first one, the page's own, is never dropped."""
        return RecentCache(4, keeps_first=True)

    @cached_property
    def _differs(self) -> BoolArray:
        """Whether two models differ on each instance, (n_instances,)."""
        if not self.pool.is_streamed:
            return self.models[0].differs(self.models[1])
        # Instances that share a row have the same predicted classes.
        [first, second], _ = self.draws.source.rows_of([])
        spread: BoolArray = self.draws.source.rows.spread(first.differs(second).astype(np.float64)) > 0
        return spread

    @cached_property
    def _right(self) -> dict[float, list[InPart]]:
        """Cached estimates of how often each model is right where they differ, by level."""
        return {}

    @property
    def deadlines(self) -> Deadlines:
        """The numbers of draws at which the confidence sequence is tuned to be narrow.

        They are declared before the first label: the budget that the session was begun with. The interval
        holds at all other numbers as well.

        Returns
        -------
        tuple of int, or None
            None if none was declared; then the default ones apply (see `stats.AdaptiveConfidenceSequence`).

        See Also
        --------
        watched : The interval.

        Examples
        --------
        >>> Session(pool, ErrorRate(), budget=2).findings.deadlines
        (2,)
        """
        return self._deadlines

    @cached_property
    def _trials(self) -> Trials:
        return Trials(self)

    @cached_property
    def _latest(self) -> RecentCache[AskedAt, Estimate]:
        """The latest estimates."""
        return RecentCache(_MAX_KEPT)

    @cached_property
    def _watched(self) -> RecentCache[Asked, WatchedInterval]:
        """Cached intervals; the first one, the page's own, is never dropped."""
        return RecentCache(_MAX_KEPT, keeps_first=True)

    @cached_property
    def _round_robins(self) -> RecentCache[Asked, RoundRobin]:
        """The leaderboards of large pools."""
        return RecentCache(_MAX_KEPT)

    @cached_property
    def _checked_measures(self) -> set[tuple[type, str]]:
        """The measures that were checked to suit the predictions."""
        return set()

    @cached_property
    def _of(self) -> dict[tuple[int, ...], "Findings"]:
        """Findings for some of the models, by their positions."""
        return {}

    @cached_property
    def _boards(self) -> RecentCache[AskedAt, Leaderboard]:
        """The latest leaderboards."""
        return RecentCache(_MAX_KEPT)

    @cached_property
    def _excluded_bounds(self) -> dict[tuple[Any, ...], ExcludedBounds | None]:
        return {}

    estimate = estimation.estimate
    trajectory = estimation.trajectory
    _limits = estimation._limits
    _estimate_now = estimation._estimate_now
    provisional = estimation.provisional
    watched = estimation.watched
    _interval = estimation._interval
    trials = estimation.trials
    _begin_interval = estimation._begin_interval
    excluded_counted = estimation.excluded_counted

    intervals = fixed_n.intervals
    known_value = fixed_n.known_value
    _settled_difference = fixed_n._settled_difference
    confusion = fixed_n.confusion

    of = several_models.of
    leaderboard = several_models.leaderboard
    _precompute_leaderboards = several_models._precompute_leaderboards
    pair_estimate = several_models.pair_estimate
    pairs = several_models.pairs
    verdict = several_models.verdict
    leader = several_models.leader
    _leader = several_models._leader

    judged_disagreements = disagreements.judged_disagreements
    model_disagreements = disagreements.model_disagreements
    who_was_right = disagreements.who_was_right
    confusions = disagreements.confusions

    by_group = group_estimates.by_group
    group_estimates = group_estimates.group_estimates

    best_threshold = best_threshold_finding.best_threshold

    calibration = calibration_finding.calibration

    judge = judge_finding.judge

    course = course_finding.course

    guidelines = guidelines_finding.guidelines
