"""The progress panel."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.wording.progress import progress_content


class ProgressPanel(Panel):
    """The number of labels, out of how many, and the time that one takes."""

    name = "progress"
    title = "Progress"
    moment = "answer"

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        return progress_content(snapshot.session, snapshot.estimate.n_draws)
