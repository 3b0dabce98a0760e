"""A demo as a page of its own: its data, its store, and which of its sessions is shown."""

import re
from functools import cache
from pathlib import Path
from zlib import crc32

from activeeval_widgets.demos import DEMOS, Demo
from activeeval_widgets.session import Session, SQLiteStore
from activeeval_widgets.widgets import LabelingApp


@cache
def load(demo_name: str) -> Demo:
    """Make a demo's model and pool: the slow part, which can be done before the address is known."""
    return DEMOS[demo_name]()


def build(demo_name: str, store_path: str | Path, session_name: str | None) -> LabelingApp:
    """Begin or resume a session of a demo.

    Parameters
    ----------
    demo_name : str
        The demo's name.
    store_path : str or path-like
        The SQLite file with the sessions.
    session_name : str or None
        Which one; the one begun last if None.

    Returns
    -------
    LabelingApp

    Raises
    ------
    StoreError
        If the store can't be used, or holds a session of this name that is about something else.
    """
    demo = load(demo_name)
    store = SQLiteStore(store_path)
    own = [name for name in store.names() if _number(name, demo_name)]
    name = session_name or (own[-1] if own else demo_name)
    session = Session(
        demo.pool,
        demo.measure,
        budget=demo.budget,
        # Each session draws anew; the same name draws the same, on any machine.
        seed=crc32(name.encode()),
        store=store,
        name=name,
        y_range=demo.y_range,
        goal=demo.goal,
    )
    last = max((_number(own_name, demo_name) for own_name in [*own, name]), default=0)
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
        new_session=f"{demo_name}-{last + 1}" if last else demo_name,
    )


def _number(session_name: str, demo_name: str) -> int:
    """The number in the name of a demo's session: 1 for "digits", 2 for "digits-2"; 0 for any other name."""
    match = re.fullmatch(rf"{re.escape(demo_name)}(?:-([1-9]\d*))?", session_name)
    return int(match[1] or 1) if match else 0
