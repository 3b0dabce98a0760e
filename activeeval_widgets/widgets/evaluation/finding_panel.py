"""The panel of a finding that says how it is shown."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.session.findings.shown import Shown
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.messages.from_python import PanelConfig


class FindingPanel(Panel):
    """Text, a table, intervals, a plot or a matrix, as a finding says."""

    is_optional = True

    def __init__(self, shown: Shown) -> None:
        self._shown, self.name, self.title = shown, shown.name, shown.title
        self.comes_first = shown.comes_first

    def config(self) -> PanelConfig:
        """See `Panel.config`."""
        return {
            "name": self.name,
            "title": self.title,
            "kind": self._shown.kind,
            "source": "",
            "is_hidden_at_first": self._shown.is_hidden_at_first,
        }

    def content(self, snapshot: Snapshot, options: Mapping[str, Any]) -> dict[str, Any]:
        """See `Panel.content`."""
        return self._shown.content(snapshot.session.findings, options)
