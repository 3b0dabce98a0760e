"""Start the app: command line, Voilà page, templates."""
