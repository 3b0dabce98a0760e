"""Commands that refuse an option given twice: click would keep the last value without a word."""

from __future__ import annotations

import click


class Command(click.Command):
    """A command whose options with a single value are given once."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; see click."""
        if ctx.resilient_parsing:  # a shell completes what is not finished
            return super().parse_args(ctx, args)
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        once = [each for each in given if isinstance(each, click.Option) and not each.is_flag]
        for option in once:
            if once.count(option) > 1 and not option.multiple and not option.count:
                raise click.UsageError(f"{option.opts[0]} is given twice: give it once.", ctx)
        return super().parse_args(ctx, args)


class Commands(click.Group):
    """A group of such commands."""

    command_class = Command
