"""Accessibility of a page, as far as axe-core can tell."""

from collections.abc import Iterable, Iterator
from typing import Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from .conftest import eventually


def in_both_schemes(page: Page) -> Iterator[Literal["light", "dark"]]:
    """Show a page in light, then in dark, and wait each time until it has followed."""
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(
            "(is) => document.body.dataset.jpThemeLight === is", arg=str(scheme == "light").lower()
        )
        yield scheme


def check_accessibility(
    page: Page, *places: str, rules: Iterable[str] = (), without: Iterable[str] = ()
) -> None:
    """Wait until axe-core finds no violation in these places of a page, or in all of it.

    `rules` are the only ones that are checked, `without` those that are not.
    """
    for place in places:
        page.wait_for_selector(place, state="attached")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    # The size of targets is off unless asked for, though it is part of WCAG 2.2 AA.
    checked = {"target-size": {"enabled": True}, **{rule: {"enabled": False} for rule in without}}
    options = {"resultTypes": ["violations"], **({"runOnly": [*rules]} if rules else {"rules": checked})}

    def no_violation() -> None:
        found = page.evaluate("([where, how]) => axe.run(where, how)", [list(places) or "html", options])
        violations = [
            f"{violation['id']}: {node['target']} {node['html'][:200]} {node['failureSummary']}"
            for violation in found["violations"]
            for node in violation["nodes"]
        ]
        assert not violations, "\n".join(violations)

    eventually(no_violation)
