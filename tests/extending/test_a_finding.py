"""A finding that is one file, as the page on extending has it: the page and the report show it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from activeeval_widgets import LabelingApp
from activeeval_widgets.session import findings
from activeeval_widgets.session.findings.shown import shown_findings

from ..extending_page import Section
from .conftest import ask, session


@pytest.fixture(autouse=True)
def _in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "labels_by_day.py").write_text(Section("A finding").blocks["python"], encoding="utf-8")
    monkeypatch.setattr(findings, "__path__", [*findings.__path__, str(tmp_path)])
    shown_findings.cache_clear()
    yield
    shown_findings.cache_clear()


def test_the_page_draws_it_by_a_generic_panel() -> None:
    labeled = session()
    app = LabelingApp(labeled)
    panels = {panel["name"]: panel for panel in ask(app, "hello")["config"]["panels"]}
    assert panels["days"] == {
        "name": "days",
        "title": "Labels by day",
        "kind": "table",
        "source": "",
        "is_hidden_at_first": False,
    }
    labeled.label(0)
    labeled.label(1)
    labeled.exclude()
    assert "panels" not in ask(app, "plots")
    [day] = {action.time[:10] for action in labeled.log.actions}
    assert ask(app, "plots", shown=["days"])["panels"]["days"] == {
        "summary": "2 labels on 1 days.",
        "columns": ["Day", "Labels"],
        "rows": [[day, "2"]],
    }


def test_the_report_has_its_rows() -> None:
    labeled = session()
    assert "Labels by day" not in labeled.report()
    labeled.label(0)
    [action] = labeled.log.actions
    assert f"## Labels by day\n\n- {action.time[:10]}: 1 labels" in labeled.report()
