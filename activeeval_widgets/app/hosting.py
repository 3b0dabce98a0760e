"""The options of all commands that serve a page: where, and to whom."""

from __future__ import annotations

import functools
import ipaddress
import os
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import click

LOOPBACK = "127.0.0.1"
TOKEN_VARIABLE = "ACTIVEEVAL_WIDGETS_TOKEN"  # noqa: S105 - the variable's name, not a token
SHORTEST_TOKEN = 16
DEFAULT_PAGES = 32

# Characters that a link, a cookie and a header hold unquoted, and that are not mistaken for each other.
_TOKEN = re.compile(r"[A-Za-z0-9._~-]+")
_HEADER = re.compile(r"[A-Za-z0-9-]+")
_HOST = re.compile(r"[A-Za-z0-9._-]+")
_BASE_URL = re.compile(r"/(?:[A-Za-z0-9._~@%+-]+/)*")


@dataclass(frozen=True, kw_only=True)
class Hosting:
    """The options for where a page is served, and to whom."""

    host: str = LOOPBACK
    port: int | None = None
    base_url: str = "/"
    token: str = field(default="", repr=False)
    allowed_hosts: tuple[str, ...] = ()
    trust_header: str | None = None
    trusted_proxies: tuple[str, ...] = ()
    max_pages: int = DEFAULT_PAGES
    once: str = field(default_factory=lambda: secrets.token_urlsafe(24), init=False, repr=False)
    """A token that opens the page one time, for a browser's command line, which other users can read."""

    keeps_token: bool = field(default=False, init=False)
    """Whether the token was given, so that a restarted server may use it again."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "keeps_token", bool(self.token or os.environ.get(TOKEN_VARIABLE)))
        token = self.token or os.environ.get(TOKEN_VARIABLE) or secrets.token_urlsafe(24)
        object.__setattr__(self, "token", check_token(token))
        object.__setattr__(self, "base_url", check_base_url(self.base_url))
        for name in self.allowed_hosts:
            check_host_name(name)
        for proxy in self.trusted_proxies:
            check_network(proxy)
        if self.trust_header is not None and not _HEADER.fullmatch(self.trust_header):
            raise ValueError(
                f"trust_header has to be a header's name, such as X-Remote-User; got {self.trust_header!r}"
            )
        if (self.trust_header is None) != (not self.trusted_proxies):
            raise ValueError(
                "--trust-header NAME and --trusted-proxy ADDRESS go together: a header, and who "
                f"sets it, got trust_header {self.trust_header!r}, trusted_proxies {self.trusted_proxies!r}"
            )
        if self.max_pages < 1:
            raise ValueError(f"max_pages has to be at least 1; got {self.max_pages}")

    @property
    def listens_everywhere(self) -> bool:
        """Whether the server listens on all addresses of this machine."""
        return self.host in ("0.0.0.0", "::")  # noqa: S104 - asked for by name

    def link(self, port: int, *, once: bool = False) -> str:
        """Return the address to open, with the token."""
        host = LOOPBACK if self.listens_everywhere else self.host
        token = self.once if once else self.token
        return f"http://{f'[{host}]' if ':' in host else host}:{port}{self.base_url}?token={token}"


def check_token(token: str) -> str:
    """Return `token` if it is valid."""
    if len(token) < SHORTEST_TOKEN:
        raise ValueError(
            f"a token needs at least {SHORTEST_TOKEN} characters, or it could be guessed; got {len(token)}"
        )
    if not _TOKEN.fullmatch(token):
        raise ValueError("a token may hold letters, digits and . _ ~ - only, so that it can stand in a link")
    return token


def check_base_url(base_url: str) -> str:
    """Return `base_url` with a slash at both ends."""
    path = f"/{base_url.strip('/')}/" if base_url.strip("/") else "/"
    if not _BASE_URL.fullmatch(path) or ".." in path.split("/"):
        raise ValueError(f"a base URL is a path such as /evaluation/; got {base_url!r}")
    return path


def check_host_name(name: str) -> str:
    """Return `name` if it is a machine's name, without a scheme or port."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        if not _HOST.fullmatch(name):
            raise ValueError(
                f"a host is a name such as labels.example.org, without http:// and port; got {name!r}"
            ) from None
    return name


def check_network(address: str) -> str:
    """Return `address` if it is an IP address or a network such as 10.0.0.0/8."""
    try:
        ipaddress.ip_network(address)
    except ValueError:
        raise ValueError(
            f"a proxy is an IP address or a network such as 10.0.0.0/8; got {address!r}"
        ) from None
    return address


def _checked_by(check: Callable[[str], str]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    def callback(_context: click.Context, _parameter: click.Parameter, value: Any) -> Any:
        try:
            if isinstance(value, tuple):
                return tuple(check(one) for one in value)
            return None if value is None else check(value)
        except ValueError as error:
            raise click.BadParameter(f"{str(error)[0].upper()}{str(error)[1:]}.") from error

    return callback


_OPTIONS = (
    click.option(
        "--host",
        default=LOOPBACK,
        show_default=True,
        callback=_checked_by(check_host_name),
        help="Address to listen on, 0.0.0.0 for all. The default can be reached from this machine only.",
    ),
    click.option(
        "--port",
        type=click.IntRange(0, 65535),
        help="Port to serve on, 0 for any free one.  [default: 8866, or a free one if it is taken]",
    ),
    click.option(
        "--base-url",
        default="/",
        show_default=True,
        callback=_checked_by(check_base_url),
        help="Path of the page in the browser, if a proxy puts it under one.",
    ),
    click.option(
        "--token",
        callback=_checked_by(check_token),
        help="Token that the link must contain. Other users of this machine can read it in the process list, "
        f"but not in the environment variable {TOKEN_VARIABLE}.  [default: a new one]",
    ),
    click.option(
        "--allowed-host",
        "allowed_hosts",
        multiple=True,
        callback=_checked_by(check_host_name),
        help="Another host name for the page, such as a proxy's; may be repeated.",
    ),
    click.option(
        "--trust-header",
        help="Header in which a proxy names the logged-in user, such as X-Remote-User.",
    ),
    click.option(
        "--trusted-proxy",
        "trusted_proxies",
        multiple=True,
        callback=_checked_by(check_network),
        help="Address of a proxy whose --trust-header is trusted; may be repeated.",
    ),
    click.option(
        "--max-pages",
        type=click.IntRange(1),
        default=DEFAULT_PAGES,
        show_default=True,
        help="How many pages may be open at once; others wait.",
    ),
)


def hosting_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `Hosting` to a command, which takes them as one keyword, ``hosting``."""

    @functools.wraps(command)
    def with_hosting(**options: Any) -> Any:
        given = {each.name: options.pop(each.name) for each in fields(Hosting) if each.init}
        try:
            hosting = Hosting(**given | {"token": given["token"] or ""})
        except ValueError as error:
            raise click.UsageError(f"{str(error)[0].upper()}{str(error)[1:]}.") from error
        return command(**options, hosting=hosting)

    for option in reversed(_OPTIONS):
        with_hosting = option(with_hosting)
    return with_hosting
