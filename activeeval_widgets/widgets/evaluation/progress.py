"""The panel of the progress."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.wording.progress import progress_content


class ProgressPanel(Panel):
    """How many labels there are, of how many, and how long one takes."""

    name = "progress"
    title = "Progress"
    moment = "answer"

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> dict[str, Any]:  # noqa: ARG002
        """See `Panel.content`."""
        return progress_content(snapshot.session, snapshot.estimate.n_draws)
