#!/bin/sh
# Runs the complete tests. The first run makes .venv; arguments go to pytest, e.g. ./test.sh -k ambush
set -eu
cd "$(dirname "$0")"
sh ./setup-venv.sh dev
cores=$(.venv/bin/python -c 'import os; print(os.cpu_count() or 1)')
if [ $# -gt 0 ]; then
    exec .venv/bin/python -m pytest "$@"
fi
exec .venv/bin/python -m pytest -n "$cores"
