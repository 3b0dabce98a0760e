"""Words for each kind of question; the only place on the page that distinguishes them."""

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
        The models, for a heading.
    subject : str
        The models, at the beginning of a sentence.
    marked : str
        The legend of labels that contradict a model (`is_against`).
    filtered : str
        The name of the filter for such labels.
    """

    names: str
    subject: str
    marked: str
    filtered: str


def words_of(session: Session) -> Words:
    """Return the words for a session's question."""
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
