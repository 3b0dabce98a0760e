"""Open a stored session with the settings it began with; the store has all but its pool."""

import re
from ast import literal_eval
from typing import Any

from activeeval_widgets.session import Pool, Session, Store
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.measures.parse_repr import measure_from_repr


def open_as_begun(
    store: Store, name: str, pool: Pool, *, measure: Measure | None = None, **options: Any
) -> Session:
    """Open a stored session with the measure, seed, protocol and range that it began with."""
    about = store.identity(name) or {}
    adaptive = re.fullmatch(r"adaptive(?: by groups \S+)?, defensive=(.+)", about.get("q", ""))
    share = literal_eval(adaptive[1]) if adaptive else options.get("defensive")
    options["defensive"] = share if options.get("q") is None else None
    return Session(
        pool,
        measure_from_repr(about["measure"]) if measure is None else measure,
        seed=int(about["seed"]),
        store=store,
        name=name,
        protocol=None if options.get("q") is not None else about.get("protocol"),
        y_range=literal_eval(about["y_range"]),
        for_groups="groups" in about,
        **options,
    )
