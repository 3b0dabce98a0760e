#!/usr/bin/env bash
# Finds a Chromium for the browser tests; on Debian and Ubuntu installs the distribution's own if there is none.
# Debian has one without windows, which is the quicker one.
set -euo pipefail

find_browser() {
  local name
  for name in "${CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome; do
    if [ -n "$name" ] && command -v "$name" >/dev/null && "$name" --version >/dev/null 2>&1; then
      command -v "$name"
      return 0
    fi
  done
  return 1
}

if [ -n "${CHROMIUM:-}" ] && ! command -v "$CHROMIUM" >/dev/null; then
  echo "CHROMIUM names '$CHROMIUM', which is no program that can be run." >&2
  exit 1
fi
if browser=$(find_browser); then
  echo "Browser tests use $browser"
  exit 0
fi

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
  else
    as_root=none
  fi
fi
if ! command -v apt-get >/dev/null || [ "$as_root" = none ]; then
  echo "The browser tests need Chromium or Chrome, and it cannot be installed from here." >&2
  echo "Install one, or name it: CHROMIUM=/path/to/chromium make test" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
install="$as_root apt-get install -y -qq --no-install-recommends fonts-dejavu-core"
$install chromium-headless-shell >/dev/null 2>&1 || $install chromium >/dev/null
browser=$(find_browser) || {
  echo "Chromium was installed but does not run." >&2
  exit 1
}
echo "Browser tests use $browser"
