"""The command line's work on stored sessions: find, list, export, compare."""
