"""Check that image files can be shown, without decoding them fully."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image


def open_image(source: Path | bytes) -> "Image.Image":
    """Read the header of an image: its format and its size."""
    from PIL import Image, UnidentifiedImageError

    n_bytes = source.stat().st_size if isinstance(source, Path) else len(source)
    if n_bytes == 0:
        raise ValueError("the image is empty: it has 0 bytes")
    try:
        opened = Image.open(source if isinstance(source, Path) else io.BytesIO(source))
    except UnidentifiedImageError as error:
        raise ValueError(f"its {n_bytes:,} bytes are not an image, or its format is unknown") from error
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise _too_large() from error
    # Pillow only warns of the smaller ones, and all threads share the warning filters.
    if Image.MAX_IMAGE_PIXELS is not None and opened.width * opened.height > Image.MAX_IMAGE_PIXELS:
        opened.close()
        raise _too_large()
    return opened


def _too_large() -> ValueError:
    from PIL import Image

    return ValueError(f"it has more pixels than PIL.Image.MAX_IMAGE_PIXELS = {Image.MAX_IMAGE_PIXELS:,}")
