"""The side of the page that shows the evaluation: the estimate in words, the plots, the progress."""

from collections.abc import Callable
from typing import Any

import numpy as np

from activeeval_widgets.session import Goal, Session
from activeeval_widgets.session.reading.goals import GoalPlan
from activeeval_widgets.session.report.report import differing_text
from activeeval_widgets.stats._typing import AnyArray, IntArray
from activeeval_widgets.widgets.evaluation.confusion import confusion_content, has_confusion
from activeeval_widgets.widgets.evaluation.distribution_plot import DistributionPlot
from activeeval_widgets.widgets.evaluation.estimate import estimate_content
from activeeval_widgets.widgets.evaluation.estimate_plot import EstimatePlot
from activeeval_widgets.widgets.evaluation.goal import default_goal, goal_content
from activeeval_widgets.widgets.evaluation.marks import marks
from activeeval_widgets.widgets.evaluation.plot_axes import thin
from activeeval_widgets.widgets.evaluation.plot_texts import distribution_text, nouns, trajectory_text
from activeeval_widgets.widgets.evaluation.pool_axis import pool_axis
from activeeval_widgets.widgets.evaluation.progress import left_out, progress_content
from activeeval_widgets.widgets.evaluation.trajectory import Trajectory
from activeeval_widgets.widgets.evaluation.trial import CONSEQUENCE, trial_sentence
from activeeval_widgets.widgets.wording.models import model_names


class Side:
    """What a session's labels say, next to the instance.

    Parameters
    ----------
    session : Session
        Whose labels.
    intro : str
        What is shown in the estimate's place before the first label.
    label_text : callable
        What a stored label is in words.

    Attributes
    ----------
    has_confusion : bool
        Whether there is a confusion matrix to be shown.
    """

    def __init__(self, session: Session, intro: str = "", label_text: Callable[[Any], str] = str) -> None:
        self._session = session
        self._intro = intro
        self._label_text = label_text
        self._names = model_names(session) if len(session.models) == 2 else ()
        self._watched = session.watched()
        self.has_confusion = has_confusion(session)
        self._whole = self._watched.whole
        self._plan = GoalPlan(session, self._watched)
        self._past = Trajectory(session)
        if session.goal is None:
            session.goal = default_goal(session.measure, self._whole, is_difference=bool(self._names))
        # Without replacement, each label is a draw of its own.
        unit = "draw" if session.protocol == "papers" else "label"
        self._trajectory = EstimatePlot(session.measure, self._names, unit)
        self._distribution = DistributionPlot(pool_axis(session), nouns(session))

    def content(self) -> dict[str, Any]:
        """The estimate and the progress, for the page."""
        session = self._session
        self._watched.update()
        estimate = self._watched.estimate()
        content = estimate_content(
            session.measure,
            estimate,
            names=self._names,
            whole=self._whole,
            intro=self._intro,
            has_verdict=session.goal is None or session.goal.threshold != 0,
            caution=(estimate.reason or "") if estimate.withheld and estimate.is_defined else "",
        )
        content["note"] = f"{content['note']} {left_out(session)}".strip()
        content["warning"] = self._warning()
        return {
            "estimate": content,
            "progress": progress_content(session, estimate),
            "n_draws": estimate.n_draws,
        }

    def _warning(self) -> str:
        """What the labels say against the models' own probabilities."""
        trials, names = self._session.trials(), model_names(self._session)
        sentences = [
            trial_sentence(trial, name)
            for trial, name in zip(trials, names, strict=False)
            if trial is not None
        ]
        found = [*filter(None, sentences)]
        n_differing = self._session.n_differing()
        told = [differing_text(n_differing)] if n_differing else []
        return " ".join([*found, CONSEQUENCE, *told] if found else told)

    def redraw(self, *, shows_wald: bool = False, shows_confusion: bool = False) -> dict[str, Any]:
        """The plots as they are now.

        Parameters
        ----------
        shows_wald : bool
            Whether the Wald interval is shown beside the band.
        shows_confusion : bool
            Whether the confusion matrix is shown.

        Returns
        -------
        dict
            "plots": by name, as the page draws them, in words and as tables; "goal"; "confusion", if shown.
        """
        session = self._session
        self._watched.update()
        draws, y_true = session.labeled_draws()
        told: dict[str, Any] = {"plots": self._plots(draws, y_true, shows_wald), "goal": self.goal_content()}
        if shows_confusion and self.has_confusion:
            told["confusion"] = confusion_content(session)
        return told

    def _plots(self, draws: IntArray, y_true: AnyArray, shows_wald: bool) -> dict[str, Any]:
        session = self._session
        trajectory = self._past.at(thin(draws.size))
        band = np.array(self._watched.at([estimate.n_draws for estimate in trajectory]))
        labeled = marks(session, draws, y_true, self._label_text)
        is_replaced = session.protocol == "papers"
        m = session.pool.n_instances
        present = session.next()
        here = None
        if present is not None:
            here = (present.index, present.q * (m if is_replaced else m - (present.draw - 1)))
        is_left = np.ones(m, dtype=bool)
        drawn = session.draws_so_far()
        if not is_replaced:
            is_left[drawn] = False
            is_left[[action.instance for action in session.actions]] = False
            if here is not None:
                is_left[here[0]] = False
        # The latest block may be further ahead than what is asked.
        now = max(1, drawn.size, present.draw if present is not None else 0)
        return {
            "trajectory": {
                **self._trajectory.content(
                    trajectory,
                    band,
                    [mark for mark in labeled if mark.is_wrong],
                    is_asymptotic=self._watched.is_asymptotic,
                    is_withheld=self._watched.withheld,
                    shows_wald=shows_wald,
                    threshold=(session.goal or Goal()).threshold,
                ),
                **trajectory_text(session.measure, trajectory, band, is_difference=bool(self._names)),
            },
            "distribution": {
                **self._distribution.content(
                    session.q_at(now),
                    is_left,
                    labeled,
                    here,
                    is_replaced=is_replaced,
                    is_compared=bool(self._names),
                ),
                **distribution_text(session, draws),
            },
        }

    def trajectory(self) -> dict[str, Any]:
        """The plot of the estimate, as the page draws it."""
        self._watched.update()
        content: dict[str, Any] = self._plots(*self._session.labeled_draws(), shows_wald=False)["trajectory"]
        return content

    def reached(self) -> tuple[str, ...]:
        """Which parts of the session's goal are reached."""
        return self._plan.standing(self._session.goal or Goal()).reached

    def goal_content(self) -> dict[str, Any]:
        """How far it is to the session's goal."""
        goal = self._session.goal or Goal()
        return goal_content(self._session, goal, self._plan.standing(goal))
