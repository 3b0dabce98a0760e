"""The checks that every kind of instances has to pass."""

import json
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import pandas as pd

from activeeval_widgets.session.pool.kinds.base import InstanceKind
from activeeval_widgets.stats import ClassPredictions
from activeeval_widgets.stats._validation import expect


def check_kind(kind: InstanceKind, instances: Sequence[Any]) -> None:
    """Check a kind of instances for what pools and sessions rely on.

    Parameters
    ----------
    kind : InstanceKind
        The kind, registered or not.
    instances : sequence
        Two or more different instances, as passed to `Pool`.

    Raises
    ------
    AssertionError
        If a check fails; the message says what is expected.

    See Also
    --------
    InstanceKind : The methods of a kind.
    register_kind : Register the kind.

    Examples
    --------
    >>> class Melody(InstanceKind):
    ...     name, noun = "melody", "melodies"
    ...     def fits(self, instance):
    ...         return isinstance(instance, str) and instance.startswith("♪")
    >>> check_kind(Melody(), ["♪ C E G", "♪ D F A"])
    """
    expect(isinstance(kind, InstanceKind), f"a kind must be an object of an InstanceKind, got {kind!r}")
    name = type(kind).__name__
    expect(len(instances) > 1, f"{name}: give two or more instances, got {len(instances)}")
    for check in _CHECKS:
        try:
            check(kind, instances)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None
        except Exception as error:
            what = (check.__doc__ or "").rstrip(".")
            raise AssertionError(
                f"{name}: {type(error).__name__} while checking that {what}: {error}"
            ) from error


def _is_described(kind: InstanceKind, instances: Sequence[Any]) -> None:
    """it has a name and a noun."""
    for attribute in ("name", "noun"):
        value = getattr(kind, attribute, None)
        expect(isinstance(value, str) and bool(value), f"{attribute} must be a text, got {value!r}")
    called = kind.called(kind.check(instances))
    expect(
        isinstance(called, tuple) and len(called) == 2 and all(isinstance(each, str) for each in called),
        f"called must return the kind's name and its noun, got {called!r}",
    )


def _recognizes(kind: InstanceKind, instances: Sequence[Any]) -> None:
    """it recognizes its instances and nothing else."""
    expect(kind.guess(instances, instances[0]), "guess must be true of its instances")
    others: tuple[Any, ...] = (None, "", b"", 1.5, (), [], {}, np.zeros(2))
    for other in others:
        kind.fits(other)
    expect(
        not kind.fits(object()) and not kind.guess([object()] * 2, object()),
        "fits and guess must be false of what they do not know: they are asked about instances of all kinds",
    )


def _checks(kind: InstanceKind, instances: Sequence[Any]) -> None:
    """check returns the instances as a pool stores them."""
    kept, n = kind.check(instances), len(instances)
    expect(len(kept) == n, f"check must return all {n} instances, got {len(kept)}")
    try:
        kind.check([instances[0], object()])
    except (TypeError, ValueError):
        return
    expect(False, "check must refuse what is none of its instances with a TypeError or a ValueError")


def _has_distinct_fingerprints(kind: InstanceKind, instances: Sequence[Any]) -> None:
    """fingerprint distinguishes instances."""
    digest = kind.fingerprint(kind.check(instances))
    expect(isinstance(digest, str) and bool(digest), f"fingerprint must be a text, got {digest!r}")
    expect(
        kind.fingerprint(kind.check(deepcopy(instances))) == digest,
        "fingerprint must be the same for equal instances, wherever they are in memory",
    )
    first, *others = instances
    for what, chosen in (("in another order", [*others, first]), ("without the first one", others)):
        expect(
            kind.fingerprint(kind.check(chosen)) != digest,
            f"fingerprint must differ for the instances {what}: a stored session is known by it (see parts)",
        )


def _has_words(kind: InstanceKind, instances: Sequence[Any]) -> None:
    """it describes its instances in words."""
    kept = kind.check(instances)
    for index in range(len(kept)):
        words, fields = kind.words_at(kept, index), kind.fields(kept, index)
        expect(isinstance(words, str), f"words must be a text, empty if there are none, got {words!r:.80}")
        expect(
            isinstance(fields, dict) and all(isinstance(each, str) for each in fields),
            f"fields must be a dict of what is shown, by name, got {fields!r:.80}",
        )


def _knows_items(kind: InstanceKind, instances: Sequence[Any]) -> None:
    """items and with_items agree."""
    kept = kind.check(instances)
    kind.check_predictions(kept, [ClassPredictions(np.full((len(kept), 2), 0.5))])
    if isinstance(kept, pd.DataFrame):
        return
    items = [kind.items(each) for each in kept]
    if all(each is None for each in items):
        return
    expect(
        all(isinstance(each, tuple) for each in items),
        f"items must be tuples, or all None, got {items!r:.80}",
    )
    backwards = [each[::-1] for each in items if each is not None]
    found = [kind.items(each) for each in kind.with_items(kept, backwards)]
    expect(
        found == backwards, f"with_items must return them in the order {backwards!r:.80}, got {found!r:.80}"
    )


def _is_written(kind: InstanceKind, instances: Sequence[Any]) -> None:
    """from_json reads what to_json wrote."""
    kept = kind.check(instances)
    try:
        written = kind.to_json(kept)
    except TypeError:  # the kind can't be written
        return
    again = kind.from_json(json.loads(json.dumps(written)))
    expect(
        kind.fingerprint(again) == kind.fingerprint(kept),
        "from_json must make the same instances of what to_json wrote",
    )


_CHECKS = (
    _is_described,
    _recognizes,
    _checks,
    _has_distinct_fingerprints,
    _has_words,
    _knows_items,
    _is_written,
)
