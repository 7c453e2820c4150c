"""Everything that meets the world: keys, files, commands, reports."""

# How many new objects Python lets pass before it looks for unreachable cycles, where this program works hard.
COLLECT_AFTER = 100_000
