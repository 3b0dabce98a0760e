"""The pool: what the model will meet, without labels."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, FloatArray
from activeeval_widgets.stats._validation import check_costs, check_option
from activeeval_widgets.stats.predictions import ClassPredictions

KINDS = ("image",)


class Pool:
    """Instances with a model's predictions for them.

    Parameters
    ----------
    instances : array-like of shape (n_instances, height, width) or (n_instances, height, width, channels)
        Images: gray, or with 3 (RGB) or 4 (RGBA) channels. Numbers from 0 to 255 where they are `uint8`,
        from 0 to 1 where they are floating-point numbers in that range; else the pool's least is black and
        its greatest white.
    predictions : ClassPredictions
        The model's predictions, in the order of `instances`.
    ids : sequence, optional
        A distinct id for each instance, kept as a string; "0", "1", … unless given.
    costs : array-like of shape (n_instances,), optional
        The cost of labeling each instance, in any unit; all positive. Equal unless given.
    kind : {"image"}, optional
        What the instances are; guessed unless given.

    Raises
    ------
    ValueError, TypeError
        If the pool is empty, or an argument does not fit the others.
    """

    def __init__(
        self,
        instances: ArrayLike,
        *,
        predictions: ClassPredictions,
        ids: Sequence[Any] | None = None,
        costs: ArrayLike | None = None,
        kind: str | None = None,
    ) -> None:
        if not isinstance(predictions, ClassPredictions):
            raise TypeError(f"predictions must be ClassPredictions, got {predictions!r}")
        self.kind = "image" if kind is None else check_option("kind", kind, KINDS)
        self.instances = _check_images(instances)
        self.predictions = predictions
        if self.n_instances != predictions.n_instances:
            raise ValueError(
                f"instances holds {self.n_instances} images, "
                f"but the predictions are for {predictions.n_instances} instances"
            )
        self.ids = _check_ids(ids, self.n_instances)
        self.costs: FloatArray | None = check_costs(costs, self.n_instances)

    @property
    def n_instances(self) -> int:
        """The number of instances, m."""
        return len(self.instances)

    @cached_property
    def fingerprints(self) -> dict[str, str]:
        """Short digests of all that the pool holds: two pools are the same if these are."""
        model = self.predictions
        return {
            "instances": fingerprint(self.instances),
            "ids": fingerprint(np.asarray(self.ids)),
            "predictions": fingerprint(model.y_proba, model.classes, model.pred_codes),
            "costs": "equal" if self.costs is None else fingerprint(self.costs),
        }

    def __repr__(self) -> str:
        return f"Pool(n_instances={self.n_instances}, kind={self.kind!r})"


def fingerprint(*arrays: AnyArray) -> str:
    """A short digest of the arrays' types, shapes and contents."""
    digest = hashlib.blake2b(digest_size=8)
    for array in arrays:
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data.cast("B") if array.size else b"")
    return digest.hexdigest()


def _check_images(value: ArrayLike) -> AnyArray:
    expected = (
        "images as an array of shape (n_instances, height, width) or (n_instances, height, width, 3 or 4)"
    )
    try:
        images = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"instances must be {expected}; these have different shapes") from error
    if images.dtype.kind not in "biuf":
        raise TypeError(f"instances must be {expected} of numbers, got dtype {images.dtype}")
    if images.size == 0:
        raise ValueError(
            f"instances must hold at least one image, got an empty array of shape {images.shape}"
        )
    if images.ndim not in (3, 4) or (images.ndim == 4 and images.shape[3] not in (3, 4)):
        raise ValueError(f"instances must be {expected}, got shape {images.shape}")
    if not np.isfinite(images).all():
        where = int(np.argwhere(~np.isfinite(images))[0, 0])
        raise ValueError(f"instances[{where}] holds a value that is not a finite number")
    return images


def _check_ids(value: Sequence[Any] | None, n_instances: int) -> list[str]:
    if value is None:
        return [str(i) for i in range(n_instances)]
    ids = [str(i) for i in value]
    if len(ids) != n_instances:
        raise ValueError(f"ids has {len(ids)} entries, expected one for each of {n_instances} instances")
    seen: set[str] = set()
    for i in ids:
        if i in seen:
            raise ValueError(f"ids must be distinct, but {i!r} occurs twice")
        seen.add(i)
    return ids
