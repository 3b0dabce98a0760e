"""The lessons as static files: JupyterLite runs the notebooks in the browser, and no server behind it."""
