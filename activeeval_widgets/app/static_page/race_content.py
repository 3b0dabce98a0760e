"""What the static page of a race shows, as JSON: written when it is exported, read in the browser."""

from collections.abc import Callable, Mapping
from typing import Any

from activeeval_widgets.app.static_page.content import unit_from_dict
from activeeval_widgets.formats import SessionFile
from activeeval_widgets.widgets.labels.panel import label_panel
from activeeval_widgets.widgets.race.contest import Contest
from activeeval_widgets.widgets.race.race_page import RacePage

_SHOWN = ("title", "question", "methods")


def race_to_dict(page: RacePage, **shown: Any) -> dict[str, Any]:
    """Return a race as JSON values, beside pool, measure, budget and seed, which a session's file has."""
    labels = [page.panel.encode(label) for label in page.contest.y_true]
    return {**{name: getattr(page, name) for name in _SHOWN}, **shown, "y_true": labels}


def race_from_dict(
    content: Mapping[str, Any], file: SessionFile, send: Callable[[Mapping[str, Any]], None]
) -> RacePage:
    """Return a race on the pool of a session's file."""
    unit, grade_words = unit_from_dict(content["unit"]), content["grade_words"]
    panel = label_panel(file.open().labels, unit=unit, grade_words=grade_words)
    contest = Contest(
        file.pool,
        file.measure,
        [panel.decode(value) for value in content["y_true"]],
        budget=file.options["budget"],
        y_range=file.options["y_range"],
    )
    shown = {name: content[name] for name in _SHOWN}
    page = RacePage(contest, panel, **shown, seed=file.options["seed"], send=send)
    page.make_standalone(content["notes"], content["stored"])
    return page
