"""Images are rendered in the background before the page asks for them, each once."""

import io
import threading
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import ErrorRate
from activeeval_widgets.widgets import LabelingApp
from activeeval_widgets.widgets.instances import image_encoding
from activeeval_widgets.widgets.instances.instance_renderer import InstanceRenderer
from activeeval_widgets.widgets.instances.prerendered import N_AHEAD, Prerendered


def test_each_is_rendered_once_and_by_another_thread() -> None:
    rendered: list[tuple[int, str]] = []
    begun = threading.Event()

    def render(index: int) -> int:
        rendered.append((index, threading.current_thread().name))
        begun.set()
        return 10 * index

    ahead = Prerendered(render)
    ahead.prepare(range(100))
    assert begun.wait(10)
    assert [ahead.take(index) for index in range(N_AHEAD)] == [10 * index for index in range(N_AHEAD)]
    ahead.prepare(range(N_AHEAD))  # known on the page: not once more
    assert ahead.take(50) == 500
    assert sorted(index for index, _ in rendered) == [*range(N_AHEAD), 50]
    assert rendered[0][1].startswith("aew-render")


def test_what_is_never_taken_is_forgotten() -> None:
    ahead = Prerendered(lambda index: index)
    for start in range(0, 20 * N_AHEAD, N_AHEAD):
        ahead.prepare(range(start, start + N_AHEAD))
    assert len(ahead._kept) <= 2 * N_AHEAD
    assert ahead.take(0) == 0


@pytest.fixture
def photos(tmp_path: Path) -> Pool:
    file = io.BytesIO()
    Image.fromarray(np.full((30, 40), 90, np.uint8)).save(file, "PNG")
    for number in range(20):
        (tmp_path / f"{number}.png").write_bytes(file.getvalue() if number % 5 else b"no image")
    paths = [tmp_path / f"{number}.png" for number in range(20)]
    return Pool(paths, predictions=np.full((20, 2), 0.5), kind="image")


def test_an_app_prepares_what_comes(photos: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: set[str] = set()
    open_image = image_encoding.Image.open

    def note_thread(file: object) -> Image.Image:
        threads.add(threading.current_thread().name)
        return open_image(file)

    monkeypatch.setattr(image_encoding.Image, "open", note_thread)
    session = Session(photos, ErrorRate())
    app = LabelingApp(session)
    queue = app._page.state()["queue"]
    for future in list(app._page.renderer._prerendered._kept.values()):
        future.result(10)
    assert {name.split("_")[0] for name in threads} == {"aew-render"}
    indices = [drawn["index"] for drawn in queue[:N_AHEAD]]
    n_opened = len(threads)
    for index in indices:
        shown = app._page.renderer.render(index)
        assert (b"can't be shown" in shown.content) == (index % 5 == 0)
    assert len(threads) == n_opened
    app.close()


def test_views_of_others_stay_in_their_thread(photos: Pool) -> None:
    main = threading.current_thread().name
    seen: list[str] = []

    def view(path: Path) -> str:
        seen.append(threading.current_thread().name)
        return path.name

    shown = InstanceRenderer(photos, view)
    shown.prepare(range(5))
    shown.render(1)
    assert seen == [main]
