"""What another process imports, and little else: it runs benchmarks that fork, or open a browser."""

import sys
from importlib import import_module
from unittest import mock


def run_main(name: str, arguments: list[str]) -> int | None:
    """Run a benchmark with these arguments; the code of its end."""
    with mock.patch.object(sys, "argv", [name, *arguments]):
        code: int | None = import_module(name).main()
    return code
