"""A kind of instance from outside the package, as the page on extending has it; tests/browser plays it."""

import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import LabelingApp, Pool, Session, evaluate
from activeeval_widgets.session.pool.kinds import KINDS
from activeeval_widgets.stats import ClassPredictions, ErrorRate
from activeeval_widgets.widgets.instances.registered_views import VIEWS

from ..extending_page import Section

MODEL = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]], classes=["bird", "bat"])


@pytest.fixture(autouse=True)
def _registered(tmp_path: Path) -> Iterator[None]:
    section = Section("A kind of instance")
    (tmp_path / "audio.js").write_text(section.blocks["js"])
    section.run(__file__=str(tmp_path / "audio.py"))
    yield
    del KINDS["audio"], VIEWS["audio"]


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    made = [tmp_path / name for name in ("a.wav", "b.WAV", "c.wav")]
    for i, path in enumerate(made):
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, 8000, 0, "NONE", ""))
            tone = 9000 * np.sin(np.arange(800) * (0.1 + 0.1 * i))
            file.writeframes(tone.astype("<i2").tobytes())
    return [str(path) for path in made]


def ask(app: LabelingApp, kind: str, **content: Any) -> tuple[Any, list[bytes]]:
    return app._front_end._handlers[kind]({"type": kind, **content})


def test_it_is_recognized_and_checked(paths: list[str]) -> None:
    pool = Pool(paths, predictions=MODEL)
    assert pool.kind == "audio"
    assert pool.instances == [Path(path) for path in paths]
    assert Pool(paths[::-1], predictions=MODEL).fingerprints != pool.fingerprints
    assert Pool(paths, predictions=MODEL).fingerprints == pool.fingerprints
    with pytest.raises(TypeError, match=r"instances\[1\] must be one of the recordings, got 'b.txt'"):
        Pool([paths[0], "b.txt", paths[2]], predictions=MODEL, kind="audio")
    # The others are as they were.
    assert Pool(["one", "two", "three"], predictions=MODEL).kind == "text"
    assert Pool([Path("a.png")] * 3, predictions=MODEL).kind == "image"


def test_the_page_gets_the_sound_and_what_plays_it(paths: list[str]) -> None:
    app = evaluate(paths, MODEL, ErrorRate())
    hello, _ = ask(app, "hello")
    assert hello["config"]["instance_modules"] == [Section("A kind of instance").blocks["js"]]
    assert hello["config"]["about"].endswith("3 recordings")
    assert hello["config"]["reasons"] == ["silent", "noise alone", "cut off", "a duplicate", "no label fits"]
    index = hello["state"]["queue"][0]["index"]
    reply, [sound] = ask(app, "instances", indices=[index])
    assert reply["instances"][0]["mime"] == "audio/wav"
    assert sound == Path(paths[index]).read_bytes()


def test_a_recording_that_is_gone_is_notified(paths: list[str]) -> None:
    app = evaluate(paths, MODEL, ErrorRate())
    index = ask(app, "hello")[0]["state"]["queue"][0]["index"]
    Path(paths[index]).unlink()
    _, [shown] = ask(app, "instances", indices=[index])
    assert b"there is no file" in shown.lower()


def test_a_session_of_it_goes_on_and_is_reported(paths: list[str], tmp_path: Path) -> None:
    store = tmp_path / "labels.sqlite"
    Session(Pool(paths, predictions=MODEL), ErrorRate(), store=store).label("bat")
    session = Session(Pool(paths, predictions=MODEL), ErrorRate(), store=store)
    assert session.n_labels == 1
    assert session.labels_table()["content"][0].endswith((".wav", ".WAV"))
    assert "recordings" in session.report()


def test_other_apps_get_no_module() -> None:
    app = evaluate(["one", "two", "three"], MODEL, ErrorRate())
    assert ask(app, "hello")[0]["config"]["instance_modules"] == []
