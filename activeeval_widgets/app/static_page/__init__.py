"""A labeling page of static files: Python runs in the browser, and no server behind it."""
