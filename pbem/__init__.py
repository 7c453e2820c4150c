"""Everything that meets the world: keys, files, commands, reports."""
