"""A labeling page of static files, in a browser."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, BrowserContext, Page, expect

from activeeval_widgets.app.cli import main
from activeeval_widgets.app.commands.demo import DEMOS
from activeeval_widgets.app.pages import demo
from activeeval_widgets.app.pages.race import race_of
from activeeval_widgets.formats import read_session_file, verify
from activeeval_widgets.session import MemoryStore

READY = "[data-aew=app]:is([data-state=ready], [data-state=done])"
LOADED = 120_000  # ms, at the most, on a busy machine
CACHED = 35_000  # ms, for which Chromium takes for granted that there is the room that there was


def shown(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"an error in the page: {error}"))
    page.goto(address)
    page.wait_for_selector(READY, timeout=LOADED)
    return page


def label(page: Page, n: int, first: int = 0) -> None:
    """Press a digit for each of `n` instances; returns once all are stored."""
    for position in range(first, first + n):
        before = page.get_attribute("[data-aew=instance]", "data-instance-id")
        page.keyboard.press(str(position % 10))
        page.wait_for_function(
            "before => document.querySelector('[data-aew=instance]').dataset.instanceId !== before"
            " && document.querySelector('[data-aew=app]').dataset.state === 'ready'",
            arg=before,
        )
    has_labels(page, first + n)


def has_labels(page: Page, n: int) -> None:
    expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", str(n), timeout=30_000)


def downloaded(page: Page, path: Path) -> Path:
    with page.expect_download() as saved:
        page.click("[data-aew=save_session]")
    assert saved.value.suggested_filename == "digits.json"
    saved.value.save_as(path)
    return path


def test_labels_survive_and_are_those_of_a_server(
    digits: str, context: BrowserContext, tmp_path: Path
) -> None:
    requested: list[str] = []
    context.on("request", lambda request: requested.append(request.url))
    page = shown(context, digits)
    label(page, 20)
    page.reload()
    page.wait_for_selector(READY, timeout=LOADED)
    has_labels(page, 20)
    page.close()
    page = shown(context, digits)
    has_labels(page, 20)
    told = page.locator("[data-aew=estimate]").first.evaluate("node => ({ ...node.dataset })")
    path = downloaded(page, tmp_path / "digits.json")
    assert all(url.startswith((digits, "blob:", "data:")) for url in requested)

    assert verify(path).follows
    runner = CliRunner()
    store = tmp_path / "labels.sqlite"
    for command in (["sessions", "import", str(path), "--store", str(store)], ["verify", str(path)]):
        found = runner.invoke(main, command)
        assert found.exit_code == 0, found.output
    # The same labels on a server, as fast: the same draws, estimate and interval.
    given = read_session_file(path).open().log.actions
    server = demo.begin("digits", MemoryStore(), "digits")
    for position, action in enumerate(given):
        drawn = server.upcoming(48)[0]
        server.label(position % 10, draw=drawn.draw, seconds=action.seconds)
    assert [action.instance for action in given] == [action.instance for action in server.log.actions]
    estimate = server.estimate()
    numbers = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    assert {name: float(told[name]) for name in numbers} == pytest.approx(numbers, rel=1e-12)

    other = context.browser.new_context()  # type: ignore[union-attr]
    there = shown(other, digits)
    there.set_input_files("input[type=file]", path)
    has_labels(there, 20)
    there.reload()
    there.wait_for_selector(READY, timeout=LOADED)
    has_labels(there, 20)
    other.close()


def test_a_full_storage_confirms_nothing(digits: str, context: BrowserContext) -> None:
    page = shown(context, digits)
    label(page, 3)
    devtools = context.new_cdp_session(page)
    origin = urljoin(digits, "/").rstrip("/")
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    page.wait_for_timeout(CACHED)
    page.keyboard.press("3")
    banner = page.locator("[data-aew=unsaved]")
    expect(banner).to_contain_text("This browser's storage is full", timeout=30_000)
    expect(banner).to_contain_text("kept in this page")
    has_labels(page, 3)
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    page.click("[data-keeping=try_again]")
    has_labels(page, 4)
    expect(banner).to_be_hidden()
    page.reload()
    page.wait_for_selector(READY, timeout=LOADED)
    has_labels(page, 4)


def test_two_tabs_and_a_new_session(digits: str, context: BrowserContext) -> None:
    one, two = shown(context, digits), shown(context, digits)
    label(one, 2)
    has_labels(two, 2)
    label(two, 2, first=2)
    has_labels(one, 4)
    one.goto(f"{digits}?session=digits-2")
    one.wait_for_selector(READY, timeout=LOADED)
    has_labels(one, 0)
    expect(one.locator(".aew-sessions")).to_have_value("digits-2")


def test_a_race_is_that_of_a_server(export: Callable[..., str], context: BrowserContext) -> None:
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"an error in the page: {error}"))
    page.goto(export("race", "digits", "--budget", "12"))
    race = page.locator("[data-aew=race]")
    expect(race).to_have_attribute("data-known", "12", timeout=LOADED)
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    expect(race).to_have_attribute("data-n", "12")
    server = race_of({"demo": "digits", "methods": ["active", "uniform"], "budget": 12, "seed": 0})
    server.run()
    told = [
        float(shown.get_attribute("data-value") or "nan") for shown in page.locator("[data-aew=racer]").all()
    ]
    expected = [estimates[-1].value for estimates in server.estimates.values()]
    assert told == pytest.approx(expected, rel=1e-9, nan_ok=True)
    expect(page.locator("[data-aew=pick] img")).to_have_count(2)
    expect(page.locator("[data-aew=save_session]")).to_have_count(0)
    # A label by hand.
    page.keyboard.press("0")
    expect(race).to_have_attribute("data-n", "0")
    page.keyboard.press("h")
    expect(page.locator("[data-aew=by-hand] [data-aew=label]").first).to_be_enabled()
    page.keyboard.press("3")
    expect(race).to_have_attribute("data-n", "1")
    expect(race).to_contain_text("1 by hand")


def test_without_pyodide_the_page_says_what_it_needs(
    export: Callable[..., str], context: BrowserContext
) -> None:
    page = context.new_page()
    page.goto(export("export-page", "digits", pyodide=None))
    expect(page.get_by_role("alert")).to_contain_text(
        "This page needs Pyodide 0.27.7 or later", timeout=30_000
    )


LABELED = """
from activeeval_widgets.formats import read_session_file
from activeeval_widgets.formats.json_text import to_text
from activeeval_widgets.formats.session_file.writing import document_of
session = read_session_file(folder + "/session.json").open()
for position in range(40):
    drawn = session.next()
    if session.labels.kind == "grades":
        given = {item: position % 4 for item in session.labels.items[drawn.index]}
    elif session.labels.kind == "number":
        given = float(position % 5 - 2)
    else:
        given = session.labels.classes.tolist()[position % len(session.labels.classes)]
    session.label(given, draw=drawn.draw)
document = to_text(document_of(session))
"""

IN_PYODIDE = """async (code) => {
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", location.href).href);
  const python = await loadPyodide({ indexURL: new URL("pyodide/", location.href).href });
  await python.loadPackage(document.body.dataset.packages.split(" "));
  const fetched = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
  python.FS.mkdirTree("/page/package");
  python.FS.writeFile("/page/session.json", await fetched("session.json"));
  python.unpackArchive(await fetched("package.zip"), "zip", { extractDir: "/page/package" });
  python.runPython("import sys; sys.path.insert(0, '/page/package'); folder = '/page'\\n" + code);
  return python.globals.get("document");
}"""


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_has_the_same_numbers(
    name: str, export: Callable[..., str], browser: Browser, tmp_path: Path
) -> None:
    """Draws and labels to the bit; what is computed of them, up to the last bits of other libraries."""
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(export("export-page", name))
    here = json.loads(page.evaluate(IN_PYODIDE, LABELED))
    context.close()
    known: dict[str, Any] = {"folder": str(tmp_path)}
    found = CliRunner().invoke(main, ["export-page", name, "--output", str(tmp_path)])
    assert found.exit_code == 0, found.output
    exec(LABELED, known)
    server = json.loads(known["document"])
    assert here["identity"] == server["identity"]
    for name in ("kind", "instance", "instances", "value"):
        assert [event.get(name) for event in here["log"]] == [event.get(name) for event in server["log"]]
    assert numbers_of(here["summary"]) == pytest.approx(numbers_of(server["summary"]), rel=1e-9, nan_ok=True)
    path = tmp_path / "here.json"
    path.write_text(json.dumps(here), encoding="utf-8")
    assert verify(path).follows


def numbers_of(summary: dict[str, Any]) -> dict[str, float]:
    """All numbers in a summary by their names."""
    found = {}
    for name, value in summary.items():
        if isinstance(value, dict):
            found |= {f"{name}, {inner}": number for inner, number in numbers_of(value).items()}
        elif isinstance(value, int | float):
            found[name] = float(value)
    return found
