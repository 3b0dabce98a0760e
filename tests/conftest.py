"""For all tests."""

import gc
import os
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from activeeval_widgets.app.put_off import put_off_iris
from activeeval_widgets.session.pool.kinds.base import KINDS
from activeeval_widgets.session.stores import registry
from activeeval_widgets.widgets.evaluation.panel import PANELS
from activeeval_widgets.widgets.instances.registered_views import VIEWS

# What the package remembers of a user's stores is kept apart, in the processes that tests start, too.
_DATA_FOLDER = tempfile.TemporaryDirectory(prefix="aew-data-")
os.environ["XDG_DATA_HOME"] = _DATA_FOLDER.name

put_off_iris()  # a second, in each process that runs tests
from .notebook_runner import KernelFork  # noqa: E402

# A busy machine takes its time: no test fails by the clock.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
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
