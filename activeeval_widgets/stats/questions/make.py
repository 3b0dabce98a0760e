"""Make the question for a measure and models; the only place that counts models."""

from collections.abc import Sequence

from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.questions.best_of import BestOf
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.one import LabelsAlone, One
from activeeval_widgets.stats.questions.question import Comparison, Question
from activeeval_widgets.stats.questions.target import Target


def question_of(measure: Measure, models: Sequence[Predictions]) -> Question:
    """Return the question about one model or more: `One` or `LabelsAlone`, `Difference` or `BestOf`.

    Examples
    --------
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
    >>> [type(question_of(ErrorRate(), [model] * n)).__name__ for n in (1, 2, 3)]
    ['One', 'Difference', 'BestOf']
    """
    match models:
        case [model]:
            return (One if model.is_model else LabelsAlone)(measure, models)
        case [_, _]:
            return Difference(measure, models)
    return BestOf(measure, models)


def target_of(measure: Measure, models: Sequence[Predictions]) -> Target:
    """Return the estimand of one or two models; refuse more."""
    question = question_of(measure, models)
    question.expect(Target, "an estimate", remedy="see compare_all for more")
    assert isinstance(question, Target)  # noqa: S101 - for the type checker
    return question


def comparison_of(measure: Measure, models: Sequence[Predictions], what: str) -> Comparison:
    """Return the comparison of two models or more; refuse one with an error that names the purpose."""
    question = question_of(measure, models)
    question.expect(Comparison, what)
    assert isinstance(question, Comparison)  # noqa: S101 - for the type checker
    return question
