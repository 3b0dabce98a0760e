"""What several people did in one session is exported, follows from its log, and is imported."""

from pathlib import Path

import numpy as np

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.session import MemoryStore
from activeeval_widgets.stats import ErrorRate


def test_leases_opinions_and_names_follow_from_the_log(tmp_path: Path) -> None:
    y_proba = np.random.default_rng(0).dirichlet([1, 1], size=60)
    pool, store = Pool([f"text {i}" for i in range(60)], predictions=y_proba), MemoryStore()
    people = [
        Session(pool, ErrorRate(), store=store, who=who, n_raters=2, second_opinions=0.3)
        for who in ("Ada", "Bob", "Eve")
    ]
    rng = np.random.default_rng(1)
    for _ in range(60):
        each = people[rng.integers(3)]
        if each.next() is not None:
            each.label(int(rng.integers(2)), seconds=1.0)
    people[0].offline.export(4)
    people[1].undo()
    for each in people:
        each.refresh()
    path = write_session(people[0], tmp_path / "session.json")
    file, result = read_session_file(path), verify(path)
    assert result.findings == ()
    assert {record["kind"] for record in file.records} >= {"label", "hand_out", "opinion", "undo", "draw"}
    opened = file.open()
    assert (opened.people.n_raters, opened.people.second_opinions) == (2, 0.3)
    assert [(each.who, each.n_labels, each.n_opinions) for each in opened.people.all()] == [
        (each.who, each.n_labels, each.n_opinions) for each in people[0].people.all()
    ]
    assert repr(opened.estimate()) == repr(people[0].estimate())
    # How many were to be asked is part of what the session was begun with.
    path.write_text(path.read_text().replace('"n_raters": 2', '"n_raters": 1'))
    assert any("begun" in str(each) for each in verify(path).findings)
