"""A key that is pressed as soon as the page is ready counts: at the start, after an undo, in a new block."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

APP = "[data-aew=app]"

# The instances come late, and the first blocks are small: there is always something to wait for.
SOURCE = """\
import time
import numpy as np
from activeeval_widgets import evaluate
from activeeval_widgets.stats import ClassPredictions, ErrorRate

rng = np.random.default_rng(0)
images = rng.integers(0, 256, (60, 8, 8), dtype=np.uint8)
app = evaluate(images, ClassPredictions(rng.dirichlet(np.ones(3), 60)), ErrorRate(), budget=40)
handlers = app._front_end._handlers
answer = handlers["instances"]


def late(message):
    time.sleep(0.15)
    return answer(message)


handlers["instances"] = late
app
"""

# In the page itself: no key comes later than its sign.
PRESS_WHEN_READY = """(() => {
    const keys = ["1", "2", "u", "1", "0", "0", "u", "2", "1", "1", "2", "0", "0", "1", "2", "2", "1", "0"];
    window.nPressed = 0;
    const press = () => {
        const app = document.querySelector("[data-aew=app]");
        if (app?.dataset.state !== "ready" || nPressed === keys.length) return;
        const how = {bubbles: true, cancelable: true, composed: true};
        app.dispatchEvent(new KeyboardEvent("keydown", {key: keys[nPressed++], ...how}));
    };
    const what = {subtree: true, attributes: true, attributeFilter: ["data-state"]};
    new MutationObserver(press).observe(document, what);
})()"""


def test_every_key_counts_that_comes_with_ready(open_app: Callable[..., Page], page: Page) -> None:
    page.add_init_script(PRESS_WHEN_READY)
    open_app(SOURCE, first=APP)
    all_have_counted(page)


def all_have_counted(page: Page) -> None:
    page.wait_for_function("window.nPressed === 18")
    expect(page.locator(APP)).to_have_attribute("data-n-labels", "14")
    expect(page.locator(APP)).to_have_attribute("data-state", "ready")
