"""What a file holds is data in a browser, too: nothing of it runs, and no request leaves."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from activeeval_widgets import LabelingApp, Pool, Session
from activeeval_widgets.stats import ErrorRate

from .without_kernel import show_app

TEXTS = [
    "<script>document.title = 'ran'</script>",
    "<img src='http://files.example/x.png' onerror=\"document.title = 'ran'\">",
    "<svg/onload=\"document.title='ran'\"><a href=javascript:document.title=1>x</a>",
    "{{ constructor.constructor('document.title=1')() }} ${document.title = 'ran'}",
    "\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe and what follows",
    '\'; DROP TABLE events; -- =HYPERLINK("http://files.example")',
    "![](http://files.example/x.png) <link rel=stylesheet href=http://files.example/x.css>",
]


def test_nothing_of_a_file_runs(page: Page, no_kernel: None, tmp_path: Path) -> None:
    rows = [
        {"id": text, "a": text, "b": text, "group": text, "p_" + TEXTS[0]: 0.5, "p_" + TEXTS[1]: 0.5}
        for text in TEXTS
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).hostname or ""))
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog came up: {dialog.message}"))
    show_app(page, LabelingApp(Session(Pool.read(path, record="a,b"), ErrorRate())))
    app, instance = page.locator("[data-aew=app]"), page.locator("[data-aew=instance]")
    title = page.title()
    app.focus()
    shown = set()
    for number in range(len(TEXTS)):
        expect(app).to_have_attribute("data-draw", str(number + 1))
        text = instance.get_attribute("data-instance-id")
        assert text in TEXTS
        shown.add(text)
        expect(instance.locator("td").first).to_have_text(text)
        expect(instance.locator("script, img, svg, link, a")).to_have_count(0)
        page.keyboard.press("1")
    expect(app).to_have_attribute("data-state", re.compile("done|ready"))
    expect(app).to_have_attribute("data-n-labels", str(len(TEXTS)))
    assert shown == set(TEXTS)
    assert page.title() == title
    assert "files.example" not in asked
    expect(app.locator("script, iframe, object, link, img[src^=http]")).to_have_count(0)
