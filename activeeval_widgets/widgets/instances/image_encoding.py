"""Encoding of images in formats and sizes that the page can show."""

import base64
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from PIL import Image, ImageOps

from activeeval_widgets.formats.image_files import open_image
from activeeval_widgets.stats._typing import AnyArray
from activeeval_widgets.widgets.elements.tree import Element
from activeeval_widgets.widgets.instances.media import Media

ImageSource: TypeAlias = AnyArray | bytes | Path | Image.Image

SHARP_SIDE = 64
"""Images of at most this many pixels a side are enlarged with sharp edges, since every pixel counts."""

MAX_SIDE = 2048
"""Images with more pixels a side are reduced."""

_BROWSER_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
"""Formats that are sent to the page unchanged."""

_NEAR = 0.75
"""Reduction by a whole factor may go down to this share of the allowed size."""

_KEPT_BYTES = 20_000_000
"""Larger files, in bytes, are encoded again."""


class Picture(Media):
    """An encoded image in a format for browsers."""


def is_image(value: Any) -> TypeGuard[ImageSource]:
    """Return whether a value can be an image."""
    return isinstance(value, np.ndarray | bytes | Path | Image.Image)


def picture(
    source: ImageSource,
    *,
    black: float | None = None,
    white: float | None = None,
    max_side: int = MAX_SIDE,
    pixelated: bool | None = None,
) -> Picture:
    """Encode an image for the page.

    Formats for browsers are kept byte for byte; other images are encoded without loss, unless they are too
    large.

    Parameters
    ----------
    source : ndarray, bytes, path or PIL image
        An array of shape (height, width) or (height, width, 1, 3 or 4); an image file, or its content.
    black, white : float, optional
        The values of an array that are shown black and white; by default from `brightness_range`.
    max_side : int
        Larger images are reduced to at most this many pixels a side.
    pixelated : bool
        Whether it is enlarged with sharp edges; by default, if no side has more than 64 pixels.
    """
    if isinstance(source, np.ndarray):
        if black is None or white is None:
            black, white = brightness_range([source])
        return _encoded(Image.fromarray(_to_bytes(source, black, white)), max_side, pixelated)
    if isinstance(source, Image.Image):
        return _encoded(source, max_side, pixelated)
    with open_image(source) as opened:
        n_bytes = source.stat().st_size if isinstance(source, Path) else len(source)
        mime = _BROWSER_TYPES.get(opened.format or "")
        is_still = getattr(opened, "n_frames", 1) == 1
        if mime and is_still and n_bytes <= _KEPT_BYTES and max(opened.size) <= max_side:
            content = source.read_bytes() if isinstance(source, Path) else source
            return Picture(content, mime, _is_sharp(opened.size, pixelated))
        size = opened.size
        # PIL decodes a JPEG much faster at 1/2, 1/4 or 1/8 of its size.
        factor = next((f for f in (8, 4, 2) if max(size) / f >= _NEAR * max_side), 1)
        opened.draft(None, (size[0] // factor, size[1] // factor))
        return _encoded(opened, max_side, pixelated, size)


def image(source: ImageSource, description: str, *, max_side: int = 640) -> Element:
    """Create an image for a tree of elements.

    Parameters
    ----------
    source : ndarray, bytes, path or PIL image
        As for `picture`.
    description : str
        A text alternative.
    max_side : int
        Larger images are reduced to at most this many pixels a side.

    Raises
    ------
    ValueError, OSError
        If it is not an image, or has more pixels than PIL accepts.

    See Also
    --------
    ImageView : The view of images that are instances.
    element : Create other elements.

    Examples
    --------
    >>> image(np.zeros((2, 2)), "A black square").tag
    'img'
    """
    shown = picture(source, max_side=max_side)
    encoded = base64.b64encode(shown.content).decode("ascii")
    return Element("img", {"src": f"data:{shown.mime};base64,{encoded}", "alt": description})


def brightness_range(arrays: Sequence[AnyArray]) -> tuple[float, float]:
    """Return the values that are shown black and white.

    These are 0 and 255 for `uint8`, 0 and 1 for floating-point numbers in that range, else the smallest and
    largest value.
    """
    if all(array.dtype == np.uint8 for array in arrays):
        return 0.0, 255.0
    low = min(float(array.min()) for array in arrays)
    high = max(float(array.max()) for array in arrays)
    if low >= 0 and high <= 1 and all(array.dtype.kind in "bf" for array in arrays):
        return 0.0, 1.0
    # The two must differ even for a constant image whose value is so large that adding 1 is rounded off.
    return low, high if high > low else float(np.nextafter(low + 1, np.inf))


def _to_bytes(array: AnyArray, black: float, white: float) -> AnyArray:
    """Convert an array of any numbers to 8 bits a channel."""
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (3, 4)) or array.size == 0:
        raise ValueError(
            f"an image must be of shape (height, width) or (height, width, 3 or 4), got {array.shape}"
        )
    if array.dtype.kind not in "biuf":
        raise ValueError(f"an image must hold numbers, got an array of {array.dtype}")
    if array.dtype == np.uint8 and (black, white) == (0, 255):
        return np.ascontiguousarray(array)
    if not np.isfinite(array).all():
        raise ValueError("the image holds a value that is not a finite number")
    scaled = np.clip((array.astype(np.float64) - black) / (white - black), 0, 1)
    return np.round(255 * scaled).astype(np.uint8)


def _encoded(
    source: Image.Image, max_side: int, pixelated: bool | None, size: tuple[int, int] | None = None
) -> Picture:
    """Encode an image read by PIL; `size` is the file's, of which PIL may have read a reduced version."""
    n_frames = getattr(source, "n_frames", 1)
    shown = _in_browser_mode(source)
    shown = _reduced(shown, max_side)
    is_reduced = shown.size != (size or source.size)
    encoded = io.BytesIO()
    notes = [f"the first of {n_frames} frames"] if n_frames > 1 else []
    if is_reduced:
        width, height = size or source.size
        notes.append(f"{width:,} × {height:,} pixels, shown at {shown.width:,} × {shown.height:,}")
    shown = ImageOps.exif_transpose(shown)
    # A reduced image has lost pixels already; JPEG loses little more and arrives sooner.
    if is_reduced and shown.mode in ("L", "RGB"):
        shown.save(encoded, "JPEG", quality=90)
        mime = "image/jpeg"
    else:
        shown.save(encoded, "PNG", compress_level=1)
        mime = "image/png"
    sharp = _is_sharp(size or source.size, pixelated)
    return Picture(encoded.getvalue(), mime, sharp, "; ".join(notes))


def _is_sharp(size: tuple[int, int], pixelated: bool | None) -> bool:
    return max(size) <= SHARP_SIDE if pixelated is None else pixelated


def _reduced(image: Image.Image, max_side: int) -> Image.Image:
    """Reduce an image to at most this many pixels a side, if possible by a whole factor (fastest)."""
    factor = math.ceil(max(image.size) / max_side)
    if factor == 1:
        return image
    if max(image.size) / factor >= _NEAR * max_side:
        return image.reduce(factor)
    share = max_side / max(image.size)
    size = (max(1, round(share * image.width)), max(1, round(share * image.height)))
    return image.resize(size, Image.Resampling.BILINEAR, reducing_gap=2)


def _in_browser_mode(source: Image.Image) -> Image.Image:
    """Convert an image to 8 bits a channel, in gray or color, with transparency if it has any."""
    if source.mode in ("L", "LA", "RGB", "RGBA"):
        return source
    if source.mode[0] in "IF":  # numbers of 16 or 32 bits
        array = np.asarray(source)
        black, white = (0.0, 65535.0) if source.mode.startswith("I;16") else brightness_range([array])
        return Image.fromarray(_to_bytes(array, black, white))
    if source.mode == "1":
        return source.convert("L")
    return source.convert("RGBA" if source.has_transparency_data else "RGB")
