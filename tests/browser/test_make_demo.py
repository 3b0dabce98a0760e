"""`make demo` in a fresh clone, as the first screen of the README has it."""

import sys
from pathlib import Path

from playwright.sync_api import Page

from .stranger import Machine, label_three, n_labels


def test_make_demo_in_a_fresh_clone(machine: Machine, clone: Path, page: Page) -> None:
    command = ("make", "demo", "PORT=0", f"PYTHON={sys.executable}")
    with machine.serving(*command, cwd=clone) as url:
        label_three(page, url)
    assert n_labels(machine.folder / "data" / "activeeval-widgets" / "sessions.sqlite", "digits") == 3
