"""Run the command line by `python -m activeeval_widgets`, as where scripts are not on the PATH."""

from activeeval_widgets.app.cli import main

if __name__ == "__main__":
    main()
