"""The base class of kinds of instances, and their registry."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from reprlib import repr as shortened
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from activeeval_widgets.session.pool.fingerprints import (
    digest_of_parts,
    digest_of_strings,
    fingerprint,
    media_parts,
)
from activeeval_widgets.session.pool.missing_values import is_missing
from activeeval_widgets.session.pool.stored import StoredInstances
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._validation import check_option

MAX_AT_A_GLANCE = 200
"""The maximum number of characters of a text on a sheet."""


class InstanceKind:
    """A kind of instances: how they are recognized, checked, fingerprinted and described.

    How they look is defined by a widget's view that is registered under the same name. Subclass this class,
    and pass an object of the subclass to `register_kind`.

    Attributes
    ----------
    name : str
        The name of the kind, as in `Pool(kind=…)`.
    noun : str
        The plural noun for the instances.
    types : tuple of type
        Classes of single instances that belong only to this kind.
    is_named : bool
        Whether `Pool(kind=…)` accepts the name; otherwise the kind is only guessed.

    See Also
    --------
    register_kind : Register a kind.

    Examples
    --------
    Recordings, given by the paths of WAV files:

    >>> from pathlib import Path
    >>> class Recording(InstanceKind):
    ...     name, noun = "recording", "recordings"
    ...     def fits(self, instance):
    ...         return str(instance).endswith(".wav")
    ...     def check(self, instances):
    ...         return check_each(list(map(Path, instances)), self.fits, "the path of a WAV file")
    >>> register_kind(Recording())
    >>> pool = Pool(["a.wav", "b.wav"], predictions=[[0.1, 0.9], [0.7, 0.3]])
    >>> pool
    <Pool of 2 recordings, predicted by 1 model>
    >>> pool.excerpt(1)
    'b.wav'
    """

    name: ClassVar[str]
    noun: ClassVar[str]
    types: ClassVar[tuple[type, ...]] = ()
    is_named: ClassVar[bool] = True

    def fits(self, instance: Any) -> bool:
        """Return whether a single object is an instance of this kind."""
        return isinstance(instance, self.types)

    def guess(self, instances: Any, first: Any) -> bool:  # noqa: ARG002
        """Return whether instances are of this kind, judging by the first one or by all.

        Raises
        ------
        ValueError
            If the kind is ambiguous and has to be given.
        """
        return self.fits(first)

    def check(self, instances: Any) -> Any:
        """Check instances and return them as a pool stores them: a sequence with length and indices.

        Raises
        ------
        ValueError, TypeError
            If an instance is not of this kind.
        """
        return check_each(instances, self.fits, f"one of the {self.noun}")

    def fingerprint(self, instances: Any) -> str:
        """Return a digest of the instances that is the same in every process.

        Files count by their paths, not by their content: a pool of a million files opens at once, and can be
        moved with its folder if the paths are relative.
        """
        if isinstance(instances, np.ndarray):
            return fingerprint(instances)
        found = set(map(type, instances))
        if found == {str}:
            return digest_of_strings(self.name, instances)
        if all(issubclass(each, PurePath) for each in found):
            return digest_of_strings("path", [path.as_posix() for path in instances])
        return digest_of_parts(self.name, (part for instance in instances for part in self.parts(instance)))

    def parts(self, instance: Any) -> Iterable[str | bytes]:
        """Return the parts of an instance for the digest; different instances need different parts."""
        return media_parts(instance)

    def content(self, instances: Any, index: int) -> Iterable[str | bytes] | None:
        """Return the parts of what is shown of an instance; None if unknown.

        By them it is found again in another pool. Files count by their bytes.
        """
        one = instances[index]
        if not isinstance(one, PurePath):
            return self.parts(one)
        try:
            return "bytes", Path(one).read_bytes()
        except OSError:
            return None

    def called(self, instances: Any) -> tuple[str, str]:  # noqa: ARG002
        """Return name and noun of the instances' kind, which may be another one."""
        return self.name, self.noun

    def words(self, instance: Any) -> str:
        """Return an instance in words, for a table; "" if it has none, as for an array of pixels."""
        return str(instance) if isinstance(instance, str | PurePath) else ""

    def words_at(self, instances: Any, index: int) -> str:
        """Return `words` of one of the pool's instances."""
        return self.words(instances[index])

    def fits_sheet(self, instances: Any, index: int) -> bool:
        """Return whether an instance can be judged at a glance, beside 23 others: if it is a short text."""
        return 0 < len(self.words_at(instances, index)) <= MAX_AT_A_GLANCE

    def fields(self, instances: Any, index: int) -> dict[str, Any]:
        """Return what is shown of an instance, by name, for other programs: text, number, None or image.

        Parameters
        ----------
        instances : object
            The instances as a pool stores them.
        index : int
            The index of the instance.
        """
        return {self.name: self.words_at(instances, index)}

    def to_json(self, instances: Any) -> list[Any]:
        """Convert the instances to JSON values that `from_json` can read.

        Raises
        ------
        TypeError
            If the instances can't be converted.
        """
        noun = self.called(instances)[1]
        raise TypeError(f"the contents of {noun} of the kind {self.name!r} can't be written to a JSON file")

    def from_json(self, values: list[Any]) -> Any:
        """Convert the values of `to_json` back to instances."""
        raise TypeError(
            f"contents of the kind {self.name!r} can't be read from a JSON file, got {values!r:.60}"
        )

    def items(self, instance: Any) -> tuple[Hashable, ...] | None:  # noqa: ARG002
        """Return the items of an instance to grade, in the order shown; None if it has no items."""
        return None

    def with_items(self, instances: Any, items: Sequence[Sequence[Hashable]]) -> Any:  # noqa: ARG002
        """Return the instances with only the given items, in the given order.

        Parameters
        ----------
        instances : object
            Some or all of the instances.
        items : sequence of sequences
            The items of each instance.
        """
        return instances

    def check_predictions(self, instances: Any, models: Sequence[Predictions]) -> None:  # noqa: ARG002
        """Reject predictions about items that an instance does not have.

        Raises
        ------
        TypeError, ValueError
            If the predictions rank items that the instances don't have.
        """
        if models[0].label_kind == "grades":
            raise TypeError(
                f"instances are {self.noun}, but RankingPredictions need Rankings, whose items can be graded "
                "(or kind 'custom')"
            )


KINDS: dict[str, InstanceKind] = {}
"""All kinds, by name."""


def register_kind(kind: InstanceKind) -> None:
    """Register a kind of instances, so that `Pool` guesses it and accepts its name.

    Parameters
    ----------
    kind : InstanceKind
        The kind. It takes precedence over kinds that were registered before, and replaces one of the same
        name.

    Raises
    ------
    TypeError
        If `kind` is not an `InstanceKind` with a name and a noun.

    See Also
    --------
    InstanceKind : The methods of a kind, with an example.

    Examples
    --------
    >>> class Melody(InstanceKind):
    ...     name, noun = "melody", "melodies"
    ...     def fits(self, instance):
    ...         return isinstance(instance, str) and instance.startswith("♪")
    >>> register_kind(Melody())
    >>> Pool(["♪ C E G", "♪ D F A"], predictions=[[0.1, 0.9], [0.7, 0.3]]).kind
    'melody'
    """
    if not isinstance(kind, InstanceKind) or not all(hasattr(kind, name) for name in ("name", "noun")):
        raise TypeError(f"kind must be an InstanceKind with a name and a noun, got {kind!r}")
    KINDS.pop(kind.name, None)
    KINDS[kind.name] = kind


def check_instances(value: Any, kind: str | None) -> tuple[str, Any]:
    """Return the kind, guessed if it is None, and the checked instances as a pool stores them."""
    if kind is not None:
        check_option("kind", kind, _named())
    if isinstance(value, StoredInstances) and len(value) and kind in (None, value.kind):
        return value.kind, value
    if callable(getattr(value, "predict", None)):
        raise TypeError(
            f"instances is a model, {type(value).__name__}, expected what people look at, such as texts; "
            "the model comes after them"
        )
    single = tuple(each for known in KINDS.values() for each in known.types)
    if isinstance(value, (str, bytes, Path, Mapping, *single)) or value is None:
        raise TypeError(f"instances must be a sequence of instances, got {shortened(value)}")
    if not isinstance(value, np.ndarray | pd.DataFrame) and not _is_sequence(value):
        if not hasattr(value, "__iter__"):
            raise TypeError(f"instances must be a sequence of instances, got {shortened(value)}")
        value = list(value)
    if np.ndim(value) == 0 if isinstance(value, np.ndarray) else len(value) == 0:
        got = f"an array of shape {value.shape}" if isinstance(value, np.ndarray) else shortened(value)
        raise ValueError(f"instances must hold at least one instance, got {got}")
    kind = _guessed(value) if kind is None else kind
    return kind, KINDS[kind].check(value)


def fingerprint_instances(kind: str, instances: Any) -> str:
    """Return a digest of instances; see `InstanceKind.fingerprint`."""
    stored = instances.fingerprint() if isinstance(instances, StoredInstances) else None
    return KINDS[kind].fingerprint(instances) if stored is None else stored


def check_each(value: Any, fits: Callable[[Any], bool], expected: str) -> list[Any]:
    """Return the instances as a list after checking that all fit.

    Raises
    ------
    TypeError
        If one does not fit; `expected` says what it should be.
    """
    instances = value.tolist() if isinstance(value, np.ndarray) else list(value)
    for position, instance in enumerate(instances):
        if not fits(instance):
            raise TypeError(f"instances[{position}] must be {expected}, got {shortened(instance)}")
    return instances


def _named() -> tuple[str, ...]:
    return tuple(sorted(name for name, kind in KINDS.items() if kind.is_named))


def _is_sequence(value: Any) -> bool:
    return hasattr(value, "__len__") and hasattr(value, "__getitem__")


def _guessed(value: Any) -> str:
    # An array may be empty: its kind rejects it. A missing instance is rejected by the kind of the others.
    first = next((each for each in value if not is_missing(each)), None)
    for kind in reversed(KINDS.values()):
        if kind.guess(value, first):
            return kind.name
    first = next(iter(value), None)
    raise TypeError(
        f"instances[0] is {shortened(first)}: its kind can't be guessed; "
        f"pass kind, one of {', '.join(map(repr, _named()))}"
    )
