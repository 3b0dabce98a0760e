"""Starting the app: command line, Voilà page, templates."""
