"""Which page of a start page's server an address has."""

from pathlib import Path
from typing import Any

import pytest

from activeeval_widgets.app.pages import page_of, start
from activeeval_widgets.demos import DEMOS
from activeeval_widgets.session import MemoryStore, Pool, Session, open_store
from activeeval_widgets.session.stores.protocol import BaseStore
from activeeval_widgets.stats import ErrorRate
from activeeval_widgets.widgets import LabelingApp
from activeeval_widgets.widgets.start import StartPage
from activeeval_widgets.widgets.start.evaluations import demo_of

from .conftest import CHOSEN


@pytest.fixture
def spec(folder: Path) -> dict[str, Any]:
    return {"kind": "start", "store": str(folder / "evaluations.sqlite"), "folder": str(folder)}


def build(spec: dict[str, Any], session: str | None = None, who: str | None = None) -> Any:
    page_of(spec).prepare(spec)
    return page_of(spec).build(spec, {"session": session, "who": who})


def test_every_demo_has_a_card() -> None:
    assert start.DEMO_CARDS.keys() == DEMOS.keys()


def test_without_a_session_it_is_the_start_page(spec: dict[str, Any]) -> None:
    assert isinstance(build(spec), StartPage)
    assert open_store(spec["store"]).names() == []


def test_an_evaluation_opens_as_it_was_begun(spec: dict[str, Any], folder: Path) -> None:
    page = build(spec, who="Ada")
    page._choose({"path": "tickets.csv", "after": None})
    name = page._begun.start(CHOSEN, "Ada")
    app = build(spec, name, who="Ada")
    assert isinstance(app, LabelingApp)
    assert (app.session.name, app.session.budget, app.session.people.who) == (name, 40, "Ada")
    config = app._page._hello({})[0]["config"]
    assert (config["start_page"], config["title"]) == ("./", "October")
    app.session.label("bug")
    # Opened again, and by the start page for its report, it is the same.
    assert build(spec, name).session.n_labels == 1
    assert "October" in page._export({"session": name, "which": "html"})[0]["file"]["text"]
    # The button "New session" leads to another of the same.
    further = build(spec, f"{name}-2")
    assert (further.session.name, further.session.n_labels) == (f"{name}-2", 0)


def test_a_demo_needs_no_details(spec: dict[str, Any]) -> None:
    app = build(spec, "text")
    assert app.session.name == "text"
    assert app._page._hello({})[0]["config"]["start_page"] == "./"
    page = build(spec)
    [row] = page._list(False)["evaluations"]["rows"]
    assert (row["session"], row["missing"], row["budget"]) == ("text", "", app.session.budget)
    assert page._export({"session": "text", "which": "labels"})[0]["file"]["name"] == "text-labels.csv"


def test_a_session_begun_in_python_is_no_demo_by_its_name(spec: dict[str, Any]) -> None:
    Session(Pool(["a"], predictions=[[0.9, 0.1]]), ErrorRate(), store=spec["store"], name="text-2")
    [row] = build(spec)._list(False)["evaluations"]["rows"]
    assert (row["session"], row["missing"]) == ("text-2", "begun in Python: open it there")
    with pytest.raises(ValueError, match="'text-2' was begun in Python: open it there"):
        build(spec, "text-2")


def test_the_name_tells_the_demo_where_no_source_was_stored() -> None:
    class WithoutDetails(BaseStore):
        def names(self) -> list[str]:
            return ["text-2", "mine"]

    found = [demo_of(WithoutDetails(), name, {}) for name in ("text-2", "mine", "digits", "digits-x")]
    assert found == ["text", None, "digits", None]
    assert demo_of(MemoryStore(), "text-2", {}) == "text"


def test_another_page_has_no_link_to_a_start_page(spec: dict[str, Any]) -> None:
    app: Any = page_of({"kind": "demo"}).build(
        {"demo": "text", "store": spec["store"]}, {"session": "text", "who": None}
    )
    assert "start_page" not in app._page._hello({})[0]["config"]


def test_what_there_is_not_begins_nothing(spec: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="There is no evaluation 'nothing'"):
        build(spec, "nothing")
    assert open_store(spec["store"]).names() == []


def test_a_session_of_a_python_file_opens_from_the_start_page(spec: dict[str, Any], folder: Path) -> None:
    made = folder / "made.py"
    made.write_text(
        "from activeeval_widgets import Pool, Session\n"
        "from activeeval_widgets.stats import ErrorRate\n"
        "pool = Pool(['a', 'b', 'c'], predictions=[[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])\n"
        f"Session(pool, ErrorRate(), store={spec['store']!r}, name='mine')\n"
    )
    python = {"kind": "python", "file": str(made), "folder": str(folder), "store": spec["store"]}
    page_of(python).build(python, {"session": None, "who": None}).session.label(0)
    app = build(spec, "mine")
    assert (app.session.name, app.session.n_labels) == ("mine", 1)
    assert app._page._hello({})[0]["config"]["start_page"] == "./"
    assert build(spec)._export({"session": "mine", "which": "labels"})[0]["file"]["name"] == "mine-labels.csv"
