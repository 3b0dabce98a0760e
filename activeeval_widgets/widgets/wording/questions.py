"""What is said of each kind of question: the one place of the page that tells them apart."""

from typing import NamedTuple

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.models import subject_of
from activeeval_widgets.session.findings.sentences import begun, capitalized
from activeeval_widgets.stats.questions.best_of import BestOf
from activeeval_widgets.stats.questions.difference import Difference


class Words(NamedTuple):
    """Words about a session's models.

    Attributes
    ----------
    names : str
        The models, as a heading has them.
    subject : str
        The same at the beginning of a sentence.
    marked : str
        What plots call the labels that `is_against` tells of.
    filtered : str
        What rows with such a label are called.
    """

    names: str
    subject: str
    marked: str
    filtered: str


def words_of(session: Session) -> Words:
    """The words for what a session asks."""
    question = session.question
    match question:
        case BestOf():
            n_models = question.in_words
            return Words(n_models, n_models, "models differ", "Some were wrong")
        case Difference(names=names):
            marked, filtered = "only one model right", "Only one was right"
            if session.measure.is_of_systems:
                marked, filtered = "only one passes", "Only one passes"
            return Words(" vs. ".join(names), begun(" and ".join(names), names), marked, filtered)
    [model], [name] = question.models, question.names
    who = subject_of(question.models)
    return Words(
        name,
        capitalized(name),
        f"{who.removeprefix('the ')} wrong",
        f"{capitalized(model.role) if model.assists else begun(who, [model.name or ''])} was wrong",
    )
