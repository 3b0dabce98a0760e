"""A store from outside the package, as the page on extending has it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import LabelingApp, Pool, Session
from activeeval_widgets.session import SessionConflictError, SessionMismatchError, StoreError, open_store
from activeeval_widgets.stats import ClassPredictions, ErrorRate

from ..extending_page import Section

POOL = Pool(
    [f"Text {i}" for i in range(60)],
    predictions=ClassPredictions(np.random.default_rng(0).dirichlet([1, 1], size=60)),
)


@pytest.fixture(autouse=True)
def store_class() -> Any:
    return Section("A store").run()["JSONLinesStore"]


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"jsonl:{tmp_path / 'labels.jsonl'}"


def opened(address: Any, **options: Any) -> Session:
    return Session(POOL, ErrorRate(), store=address, **options)


def test_a_session_goes_on_where_it_was(address: str) -> None:
    in_memory, first = opened(None), opened(address)
    for step in range(25):
        for session in (in_memory, first):
            if step % 7 == 3:
                session.defer()
            elif step % 7 == 5:
                session.exclude(reason="Ünlesbar\n\u2028")
            else:
                session.label(step % 2)
    again = opened(address)
    assert again.log.events == first.log.events
    assert again.upcoming(20) == first.upcoming(20) == in_memory.upcoming(20)
    assert again.estimate() == in_memory.estimate()


def test_an_address_opens_it(address: str, store_class: Any) -> None:
    assert isinstance(open_store(address), store_class)
    opened(address, name="Ada").label(1)
    opened(address, name="Bob").label(0)
    assert open_store(address).names() == ["Ada", "Bob"]
    assert open_store(address).identity("Eve") is None
    lines = Path(address.removeprefix("jsonl:")).read_text().splitlines()
    assert {json.loads(line)[0] for line in lines} == {"Ada", "Bob"}


def test_other_settings_are_refused(address: str) -> None:
    opened(address, seed=1).label(1)
    with pytest.raises(SessionMismatchError, match="seed"):
        opened(address, seed=2)


def test_of_two_programs_one_is_notified(address: str) -> None:
    one, two = opened(address), opened(address)
    one.label(1)
    with pytest.raises(SessionConflictError, match="continued elsewhere"):
        two.label(0)
    assert opened(address).n_labels == 1


def test_a_line_that_was_cut_off_is_no_answer(address: str) -> None:
    session = opened(address)
    session.label(1)
    log = session.log.events
    path = Path(address.removeprefix("jsonl:"))
    with path.open("ab") as file:
        file.write(b'["default", {"seq"')
    again = opened(address)
    assert again.log.events == log
    again.label(0)
    assert opened(address).n_labels == 2


def test_what_was_acknowledged_outlives_the_process(address: str) -> None:
    script = Section("A store").blocks["python"] + (
        "import os\n"
        "import numpy as np\n"
        "from activeeval_widgets import Pool, Session\n"
        "from activeeval_widgets.stats import ClassPredictions, ErrorRate\n"
        "model = ClassPredictions(np.random.default_rng(0).dirichlet([1, 1], size=60))\n"
        "pool = Pool([f'Text {i}' for i in range(60)], predictions=model)\n"
        f"session = Session(pool, ErrorRate(), store={address!r})\n"
        "for i in range(7):\n"
        "    session.label(i % 2)\n"
        "os._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 9
    assert opened(address).n_labels == 7


def test_a_file_that_cant_be_written_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="can't be used"):
        opened(f"jsonl:{tmp_path}")


def test_the_page_says_where_answers_are(address: str) -> None:
    app = LabelingApp(opened(address))
    reply, _ = app._page._hello({})
    assert reply["config"]["session_text"].endswith("kept in labels.jsonl")
