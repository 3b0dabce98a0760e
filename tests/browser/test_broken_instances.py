"""Instances that can't be shown: their ids are told, a key excludes them, and the session goes on."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from activeeval_widgets import evaluate
from activeeval_widgets.stats import ClassPredictions, ErrorRate, uniform_q

from .without_kernel import show_app

APP = "[data-aew=app]"
POOLS: dict[str, dict[str, Any]] = {
    "image": {
        "missing": Path("nowhere.png"),
        "good": np.arange(64, dtype=np.uint8).reshape(8, 8),
        "noise": b"this is not an image",
        "cut": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        "other": np.zeros((4, 4, 3)),
    },
    "text": {"empty": "", "good": "A <b>sentence</b>.", "huge": "word " * 2_000_000},
}
BROKEN = {"image": {"missing", "noise", "cut"}, "text": {"empty"}}


@pytest.mark.parametrize("kind", POOLS)
def test_what_cannot_be_shown_is_excluded_by_key(page: Page, no_kernel: None, kind: str) -> None:
    errors: list[Any] = []
    page.on("pageerror", lambda error: errors.append(error))
    pool = POOLS[kind]
    predictions, q = ClassPredictions(np.full((len(pool), 2), 0.5)), uniform_q(len(pool))
    made = evaluate([*pool.values()], predictions, ErrorRate(), ids=[*pool], kind=kind, q=q)
    show_app(page, made)
    app, instance = page.locator(APP), page.locator("[data-aew=instance]")
    app.focus()
    asked = []
    for _ in POOLS[kind]:
        if asked:
            expect(instance).not_to_have_attribute("data-instance-id", asked[-1])
        shown = instance.get_attribute("data-instance-id")
        assert shown is not None
        asked.append(shown)
        is_broken = shown in BROKEN[kind]
        expect(instance.locator(".aew-broken")).to_have_count(int(is_broken))
        if is_broken:
            expect(instance).to_contain_text(shown)
            expect(instance).to_contain_text("exclude")
        page.keyboard.press("x" if is_broken else "1")
        expect(app).not_to_have_attribute("data-state", "saving")
        n_labels = len([one for one in asked if one not in BROKEN[kind]])
        expect(app).to_have_attribute("data-n-labels", str(n_labels))
    assert set(asked) == set(POOLS[kind])
    expect(app).to_have_attribute("data-state", "done")
    expect(page.locator("[data-aew=status]")).to_contain_text(f"{len(BROKEN[kind])} excluded")
    expect(page.locator("[data-aew=estimate]")).not_to_have_attribute("data-value", "")
    assert errors == []
