"""What is evaluated, in words: names, counts, and what it is about."""

from activeeval_widgets.session import Session
from activeeval_widgets.session.pool.kinds import NOUNS
from activeeval_widgets.stats import Measure
from activeeval_widgets.widgets.model_outputs import model_names

_SPELLED_OUT = {
    "ERR": "expected reciprocal rank",
    "DCG": "discounted cumulative gain",
}


def measure_name(measure: Measure) -> str:
    """A measure's name, spelled out where it is an abbreviation."""
    begin = measure.name.split("@")[0]
    return f"{_SPELLED_OUT[begin]} ({measure.name})" if begin in _SPELLED_OUT else measure.name


def capitalized(text: str) -> str:
    """A text as a sentence begins."""
    return f"{text[:1].upper()}{text[1:]}"


def counted(n: int, plural: str) -> str:
    """A number of things: 1 label, 2 labels."""
    return f"{n:,} {plural.removesuffix('s') if n == 1 else plural}"


def about(session: Session, *, tells_of_model: bool = True) -> str:
    """What is measured, of which model, on what."""
    n = counted(session.pool.n_instances, NOUNS[session.pool.kind])
    if not tells_of_model:
        return n
    measure = measure_name(session.measure)
    if len(session.models) == 2:
        measure = f"difference in {measure}"
    names = " − ".join(model_names(session))
    return " · ".join([measure, *([] if names == "the model" else [names]), n])


def introduction(session: Session) -> str:
    """What this is, for who sees it the first time."""
    n = counted(session.pool.n_instances, NOUNS[session.pool.kind])
    measure = measure_name(session.measure)
    if len(session.models) == 2:
        names = capitalized(" and ".join(model_names(session)))
        return f"{names} made predictions for {n}. Your labels tell which has the better {measure}."
    return f"A model made predictions for {n}. Your labels tell what its {measure} is."
