"""Make the fields of a task that show an instance in other programs."""

import io
from base64 import b64encode
from pathlib import PurePath
from typing import Any

import numpy as np

from activeeval_widgets.session import Session
from activeeval_widgets.session.pool.kinds import KINDS

_MIME = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"BM": "bmp", b"RIFF": "webp"}


def fields_of(session: Session, index: int) -> dict[str, Any]:
    """Return the fields that show an instance: texts and numbers; images as paths or data URLs."""
    pool = session.pool
    shown = instance_of_items(session, index)
    kind = KINDS[pool.kind]
    found = kind.fields(pool.instances, index) if shown is None else kind.fields([shown], 0)
    return {name: _plain(value) for name, value in found.items()}


def instance_of_items(session: Session, index: int) -> Any | None:
    """Return an instance with only the items to grade; None if it is labeled as a whole."""
    items = getattr(session.labels, "items", None)
    if items is None:
        return None
    pool = session.pool
    return KINDS[pool.kind].with_items([pool.instances[index]], [items[index]])[0]


def predictions_of(session: Session, index: int) -> dict[str, Any]:
    """Return the models' predictions for an instance."""
    return {
        (f"{name}: {model.name or f'model {number}'}" if session.question.pairs else name): _number(value)
        for number, model in enumerate(session.models, start=1)
        for name, value in model.describe(index).record.items()
    }


def _number(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _plain(value: Any) -> Any:
    match value:
        case PurePath():
            return value.as_posix()
        case bytes():
            kind = next((name for head, name in _MIME.items() if value.startswith(head)), None)
            return None if kind is None else f"data:image/{kind};base64,{b64encode(value).decode()}"
        case np.ndarray():
            return f"data:image/png;base64,{b64encode(_png(value)).decode()}"
        case np.generic():
            return value.item()
    return value


def _png(pixels: Any) -> bytes:
    from PIL import Image

    array = np.asarray(pixels)
    if array.dtype != np.uint8:
        low, high = float(array.min()), float(array.max())
        is_share = array.dtype.kind == "f" and low >= 0 and high <= 1
        low, high = (0.0, 1.0) if is_share else (low, high)
        array = (255 * (array.astype(np.float64) - low) / max(high - low, 1e-300)).round().astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(array).save(file, "PNG")
    return file.getvalue()
