"""The side of the page that shows the evaluation: the estimate in words, the plots, the progress."""

from html import escape
from typing import Any

import ipywidgets
import numpy as np

from activeeval_widgets.session import Goal, Session
from activeeval_widgets.session.goals import GoalPlan
from activeeval_widgets.session.report import report
from activeeval_widgets.widgets._plot import thin
from activeeval_widgets.widgets.confusion_panel import confusion_content, has_confusion
from activeeval_widgets.widgets.distribution_plot import DistributionPlot
from activeeval_widgets.widgets.estimate_panel import estimate_content
from activeeval_widgets.widgets.estimate_plot import EstimatePlot
from activeeval_widgets.widgets.goal_panel import default_goal, goal_content
from activeeval_widgets.widgets.opinions import model_names, pool_axis, surprises
from activeeval_widgets.widgets.plot_texts import distribution_text, trajectory_text
from activeeval_widgets.widgets.progress_panel import left_out, progress_content
from activeeval_widgets.widgets.trajectory import Trajectory
from activeeval_widgets.widgets.trial_text import CONSEQUENCE, trial_sentence


class Side:
    """What a session's labels say, next to the instance.

    Parameters
    ----------
    session : Session
        Whose labels.
    intro : str
        What is shown in the estimate's place before the first label.

    Attributes
    ----------
    box : ipywidgets.Box
        The plots.
    has_confusion : bool
        Whether there is a confusion matrix to be shown.
    """

    def __init__(self, session: Session, intro: str = "") -> None:
        self._session = session
        self._intro = intro
        self._is_difference = len(session.models) == 2
        self._names = model_names(session) if self._is_difference else ()
        self._watched = session.watched()
        self.has_confusion = has_confusion(session)
        self._whole = self._watched.whole
        self._plan = GoalPlan(session, self._watched)
        self._past = Trajectory(session)
        if session.goal is None:
            session.goal = default_goal(session.measure, self._whole)
        self._trajectory = EstimatePlot(session.measure, is_difference=self._is_difference)
        self._distribution = DistributionPlot(pool_axis(session), session.q)
        what = f"difference in {session.measure.name}" if self._is_difference else session.measure.name
        marks = (
            "+ one model right, one wrong, • alike."
            if self._is_difference
            else "+ the model was wrong, • it was right."
        )
        has_marks = session.labels.kind == "class"
        self.box = ipywidgets.Box(
            [
                _panel(
                    "aew-trajectory-plot",
                    f"{what} after each draw",
                    f"Line: estimate. Band: where the truth is. {marks if has_marks else ''}",
                    self._trajectory.figure,
                ),
                _panel(
                    "aew-distribution-plot",
                    "Which instances are drawn",
                    "Gray: the pool. Blue: drawn. Diamond: the present one. Dashed: uniform.",
                    self._distribution.figure,
                ),
            ]
        )
        self.box.add_class("aew-side")
        self.redraw()

    def content(self) -> dict[str, Any]:
        """The estimate and the progress, for the page."""
        session = self._session
        self._watched.update()
        estimate = self._watched.estimate()
        content = estimate_content(
            session.measure, estimate, names=self._names, whole=self._whole, intro=self._intro
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
        return " ".join([*found, CONSEQUENCE]) if found else ""

    def redraw(self, *, shows_wald: bool = False, shows_confusion: bool = False) -> dict[str, Any]:
        """Bring the plots up to date.

        Parameters
        ----------
        shows_wald : bool
            Whether the Wald interval is shown beside the band.
        shows_confusion : bool
            Whether the confusion matrix is shown.

        Returns
        -------
        dict
            "plots": what the plots say, in words and as tables; "goal"; "confusion", if shown.
        """
        session = self._session
        self._watched.update()
        draws, y_true = session.labeled_draws()
        trajectory = self._past.at(thin(draws.size))
        present = session.next()
        band = np.array(self._watched.at([estimate.n_draws for estimate in trajectory]))
        differs = surprises(session, draws, y_true)
        self._trajectory.update(trajectory, band, differs, shows_wald=shows_wald)
        # Without replacement, uniform draws would be from what is left.
        step = 0 if session.protocol == "papers" else 1
        m = session.pool.n_instances
        times = session.q_draws() * (m - step * np.arange(draws.size))
        here = None if present is None else (present.index, present.q * (m - step * (present.draw - 1)))
        n_left = int(np.count_nonzero(session.q)) if step else m
        self._distribution.update(session.q, n_left, (draws, times), here)
        texts = {
            "trajectory": trajectory_text(session.measure, trajectory, band),
            "distribution": distribution_text(session, draws),
        }
        told: dict[str, Any] = {"plots": texts, "goal": self.goal_content()}
        if shows_confusion and self.has_confusion:
            told["confusion"] = confusion_content(session)
        return told

    def report(self) -> str:
        """The report on the session, in Markdown."""
        self._watched.update()
        return report(self._session, self._watched)

    def goal_content(self) -> dict[str, Any]:
        """How far it is to the session's goal."""
        goal = self._session.goal or Goal()
        return goal_content(self._session, goal, self._plan.standing(goal))


def _panel(name: str, heading: str, legend: str, figure: ipywidgets.Widget) -> ipywidgets.Box:
    panel = ipywidgets.VBox(
        [
            ipywidgets.HTML(f"<h2>{escape(heading[0].upper() + heading[1:])}</h2>"),
            figure,
            ipywidgets.HTML(f"<p>{escape(legend)}</p>"),
        ]
    )
    panel.add_class("aew-panel")
    panel.add_class(name)
    return panel
