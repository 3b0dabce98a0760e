#!/usr/bin/env bash
# Makes a virtual environment with the first Python that is new enough. PYTHON, if set, is the only candidate.
set -euo pipefail
folder=$1

runs() { # a command of that name may exist and yet not run, such as a version manager's placeholder
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

candidates=(python3.13 python3.12 python3.11 python3)
if [ -n "${PYTHON:-}" ]; then
  candidates=("$PYTHON")
fi
chosen=
for candidate in "${candidates[@]}"; do
  if runs "$candidate"; then
    chosen=$candidate
    break
  fi
done
if [ -z "$chosen" ]; then
  echo "Python 3.11 or newer is needed; tried: ${candidates[*]}." >&2
  echo "Install one, or name it: make PYTHON=/path/to/python ..." >&2
  exit 1
fi
if ! "$chosen" -c 'import ensurepip, venv' 2>/dev/null; then
  echo "$("$chosen" --version) lacks venv or ensurepip. On Debian and Ubuntu: apt-get install python3-venv" >&2
  exit 1
fi
# One that was left half-made is replaced.
"$chosen" -m venv --clear "$folder"
