"""The kinds of instances a pool can hold: guessed from what is given, checked, and kept in one form."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path, PurePath
from reprlib import repr as shortened
from typing import Any

import numpy as np
import pandas as pd

from activeeval_widgets.session.pool.instances import Ranking, Text
from activeeval_widgets.stats import Predictions, RankingPredictions
from activeeval_widgets.stats._typing import AnyArray
from activeeval_widgets.stats._validation import check_option

KINDS = ("custom", "image", "pair", "ranking", "record", "text")

NOUNS = {"image": "images", "text": "texts", "record": "records", "pair": "pairs", "ranking": "rankings",
         "custom": "instances"}  # fmt: skip

SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff")
"""How the names of images end."""

N_LOOKED_FOR = 100
"""So many files are looked for, to tell paths from texts: a million would take long."""

_IMAGES = "images as an array of shape (n_instances, height, width) or (n_instances, height, width, 3 or 4)"
_IMAGE = "an image: an array of shape (height, width) or (height, width, 3 or 4), bytes, or a path"


def check_instances(value: Any, kind: str | None) -> tuple[str, Any]:
    """Instances in the form in which a pool keeps them, after their kind, which is guessed if it is None.

    Raises
    ------
    ValueError, TypeError
        If there is none, or one is not of the kind.
    """
    if kind is not None:
        check_option("kind", kind, KINDS)
    if isinstance(value, str | bytes | Path | Text | Ranking | Mapping) or value is None:
        raise TypeError(f"instances must be a sequence of instances, got {shortened(value)}")
    if not isinstance(value, np.ndarray | pd.DataFrame) and not _is_sequence(value):
        if not hasattr(value, "__iter__"):
            raise TypeError(f"instances must be a sequence of instances, got {shortened(value)}")
        value = list(value)
    if np.ndim(value) == 0 if isinstance(value, np.ndarray) else len(value) == 0:
        got = f"an array of shape {value.shape}" if isinstance(value, np.ndarray) else shortened(value)
        raise ValueError(f"instances must hold at least one instance, got {got}")
    kind = _guessed(value) if kind is None else kind
    return kind, _CHECKS[kind](value)


def check_rankings(instances: Sequence[Any], models: Sequence[Predictions], kind: str) -> None:
    """Refuse rankings that lack an item which a model ranks: it could not be graded."""
    if not isinstance(models[0], RankingPredictions) or kind == "custom":
        return
    if kind != "ranking":
        raise TypeError(
            f"instances are {NOUNS[kind]}, but RankingPredictions need Rankings, whose items can be graded "
            "(or kind 'custom')"
        )
    for position, instance in enumerate(instances):
        shown = set(instance.items)
        for number, model in enumerate(models):
            assert isinstance(model, RankingPredictions)  # noqa: S101 - for the type checker
            missing = [item for item in model.rankings[position] if item not in shown]
            if missing:
                whose = "the predictions rank" if len(models) == 1 else f"predictions[{number}] ranks"
                listed = ", ".join(map(repr, missing[:5])) + (", …" if len(missing) > 5 else "")
                raise ValueError(f"instances[{position}] has no Result for {listed}, which {whose}")


def _is_sequence(value: Any) -> bool:
    return hasattr(value, "__len__") and hasattr(value, "__getitem__")


def _guessed(value: Any) -> str:
    if isinstance(value, pd.DataFrame):
        return "record"
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufcmM":
        return "image"
    first = next(iter(value))
    if isinstance(first, np.ndarray | bytes | PurePath) or _is_table_of_numbers(first):
        return "image"
    if isinstance(first, Mapping):
        return "record"
    if isinstance(first, Ranking):
        return "ranking"
    if isinstance(first, str):
        return "image" if _are_paths_of_images(value) else "text"
    if isinstance(first, Text):
        return "text"
    if _is_pair(first):
        return "pair"
    raise TypeError(
        f"instances[0] is {shortened(first)}: its kind can't be guessed; "
        f"give kind, one of {', '.join(map(repr, KINDS))}"
    )


def _are_paths_of_images(strings: Sequence[Any]) -> bool:
    if not all(isinstance(each, str) and each.lower().endswith(SUFFIXES) for each in strings):
        return False
    paths = [Path(each) for each in islice(strings, N_LOOKED_FOR)]
    if any(path.is_file() for path in paths):
        return True
    if any(len(str(path).split()) > 1 for path in paths):
        return False  # sentences
    raise ValueError(
        f"instances look like names of images, but there is no file {paths[0]} in {Path.cwd()}. Give paths "
        'from there, or kind="image" if the files come later, or kind="text" to show the names'
    )


def _is_table_of_numbers(value: Any) -> bool:
    if not isinstance(value, list | tuple) or not value or not isinstance(value[0], list | tuple):
        return False
    try:
        return np.asarray(value).dtype.kind in "biuf"
    except ValueError:
        return False


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(part, str) for part in value)


def _all(value: Any, fits: Callable[[Any], bool], expected: str) -> list[Any]:
    """The instances as a list, all of which fit."""
    instances = value.tolist() if isinstance(value, np.ndarray) else list(value)
    for position, instance in enumerate(instances):
        if not fits(instance):
            raise TypeError(f"instances[{position}] must be {expected}, got {shortened(instance)}")
    return instances


def _check_texts(value: Any) -> list[str | Text]:
    return _all(value, lambda each: isinstance(each, str | Text), "a str or a Text (empty if it is missing)")


def _check_pairs(value: Any) -> list[tuple[str, str]]:
    pairs = [tuple(each) if isinstance(each, list) else each for each in value]
    return _all(pairs, _is_pair, "a pair of texts, (str, str)")


def _check_ranking_instances(value: Any) -> list[Ranking]:
    return _all(value, lambda each: isinstance(each, Ranking), "a Ranking")


def _check_records(value: Any) -> pd.DataFrame:
    if isinstance(value, pd.DataFrame):
        return value
    return pd.DataFrame(_all(value, lambda each: isinstance(each, Mapping), "a mapping, column to value"))


def _check_images(value: Any) -> AnyArray | list[Any]:
    if isinstance(value, np.ndarray) and value.dtype.kind not in "OUS":
        return _check_image_array(value)
    instances = [Path(each) if isinstance(each, str) else each for each in value]
    if not any(isinstance(each, bytes | PurePath) for each in instances):
        try:
            stacked = np.asarray(instances)
        except ValueError:  # of different shapes
            pass
        else:
            return _check_image_array(stacked)
    return [
        each if isinstance(each, bytes | PurePath) else _check_image(position, each)
        for position, each in enumerate(instances)
    ]


def _check_image_array(images: AnyArray) -> AnyArray:
    if images.dtype.kind not in "biuf":
        raise TypeError(f"instances must be {_IMAGES} of numbers, got dtype {images.dtype}")
    if images.size == 0:
        raise ValueError(
            f"instances must hold at least one image, got an empty array of shape {images.shape}"
        )
    if images.ndim not in (3, 4) or (images.ndim == 4 and images.shape[3] not in (3, 4)):
        raise ValueError(f"instances must be {_IMAGES}, got shape {images.shape}")
    if not np.isfinite(images).all():
        where = int(np.argwhere(~np.isfinite(images))[0, 0])
        raise ValueError(f"instances[{where}] holds a value that is not a finite number")
    return images


def _check_image(position: int, value: Any) -> AnyArray:
    try:
        image = np.asarray(value)
    except ValueError:
        image = np.empty(0, dtype=object)
    if image.dtype.kind not in "biuf":
        raise TypeError(f"instances[{position}] must be {_IMAGE}, got {shortened(value)}")
    if image.size == 0 or image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] not in (3, 4)):
        raise ValueError(f"instances[{position}] must be {_IMAGE}, got an array of shape {image.shape}")
    if not np.isfinite(image).all():
        raise ValueError(f"instances[{position}] holds a value that is not a finite number")
    return image


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "image": _check_images,
    "text": _check_texts,
    "pair": _check_pairs,
    "ranking": _check_ranking_instances,
    "record": _check_records,
    # Kept as they are, so that a sequence may make its instances when they are asked for.
    "custom": lambda value: value.tolist() if isinstance(value, pd.Series) else value,
}
