"""Where the package keeps what belongs to the user, not to a folder of data."""

from pathlib import Path


def data_folder() -> Path:
    """Return the user's data folder."""
    import platformdirs  # not where there is no folder of a user, as in a browser

    return Path(platformdirs.user_data_dir("activeeval-widgets", appauthor=False))
