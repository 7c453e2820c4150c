#!/bin/sh
# Plays a whole game between two bots before your eyes. The first run makes .venv; arguments go to "pbem demo",
# e.g. ./try.sh --scenario sword-beach --seed 7
set -eu
cd "$(dirname "$0")"
sh ./setup-venv.sh
number=1
while [ -e "out/demo-$number" ]; do
    number=$((number + 1))
done
exec .venv/bin/python -m pbem demo --out "out/demo-$number" "$@"
