"""Where the package keeps what belongs to the user, not to a folder of data."""

from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """Return the user's data folder."""
    return Path(platformdirs.user_data_dir("activeeval-widgets", appauthor=False))
