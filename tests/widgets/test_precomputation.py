"""What is done between the plots and the next answer."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session.draws import adaptive
from activeeval_widgets.stats import ErrorRate
from activeeval_widgets.widgets import LabelingApp
from activeeval_widgets.widgets.evaluation import precomputation
from activeeval_widgets.widgets.evaluation.precomputation import Precomputation

from ..labeling import give_labels
from .conftest import Page


class Counting:
    """A session of which only the steps are counted, and which gets an answer within one of them."""

    def __init__(self, answer_at: int) -> None:
        self.lock, self.revision, self.n_done, self._answer_at = threading.RLock(), 0, 0, answer_at
        self.log = self.findings = self  # whose revision is read, and whose steps are done

    def _precompute_leaderboards(self) -> Iterator[None]:
        for _ in range(8):
            self.n_done += 1
            self.revision += self.n_done == self._answer_at
            yield


@pytest.mark.parametrize(("answer_at", "n_done"), [(0, 8), (3, 3)])
def test_steps_are_done_one_by_one_until_an_answer_comes(
    monkeypatch: pytest.MonkeyPatch, answer_at: int, n_done: int
) -> None:
    monkeypatch.setattr(precomputation, "_PAUSE", 0.0)
    session = Counting(answer_at)

    async def work() -> None:
        doing = Precomputation(session)
        doing.begin()
        assert session.n_done == 0, "messages come first"
        await asyncio.sleep(0.05)

    asyncio.run(work())
    assert session.n_done == n_done
    Precomputation(session).begin()  # type: ignore[arg-type] - without a loop nothing happens
    assert session.n_done == n_done


def test_plots_set_it_going(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many models in a large pool: the next leaderboard is then the same, and was mostly made before."""
    monkeypatch.setattr(adaptive, "_ROWS_AT_ONCE", 0)
    monkeypatch.setattr(precomputation, "_PAUSE", 0.0)
    models = {name: [[0.5 + k / 50, 0.5 - k / 50]] * 60 for k, name in enumerate("ABC")}
    pool = Pool(["x"] * 60, predictions=models)

    async def told() -> tuple[str, tuple[int, int]]:
        session = Session(pool, ErrorRate(), seed=1)
        page = Page(app := LabelingApp(session))
        give_labels(session, 0, 2)
        page.ask("plots")
        leader = session.of(session.leaderboard().leader.position)
        streams = next(iter(leader._watched.values()))._sequence.now.sequence._streams
        before = streams._refreshed_at
        past_of = app._page.view._panels._snapshots._past_of
        pasts = [past_of(session.of(each.position)) for each in session.leaderboard().models]
        for _ in range(6_000):  # a minute at the most
            if (after := streams._refreshed_at) != before and all(past.has(2) for past in pasts):
                break
            await asyncio.sleep(0.01)
        assert all(past.has(2) for past in pasts)
        session.label(0)
        return repr(session.leaderboard()), (before, after)

    again = Session(pool, ErrorRate(), seed=1)
    give_labels(again, 0, 3)
    board, made_at = asyncio.run(told())
    assert made_at == (0, 2), "what is expected is made anew by all labels that there are"
    assert board == repr(again.leaderboard())
