"""The view of an image that is an instance."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from activeeval_widgets.session.pool.stored import StoredInstances
from activeeval_widgets.stats._typing import AnyArray
from activeeval_widgets.widgets.instances.image_encoding import (
    MAX_SIDE,
    ImageSource,
    Picture,
    brightness_range,
    picture,
)
from activeeval_widgets.widgets.instances.registered_views import register_view


class ImageView:
    """Shows an image: an array, a file or its content.

    Parameters
    ----------
    black, white : float, optional
        The values of an array that are shown black and white. By default 0 and 255 for `uint8`, 0 and 1 for
        floating-point numbers in that range, else the smallest and largest value of the image.
    pixelated : bool
        Whether images are enlarged with sharp edges; by default, those of at most 64 pixels a side.
    max_side : int
        Larger images are reduced to at most this many pixels a side, and the page says so.

    Raises
    ------
    ValueError
        If only one of `black` and `white` is given, or `black` is not below `white`; if `max_side` is not
        positive.

    See Also
    --------
    image : An image in a tree of elements.

    Examples
    --------
    >>> view = ImageView(black=0, white=16, pixelated=True)
    >>> view(np.eye(8) * 16).mime
    'image/png'
    """

    def __init__(
        self,
        *,
        black: float | None = None,
        white: float | None = None,
        pixelated: bool | None = None,
        max_side: int = MAX_SIDE,
    ) -> None:
        if (black is None) != (white is None) or (black is not None and white is not None and black >= white):
            raise ValueError(f"black must be less than white, got black={black!r} and white={white!r}")
        if not isinstance(max_side, int) or max_side < 1:
            raise ValueError(f"max_side must be a positive number of pixels, got {max_side!r}")
        self._black, self._white = black, white
        self._pixelated = pixelated
        self._max_side = max_side

    @classmethod
    def of_pool(cls, images: AnyArray | Sequence[Any]) -> "ImageView":
        """Create a view with one brightness range for all arrays of a pool, so that they are comparable."""
        if isinstance(images, StoredInstances):
            return cls()  # files, which are not read before they are shown
        every = [images] if isinstance(images, np.ndarray) else images
        arrays = [each for each in every if isinstance(each, np.ndarray) and each.size]
        if not arrays:
            return cls()
        black, white = brightness_range(arrays)
        return cls(black=black, white=white)

    runs_ahead: ClassVar[bool] = True
    """Whether to render in background threads: it is thread-safe, and photographs take long enough."""

    def __call__(self, instance: ImageSource) -> Picture:
        """Return an image as the page shows it."""
        return picture(
            instance,
            black=self._black,
            white=self._white,
            max_side=self._max_side,
            pixelated=self._pixelated,
        )


register_view(
    "image",
    lambda pool: ImageView.of_pool(pool.instances),
    reasons=("broken", "unreadable", "cut off", "a duplicate"),
)
