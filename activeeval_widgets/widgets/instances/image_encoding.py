"""Images as the page can show them: encoded, and no larger than it can show at once."""

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
"""Images of at most this many pixels a side are enlarged with sharp edges: each pixel counts."""

MAX_SIDE = 2048
"""Images with more pixels a side are shown smaller."""

_BROWSER_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
"""Formats that go to the page as they are."""

_NEAR = 0.75
"""By a whole factor, images are made no smaller than this share of what is allowed."""

_KEPT_BYTES = 20_000_000
"""Files of more bytes are encoded anew."""


class Picture(Media):
    """An encoded image that browsers can show."""


def is_image(value: Any) -> TypeGuard[ImageSource]:
    """Tell whether a value can be an image."""
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

    What a browser can read stays as it is, to the byte; all else is encoded without loss, unless it is too
    large.

    Parameters
    ----------
    source : ndarray, bytes, path or PIL image
        An array of shape (height, width) or (height, width, 1, 3 or 4); an image file, or its content.
    black, white : float, optional
        The numbers of an array that are shown black and white; as `brightness_range` says unless given.
    max_side : int
        Larger images are shown with at most this many pixels a side.
    pixelated : bool
        Whether it is enlarged with sharp edges; unless given, if no side has more than 64 pixels.
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
        # A JPEG is decoded at a half, a quarter or an eighth of its size, much faster.
        factor = next((f for f in (8, 4, 2) if max(size) / f >= _NEAR * max_side), 1)
        opened.draft(None, (size[0] // factor, size[1] // factor))
        return _encoded(opened, max_side, pixelated, size)


def image(source: ImageSource, description: str, *, max_side: int = 640) -> Element:
    """An image inside a tree of elements.

    Parameters
    ----------
    source : ndarray, bytes, path or PIL image
        As for `picture`.
    description : str
        A text alternative.
    max_side : int
        Larger images are shown with at most this many pixels a side.

    Raises
    ------
    ValueError, OSError
        If it is not an image, or has more pixels than PIL is willing to read.

    See Also
    --------
    ImageView : The view of images that are instances.
    element : Makes other elements.

    Examples
    --------
    >>> import numpy as np
    >>> image(np.zeros((2, 2)), "A black square").tag
    'img'
    """
    shown = picture(source, max_side=max_side)
    encoded = base64.b64encode(shown.content).decode("ascii")
    return Element("img", {"src": f"data:{shown.mime};base64,{encoded}", "alt": description})


def brightness_range(arrays: Sequence[AnyArray]) -> tuple[float, float]:
    """The numbers that are shown black and white.

    0 and 255 for `uint8`, 0 and 1 for floating-point numbers between them, else the smallest and the largest
    number.
    """
    if all(array.dtype == np.uint8 for array in arrays):
        return 0.0, 255.0
    low = min(float(array.min()) for array in arrays)
    high = max(float(array.max()) for array in arrays)
    if low >= 0 and high <= 1 and all(array.dtype.kind in "bf" for array in arrays):
        return 0.0, 1.0
    # The two must differ even where all is of one brightness, so large that adding 1 is rounded off.
    return low, high if high > low else float(np.nextafter(low + 1, np.inf))


def _to_bytes(array: AnyArray, black: float, white: float) -> AnyArray:
    """An array of any numbers, as 8 bits a channel."""
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
    """Encode what PIL has read; `size` is that of the file, of which PIL may have read a reduction."""
    n_frames = getattr(source, "n_frames", 1)
    shown = _in_browser_mode(source)
    shown = _made_smaller(shown, max_side)
    is_reduced = shown.size != (size or source.size)
    encoded = io.BytesIO()
    notes = [f"the first of {n_frames} frames"] if n_frames > 1 else []
    if is_reduced:
        width, height = size or source.size
        notes.append(f"{width:,} × {height:,} pixels, shown at {shown.width:,} × {shown.height:,}")
    shown = ImageOps.exif_transpose(shown)
    # What has lost pixels may lose a little more, and is there sooner.
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


def _made_smaller(image: Image.Image, max_side: int) -> Image.Image:
    """The image with at most this many pixels a side: by a whole factor, the fastest way, if one is near."""
    factor = math.ceil(max(image.size) / max_side)
    if factor == 1:
        return image
    if max(image.size) / factor >= _NEAR * max_side:
        return image.reduce(factor)
    share = max_side / max(image.size)
    size = (max(1, round(share * image.width)), max(1, round(share * image.height)))
    return image.resize(size, Image.Resampling.BILINEAR, reducing_gap=2)


def _in_browser_mode(source: Image.Image) -> Image.Image:
    """The image with 8 bits a channel, gray or in color, with transparency if it has any."""
    if source.mode in ("L", "LA", "RGB", "RGBA"):
        return source
    if source.mode[0] in "IF":  # numbers of 16 or 32 bits
        array = np.asarray(source)
        black, white = (0.0, 65535.0) if source.mode.startswith("I;16") else brightness_range([array])
        return Image.fromarray(_to_bytes(array, black, white))
    if source.mode == "1":
        return source.convert("L")
    return source.convert("RGBA" if source.has_transparency_data else "RGB")
