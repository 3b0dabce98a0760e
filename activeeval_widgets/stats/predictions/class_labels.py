"""Class labels from lists, arrays of objects, and pandas columns."""

from collections.abc import Callable, KeysView, ValuesView
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, IntArray
from activeeval_widgets.stats._validation import refuse_masked


def as_labels(value: Any, name: str = "labels") -> AnyArray:
    """Return labels as an array of booleans, numbers or strings, or of objects if kinds are mixed.

    An array of objects (the classes of a scikit-learn model that was fitted on a column of strings), a pandas
    Index, Series or Categorical, and a list of NumPy scalars give the same result as a list of plain values.
    In a list of mixed kinds, NumPy alone would convert 1 to "1", and True to 1.
    """
    refuse_masked(name, value)
    values = value
    if not isinstance(value, list | tuple):
        given = np.asarray(list(value) if isinstance(value, KeysView | ValuesView) else value)
        if given.ndim != 1 or given.dtype.kind in "biufU":
            return given
        values = [*given] if given.dtype.kind in "mM" else given.tolist()
    types = set(map(type, values))
    if any(issubclass(each, np.generic) for each in types):
        values = [plain_label(each) for each in values]
        types = set(map(type, values))
    if types and types <= {list, tuple, np.ndarray}:
        return np.asarray(values, dtype=object)
    if len({kind_of(each) for each in types}) <= 1:
        labels = np.array(values)
        if labels.dtype.kind in "biufU":
            return labels
    mixed = np.empty(len(values), dtype=object)
    mixed[:] = values
    return mixed


def kind_of(cls: type) -> str | None:
    """Return the kind of label of a type, where a bool is not a number; None for other types."""
    if issubclass(cls, bool | np.bool_):
        return "bool"
    if issubclass(cls, str):
        return "string"
    return "number" if issubclass(cls, Real) else None


def plain_label(value: Any) -> Any:
    """Return a label as a plain Python value if it is a NumPy scalar."""
    refuse_masked("label", value)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.datetime64 | np.timedelta64):
        value = value.astype(f"{value.dtype.kind}8[us]")  # an item in nanoseconds would be a number
    return value.item() if isinstance(value, np.generic) else value


def class_in_words(label: Any, kind: str = "class") -> str:
    """Return a class as named in a sentence; a number is preceded by `kind`."""
    text = str(label)
    is_number = isinstance(label, bool) or text.lstrip("+-").replace(".", "", 1).isdigit()
    return f"{kind} {text}" if is_number else text


def check_classes(value: ArrayLike | None, n_classes: int) -> AnyArray:
    """Validate class labels, one per column of `y_proba`; by default 0, 1, …."""
    if value is None:
        return np.arange(n_classes)
    if isinstance(value, str | bytes | set | frozenset):
        raise TypeError(f"classes must be in the order of the columns of y_proba, as a list, got {value!r}")
    classes = as_labels(value, "classes")
    if classes.shape != (n_classes,):
        raise ValueError(
            f"classes must name one class per column of y_proba ({n_classes}), got shape {classes.shape}"
        )
    if classes.dtype.kind not in "biufU":
        raise TypeError(
            f"classes must be numbers or strings, all of one kind, got {classes.tolist()!r}; "
            "[str(c) for c in classes] makes strings of any"
        )
    if classes.dtype.kind == "f" and not np.isfinite(classes).all():
        raise ValueError(f"classes must be finite numbers or strings, got {classes.tolist()!r}")
    values, counts = np.unique(classes, return_counts=True)
    if counts.max() > 1:
        raise ValueError(f"classes must be distinct, but {values[np.argmax(counts)].item()!r} occurs twice")
    return classes


def codes_of(labels: ArrayLike, classes: AnyArray, order: IntArray, name: str) -> IntArray:
    """Return labels as positions in `classes`, which are sorted by `order`."""
    given = as_labels(labels, name)
    if given.ndim != 1:
        raise ValueError(f"{name} must have shape (n,), got an array of shape {given.shape}")
    if given.size == 0:
        return np.empty(0, dtype=np.intp)
    kinds = ("string",) if classes.dtype.kind == "U" else ("bool", "number")
    mixed = given.dtype.kind == "O"
    for where, label in enumerate(given.tolist() if mixed else given[:1].tolist()):
        if kind_of(type(label)) not in kinds:
            raise _not_a_class(f"{name}[{where}]", label, classes)
    if mixed:  # booleans among numbers
        given = np.array(given.tolist())
    in_order = classes[order]
    position = np.minimum(np.searchsorted(in_order, given), classes.size - 1)
    unknown = in_order[position] != given
    if unknown.any():
        where = int(np.argmax(unknown))
        raise _not_a_class(f"{name}[{where}]", given[where].item(), classes)
    codes: IntArray = order[position]
    return codes


def code_of(label: Any, classes: AnyArray, name: str) -> int:
    """Return the position of one label in `classes`."""
    plain = plain_label(label)
    known: list[Any] = classes.tolist()
    if plain not in known:
        raise _not_a_class(name, label, classes)
    return known.index(plain)


def _not_a_class(name: str, label: Any, classes: AnyArray) -> ValueError:
    return ValueError(f"{name} is {label!r}, expected one of the classes {listed(classes)}")


def listed(classes: AnyArray) -> str:
    """Return the first classes as a list in a message."""
    shown = [repr(label) for label in classes[:20].tolist()]
    return "[" + ", ".join(shown) + (", …]" if classes.size > 20 else "]")


def rules_of(classes: AnyArray, codes: IntArray, of_interest: int) -> list[Callable[[IntArray], AnyArray]]:
    """Return the rules that labels are what `codes` predict, or not.

    They are not where the class of interest is predicted, where it is not, or both.
    """
    another = int(of_interest == 0)

    def labels(where: IntArray, if_positive: int, if_negative: int | None) -> AnyArray:
        expected = codes[where]
        is_positive = expected == of_interest
        unlike = expected if if_negative is None else if_negative
        found: AnyArray = classes[np.where(is_positive, if_positive, unlike)]
        return found

    return [
        partial(labels, if_positive=if_positive, if_negative=if_negative)
        for if_positive in (of_interest, another)
        for if_negative in (None, of_interest)
    ]
