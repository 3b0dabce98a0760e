"""The state of a session at one moment, from which all panels get their content."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from activeeval_widgets.session import Goal, Placed, Session, WatchedInterval
from activeeval_widgets.session.draws.scheduler import DrawnInstance
from activeeval_widgets.session.findings.certain_values import certain_value_sentences
from activeeval_widgets.session.findings.estimated_interval import approximate_within, with_both
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.goal_plan import (
    BestModelPlan,
    Forecast,
    GoalPlan,
    GoalProgress,
    plan_of,
)
from activeeval_widgets.session.findings.plot_axes import MAX_MODELS, thin
from activeeval_widgets.session.findings.verdict import Verdict, read_verdict
from activeeval_widgets.stats import Estimate, ModelTrial, Predictions
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray
from activeeval_widgets.widgets.evaluation.default_goal import default_goal
from activeeval_widgets.widgets.evaluation.marks import Mark, marks
from activeeval_widgets.widgets.evaluation.past_estimates import PastEstimates

_N_AHEAD = 3
"""The number of models, the current best first, whose past estimates are computed ahead of display."""


MAX_MODEL_POINTS = 50
"""The approximate number of points in the curve of each of several models."""


class Snapshot:
    """A session at one moment; each part is computed when a panel first asks for it.

    It is valid until the session changes; `Snapshots.current` then returns a new one.

    Parameters
    ----------
    session : Session
        The session.
    goal : Goal
        The session's goal, or a default.
    watched : WatchedInterval
        The session's anytime-valid interval, up to date.
    past : PastEstimates
        The session's past estimates.
    plan : GoalPlan or BestModelPlan
        Compares the session with a goal.
    label_text : callable
        Converts a stored label to words.
    intro : str
        An introduction to the session, for somebody who sees it for the first time.
    certain_values : str
        What is certain before the first label; "" for most sessions.
    past_of : callable, optional
        For more than two models, returns a model's past estimates by its position.

    Attributes
    ----------
    label_text : callable
        Converts a stored label to words.
    names : tuple of str
        The names of two models whose difference is estimated, else empty.

    See Also
    --------
    Panel : Gets its content from a snapshot.

    Examples
    --------
    >>> event = session.label(0)
    >>> Snapshots(session).current().estimate.n_labels
    1
    """

    def __init__(
        self,
        session: Session,
        goal: Goal,
        watched: WatchedInterval,
        past: PastEstimates,
        plan: GoalPlan | BestModelPlan,
        label_text: Callable[[Any], str],
        intro: str,
        certain_values: str,
        past_of: Callable[[int], PastEstimates] | None = None,
    ) -> None:
        self.certain_values, self._past_of = certain_values, past_of
        self.session, self.goal = session, goal
        self.watched, self.intro = watched, intro
        self._past, self._plan, self.label_text = past, plan, label_text

    @cached_property
    def estimate(self) -> Estimate:
        """The estimate, with its anytime-valid interval."""
        return self.session.findings.estimate()

    @cached_property
    def verdict(self) -> Verdict | None:
        """Which of two models is better; None unless two are compared."""
        session = self.session
        if session.question.zero_asks != "verdict":
            return None
        return read_verdict(session.findings, session.measure, self.watched, session.log.margin)

    @property
    def threshold(self) -> float | None:
        """The goal's threshold, if it is a value; for more than two models, 0 asks for the best one."""
        threshold = self.goal.threshold
        return None if self.session.question.asked_by(threshold) == "leader" else threshold

    @cached_property
    def labeled(self) -> tuple[IntArray, Any]:
        """The labeled draws in draw order, and their labels; see `SessionDraws.labeled`."""
        return self.session.draws.labeled()

    @cached_property
    def trajectory(self) -> list[Estimate]:
        """The estimates after increasing numbers of draws, at most about 200, with Wald intervals."""
        return self._past.at(thin(self.labeled[0].size))

    @cached_property
    def leading(self) -> list[tuple[Placed, list[Estimate]]]:
        """The current best of more than two models, the best first, each with some past estimates."""
        if self._past_of is None:
            return []
        at = thin(self.labeled[0].size)
        at = np.unique(np.append(at[:: max(1, at.size // MAX_MODEL_POINTS)], at[-1:]))
        board = self.session.leaderboard()
        return [(each, self._past_of(each.position).at(at)) for each in board.models[:MAX_MODELS]]

    @cached_property
    def watched_estimates(self) -> list[Estimate]:
        """The trajectory with anytime-valid intervals, their p-values, and approximate intervals."""
        return with_both(self.watched, self.trajectory)

    @cached_property
    def band(self) -> FloatArray:
        """The ends of the anytime-valid interval at each point of the trajectory, (2, n_estimates)."""
        found = self.watched_estimates
        return np.array([[each.low for each in found], [each.high for each in found]])

    @cached_property
    def approximate(self) -> FloatArray:
        """The ends of the approximate interval at each point of the trajectory, (2, n_estimates).

        NaN where it is withheld, and everywhere if it is never narrower than a guaranteed one.
        """
        found = self.watched_estimates
        is_shown = any(approximate_within(each) for each in found)
        both = [
            (each.approximate_low, each.approximate_high)
            if is_shown and each.has_approximate
            else (np.nan, np.nan)
            for each in found
        ]
        ends: FloatArray = np.array(both).reshape(-1, 2).T
        return ends

    @cached_property
    def marks(self) -> list[Mark]:
        """The labeled draws that plots mark, in draw order."""
        return marks(self.session, *self.labeled, self.label_text)

    @property
    def asked(self) -> DrawnInstance | None:
        """The instance on screen; it can change without an answer, as when a lease runs out."""
        return next(iter(self.session.upcoming(1)), None)

    @property
    def present(self) -> tuple[int, float] | None:
        """The instance on screen, and how often it was to be drawn, as a multiple of uniform draws.

        None when the session is done, or asks on a sheet.
        """
        asked = None if self.session.sheets.present() else self.asked
        return None if asked is None else (asked.index, asked.q * self.session.draws.n_left(asked.draw))

    @property
    def left(self) -> AnyArray:
        """The number of instances in each row that can still be drawn, (n_rows,); all, with replacement.

        Boolean if each instance is a row.
        """
        session = self.session
        gone: set[int] = set()
        if not session.draws.is_replaced:
            drawn = session.draws.source.first(self._n_drawn)
            gone.update(drawn.tolist(), (action.instance for action in session.log.actions))
        return session.draws.rows.left(sorted(gone))

    @property
    def q(self) -> FloatArray:
        """The distribution of the present instance over the session's rows, (n_rows,)."""
        return self.session.draws.row_q_at(max(1, self._n_drawn))

    @property
    def _n_drawn(self) -> int:
        """The number of draws up to the last answered or the present one; blocks may be drawn ahead of it."""
        asked = self.asked
        return max(self.session.draws.so_far().size, 0 if asked is None else asked.draw)

    @cached_property
    def is_exact(self) -> bool:
        """Whether everything that can be drawn has an answer."""
        return self.session.known_value() is not None

    @cached_property
    def trials(self) -> list[ModelTrial | None]:
        """The test of each model's own probabilities; see `Findings.trials`."""
        return self.session.findings.trials()

    def forecast(self, half_widths: FloatArray) -> Forecast:
        """Return the forecast of labels until half the interval's width falls to these values."""
        return self._plan.forecast(half_widths)

    @cached_property
    def progress(self) -> GoalProgress:
        """The distance to the goal."""
        return self._plan.progress(self.goal)

    def progress_for(self, goal: Goal, margin: float) -> GoalProgress:
        """Return the distance to another goal; for two models, with a margin of equivalence, or 0."""
        return self._plan.progress(goal, margin)


class Snapshots:
    """Takes snapshots of a session, and caches what can be reused between them."""

    def __init__(self, session: Session, intro: str = "", label_text: Callable[[Any], str] = str) -> None:
        self._session, self._intro, self._label_text = session, intro, label_text
        self._certain_values = " ".join(certain_value_sentences(session.findings))
        self._plan = plan_of(session.findings)
        # By the models of the result: of more than two, the current best.
        self._past: dict[tuple[Predictions, ...], PastEstimates] = {}
        self._usual_goal = default_goal(
            session.measure, session.watched().whole, is_compared=bool(session.question.pairs)
        )
        self._current: Snapshot | None = None
        self._moment: tuple[Any, ...] = ()

    @property
    def goal(self) -> Goal:
        """The session's goal, or a default for its measure."""
        return self._usual_goal if self._session.goal is None else self._session.goal

    def precompute(self) -> Iterator[None]:
        """Compute in steps what the next snapshot may need: the past of models that may become the best."""
        session = self._session
        if not session.question.is_of_leader:
            return
        for each in session.leaderboard().models[:_N_AHEAD]:
            findings = session.of(each.position)
            past = self._past_of(findings)
            for n in thin(int(findings.draws.labeled()[0].size)).tolist():
                if not past.has(n):
                    past.at([n])
                    yield

    def _past_of(self, findings: Findings) -> PastEstimates:
        if findings.models not in self._past:
            self._past[findings.models] = PastEstimates(findings)
        return self._past[findings.models]

    def current(self) -> Snapshot:
        """Return the current snapshot, which stays the same while nothing changes."""
        session = self._session
        goal = self.goal
        moment = (session.log.revision, goal, session.log.margin)
        if self._current is None or moment != self._moment:
            leader = session.findings.leader()
            self._current = Snapshot(
                session,
                goal,
                session.watched(),
                self._past_of(leader),
                self._plan,
                self._label_text,
                self._intro,
                self._certain_values,
                (lambda position: self._past_of(session.of(position)))
                if session.question.is_of_leader
                else None,
            )
            self._moment = moment
        return self._current
