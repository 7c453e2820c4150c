"""The rules of the game: pure, deterministic, and knowing nothing of files, keys or people."""
