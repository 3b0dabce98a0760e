"""Content that the page shows by its type, such as an image or a sound."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Media:
    """Encoded content with its type.

    Attributes
    ----------
    content : bytes
        The encoded content, which the page treats as data.
    mime : str
        The type, such as "audio/wav". The front end must know how to show it.
    pixelated : bool
        For an image, whether it is enlarged with sharp edges.
    note : str
        How it differs from the original, else empty.

    Raises
    ------
    TypeError, ValueError
        If the content is not bytes, or the type is not a MIME type.

    See Also
    --------
    register_view : Register the view of a kind of instances; a view may return media.

    Examples
    --------
    >>> Media(b"RIFF", "audio/wav").mime
    'audio/wav'
    """

    content: bytes
    mime: str
    pixelated: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.content, bytes):
            raise TypeError(f"content must be bytes, got {type(self.content).__name__}")
        if not isinstance(self.mime, str) or not re.fullmatch(r"[a-z]+/[\w.+-]+", self.mime):
            raise ValueError(f"mime must be a type such as 'audio/wav', got {self.mime!r}")
