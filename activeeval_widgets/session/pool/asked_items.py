"""Which results of a query are to be graded, and in which order they are shown.

Where several rankers are compared, their lists are merged and shuffled: neither what is shown nor its order
tells who found a result, or at which rank.
"""

from collections.abc import Hashable, Sequence
from hashlib import blake2b

from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import Measure


def judged_pool(pool: Pool, measure: Measure) -> Pool:
    """A pool without what is below the measure's cutoff in all lists: that is not to be graded.

    Parameters
    ----------
    pool : Pool
        The pool.
    measure : Measure
        What is estimated.
    """
    return pool.up_to(measure.depth(len(pool.models)))


def asked_items(pool: Pool, seed: int) -> list[tuple[Hashable, ...]] | None:
    """What is graded of each instance, in the order in which it is shown; None where nothing is graded.

    Of one ranker, the items in the pool's order; of several, in an order that depends on the seed, the query
    and the items' names alone.

    Parameters
    ----------
    pool : Pool
        The pool.
    seed : int
        The session's.

    Examples
    --------
    >>> from activeeval_widgets.session import Ranking, Result
    >>> from activeeval_widgets.stats import RankingPredictions
    >>> lists = [["a", "b", "c"]], [["a", "d", "b"]]
    >>> rankers = [RankingPredictions(each, [[[0.5, 0.5]] * 3], [0, 1]) for each in lists]
    >>> pool = Pool([Ranking("q", [Result(item) for item in "abcd"])], predictions=rankers)
    >>> asked_items(pool, seed=1), sorted(asked_items(pool.up_to(2), seed=1)[0])
    ([('a', 'd', 'c', 'b')], ['a', 'b', 'd'])
    """
    if pool.models[0].label_kind != "grades":
        return None
    items = [pool.items(index) for index in range(pool.n_instances)]
    if len(pool.models) == 1:
        return items
    return [blind_order(each, seed, name) for each, name in zip(items, pool.ids, strict=True)]


def blind_order(items: Sequence[Hashable], seed: int, query: str) -> tuple[Hashable, ...]:
    """Items in an order that tells nothing of the one in which they are given.

    Parameters
    ----------
    items : sequence
        With distinct strings.
    seed : int
        Of another seed, another order.
    query : str
        And of another query.

    Returns
    -------
    tuple
        The same for the same items in any order; each order is as likely as any other.
    """
    begun = blake2b(f"{seed}\0{query}\0".encode("utf-8", "surrogatepass"), digest_size=16)

    def place(item: Hashable) -> bytes:
        digest = begun.copy()
        digest.update(str(item).encode("utf-8", "surrogatepass"))
        return digest.digest()

    return tuple(sorted(items, key=place))
