"""The pair of models that panels compare, and the joint level of their intervals."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.session.findings.pairs import Pair, check_pair
from activeeval_widgets.session.report.differing import best_two


def chosen_pair(session: Session, options: Mapping[str, Any]) -> Pair:
    """Return the pair that the person chose; by default, the current best two or the only two."""
    asked = options.get("pair")
    return best_two(session.findings) if asked is None else check_pair(asked, session.question.names)
