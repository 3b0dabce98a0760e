"""The subject of an evaluation in words: names and counts."""

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.models import evaluated_in_words, is_scorer, predictions_in_words
from activeeval_widgets.session.findings.sentences import capitalized
from activeeval_widgets.session.report.summary import measure_in_words
from activeeval_widgets.stats.text import counted
from activeeval_widgets.widgets.wording.questions import words_of


def about(session: Session, *, with_model: bool = True) -> str:
    """Return what is measured, for which model, and on what."""
    n = counted(session.pool.n_instances, session.pool.noun)
    if not with_model:
        return n
    what = measure_in_words(session.findings)
    if session.measure.remark:
        what += f" ({session.measure.remark})"
    names = words_of(session).names
    if not session.question.has_model:
        return f"{what} · no model · {n}"
    if is_scorer(session.models):
        whose = evaluated_in_words(session.models)
        return (
            f"{what} of {whose} · {n}" if session.measure.needs_model else f"{what} by people · {whose} · {n}"
        )
    return " · ".join([what, *([] if names.startswith("the ") else [names]), n])


def introduction(session: Session) -> str:
    """Return an introduction for somebody who sees the session for the first time."""
    n = counted(session.pool.n_instances, session.pool.noun)
    did = f"made predictions for {n}"
    if session.pool.noun == "rankings":
        n_queries = session.pool.n_instances
        did = f"ranked results for {counted(n_queries, 'queries')}"
    measure = session.measure.long_name
    if session.measure.is_of_systems:
        did = f"each answered in {n}"
    if session.question.best:
        who, best = words_of(session).subject, session.question.best
        return f"{who} {did}. Your labels decide which has the {best} {measure}."
    if not session.question.has_model:
        return f"Your labels estimate the {measure} among {n}. No model is needed."
    if not session.measure.needs_model and is_scorer(session.models):
        who = evaluated_in_words(session.models)
        return f"Your labels estimate the {measure} among {n}, and how far {who} agrees with them."
    if not session.measure.needs_model:
        may = " may" if not session.models[0].assists else ""
        what = capitalized(predictions_in_words(session.models))
        return f"Your labels estimate the {measure} among {n}. {what}{may} save some of them."
    if is_scorer(session.models):
        who = evaluated_in_words(session.models)
        return (
            f"{capitalized(who)} judged {n}. Your labels estimate its {measure}, "
            "not that of the model whose answers it judged."
        )
    return f"A {session.models[0].role} {did}. Your labels estimate its {measure}."
