"""The start page within JupyterLab, JupyterHub and Binder, where jupyter-server-proxy is installed.

It finds `setup` by an entry point, ``jupyter_serverproxy_servers``, and serves the page at ``activeeval/``
below the user's own address.
"""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Any

from activeeval_widgets.app.hosting import TOKEN_VARIABLE

STARTS_WITHIN = 60  # seconds


def setup() -> dict[str, Any]:
    """Return how jupyter-server-proxy starts and reaches the page.

    Jupyter has checked who asks before it passes anything on. It adds the token to all that it passes on, and
    nobody else has it: other users of the machine reach the port, but nothing behind it.
    """
    token = secrets.token_urlsafe(24)
    return {
        "command": [
            *(sys.executable, "-m", "activeeval_widgets.app.cli", "open"),
            *("--no-browser", "--port", "{port}"),
        ],
        "environment": {TOKEN_VARIABLE: token},
        "request_headers_override": {"Authorization": f"Bearer {token}"},
        "timeout": STARTS_WITHIN,
        "launcher_entry": {
            "title": "Active evaluation",
            "icon_path": str(Path(__file__).parent / "templates" / "activeeval" / "favicon.svg"),
        },
    }
