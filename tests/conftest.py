"""For all tests."""

import gc
import os
import sys
import tempfile
from collections.abc import Generator, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# BLAS threads that wait for the next product keep a processor busy, several times as long as it takes.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ[_name] = "1"  # before NumPy is imported; in the processes that tests start, too

# What the package remembers of a user's stores is kept apart, in the processes that tests start, too.
_DATA_FOLDER = tempfile.TemporaryDirectory(prefix="aew-data-")
os.environ["XDG_DATA_HOME"] = _DATA_FOLDER.name

from activeeval_widgets.app.deferred_imports import defer_iri_grammars  # noqa: E402

defer_iri_grammars()  # a second, in each process that runs tests
# It replaces the manager of comms when it is imported: widgets made before could not be closed.
import ipykernel.ipkernel  # noqa: E402, F401

# It registers the package's own panels, which each test must find.
import activeeval_widgets.widgets.evaluation.panels  # noqa: E402, F401
from activeeval_widgets.session.pool.kinds.base import KINDS  # noqa: E402
from activeeval_widgets.session.stores import registry  # noqa: E402
from activeeval_widgets.widgets.evaluation.panel import PANELS  # noqa: E402
from activeeval_widgets.widgets.instances.registered_views import VIEWS  # noqa: E402

from .notebook_runner import KernelFork  # noqa: E402

ROOT = Path(__file__).parents[1]

# A busy machine takes its time: no test fails by the clock. Nor by examples that other machines don't try.
settings.register_profile(
    "patient", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("patient")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the thousands of tests out of the sight of the garbage collector, which would go through them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def registries_as_they_were() -> Iterator[None]:
    """What a test, or an example in a docstring, registers ends with it."""
    registries = (KINDS, VIEWS, PANELS, registry._openers)
    before = [dict(members) for members in registries]
    yield
    for members, kept in zip(registries, before, strict=True):
        members.clear()
        members.update(kept)


@pytest.fixture(scope="session")
def kernel_fork() -> Iterator[KernelFork]:
    """The process that the notebooks' kernels are forked from."""
    with tempfile.TemporaryDirectory(prefix="aew-") as folder:  # the path of a socket has to be short
        fork = KernelFork(Path(folder))
        yield fork
        fork.close()


@pytest.fixture(scope="session")
def catalog() -> Any:
    """The script that makes the pages' tables of messages."""
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        return import_module("message_catalog")
    finally:
        sys.path.remove(str(ROOT / "tools"))
