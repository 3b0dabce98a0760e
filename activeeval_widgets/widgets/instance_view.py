"""What a person sees of an instance."""

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image

from activeeval_widgets.session import Pool
from activeeval_widgets.stats._typing import AnyArray

_SMALL = 128
"""Images with fewer pixels a side are enlarged with sharp edges, larger ones smoothly."""


@dataclass(frozen=True)
class RenderedInstance:
    """An instance as the page shows it.

    Attributes
    ----------
    content : bytes
        The encoded image.
    mime : str
        Its type.
    description : str
        A text alternative.
    pixelated : bool
        Whether it is enlarged with sharp edges.
    """

    content: bytes
    mime: str
    description: str
    pixelated: bool


class ImageView:
    """Renders the images of a pool.

    Parameters
    ----------
    pool : Pool
        A pool of images.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        images = pool.instances
        self._low, self._high = _brightness_range(images)

    def render(self, index: int) -> RenderedInstance:
        """Encode one image as PNG.

        Parameters
        ----------
        index : int
            The instance's index in the pool.
        """
        image = self._pool.instances[index].astype(np.float64)
        scaled = np.clip((image - self._low) / (self._high - self._low), 0, 1)
        encoded = io.BytesIO()
        Image.fromarray(np.round(255 * scaled).astype(np.uint8)).save(encoded, format="PNG")
        return RenderedInstance(
            content=encoded.getvalue(),
            mime="image/png",
            description=f"Instance {self._pool.ids[index]}",
            pixelated=max(image.shape[:2]) < _SMALL,
        )


def _brightness_range(images: AnyArray) -> tuple[float, float]:
    """The numbers that are shown black and white."""
    if images.dtype == np.uint8:
        return 0.0, 255.0
    low, high = float(images.min()), float(images.max())
    if images.dtype.kind in "bf" and low >= 0 and high <= 1:
        return 0.0, 1.0
    # The two must differ even where all is of one brightness, so great that adding 1 is rounded off.
    return low, high if high > low else float(np.nextafter(low + 1, np.inf))
