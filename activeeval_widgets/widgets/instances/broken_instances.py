"""Replacements for instances that can't be shown."""

from PIL import UnidentifiedImageError

from activeeval_widgets.widgets.elements.tree import Element, element


def error_text(error: Exception) -> str:
    """Return an error in words for the labeler."""
    if isinstance(error, FileNotFoundError):
        return f"there is no file {error.filename}"
    if isinstance(error, UnidentifiedImageError):
        return "it is not an image, or its format is unknown"
    if isinstance(error, OSError) and error.filename:
        return f"the file {error.filename} can't be read: {error.strerror}"
    # A view's own ValueError is self-explanatory; for other errors, the type may say more than the text.
    text = str(error) if type(error) in (ValueError, OSError) else f"{type(error).__name__}: {error}"
    return text if len(text) <= _LONG else f"{text[:_LONG]} …"


def broken(instance_id: str, error: Exception) -> Element:
    """Return the replacement for an instance."""
    return element(
        "div",
        element("p", element("strong", "Instance ", element("bdi", instance_id), " can't be shown.")),
        element("p", _sentence(error_text(error)), dir="auto"),
        element("p", "You can exclude it and go on."),
        class_="aew-broken",
    )


def broken_part(error: Exception) -> Element:
    """Return the replacement for a part of an instance."""
    return element("p", _sentence(error_text(error)), class_="aew-broken", dir="auto")


_LONG = 500


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '…')) else '.'}"
