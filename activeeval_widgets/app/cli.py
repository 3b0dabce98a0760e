"""The command line, with one command for each module in `commands/`."""

from importlib import import_module
from pkgutil import iter_modules

import click

from activeeval_widgets._version import __version__
from activeeval_widgets.app import commands


class CommandLine(click.Group):
    """The commands, `open` by default."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Pass options without a command to `open`."""
        own = {name for option in self.get_params(ctx) for name in option.opts}
        if not args or (args[0].startswith("-") and args[0] not in own):
            args = ["open", *args]
        return super().parse_args(ctx, args)


@click.group(cls=CommandLine, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="activeeval-widgets")
def main() -> None:
    """How good is a predictive model? Find out with as few human labels as possible.

    Without a command, the start page opens: see `open`.
    """


for module in iter_modules(commands.__path__, f"{commands.__name__}."):
    main.add_command(import_module(module.name).command)


if __name__ == "__main__":
    main()
