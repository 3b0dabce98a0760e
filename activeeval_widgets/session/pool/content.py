"""The content of instances: by it they are found again in another pool, whatever their ids."""

from collections.abc import Iterable, Mapping
from typing import Any

from activeeval_widgets.session.pool.fingerprints import digest_of_parts
from activeeval_widgets.session.pool.kinds import KINDS
from activeeval_widgets.session.pool.pool import Pool


def labels_by_content(pool: Pool, labels: Mapping[int, Any], other: Pool) -> dict[int, Any]:
    """Return labels by the other pool's indices, for instances whose content has one label here."""
    of_content: dict[str, set[int]] = {}
    for index, digest in _digests(pool, labels):
        of_content.setdefault(digest, set()).add(index)
    found = {}
    for index, digest in _digests(other, range(other.n_instances)):
        known = [labels[each] for each in of_content.get(digest, ())]
        if known and all(label.value == known[0].value for label in known):
            found[index] = known[0]
    return found


def _digests(pool: Pool, instances: Iterable[int]) -> Iterable[tuple[int, str]]:
    """Yield instances with the digest of what is shown of each, without those of unknown content."""
    for index in instances:
        parts = KINDS[pool.kind].content(pool.instances, index)
        if parts is not None:
            yield index, digest_of_parts("content", parts)
