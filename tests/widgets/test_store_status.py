"""What the page is told of where its answers are kept; messages that come twice, or are lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from activeeval_widgets.session import Session, StoreError

MakeSession = Callable[..., Session]
OpenPage = Callable[..., Any]


def send(page: Any, seq: int, *, again: bool = False, **content: Any) -> list[dict[str, Any]]:
    repeated = {"is_repeated": True} if again else {}
    result: list[dict[str, Any]] = page.exchange({**content, "client": "tab", "seq": seq, **repeated})
    return result


def answers(*values: int, first: int = 1) -> dict[str, Any]:
    return {
        "type": "answers",
        "answers": [
            {"type": "label", "value": value, "draw": draw, "seconds": 1.0}
            for draw, value in enumerate(values, start=first)
        ],
    }


def test_a_message_that_comes_again_is_carried_out_once(
    make_session: MakeSession, open_page: OpenPage
) -> None:
    session = make_session()
    page = open_page(session)
    first = send(page, 1, **answers(0, 1))
    again = send(page, 1, again=True, **answers(0, 1))
    assert session.n_labels == 2
    # The answer, and the state as it is now: that of the answer may be old.
    assert again[0] == first[-1]
    assert again[1]["state"] == first[-1]["state"]
    send(page, 2, again=True, type="undo")  # the first time it was lost
    assert session.n_labels == 1
    send(page, 2, again=True, type="undo")
    assert session.n_labels == 1


def test_what_only_asks_is_asked_again(
    make_session: MakeSession, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(make_session())
    now = [100.0]
    monkeypatch.setattr("activeeval_widgets.widgets.page_channel.monotonic", lambda: now[0])
    [first] = send(page, 1, type="history")
    assert send(page, 1, again=True, type="history") == []  # it had been waiting with the first
    now[0] += 2
    assert send(page, 1, again=True, type="history") == [first]


def test_an_answer_that_can_not_be_saved_is_kept(
    make_session: MakeSession, open_page: OpenPage, tmp_path: Path
) -> None:
    path = tmp_path / "s.sqlite"
    session = make_session(store=path)
    page = open_page(session)
    send(page, 1, **answers(0))
    path.rename(tmp_path / "moved.sqlite")
    [answer] = send(page, 2, **answers(1, 2, first=2))
    assert answer["is_kept"] is True
    assert answer["n_done"] == 0
    assert "is gone: it was deleted or moved" in answer["error"]
    assert answer["state"]["n_labels"] == 1
    assert "is gone" in answer["state"]["store"]["problem"]
    assert "is gone" in send(page, 3, type="ping")[-1]["store"]["problem"]
    [*_, answer] = send(page, 4, type="save_to_new_file")
    assert answer["rescued"] == f"Everything is saved in {path}, and new answers go there."
    assert answer["store"]["problem"] is None
    send(page, 5, **answers(1, 2, first=2))
    assert session.n_labels == 3
    session.store.close()
    assert [action.value for action in make_session(store=path).log.actions] == [0, 1, 2]


def test_what_was_saved_before_the_failure_counts(
    make_session: MakeSession, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = make_session()
    page = open_page(session)
    append = session.store.append

    def full(name: str, record: dict[str, Any]) -> None:
        if record["seq"] > 2:
            raise StoreError("database or disk is full")
        append(name, record)

    monkeypatch.setattr(session.store, "append", full)
    [*_, answer] = send(page, 1, **answers(0, 1, 2, 0))
    assert (answer["n_done"], answer["is_kept"], session.n_labels) == (2, True, 2)


def test_a_conflict_is_not_kept(make_session: MakeSession, open_page: OpenPage, tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    older, newer = make_session(store=path), make_session(store=path)
    page = open_page(older)
    newer.label(0)
    [*_, answer] = send(page, 1, **answers(1))
    assert "in another tab" in answer["stale"]
    assert not {"error", "is_kept"} & answer.keys()


def test_a_browser_that_was_told_of_more_says_so(make_session: MakeSession, open_page: OpenPage) -> None:
    session = make_session()
    page = open_page(session)
    for seq in (1, 2, 3):
        send(page, seq, **answers(0, first=seq))
    [result] = send(page, 4, type="ping")
    saved = result["store"]["saved"]
    assert saved["n_labels"] == 3
    other = open_page(make_session())
    [answer] = send(other, 1, type="witness", **saved)
    assert answer["missing"].startswith(
        "This session had 3 labels when this browser last showed it, and has 0 now."
    )
    [answer] = send(page, 5, type="witness", **saved)
    assert "missing" not in answer
    [answer] = send(page, 6, type="witness", **{**saved, "time": "another"})
    assert "missing" in answer
