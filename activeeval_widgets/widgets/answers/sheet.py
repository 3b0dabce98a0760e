"""The sheet that a page shows, and what it asks."""

from typing import Any

from activeeval_widgets.session import Session, Sheet
from activeeval_widgets.widgets.labels.panel import LabelPanel


def sheet_content(session: Session, panel: LabelPanel) -> dict[str, Any]:
    """Return the open sheet, and whether another one is offered."""
    sheet, checks = session.sheets.present(), session.sheets.checks()
    comparison = checks.comparison if checks.n_asked else ""
    content = {"offers_sheet": session.sheets.is_offered, "sheet_checks": comparison}
    if sheet is None:
        return content
    tiles = [
        {
            "draw": drawn.draw,
            "index": drawn.index,
            "id": drawn.instance_id,
            "value": panel.value_of(expected, drawn.index),
        }
        for drawn, expected in zip(sheet.draws, sheet.expected, strict=True)
    ]
    about = {"question": _question(session, panel, sheet), "begun": sheet.begun}
    return {**content, "sheet": {**about, "tiles": tiles}}


def _question(session: Session, panel: LabelPanel, sheet: Sheet) -> str:
    if sheet.asks == "positive":
        return f"Mark every {session.measure.positive}."
    [first, *others] = sheet.expected
    if all(each == first for each in others):
        return f"These look like {panel.text_of(first, sheet.draws[0].index)}. Mark those that are not."
    return "The model is sure of these. Mark each that is not what is written below it."
