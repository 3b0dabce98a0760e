"""Images, given as pixels, files, or bytes of files."""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from itertools import islice
from pathlib import Path, PurePath
from reprlib import repr as shortened
from typing import Any

import numpy as np

from activeeval_widgets.session.pool.kinds.base import InstanceKind
from activeeval_widgets.stats._typing import AnyArray

SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff")
"""Suffixes of image files."""

N_LOOKED_FOR = 100
"""The maximum number of files to look for when distinguishing paths from texts."""

_IMAGES = "images as an array of shape (n_instances, height, width) or (n_instances, height, width, 3 or 4)"
_IMAGE = "an image: an array of shape (height, width) or (height, width, 3 or 4), bytes, or a path"


class ImageKind(InstanceKind):
    """Arrays of pixels, paths of files, or bytes of files."""

    name = "image"
    noun = "images"

    def fits(self, instance: Any) -> bool:
        """Return whether an instance is an image; names of files are not recognized."""
        return isinstance(instance, np.ndarray | bytes | PurePath) or _is_table_of_numbers(instance)

    def guess(self, instances: Any, first: Any) -> bool:
        """Return whether instances are an array of numbers, begin with an image, or are all image files."""
        if isinstance(instances, np.ndarray) and instances.dtype.kind in "biufcmM":
            return True
        return self.fits(first) or (isinstance(first, str) and _are_paths_of_images(instances))

    def check(self, instances: Any) -> AnyArray | list[Any]:
        """Return one array if all images have one shape, else a list."""
        if isinstance(instances, np.ndarray) and instances.dtype.kind not in "OUS":
            return _check_image_array(instances)
        images = [Path(each) if isinstance(each, str) else each for each in instances]
        if not any(isinstance(each, bytes | PurePath) for each in images):
            try:
                stacked = np.asarray(images)
            except ValueError:  # of different shapes
                pass
            else:
                return _check_image_array(stacked)
        return [
            each if isinstance(each, bytes | PurePath) else _check_image(position, each)
            for position, each in enumerate(images)
        ]

    def fits_sheet(self, instances: Any, index: int) -> bool:  # noqa: ARG002
        """Return True, as any image can be shown small."""
        return True

    def fields(self, instances: Any, index: int) -> dict[str, Any]:
        """Return the image as an array, bytes or a path."""
        return {"image": instances[index]}

    def to_json(self, instances: Any) -> list[Any]:
        """Return paths as strings, and bytes or pixels in base64."""
        return [image_to_json(each) for each in instances]

    def from_json(self, values: list[Any]) -> AnyArray | list[Any]:
        """Convert the values of `to_json` back to images."""
        return self.check([image_from_json(each) for each in values])


def image_to_json(image: Any) -> Any:
    """Convert an image or None to a JSON value."""
    match image:
        case np.ndarray():
            pixels = b64encode(np.ascontiguousarray(image).tobytes()).decode()
            return {"dtype": image.dtype.str, "shape": list(image.shape), "pixels": pixels}
        case bytes():
            return {"bytes": b64encode(image).decode()}
        case PurePath():
            return {"path": image.as_posix()}
    return None


def image_from_json(value: Any) -> Any:
    """Convert the value of `image_to_json` back to an image."""
    if value is None:
        return None
    if "path" in value:
        return Path(value["path"])
    if "bytes" in value:
        return b64decode(value["bytes"], validate=True)
    dtype = np.dtype(value["dtype"])
    if dtype.kind not in "biuf":
        raise ValueError(f"an image's pixels are of the type {value['dtype']!r}, expected numbers")
    pixels = np.frombuffer(b64decode(value["pixels"], validate=True), dtype)
    return pixels.reshape(value["shape"]).copy()


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


def _check_image_array(images: AnyArray) -> AnyArray:
    if images.dtype.kind not in "biuf":
        raise TypeError(f"instances must be {_IMAGES} of numbers, got dtype {images.dtype}")
    if images.size == 0:
        raise ValueError(
            f"instances must hold at least one image, got an empty array of shape {images.shape}"
        )
    if images.ndim not in (3, 4) or (images.ndim == 4 and images.shape[3] not in (3, 4)):
        features = ". If each row holds features, give pd.DataFrame(X, columns=names)"
        raise ValueError(
            f"instances must be {_IMAGES}, got shape {images.shape}{features if images.ndim == 2 else ''}"
        )
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
