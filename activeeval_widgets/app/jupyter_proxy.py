"""Serve the start page within JupyterLab, JupyterHub and Binder by jupyter-server-proxy.

The proxy finds `setup` by an entry point, ``jupyter_serverproxy_servers``, and serves the page at
``activeeval/`` below the user's address.
"""

from __future__ import annotations

import secrets
import sys
from typing import Any

from activeeval_widgets.app import ICON
from activeeval_widgets.app.hosting import TOKEN_VARIABLE

STARTS_WITHIN = 60  # seconds


def setup() -> dict[str, Any]:
    """Return the settings by which jupyter-server-proxy starts and reaches the page."""
    token = secrets.token_urlsafe(24)
    return {
        "command": [
            *(sys.executable, "-m", "activeeval_widgets.app.cli", "open"),
            *("--no-browser", "--port", "{port}"),
        ],
        # Only the proxy has the token: other users reach the port, but nothing behind it.
        "environment": {TOKEN_VARIABLE: token},
        "request_headers_override": {"Authorization": f"Bearer {token}"},
        "timeout": STARTS_WITHIN,
        "launcher_entry": {
            "title": "Active evaluation",
            "icon_path": str(ICON),
        },
    }
