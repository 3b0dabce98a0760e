"""Convert a pool's instances to JSON values and back, as their kind defines."""

from typing import Any

from activeeval_widgets.session.pool.kinds import KINDS
from activeeval_widgets.session.pool.pool import Pool


def contents_to_dict(pool: Pool) -> list[Any]:
    """Return the contents of a pool's instances as JSON values."""
    return KINDS[pool.kind].to_json(pool.instances)


def contents_from_dict(contents: Any, kind: str) -> Any:
    """Return the instances that `contents_to_dict` wrote."""
    if kind not in KINDS:
        raise ValueError(f"the instances are of the kind {kind!r}, expected one of {sorted(KINDS)}")
    if not isinstance(contents, list):
        raise ValueError(f"'contents' is {contents!r:.60}, expected a list")
    return KINDS[kind].from_json(contents)
