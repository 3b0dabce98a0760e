"""The pages, made without a server."""

import asyncio
import json

import pytest

from activeeval_widgets.app.commands.demo import WITH_SHEETS
from activeeval_widgets.app.pages import demo, evaluation
from activeeval_widgets.demos import DEMOS, one_ranker
from activeeval_widgets.session import MemoryStore, Session, SessionMismatchError, SQLiteStore, open_store
from activeeval_widgets.widgets.result import session_details

from ..labeling import give_labels

HERE = {"session": None, "who": None}
ROWS = [
    "body,p_ham,p_spam",
    *(f"mail {i},{0.9 - 0.04 * (i % 20):.2f},{0.1 + 0.04 * (i % 20):.2f}" for i in range(50)),
]


@pytest.fixture
def spec(tmp_path):
    mails = tmp_path / "mails.csv"
    mails.write_text("\n".join(ROWS))
    settings = {"file": str(mails), "measure": "f1", "budget": 20, "title": "Mails"}
    return {"kind": "evaluation", "settings": settings, "store": str(tmp_path / "s.sqlite")}


def with_settings(spec, **changes):
    return {**spec, "settings": {**spec["settings"], **changes}}


def test_a_file_goes_on_where_it_was(spec):
    evaluation.prepare(spec)
    first = evaluation.build(spec, {**HERE, "who": "Ada"})
    first.session.label("spam")
    again = evaluation.build(json.loads(json.dumps(spec)), HERE)
    assert (again.session.name, again.session.n_labels, again.session.budget) == ("mails", 1, 20)
    assert again.session.pool is first.session.pool, "the file was read twice"
    other = evaluation.build(spec, {**HERE, "session": "tuesday"})
    assert (other.session.name, other.session.n_labels) == ("tuesday", 0)


def test_another_file_of_the_same_name_is_one_clear_message(spec, tmp_path):
    evaluation.build(spec, HERE)
    mails = tmp_path / "other" / "mails.csv"
    mails.parent.mkdir()
    mails.write_text("\n".join(ROWS[:-3]))
    with pytest.raises(SessionMismatchError, match=r"'mails' was begun with another file, .*--name mails-2"):
        evaluation.build(with_settings(spec, file=str(mails)), HERE)
    assert open_store(spec["store"]).names() == ["mails"]


def test_a_file_that_changed_is_one_clear_message(spec, tmp_path):
    evaluation.build(spec, HERE)
    (tmp_path / "mails.csv").write_text("\n".join(ROWS[:-3]))
    evaluation._read.cache_clear()
    with pytest.raises(SessionMismatchError, match=r"begun before mails.csv changed.*--name mails-2"):
        evaluation.build(spec, HERE)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measure": "recall"}, "--measure"),
        ({"seed": 7}, "--seed"),
        ({"n_raters": 2}, "--n-raters"),
        ({"protocol": "papers"}, "--protocol"),
        ({"confidence": "80%"}, r"confidence level \(0\.95, and now 0\.8\).*--confidence"),
    ],
)
def test_another_setting_is_one_clear_message(spec, change, message):
    evaluation.build(spec, HERE)
    with pytest.raises(SessionMismatchError, match=rf"with another .*{message}.*--name mails-2"):
        evaluation.build(with_settings(spec, **change), HERE)


def test_details_tell_what_the_session_is_and_how_far(spec):
    app = evaluation.build(spec, {**HERE, "who": "Ada"})
    details = open_store(spec["store"]).details("mails")
    assert details["source"] == {"settings": spec["settings"]}
    assert (details["title"], details["budget"], details["who"]) == ("Mails", 20, ["Ada"])
    assert details["summary"]["n_labels"] == 0
    assert details["summary"]["value"] is None
    assert details["last_used"].endswith("+00:00")
    give_labels(app.session, lambda i: "spam" if i % 20 > 9 else "ham", 20)
    session_details.keep_details(app.session, {"title": "New"})
    details = open_store(spec["store"]).details("mails")
    summary, estimate = details["summary"], app.session.estimate()
    assert (summary["n_labels"], summary["is_done"]) == (20, True)
    assert (summary["value"], summary["low"], summary["high"]) == (
        estimate.value,
        estimate.low,
        estimate.high,
    )
    assert summary["value_text"] == f"{estimate.value:.2f}"
    assert " to " in summary["interval_text"]
    assert details["title"] == "New"
    assert details["source"] == {"settings": spec["settings"]}


def test_details_follow_the_labels_once_these_rest(spec, monkeypatch):
    monkeypatch.setattr(session_details, "DELAY", 0.2)
    monkeypatch.setattr(session_details, "LONGEST", 0.6)
    app = evaluation.build(spec, HERE)

    def kept():
        return open_store(spec["store"]).details("mails")["summary"]["n_labels"]

    async def label():
        app.session.label("ham")
        app.session.label("ham")
        assert kept() == 0, "kept on the way of a label"
        await asyncio.sleep(0.4)
        assert kept() == 2
        for _ in range(9):
            await asyncio.sleep(0.1)
            app.session.label("ham")
        # At once: on a busy machine any wait may be a rest.
        assert 2 < kept() < 11, "not kept while labels went on, or with each"

    asyncio.run(label())


class NoDetails(MemoryStore):
    def keep_details(self, name, changes):
        raise OSError("full")


def test_a_store_that_keeps_no_details_is_no_hindrance(spec, monkeypatch, caplog):
    monkeypatch.setattr(evaluation, "open_store", lambda address: NoDetails())
    assert evaluation.build(spec, HERE).session.label("ham")
    assert "details were not kept" in caplog.text


def test_a_demo_keeps_its_details_too(tmp_path):
    spec = {"kind": "demo", "demo": "text", "store": str(tmp_path / "s.sqlite")}
    demo.build(spec, HERE)
    assert open_store(spec["store"]).details("text")["source"] == {"demo": "text"}


@pytest.mark.parametrize("name", DEMOS)
def test_some_demos_have_sheets(tmp_path, name):
    spec = {"kind": "demo", "demo": name, "store": str(tmp_path / "s.sqlite"), "sheets": True}
    if name not in WITH_SHEETS:
        try:
            session = demo.build(spec, HERE).session
        except ValueError as error:
            assert "only class probabilities" in str(error)  # noqa: PT017 - some raise, some have nothing to offer
        else:
            assert session.sheets.take() is None
        return
    sheet = demo.build(spec, HERE).session.sheets.take()
    assert len(sheet.draws) == 24
    without = demo.build({**spec, "store": str(tmp_path / "other.sqlite"), "sheets": False}, HERE).session
    assert without.sheets.take() is None


def test_a_demo_leaves_a_session_of_its_name_with_another_pool_alone(tmp_path):
    """Somebody's own session of that name stays as it was; asked for by its name, it is refused."""
    address = str(tmp_path / "demo.sqlite")
    former = one_ranker()
    Session(former.pool, former.measure, store=SQLiteStore(address), name="ranking")
    spec = {"kind": "demo", "demo": "ranking", "store": address}
    for _ in range(2):
        app = demo.build(spec, HERE)
        assert app.session.name == "ranking-2"
        assert len(app.session.models) == 2
    with pytest.raises(SessionMismatchError, match="the session 'ranking' was started with different"):
        demo.build(spec, {**HERE, "session": "ranking"})
