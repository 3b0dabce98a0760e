"""Read a log that is one JSON object."""

import json
from pathlib import Path
from typing import Any

from activeeval_widgets.formats.opening.encodings import encoding_of
from activeeval_widgets.formats.problems import problem_error

_LARGEST = 512 << 20


def whole_json(path: Path, data: memoryview) -> dict[str, Any]:
    """Return the object in a file."""
    if data.nbytes > _LARGEST:
        what = f"the log has {data.nbytes:,} bytes, and one in JSON is read as a whole, {_LARGEST:,} at most"
        raise problem_error(path.name, what, "Write it in the tool's format for large logs.")
    encoding, n_marks = encoding_of(data)
    try:
        found = json.loads(bytes(data[n_marks:]).decode(encoding))
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, json.JSONDecodeError) else "it can't be read"
        what = f"the log is damaged or cut off: {reason}"
        raise problem_error(path.name, what, "Copy it again, or write it anew.") from error
    return found if isinstance(found, dict) else {}
