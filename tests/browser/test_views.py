"""Instances of every kind in a browser: the real script and handlers, without a kernel between them."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from activeeval_widgets.session import Conversation, Pool, Ranking, Result, Session, Text, Turn
from activeeval_widgets.stats import ClassPredictions, ErrorRate
from activeeval_widgets.widgets import LabelingApp
from activeeval_widgets.widgets.elements.html import sanitized_html
from activeeval_widgets.widgets.elements.tree import element, link
from activeeval_widgets.widgets.instances.image_encoding import image
from activeeval_widgets.widgets.instances.instance_renderer import (
    ELEMENTS,
    InstanceRenderer,
    RenderedInstance,
)

from .accessibility import check_accessibility
from .without_kernel import BASE, show_app


@pytest.fixture
def show(page: Page, traffic: Any, no_kernel: None) -> Iterator[Callable[..., Session]]:
    """Return what shows a pool of instances; all of one class to be labeled "no" or "yes" with 1 and 2."""

    def show_pool(instances: Any, view: Any = None, **options: Any) -> Session:
        predictions = ClassPredictions(np.full((len(instances), 2), 0.5), classes=["no", "yes"])
        session = Session(Pool(instances, predictions=predictions, **options), ErrorRate(), protocol="papers")
        show_app(page, LabelingApp(session, view=view))
        page.wait_for_selector("[data-aew=instance][data-instance-id]")
        page.locator("[data-aew=app]").focus()
        return session

    yield show_pool
    assert page.evaluate("window.ran") is None, "content was run"
    requested = {url for url in traffic.requests if not url.startswith(("data:", "blob:"))}
    assert requested <= {BASE + path for path in ("/", "/app.js", "/app.css")}


def jpeg(width: int, height: int) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height), (90, 120, 200)).save(file, "JPEG")
    return file.getvalue()


HOSTILE = (
    "<script>window.ran = 1</script><img src='https://evil.example/x.png' onerror='window.ran = 1'>"
    "<svg onload='window.ran = 1'></svg></div></li></section>\u202egnp.exe\x00&lt;b&gt;"
)
RESULT = Result(HOSTILE, title=HOSTILE, text=HOSTILE, link="javascript:window.ran=1", image=np.eye(20))

HOSTILE_TURN = Turn(
    "<b>who</b>",
    Text(f"{HOSTILE}\n\n[x](javascript:window.ran=1) ![y](https://evil.example/y.png)", markdown=True),
    calls=[(HOSTILE, HOSTILE)],
    name=HOSTILE,
)

KINDS: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "text": ([HOSTILE] * 2, None, {}),
    "text with spans": ([Text(HOSTILE, spans=((3, 60),), title=HOSTILE)] * 2, None, {}),
    "pair": ([(HOSTILE, HOSTILE)] * 2, None, {}),
    "ranking": ([Ranking(HOSTILE, [RESULT])] * 2, None, {}),
    "record": (pd.DataFrame({HOSTILE: [HOSTILE] * 2}), None, {}),
    "conversation": ([Conversation([HOSTILE_TURN], [HOSTILE_TURN, HOSTILE_TURN], HOSTILE)] * 2, None, {}),
    "ids": (["", ""], None, {"ids": [HOSTILE, HOSTILE + "2"]}),
    "error": ([HOSTILE] * 2, lambda instance: {}[instance], {}),
    "custom": (
        [HOSTILE] * 2,
        lambda text: element("div", element("p", text), link("https://a.example", text)),
        {},
    ),
    "alt": ([HOSTILE] * 2, lambda text: element("p", text, image(np.eye(9), text)), {}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_content_is_text(show: Callable[..., Session], page: Page, kind: str) -> None:
    instances, view, options = KINDS[kind]
    show(instances, view, **options)
    area = page.locator("[data-aew=instance]")
    expect(area).to_contain_text("<script>window.ran = 1</script>")
    page.keyboard.press("1")
    expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", "1")
    expect(area).to_contain_text("<script>window.ran = 1</script>")
    expect(area.locator("script, svg, iframe, style, object, form, [style*=url]")).to_have_count(0)
    attributes = "(area) => [...area.querySelectorAll('*')].flatMap((e) => e.getAttributeNames())"
    assert not [name for name in area.evaluate(attributes) if name.startswith("on")]
    for anchor in area.locator("a").all():
        assert (anchor.get_attribute("target"), anchor.get_attribute("rel")) == (
            "_blank",
            "noopener noreferrer",
        )
    page.wait_for_timeout(100)


def test_sanitized_html_requests_nothing(show: Callable[..., Session], page: Page) -> None:
    html = (
        "<h1>Title</h1><p style='background:url(https://evil.example/a)'>Text <b>bold</b>"
        "<img src=https://evil.example/b.png alt='a cat' onerror='window.ran=1'><script>window.ran=1</script>"
        "<iframe src=https://evil.example></iframe><a href='javascript:window.ran=1'>link</a>"
    )
    show([html] * 2, sanitized_html)
    area = page.locator("[data-aew=instance]")
    expect(area.locator("h3")).to_have_text("Title")
    expect(area.locator("b")).to_have_text("bold")
    expect(area).to_contain_text("[image: a cat]")
    area.locator("a").click()
    page.wait_for_timeout(100)


TREES: list[Any] = [
    ["script", {}, ["window.ran = 1"]],
    ["p", {"onclick": "window.ran = 1"}, ["x"]],
    ["a", {"href": "javascript:window.ran = 1"}, ["x"]],
    ["img", {"src": "https://evil.example/x.png"}, []],
    ["p", {"class": "aew-label"}, ["x"]],
    ["p", {"style": "color: red"}, ["x"]],
    ["p", {"constructor": "x"}, ["x"]],
    ["p", {"__proto__x": "x"}, ["x"]],
]


def test_the_page_checks_trees_itself(
    show: Callable[..., Session], page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    def render(self: InstanceRenderer, index: int) -> RenderedInstance:
        tree = ["p", {}, ["fine"]] if index == len(TREES) else TREES[index]
        return RenderedInstance(json.dumps(["div", {}, [tree]]).encode(), ELEMENTS, f"Instance {index}")

    monkeypatch.setattr(InstanceRenderer, "render", render)
    session = show(["x"] * (len(TREES) + 1))
    area = page.locator("[data-aew=instance]")
    for number in range(len(TREES) + 1):
        present = session.next()
        is_fine = present.index == len(TREES)
        expect(area).to_contain_text("fine" if is_fine else f"Instance {present.index} can't be shown.")
        page.keyboard.press("x")
        if number < len(TREES):
            expect(page.locator("[data-aew=status]")).to_contain_text(f"{number + 1} excluded")
            expect(page.locator("[data-aew=app]")).to_have_attribute("data-state", "ready")


def test_broken_instances_can_be_excluded(
    show: Callable[..., Session], page: Page, traffic: Any, tmp_path: Path
) -> None:
    cut = jpeg(600, 400)[:500]  # as good as any to Python, which leaves the decoding to the browser
    session = show([cut, b"no image", b"", tmp_path / "missing.png"] * 2, kind="image")
    app, area = page.locator("[data-aew=app]"), page.locator("[data-aew=instance]")
    for number in range(4):
        present = session.next()
        expect(area).to_contain_text(f"Instance {present.instance_id} can't be shown.")
        expect(area).to_contain_text("You can exclude it and go on.")
        page.keyboard.press("x")
        expect(page.locator("[data-aew=status]")).to_contain_text(f"{number + 1} excluded")
        expect(app).to_have_attribute("data-state", "ready")


TEXTS = ["short", "A line of words that is long enough to wrap. " * 3000, "\n".join("abc" * 20)]
IMAGES = [jpeg(8, 8), jpeg(3000, 30), jpeg(30, 3000), b"broken", jpeg(5000, 4000)]
RANKINGS = [Ranking("q", [Result(i, title="Title") for i in range(n)]) for n in (1, 30)]


# Once they have been the same for some frames.
PLACES = """(nFrames) => new Promise((done) => {
    const selector = "[data-aew=instance], [data-aew=label], .aew-image-bar button";
    let [before, n] = ["", -1];
    const look = () => {
        const boxes = [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
        const places = JSON.stringify(boxes);
        n = places === before ? n + 1 : 0;
        before = places;
        if (n >= nFrames) done(places);
        else requestAnimationFrame(look);
    };
    look();
})"""


@pytest.mark.parametrize("instances", [TEXTS, IMAGES, RANKINGS], ids=["text", "image", "ranking"])
def test_nothing_moves(show: Callable[..., Session], page: Page, instances: Any) -> None:
    show(instances * 8)
    n_labels = 0
    for width in (800, 1280, 2560):
        page.set_viewport_size({"width": width, "height": 900})
        before = page.evaluate(PLACES, 20)
        for _ in range(5):
            # Keys about an instance that is still on its way are ignored.
            expect(page.locator("[data-action=defer]").first).to_be_enabled()
            page.keyboard.press("1")
            n_labels += 1
            expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", str(n_labels))
            assert page.evaluate(PLACES, 0) == before
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def scroller_state(page: Page) -> tuple[float, bool]:
    top = page.locator(".aew-scroll").evaluate("(e) => e.scrollTop")
    return top, page.evaluate("document.activeElement?.closest('[data-aew=app]') !== null")


def test_long_texts_scroll_by_keys_and_begin_at_the_top(show: Callable[..., Session], page: Page) -> None:
    show([TEXTS[1]] * 6)
    heights = []
    for key in ("PageDown", " ", "ArrowDown", "ArrowUp", "PageUp", "Shift+Space", "End", "Home"):
        page.keyboard.press(key)
        heights.append(scroller_state(page)[0])
    assert 0 < heights[0] < heights[1] < heights[2]
    assert heights[3] == heights[1]
    assert heights[5] == heights[7] == 0
    assert heights[6] > 10 * heights[0]
    page.keyboard.press("PageDown")
    page.keyboard.press("1")
    expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", "1")
    assert scroller_state(page) == (0, True)
    # Back to the one that was scrolled.
    page.keyboard.press("PageDown")
    page.keyboard.press("u")
    expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", "0")
    assert scroller_state(page) == (0, True)


def test_the_focus_is_not_lost_with_an_instance(show: Callable[..., Session], page: Page) -> None:
    show([TEXTS[1]] * 4)
    page.locator(".aew-scroll").focus()
    page.keyboard.press("2")
    expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", "1")
    assert scroller_state(page) == (0, True)
    page.keyboard.press("1")
    expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", "2")


def test_more_of_a_long_text(show: Callable[..., Session], page: Page) -> None:
    text = "".join(f"Line {i}.\n" for i in range(25_000))
    show([text] * 2)
    area = page.locator("[data-aew=instance]")
    expect(area).to_contain_text(f"A text of {len(text):,} characters, shown in parts.")
    for start in ("the first 99,", "the first 199,", f"the first {len(text):,}"):
        expect(area).to_contain_text(f"Shown: {start}")
        expect(area.locator("p.aew-cut")).to_have_count(2)
        button = area.get_by_role("button", name="Show more")
        if button.count():
            button.focus()
            page.keyboard.press("Enter")
    blocks = area.locator(".aew-block").evaluate_all("(blocks) => blocks.map((b) => b.textContent)")
    assert "\n".join(blocks).replace("\n\n", "\n").rstrip("\n") == text.rstrip("\n")
    expect(area.get_by_role("button", name="Show more")).to_have_count(0)
    assert scroller_state(page)[1]
    page.keyboard.press("1")
    expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", "1")


def transform(page: Page) -> list[float]:
    """How far the image is moved and scaled: x, y, scale."""
    matrix = page.locator("[data-aew=instance] img").evaluate(
        "(e) => { const m = new DOMMatrix(getComputedStyle(e).transform); return [m.e, m.f, m.a]; }"
    )
    return [round(number, 3) for number in matrix]


def test_images_zoom_and_pan(show: Callable[..., Session], page: Page) -> None:
    show([jpeg(400, 240)] * 5)
    assert transform(page) == [0, 0, 1]
    page.keyboard.press("ArrowLeft")
    assert transform(page) == [0, 0, 1]
    page.keyboard.press("+")
    page.keyboard.press("=")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    assert transform(page) == [60, -60, 2.25]
    page.keyboard.press("-")
    assert transform(page) == [40, -40, 1.5]
    expect(page.get_by_role("button", name="Zoom 150%: show the whole image")).to_be_visible()
    page.keyboard.press("0")
    assert transform(page) == [0, 0, 1]

    stage = page.locator(".aew-stage").bounding_box()
    middle = stage["x"] + stage["width"] / 2, stage["y"] + stage["height"] / 2
    page.mouse.move(*middle)
    page.mouse.wheel(0, -200)  # scrolls the page, as anywhere
    page.wait_for_timeout(50)
    assert transform(page) == [0, 0, 1]
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    page.wait_for_function("document.querySelector('.aew-zoomed')")
    x, y, scale = transform(page)
    assert scale > 1.5
    page.mouse.down()
    page.mouse.move(middle[0] - 50, middle[1] + 30)
    page.mouse.up()
    dragged = transform(page)
    assert dragged == pytest.approx([x - 50, y + 30, scale])
    page.mouse.move(*middle)
    assert transform(page) == dragged
    page.mouse.dblclick(*middle)
    assert transform(page) == [0, 0, 1]

    page.keyboard.press("+")
    page.keyboard.press("1")
    expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", "1")
    assert transform(page) == [0, 0, 1]


def test_brightness_and_edges_stay_from_image_to_image(show: Callable[..., Session], page: Page) -> None:
    show(np.arange(5 * 72 * 8).reshape(5, 72, 8) % 7)
    shown = page.locator("[data-aew=instance] img")
    expect(shown).to_have_css("image-rendering", "auto")
    page.get_by_role("button", name="Brighter").click()
    page.get_by_role("button", name="Smooth").click()
    expect(shown).to_have_class("aew-pixelated")
    for n in (1, 2):
        expect(shown).to_have_css("filter", "brightness(1.25)")
        expect(shown).to_have_css("image-rendering", "pixelated")
        expect(page.get_by_role("button", name="Smooth")).to_have_attribute("aria-pressed", "false")
        page.keyboard.press("1")
        expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", str(n))
    page.get_by_role("button", name="Darker").press("Enter")
    expect(shown).to_have_css("filter", "none")


CODE = "```python\n" + "x = 1  # a line that goes on and on" * 9 + "\n```"
LONG = Turn("assistant", Text(f"**Long**\n\n{CODE}\n\n" + "and so on\n\n" * 300, markdown=True))
CONVERSATION = Conversation([Turn("user", "Why?"), LONG], [Turn("user", "Why?"), LONG, LONG], Text("Because"))


def test_long_turns_and_the_reference_by_keyboard(show: Callable[..., Session], page: Page) -> None:
    show([CONVERSATION] * 3)
    shown = page.locator("[data-aew=instance]")
    reference = shown.get_by_text("Because")
    expect(reference).to_be_hidden()
    scroller = shown.locator(".aew-scroll").first
    folded = scroller.evaluate("(node) => node.scrollHeight")
    page.keyboard.press("k")
    expect(reference).to_be_visible()
    page.keyboard.press("o")
    assert scroller.evaluate("(node) => node.scrollHeight") > 4 * folded
    expect(shown.get_by_role("button", name="Fold long texts")).to_be_visible()
    page.keyboard.press("o")
    assert scroller.evaluate("(node) => node.scrollHeight") == folded
    # One of them alone, by its own button; the focus stays in the app.
    shown.get_by_role("button", name="Show all").first.focus()
    page.keyboard.press("Enter")
    assert folded < scroller.evaluate("(node) => node.scrollHeight")
    page.keyboard.press("1")
    expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", "1")
    expect(reference).to_be_hidden()  # the next one is as at first
    assert scroller.evaluate("(node) => node.scrollHeight") == folded
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_contain_text("show or hide the reference answer")


ACCESS = {
    **{kind: KINDS[kind] for kind in ("pair", "ranking", "record", "error", "conversation")},
    "code": ([Text("x = 1\n" * 200, spans=((0, 5),), monospace=True, title="Code")] * 2, None, {}),
    "folded": ([CONVERSATION] * 2, None, {}),
    "image": ([jpeg(3000, 20)] * 2, None, {}),
    "long text": ([TEXTS[1]] * 2, None, {}),
    "html": (
        ["<h1>A</h1><p>b <a href='https://a.example'>c</a><table><tr><td>d</table>"] * 2,
        sanitized_html,
        {},
    ),
}


@pytest.mark.parametrize("kind", ACCESS)
def test_no_violation_of_accessibility(show: Callable[..., Session], page: Page, kind: str) -> None:
    instances, view, options = ACCESS[kind]
    show(instances, view, **options)
    for is_light in ("true", "false"):
        page.evaluate("(is) => { document.body.dataset.jpThemeLight = is; }", is_light)
        check_accessibility(page, "[data-aew=instance]")


def test_there_are_squares_behind_what_is_transparent(show: Callable[..., Session], page: Page) -> None:
    opaque = np.full((30, 40, 4), 255, np.uint8)
    pierced = opaque.copy()
    pierced[:15, :, 3] = 0
    session = show([opaque, pierced] * 2)
    for n in (1, 2, 3):
        present = session.next()
        expect(page.locator(".aew-stage.aew-transparent")).to_have_count(present.index % 2)
        page.keyboard.press("1")
        expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", str(n))


def test_what_was_made_smaller_is_reported(show: Callable[..., Session], page: Page) -> None:
    show([jpeg(5000, 4000)] * 2)
    expect(page.locator(".aew-image-note")).to_have_text("5,000 × 4,000 pixels, shown at 2,048 × 1,638")


@pytest.mark.parametrize(("side", "shown"), [(8, 320), (28, 308), (64, 320)])
def test_small_images_are_crisp_and_of_moderate_size(
    show: Callable[..., Session], page: Page, side: int, shown: int
) -> None:
    show(np.arange(3 * side * side).reshape(3, side, side) % 7)
    image = page.locator("[data-aew=instance] img")
    expect(image).to_have_css("image-rendering", "pixelated")
    stage, box = page.locator(".aew-stage").first.bounding_box(), image.bounding_box()
    assert stage is not None
    assert (box["width"], box["height"]) == (shown, shown)
    assert box["x"] + shown / 2 == pytest.approx(stage["x"] + stage["width"] / 2, abs=1)
    assert box["y"] + shown / 2 == pytest.approx(stage["y"] + stage["height"] / 2, abs=1)
