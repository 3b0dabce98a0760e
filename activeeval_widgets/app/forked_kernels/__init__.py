"""Kernels that are forked from one process, which has imported and prepared what all of them need.

A kernel with the widgets takes 155 MiB and more than a second to start. Forked, it shares what it never
changes with all others, and is there in a tenth of that time. `parent` runs in the process that is forked,
`child` in the kernels, `provisioner` in the server. Where processes cannot be forked (Windows), and where the
parent has failed, kernels are started one by one, as Jupyter does.
"""
