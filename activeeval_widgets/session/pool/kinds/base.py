"""What a kind of instances is, and the one place where kinds are registered."""

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
from activeeval_widgets.session.pool.stored import StoredInstances
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._validation import check_option


class InstanceKind:
    """A kind of instances: how they are recognized, checked, told apart, and put in a line of text.

    How they look is for the widgets, where a view is registered under the same name. Subclass this, and give
    an object of the subclass to `register_kind`.

    Attributes
    ----------
    name : str
        The kind's name, as in `Pool(kind=…)`.
    noun : str
        What the instances are called, in the plural.
    types : tuple of type
        Classes of single instances that are of this kind alone.
    is_named : bool
        Whether it can be given by its name; else it is known by its instances alone.

    See Also
    --------
    register_kind : Makes a kind known.

    Examples
    --------
    Recordings, as the paths of WAV files:

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
        """Whether a single thing is an instance of this kind, unless it is said to be of another."""
        return isinstance(instance, self.types)

    def guess(self, instances: Any, first: Any) -> bool:  # noqa: ARG002
        """Whether instances are meant as this kind, by the first of them or all.

        Raises
        ------
        ValueError
            If they nearly are, and it has to be said which is meant.
        """
        return self.fits(first)

    def check(self, instances: Any) -> Any:
        """The instances in the form in which a pool keeps them: something with a length and indices.

        Raises
        ------
        ValueError, TypeError
            If one of them is not of this kind.
        """
        return check_each(instances, self.fits, f"one of the {self.noun}")

    def fingerprint(self, instances: Any) -> str:
        """A digest of the instances: the same in every process, another for other instances.

        Files count by their paths as given, not by their bytes: a pool of a million files opens at once, and
        moves with its folder if the paths are relative.
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
        """What an instance consists of, for the digest, so that different ones differ in it."""
        return media_parts(instance)

    def called(self, instances: Any) -> tuple[str, str]:  # noqa: ARG002
        """The kind that the instances are of, and what they are called; they may stand for others."""
        return self.name, self.noun

    def words(self, instance: Any) -> str:
        """An instance in words, for a table: "" if it has none, as an image that is an array."""
        return str(instance) if isinstance(instance, str | PurePath) else ""

    def words_at(self, instances: Any, index: int) -> str:
        """The same of one of the instances in the form in which a pool keeps them."""
        return self.words(instances[index])

    def fields(self, instances: Any, index: int) -> dict[str, Any]:
        """What is shown of an instance, by name, for other programs: texts, numbers, None; or an image.

        Parameters
        ----------
        instances : object
            The instances in the form in which a pool keeps them.
        index : int
            Which one.
        """
        return {self.name: self.words_at(instances, index)}

    def to_json(self, instances: Any) -> list[Any]:
        """The instances as JSON values, from which `from_json` makes the same again.

        Raises
        ------
        TypeError
            If that can't be done.
        """
        noun = self.called(instances)[1]
        raise TypeError(f"the contents of {noun} of the kind {self.name!r} can't be written to a JSON file")

    def from_json(self, values: list[Any]) -> Any:
        """The instances that `to_json` wrote."""
        raise TypeError(
            f"contents of the kind {self.name!r} can't be read from a JSON file, got {values!r:.60}"
        )

    def items(self, instance: Any) -> tuple[Hashable, ...] | None:  # noqa: ARG002
        """What is graded of an instance, in the order in which it is shown; None where it is one thing."""
        return None

    def with_items(self, instances: Any, items: Sequence[Sequence[Hashable]]) -> Any:  # noqa: ARG002
        """The same instances with these of their items alone, and in this order.

        Parameters
        ----------
        instances : object
            Some or all of the instances.
        items : sequence of sequences
            For each, some of its items.
        """
        return instances

    def check_predictions(self, instances: Any, models: Sequence[Predictions]) -> None:  # noqa: ARG002
        """Refuse predictions of what an instance does not show.

        Raises
        ------
        TypeError, ValueError
            If they rank items, and the instances have none, or not these.
        """
        if models[0].label_kind == "grades":
            raise TypeError(
                f"instances are {self.noun}, but RankingPredictions need Rankings, whose items can be graded "
                "(or kind 'custom')"
            )


KINDS: dict[str, InstanceKind] = {}
"""All kinds, by name."""


def register_kind(kind: InstanceKind) -> None:
    """Make a kind of instances known: `Pool` then guesses it, and takes it by name.

    Parameters
    ----------
    kind : InstanceKind
        The kind. When a kind is guessed, those that were registered later are asked first. One of a name that
        is known takes its place.

    Raises
    ------
    TypeError
        If it is no kind.

    See Also
    --------
    InstanceKind : What a kind has to say, with an example.

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
    """Instances in the form in which a pool keeps them, after their kind, which is guessed if it is None.

    Raises
    ------
    ValueError, TypeError
        If there is none, or one is not of the kind.
    """
    if kind is not None:
        check_option("kind", kind, _named())
    if isinstance(value, StoredInstances) and len(value) and kind in (None, value.kind):
        return value.kind, value
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
    """A digest of the instances of a kind; see `InstanceKind.fingerprint`."""
    stored = instances.fingerprint() if isinstance(instances, StoredInstances) else None
    return KINDS[kind].fingerprint(instances) if stored is None else stored


def check_each(value: Any, fits: Callable[[Any], bool], expected: str) -> list[Any]:
    """The instances as a list, all of which fit.

    Raises
    ------
    TypeError
        If one does not; `expected` says what it should be.
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
    first = next(iter(value), None)  # an array may be empty: its kind tells so
    for kind in reversed(KINDS.values()):
        if kind.guess(value, first):
            return kind.name
    raise TypeError(
        f"instances[0] is {shortened(first)}: its kind can't be guessed; "
        f"give kind, one of {', '.join(map(repr, _named()))}"
    )
