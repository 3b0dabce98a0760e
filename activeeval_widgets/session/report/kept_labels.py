"""What a session that follows another one keeps of its labels, in a few words."""

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.stats.text import counted


def kept_labels(session: Findings) -> str:
    """Return how many labels of the session before go on, or were carried over; "" without such a session."""
    state = session.log.state
    if state.went_on:
        n = state.went_on[-1].n_labels
        return f"{counted(n, 'labels')} {'goes' if n == 1 else 'go'} on: only votes have changed"
    if state.after is None:
        return ""
    return f"{counted(len(state.carried), 'labels')} carried over"
