#!/usr/bin/env bash
# Installs this folder, editable, into a virtual environment, with an extra if one is named: `install.sh FOLDER [EXTRA]`.
# By uv, in a tenth of the time; where uv can't be had or fails (it does not read pip's configuration), by pip.
set -euo pipefail
python=$1/bin/python
package=.${2:+[$2]}

pip_install() {
  "$python" -m pip install --quiet --disable-pip-version-check "$@"
}

if pip_install uv; then
  if "$python" -m uv pip install --quiet --python "$python" --editable "$package"; then
    exit 0
  fi
fi
echo "uv could not install it; pip does." >&2
pip_install --no-compile --editable "$package"
