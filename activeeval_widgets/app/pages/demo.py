"""A page for a demo: its data, its store, and the session to show."""

from functools import cache
from zlib import crc32

from activeeval_widgets.app.pages import Query, Spec
from activeeval_widgets.demos import DEMOS, Demo
from activeeval_widgets.demos.judged_answers import COLUMNS
from activeeval_widgets.formats.session_names import next_name, session_number
from activeeval_widgets.session import Session, SessionMismatchError, Store, open_store
from activeeval_widgets.widgets import AnswersView, LabelingApp
from activeeval_widgets.widgets.result.session_details import keep_details

_VIEWS = {"judge": AnswersView(COLUMNS[0], COLUMNS[1:])}
"""The views of demos whose instances are not shown as their kind usually is."""


@cache
def load(demo_name: str) -> Demo:
    """Make a demo's model and pool, which is slow and needs no address."""
    return DEMOS[demo_name]()


def prepare(spec: Spec) -> None:
    """Make the demo's model and pool."""
    load(spec["demo"])


def build(spec: Spec, query: Query) -> LabelingApp:
    """Begin or resume a session of a demo: the one that the query names, else the one begun last."""
    demo_name, session_name, has_sheets = spec["demo"], query["session"], spec.get("sheets", False)
    demo = load(demo_name)
    store = open_store(spec["store"])
    own = [name for name in store.names() if session_number(name, demo_name)]
    name = session_name or (own[-1] if own else demo_name)
    try:
        session = begin(demo_name, store, name, query["who"], sheets=has_sheets)
    except SessionMismatchError:
        if session_name or not own:
            raise
        # A session of the user's own has the name.
        name = next_name(own, demo_name)
        session = begin(demo_name, store, name, query["who"], sheets=has_sheets)
    keep_details(session, {"source": {"demo": demo_name}, "title": demo.title, "question": demo.question})
    return LabelingApp(
        session,
        title=demo.title,
        question=demo.question,
        intro=demo.intro,
        unit=demo.unit,
        grade_words=demo.grade_words,
        reasons=demo.reasons,
        guidelines=demo.guidelines,
        sessions=[*own, *([] if name in own else [name])],
        new_session=next_name([*own, name], demo_name),
        start_page=spec.get("start_page", False),
        view=_VIEWS.get(demo_name),
    )


def begin(
    demo_name: str, store: Store, name: str, who: str | None = None, *, sheets: bool = False
) -> Session:
    """Begin or continue a session of a demo."""
    demo = load(demo_name)
    return Session(
        demo.pool,
        demo.measure,
        budget=demo.budget,
        # Sessions draw differently; a name gives the same draws on any machine.
        seed=crc32(name.encode()),
        store=store,
        name=name,
        y_range=demo.y_range,
        goal=demo.goal,
        who=who,
        sheets=sheets,
    )
