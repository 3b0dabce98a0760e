"""Voilà as it is, but with kernels forked from a process that has loaded the package already.

A kernel that is started the usual way loads it first, which takes longer than most tests do. Kernels as
others start them are what `test_newcomer` and `test_notebook` have.
"""

from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.factory import KernelProvisionerFactory

from activeeval_widgets.app.deferred_imports import defer_iri_grammars
from activeeval_widgets.app.forked_kernels import provisioner

defer_iri_grammars()
from voila.app import Voila  # noqa: E402


class Provisioner(provisioner.ForkedProvisioner):
    """Forks kernels from one process, which begins with the first kernel that is asked for."""

    forked_from: provisioner.KernelParent | None = None

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        if self.forked_from is None:
            Provisioner.forked_from = provisioner.KernelParent()
            Provisioner.forked_from.start()
        self.parent.parent.kernel_parent = self.forked_from
        return await super().launch_kernel(cmd, **kwargs)


if __name__ == "__main__":
    provisioner.ForkedProvisioner = Provisioner  # the name by which it is registered
    provisioner.register()
    if provisioner.can_fork():
        KernelProvisionerFactory.instance().default_provisioner_name = provisioner.PROVISIONER
    Voila.launch_instance()
