"""Messages to a page as JSON, where they do not go through Jupyter's own."""

import json
from collections.abc import Mapping
from typing import Any


def message_text(content: Mapping[str, Any]) -> str:
    """Return a message as JSON."""
    return json.dumps(content, default=lambda value: value.item(), allow_nan=False)
