"""The page around the app: loading, errors, themes, and what it asks the network for."""

from playwright.sync_api import Page, expect

from .conftest import eventually, lose_widget
from .stranger import ROOT

LIGHT, DARK = "rgb(255, 255, 255)", "rgb(21, 23, 27)"
APP = '[data-aew="app"]'
BEYOND = """() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const isBeyond = (node) => node.getBoundingClientRect().right > clientWidth;
    const beyond = [...document.querySelectorAll("body *")].filter(isBeyond);
    return scrollWidth > clientWidth ? beyond.map((node) => node.outerHTML.slice(0, 200)) : [];
}"""


def assert_fits(page: Page) -> None:
    assert page.evaluate(BEYOND) == []


def test_an_app_that_is_ready_before_the_loading_page_goes_has_the_focus(page: Page) -> None:
    folder = ROOT / "activeeval_widgets" / "app" / "templates" / "activeeval"
    style, script = ((folder / name).read_text() for name in ("page.css", "page.js"))
    page.set_content(
        f"<style>{style}</style><body><main id=aew-loading><p class=aew-status></p></main>"
        f"<div id=rendered_cells></div><script id=jupyter-config-data></script><script>{script}</script>"
    )
    # In one go, as on a busy machine: the script around it has not seen the app yet.
    page.evaluate("""() => {
        const app = Object.assign(document.createElement("div"), { tabIndex: 0, textContent: "The app" });
        app.dataset.aew = "app";
        document.getElementById("rendered_cells").append(app);
        app.focus();
    }""")
    expect(page.locator("#aew-loading")).to_have_count(0)
    expect(page.locator(APP)).to_be_focused()


def test_loading_page_is_there_at_once_and_goes_and_colors_follow_the_system(
    shared_demo, session_name, traffic, page
):
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 800, "height": 700})
    page.goto(shared_demo("digits").session(session_name), wait_until="commit")
    loading = page.locator("#aew-loading")
    loading.wait_for()
    expect(loading.get_by_role("status")).to_have_text("Starting…")
    page.wait_for_selector(f"{APP}[data-state=ready] [data-instance-id]")
    expect(page.locator("#aew-loading")).to_have_count(0)
    expect(page.locator(".aew-failure")).to_have_count(0)
    assert page.title()
    assert len(traffic.requests) > 10
    page.evaluate("document.activeElement.blur()")  # keys act all the same
    expect(page.get_by_text("Click here to use the keys")).to_be_hidden()

    eventually(lambda: assert_fits(page))
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", "false")
    expect(page.locator("body")).to_have_css("background-color", DARK)
    page.emulate_media(color_scheme="light")
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", "true")
    expect(page.locator("body")).to_have_css("background-color", LIGHT)


def test_a_long_name_of_a_session_leaves_room_for_the_buttons(shared_demo, traffic, page):
    server = shared_demo("digits")
    page.set_viewport_size({"width": 800, "height": 700})
    page.goto(server.session("digits"))
    page.wait_for_selector(f"{APP}[data-state=ready] [data-instance-id]")
    page.keyboard.press("1")
    expect(page.locator(f"{APP}:not([data-n-labels='0'])")).to_be_visible()
    page.goto(server.session("many words " * 10 + "end"))
    page.wait_for_selector(f"{APP}[data-state=ready] [data-instance-id]")
    expect(page.locator(".aew-sessions")).to_be_visible()
    eventually(lambda: assert_fits(page))


def test_a_page_without_its_widget_is_loaded_again_once(shared_demo, page):
    page.goto(f"{shared_demo('text').url}&session=missing")
    page.wait_for_selector(f"{APP}[data-state=ready]")
    lose_widget(page, "#rendered_cells script", 3)
    page.reload()
    expect(page.locator(".aew-failure[role=alert]")).to_contain_text(
        "Part of the page could not be displayed."
    )
    assert page.evaluate("sessionStorage.getItem('loads')") == "2"
    page.reload()  # broken for the third time, and reloaded by itself
    page.wait_for_selector(f"{APP}[data-state=ready]")
    assert page.evaluate("sessionStorage.getItem('loads')") == "4"


def test_error_is_reported_on_the_page(start_demo, traffic, page, tmp_path):
    foreign = tmp_path / "foreign.sqlite"
    foreign.write_text("This is no database.")
    server = start_demo(store=foreign)
    page.goto(server.url)
    alert = page.locator(".aew-failure[role=alert]")
    alert.wait_for()
    expect(alert).to_contain_text("could not start")
    assert "Traceback" not in page.inner_text("body")
    expect(page.locator("#aew-loading")).to_have_count(0)
    assert foreign.read_text() == "This is no database."
    assert "Traceback" in server.errors.read_text()
