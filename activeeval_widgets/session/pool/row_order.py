"""The order of a pool's rows, as the indexes of pandas objects name them."""

from typing import Any

import pandas as pd

from activeeval_widgets.stats._validation import ONE_ORDER, by_index, check_index, counts_rows, index_of


class RowOrder:
    """The order of a pool's rows: objects with the same rows in another order are refused.

    The index of the instances, and ids, name the rows. Any other index is compared with these and with those
    before it, unless one of the two counts rows, as by default: then it does not name them.
    """

    def __init__(self, instances: Any, ids: Any = None, **given: Any) -> None:
        self._known: dict[str, Any] = {}
        self._ids = ids if hasattr(ids, "__len__") else None
        for name, value in {"instances": instances, "ids": ids, **given}.items():
            self.add(name, value)

    def add(self, name: str, value: Any) -> None:
        """Check an argument's rows; later ones are compared with them."""
        self.check(name, value)
        index = index_of(value)
        if index is not None:
            self._known[name] = index

    def check(self, name: str, value: Any) -> None:
        """Refuse sets, and an index that has the rows of another one in another order."""
        # Predictions of a wrong type are reported with all that they can be.
        if isinstance(value, set | frozenset) and not name.startswith("predictions"):
            raise TypeError(f"{name} must be in order, got a set, which has none: pass a list")
        index = index_of(value)
        if index is None or any(index.equals(known) for known in self._known.values()):
            return
        is_column = hasattr(value, "loc") and name.isidentifier()
        for of, expected in self._known.items():
            if of == "instances":
                remedy = by_index(name, "instances.index", of) if is_column else ONE_ORDER
                check_index(name, index, of, expected, remedy)
            elif not (counts_rows(index) or counts_rows(expected)):
                check_index(name, index, of, expected, ONE_ORDER)
        if self._ids is not None and name not in ("instances", "ids") and not counts_rows(index):
            ids = pd.Index([str(each) for each in self._ids])
            remedy = by_index(name, "ids", "instances") if is_column else ONE_ORDER
            check_index(name, index.map(str), "ids", ids, remedy)
