"""A class on the data of a demo or a labeled file."""

from activeeval_widgets.app.pages import Spec
from activeeval_widgets.app.pages.race import labeled_data
from activeeval_widgets.widgets.classroom.classroom import Classroom
from activeeval_widgets.widgets.race.contest import Contest
from activeeval_widgets.widgets.session_page import PageOptions


def make(spec: Spec) -> Classroom:
    """Make the class of a spec."""
    data = labeled_data(spec)
    contest = Contest(data.pool, data.measure, data.y_true, budget=spec["budget"], y_range=data.y_range)
    options = PageOptions(
        title=data.title, question=data.question, unit=data.unit, grade_words=data.grade_words
    )
    return Classroom(
        contest,
        options,
        n_simulated=spec["n_simulated"],
        seed=spec["seed"],
        notes=data.notes_for_page,
    )
