"""Fork kernels from one process that has imported and prepared what all of them need.

A kernel with the widgets takes 155 MiB and more than a second to start. A forked one shares what it never
changes with all others, and starts in a tenth of that time. `parent` runs in the process that is forked,
`child` in the kernels, `provisioner` in the server. If processes cannot be forked (Windows), or if the
parent has failed, kernels are started one by one, as Jupyter does.
"""
