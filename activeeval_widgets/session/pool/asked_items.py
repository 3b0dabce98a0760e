"""The results of a query to grade, in the order in which they are shown.

Lists of several rankers are merged and shuffled, so that neither the results nor their order reveal which
ranker found a result, or at which rank.
"""

from collections.abc import Hashable, Sequence
from hashlib import blake2b

from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import Measure, RankingPredictions


def judged_pool(pool: Pool, measure: Measure) -> Pool:
    """Return the pool without items below the measure's cutoff in all lists; the same if none are."""
    depth = measure.depth(len(pool.models))
    rankers = [model for model in pool.models if isinstance(model, RankingPredictions)]
    if depth is None or not rankers:
        return pool
    models = [each.up_to(depth, [other for other in rankers if other is not each]) for each in rankers]
    if all(new is old for new, old in zip(models, rankers, strict=True)):
        return pool
    left = []
    for index in range(pool.n_instances):
        lists = [model.items(index) for model in rankers]
        below = {item for each in lists for item in each[depth:]}
        below = below.difference(*(each[:depth] for each in lists))
        left.append(tuple(item for item in pool.items(index) if item not in below))
    return pool.with_items_left(models, left, depth)


def check_depth(pool: Pool, measure: Measure) -> None:
    """Reject a measure of items below those that are judged, which would count as if they did not exist."""
    if pool.judged_to is None:
        return
    judged, n_lists = pool.judged_to
    depth = measure.depth(n_lists)
    if depth is None or depth > judged:
        raise ValueError(
            f"measure is {measure!r}, which depends on results below the first {judged} of each list, but "
            "this session asks about no others: begin a session with this measure"
        )


def answered_pool(pool: Pool, measure: Measure) -> Pool:
    """Return the pool with the labels of a measure if its possible labels are unknown."""
    return pool.with_models([measure.unpredicted(pool.n_instances)]) if pool.is_open else pool


def asked_items(pool: Pool, seed: int) -> list[tuple[Hashable, ...]] | None:
    """Return each instance's items as shown, in blind order for several rankers; None without grades."""
    if pool.models[0].label_kind != "grades":
        return None
    items = [pool.items(index) for index in range(pool.n_instances)]
    _, *others = pool.models
    if not others:
        return items
    return [blind_order(each, seed, name) for each, name in zip(items, pool.ids, strict=True)]


def blind_order(items: Sequence[Hashable], seed: int, query: str) -> tuple[Hashable, ...]:
    """Return items in an order that does not depend on the given one."""
    begun = blake2b(f"{seed}\0{query}\0".encode("utf-8", "surrogatepass"), digest_size=16)

    def place(item: Hashable) -> bytes:
        digest = begun.copy()
        digest.update(str(item).encode("utf-8", "surrogatepass"))
        return digest.digest()

    return tuple(sorted(items, key=place))
