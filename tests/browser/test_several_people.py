"""Two people label at once, each with a browser: each item once; who leaves, his items are handed on."""

import csv
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from activeeval_widgets.session import open_store

from .accessibility import check_accessibility
from .conftest import PATIENCE, free_port
from .test_demos import APP, READY
from .test_serve import Served

LEASE = 20
"""Seconds, in place of minutes: longer than it takes to press a key on a busy machine."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with (tmp_path / "mails.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "text", "p_ham", "p_spam"])
        for i in range(60):
            p = 0.05 + 0.9 * (i * 37 % 60) / 60
            rows.writerow([f"m{i}", f"This is mail number {i}.", f"{1 - p:.4f}", f"{p:.4f}"])
    options = ("--measure", "error-rate", "--budget", "40", "--ask-name", "--n-raters", "2")
    options += ("--lease-minutes", str(LEASE / 60))
    started = Served(tmp_path, "mails.csv", *options, "--port", str(free_port()), "--store", "labels.sqlite")
    yield started
    if started.process.poll() is None:
        started.stop()


def shot(page: Page, name: str) -> None:
    """Keep a picture where somebody wants to look at it."""
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


def open_page(browser: Browser, link: str, **options: object) -> Page:
    """Open the page in a browser of one's own."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, **options)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(link)
    expect(page.locator("[data-aew=name]")).to_be_visible()
    return page


def give_name(page: Page, who: str) -> None:
    """Say who one is, by keyboard; no key goes around it."""
    name = page.locator("[data-aew=name]")
    shot(page, f"name-{who}")
    page.keyboard.press("Escape")
    expect(name).to_be_visible()
    page.keyboard.type(who)
    page.keyboard.press("Enter")
    expect(name).not_to_be_visible()
    page.wait_for_selector(READY)


def item(page: Page) -> str:
    return str(page.locator("[data-aew=instance]").get_attribute("data-instance-id"))


def label(page: Page, key: str) -> str:
    """Answer what is on screen; returns what that was."""
    answered = item(page)
    page.keyboard.press(key)
    expect(page.locator("[data-aew=instance]")).not_to_have_attribute("data-instance-id", answered)
    expect(page.locator(APP)).to_have_attribute("data-state", re.compile("ready|done"))
    return answered


def test_two_people_label_at_once(served: Served, browser: Browser, tmp_path: Path) -> None:
    ada, bob = open_page(browser, served.link), open_page(browser, served.link, color_scheme="dark")
    give_name(ada, "Ada Lovelace")
    give_name(bob, "Bob")
    # Each is told of the others' labels within a second, and nothing is taken off the screen.
    shown = item(bob)
    first = [label(ada, "1")]
    expect(bob.locator("[data-aew=people] [data-who^=Ada]")).to_contain_text("1 label")
    assert item(bob) == shown
    first += [label(bob, "2"), label(ada, "1"), label(bob, "2"), label(ada, "1")]
    shown = item(ada)
    status = ada.locator("[data-aew=people] [data-who=Bob]")
    expect(status).to_contain_text("2 ")
    expect(bob.locator("[data-aew=people] [data-who^=Ada]")).to_contain_text("3 labels")
    assert item(ada) == shown
    expect(ada.locator("[data-aew=progress]")).to_contain_text("you 3")
    # Where they differ, it is told, and one of them decides.
    for _ in range(6):
        label(bob, "2")
    differing = ada.locator("[data-aew=people] [data-index]")
    expect(differing.first).to_be_visible()
    for page, name in ((ada, "light"), (bob, "dark")):
        shot(page, f"people-{name}-1280")
        page.set_viewport_size({"width": 800, "height": 800})
        page.locator("[data-aew=people]").scroll_into_view_if_needed()
        shot(page, f"people-{name}-800")
        check_accessibility(page)
        page.set_viewport_size({"width": 1280, "height": 800})
    differing.first.get_by_role("button", name="Bob: spam").click()
    expect(ada.locator("[data-aew=people] .aew-decided").first).to_contain_text(
        "spam, decided by Ada Lovelace"
    )
    # The name is remembered; another tab of the same person has the same on screen.
    tab = ada.context.new_page()
    tab.goto(served.link)
    tab.wait_for_selector(READY)
    expect(tab.locator("[data-aew=name]")).not_to_be_visible()
    assert item(tab) == item(ada)
    answered = label(tab, "1")
    expect(ada.locator("[data-aew=instance]")).not_to_have_attribute("data-instance-id", answered)
    assert item(tab) == item(ada)
    # Who leaves: what he had is handed on.
    mine = item(bob)
    bob.context.close()
    store = open_store(tmp_path / "labels.sqlite")
    ada.wait_for_timeout(1000 * LEASE)
    for _ in range(60):
        if ada.locator(APP).get_attribute("data-state") == "done":
            break
        label(ada, "1")
        records = [record for record in store.events_since("mails", 0) if record.get("who") != "Bob"]
        if mine in [record["instance_id"] for record in records if record["kind"] == "label"]:
            break
        ada.wait_for_timeout(300)
    assert mine in [record["instance_id"] for record in records if record["kind"] == "label"]
    labels = [record for record in store.events_since("mails", 0) if record["kind"] == "label"]
    assert len({record["instance"] for record in labels}) == len(labels)
    assert {record["who"] for record in labels} <= {"Ada Lovelace", "Bob"}
    assert set(first) <= {record["instance_id"] for record in labels} | {
        record["instance_id"] for record in store.events_since("mails", 0) if record["kind"] == "opinion"
    }
    store.close()
    ada.context.close()
