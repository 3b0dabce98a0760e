"""Start the app: command line, Voilà page, templates."""

from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"
ICON = TEMPLATES / "activeeval" / "favicon.svg"
