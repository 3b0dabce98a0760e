"""Which results of a query are to be graded, and in which order they are shown.

Where several rankers are compared, their lists are merged and shuffled: neither what is shown nor its order
tells who found a result, or at which rank.
"""

from collections.abc import Hashable, Sequence
from hashlib import blake2b

from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import Measure


def judged_pool(pool: Pool, measure: Measure) -> Pool:
    """A pool without what is below the measure's cutoff in all lists: that is not to be graded."""
    return pool.up_to(measure.depth(len(pool.models)))


def asked_items(pool: Pool, seed: int) -> list[tuple[Hashable, ...]] | None:
    """What is graded of each instance, in the order in which it is shown; None where nothing is graded.

    Of one ranker, the items in the pool's order; of several, in an order that depends on the seed, the query
    and the items' names alone.
    """
    if pool.models[0].label_kind != "grades":
        return None
    items = [pool.items(index) for index in range(pool.n_instances)]
    _, *others = pool.models
    if not others:
        return items
    return [blind_order(each, seed, name) for each, name in zip(items, pool.ids, strict=True)]


def blind_order(items: Sequence[Hashable], seed: int, query: str) -> tuple[Hashable, ...]:
    """Items in an order that tells nothing of the one in which they are given."""
    begun = blake2b(f"{seed}\0{query}\0".encode("utf-8", "surrogatepass"), digest_size=16)

    def place(item: Hashable) -> bytes:
        digest = begun.copy()
        digest.update(str(item).encode("utf-8", "surrogatepass"))
        return digest.digest()

    return tuple(sorted(items, key=place))
