"""Content that the page shows by its type: an image, a sound."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Media:
    """Encoded content with its type.

    Attributes
    ----------
    content : bytes
        The encoded content. It is data for the page, whatever it says.
    mime : str
        Its type: "audio/wav", say. The front end has to know how to show such a one.
    pixelated : bool
        Of an image: whether it is enlarged with sharp edges.
    note : str
        What is not as in the original, else empty.

    Raises
    ------
    TypeError, ValueError
        If the content is not bytes, or the type is not one.

    See Also
    --------
    register_view : Says how instances of a kind look; a view may return media.

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
