"""From a table that nobody here made to the first label by keyboard; a script, and its mistake."""

import csv
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from activeeval_widgets.demos.reviews import text
from activeeval_widgets.session import open_store

from .accessibility import check_accessibility
from .conftest import eventually, free_port, processor_time
from .test_demos import APP, READY

LONGEST = 15
"""Seconds of a processor from the command to the first label, on a machine with nothing else to do."""


class Served:
    """A command that serves a page."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.errors = folder / "stderr"
        with self.errors.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "activeeval_widgets.app.cli", "serve", *arguments, "--no-browser"],
                cwd=folder,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        self.line = self.process.stdout.readline()

    @property
    def link(self) -> str:
        found = re.search(r"http://\S+", self.line)
        assert found, f"{self.line!r}\n{self.errors.read_text()}"
        return found.group()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            assert self.process.wait(20) == 0
            assert self.process.stdout.read() == ""
        finally:
            if self.process.poll() is None:
                self.process.kill()
            self.process.stdout.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    started: list[Served] = []

    def start(*arguments: str) -> Served:
        started.append(Served(tmp_path, *arguments, "--port", str(free_port()), "--store", "labels.sqlite"))
        return started[-1]

    yield start
    for served in started:
        if served.process.poll() is None:
            served.stop()


@pytest.fixture
def table(tmp_path: Path) -> str:
    """The predictions of the text demo, as a spreadsheet would have them: a path with blanks and umlauts."""
    demo = text()
    path = tmp_path / "Übersicht Mai" / "reviews of may.csv"
    path.parent.mkdir()
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        rows = csv.writer(file, delimiter=";")
        rows.writerow(["Review", *(f"p_{name}" for name in demo.pool.models[0].classes)])
        for i, probabilities in enumerate(demo.pool.models[0].y_proba):
            words = demo.pool.excerpt(i, 10_000) + (
                "<script>document.title = 'ran'</script>" if i % 2 else ""
            )
            rows.writerow([words, *(f"{p:.6f}".replace(".", ",") for p in probabilities)])
    return str(path.relative_to(tmp_path))


def ready(page: Page, served: Served) -> None:
    page.goto(served.link, wait_until="commit")
    page.wait_for_selector(READY)


def test_from_a_table_to_the_first_label_by_keyboard(
    serve: Callable[..., Served], table: str, tmp_path: Path, page: Page
) -> None:
    (tmp_path / "how to.md").write_text("# What is negative?\nAnything that **complains**.")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    served = serve(
        *(table, "--measure", "f1", "--positive", "negative", "--budget", "30", "--goal", "10%"),
        *("--confidence", "90%"),
        *("--question", "How does it sound?", "--guidelines", "how to.md"),
    )
    ready(page, served)
    page.keyboard.press("1")
    app = page.locator(APP)
    expect(app).to_have_attribute("data-n-labels", "1")
    expect(app).to_have_attribute("data-state", "ready")
    took = processor_time(served.process.pid)
    assert took < 3 * LONGEST, f"{took:.0f} s, on a machine that may have other things to do"

    text = served.errors.read_text()
    assert "reviews of may.csv: 2,117 texts" in text
    assert "Review" in text
    expect(page.locator("h1")).to_have_text("reviews of may.csv")
    expect(page.get_by_text("How does it sound?")).to_be_visible()
    expect(page.locator(".aew-trajectory-plot h2")).not_to_be_empty()  # it is drawn once the keys rest
    check_accessibility(page)
    page.keyboard.press("i")
    expect(page.locator("[data-aew=guidelines] strong")).to_have_text("complains")
    assert page.title() != "ran"
    for n_labels in range(2, 16):
        page.keyboard.press("1")
        expect(app).to_have_attribute("data-n-labels", str(n_labels))
        expect(app).to_have_attribute("data-state", "ready")
    expect(page.locator("[data-aew=estimate]")).to_contain_text("90% interval: ")
    expect(app).not_to_contain_text("95% interval")
    origin = served.link.split("/?")[0]
    assert {url.split("?")[0] for url in asked if not url.startswith((origin, "data:", "blob:"))} == set()

    # The page has kept what lists of sessions tell, once its keys rested; the same command again goes on.
    store = open_store(tmp_path / "labels.sqlite")

    def kept() -> None:
        assert (store.details("reviews of may").get("summary") or {}).get("n_labels") == 15

    eventually(kept)
    served.stop()
    details = store.details("reviews of may")
    assert details["source"]["settings"]["measure"] == "f1"
    assert details["title"] == "reviews of may.csv"
    assert details["summary"]["n_labels"] == 15
    again = serve(
        *(table, "--measure", "f1", "--positive", "negative", "--budget", "30", "--confidence", "90%")
    )
    assert "which goes on after 15 labels in" in again.errors.read_text()


SCRIPT = """\
import csv
from activeeval_widgets import Pool, Session, LabelingApp, serve
from activeeval_widgets.stats import ErrorRate
print("on the terminal")
pool = Pool.read({table!r}, text="Review")
session = Session(pool, ErrorRate(), store="of_script.sqlite")
app = LabelingApp(session, title="Mine", view=lambda text: str(text)[:9])
{last}
"""


def test_a_script_is_served_and_its_mistake_is_a_sentence(
    serve: Callable[..., Served], table: str, tmp_path: Path, page: Page
) -> None:
    script = tmp_path / "my app.py"
    script.write_text(SCRIPT.format(table=table, last="app"), encoding="utf-8")
    served = Served(tmp_path, script.name, "--port", str(free_port()))
    try:
        ready(page, served)
        page.keyboard.press("2")
        expect(page.locator(APP)).to_have_attribute("data-n-labels", "1")
        expect(page.locator("h1")).to_have_text("Mine")
        expect(page.get_by_text("New session", exact=True)).to_be_hidden()
        assert "on the terminal" in served.errors.read_text()
        assert open_store(tmp_path / "of_script.sqlite").names() == ["default"]

        script.write_text(SCRIPT.format(table=table, last="1 / 0 <b>"), encoding="utf-8")
        script.write_text(script.read_text(encoding="utf-8").replace("<b>", "# <b>"), encoding="utf-8")
        page.goto(served.link, wait_until="commit")
        failure = page.locator(".aew-failure")
        expect(failure).to_contain_text("my app.py, line 8: ZeroDivisionError")
        assert "1 / 0 # <b>" in served.errors.read_text()
    finally:
        served.stop()
