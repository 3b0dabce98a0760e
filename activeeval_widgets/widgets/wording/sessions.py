"""What is evaluated, in words: names, counts, and what it is about."""

from activeeval_widgets.session import Session
from activeeval_widgets.session.reading.sentences import begun
from activeeval_widgets.widgets.wording.measures import measure_name
from activeeval_widgets.widgets.wording.models import model_names
from activeeval_widgets.widgets.wording.text import counted


def measure_in_words(session: Session) -> str:
    """What is measured: "difference in error rate", say."""
    name = measure_name(session.measure)
    return f"difference in {name}" if len(session.models) == 2 else name


def about(session: Session, *, tells_of_model: bool = True) -> str:
    """What is measured, of which model, on what."""
    n = counted(session.pool.n_instances, session.pool.noun)
    if not tells_of_model:
        return n
    what = measure_in_words(session)
    if session.measure.remark:
        what += f" ({session.measure.remark})"
    n_models = len(session.models)
    names = f"{n_models} models" if session.seeks_best else " vs. ".join(model_names(session))
    if not session.models[0].is_model:
        return f"{what} · no model · {n}"
    return " · ".join([what, *([] if names.startswith("the ") else [names]), n])


def introduction(session: Session) -> str:
    """What this is, for someone who sees it for the first time."""
    n = counted(session.pool.n_instances, session.pool.noun)
    did = f"made predictions for {n}"
    if session.pool.noun == "rankings":
        n_queries = session.pool.n_instances
        did = f"ranked results for {n_queries:,} {'query' if n_queries == 1 else 'queries'}"
    measure = measure_name(session.measure)
    if len(session.models) == 2:
        names = begun(" and ".join(model_names(session)), model_names(session))
        return f"{names} {did}. Your labels tell which has the better {measure}."
    if session.seeks_best:
        n_models = len(session.models)
        return f"{n_models} models {did}. Your labels tell which has the best {measure}."
    if not session.models[0].is_model:
        return f"Your labels tell the {measure} among {n}. No model is needed."
    if not session.measure.needs_model:
        what = (
            f"A {session.models[0].role}'s predictions"
            if session.models[0].assists
            else "The votes of judges may"
        )
        return f"Your labels tell the {measure} among {n}. {what} save some of them."
    return f"A {session.models[0].role} {did}. Your labels tell its {measure}."
