#!/bin/sh
# Makes .venv with everything the project needs, once. Sourced by try.sh and test.sh; prints what it does.
# Arguments: extras to install, e.g. "dev". Nothing outside the project's folder is touched.
set -eu

extras=${1:-}
stamp=.venv/.ready-${extras:-plain}
spec=.
[ -z "$extras" ] || spec=".[$extras]"

find_python() {
    for name in python3 python3.13 python3.12 python3.11 python; do
        if command -v "$name" >/dev/null 2>&1 &&
            "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return 0
        fi
    done
    return 1
}

# A copied or moved folder has a .venv whose python is gone: make it again.
if [ -d .venv ] && ! .venv/bin/python -c pass 2>/dev/null; then
    echo "The old .venv does not work any more: making it again."
    rm -rf .venv
fi
if [ ! -d .venv ]; then
    python=$(find_python) || {
        echo "Python 3.11 or newer is needed, and none was found on this machine." >&2
        exit 1
    }
    echo "Setting up (once): a private Python environment in .venv ..."
    "$python" -m venv .venv || {
        rm -rf .venv
        echo "This Python cannot make virtual environments; install its venv module (Debian: python3-venv)." >&2
        exit 1
    }
fi
if [ ! -f "$stamp" ] || [ pyproject.toml -nt "$stamp" ]; then
    echo "Setting up (once): fetching packages from PyPI ..."
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable "$spec" || {
        echo "The packages could not be installed; see the message above." >&2
        exit 1
    }
    # Compiled ahead, so that the first commands are as quick as later ones, also where Python keeps none itself.
    .venv/bin/python -m compileall -q engine pbem
    .venv/bin/python -m pbem.compiled
    touch "$stamp"
fi
