"""Decide which requests to answer: with the token, for the page's own host name, from no other site."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from tornado.httputil import HTTPServerRequest

from activeeval_widgets.app.guests import Guest, Guests
from activeeval_widgets.app.hosting import Hosting

_AUTHORIZATION = re.compile(r"(?:bearer|token) +(\S+)", re.IGNORECASE)


@dataclass(frozen=True)
class Refusal:
    """The reason why a request is refused."""

    title: str
    reason: str


LINK_NEEDED = Refusal(
    "Please open the whole link",
    "This page opens with the link that the server printed when it was started, with everything after "
    "the question mark. Ask whoever started it for the link.",
)
LINK_CLOSED = Refusal(
    "This link is no longer open",
    "It was revoked, or belongs to another server. What was labeled with it is kept. Ask whoever sent the "
    "link for a new one.",
)
OTHER_SITE = Refusal(
    "Please open the page itself",
    "It was asked for by another page.",
)
OTHER_NAME = Refusal(
    "This server does not answer to that name",
    "Open the link that it printed. If it is meant to have this name, start it with --allowed-host.",
)
NOT_LOGGED_IN = Refusal("You are not logged in", "The proxy in front of this page has not said who you are.")

FOR_THE_OWNER = Refusal(
    "This link opens one session",
    "What was asked for is not part of it. Ask whoever sent the link.",
)


class Access:
    """Judges requests, all of them before anything else sees them."""

    def __init__(self, hosting: Hosting, port: int, guests: Guests | None = None) -> None:
        self._hosting = hosting
        self.guests = guests
        self._unused = [hosting.once]
        self.cookie_name = f"activeeval-widgets-{port}"
        # Derived, so that a cookie does not reveal the link.
        self.cookie_value = hmac.new(
            hosting.token.encode(), b"activeeval-widgets cookie", hashlib.sha256
        ).hexdigest()
        self._names = _own_names(hosting)
        self._proxies = [ipaddress.ip_network(proxy) for proxy in hosting.trusted_proxies]

    def refusal(self, request: HTTPServerRequest) -> Refusal | None:
        """Say why a request is refused, or None if it is answered."""
        # Only a proxy can add the token as a header, and it may have any name.
        if not self._is_own_name(request.host) and not self._has_authorization(request):
            return OTHER_NAME
        # The link may be opened from anywhere: a mail, a chat, another site. No page opens it by a
        # websocket, and no browser sends an origin when a person follows a link.
        is_link = request.method in ("GET", "HEAD") and self.has_link(request)
        is_followed = is_link and not {"Origin", "Upgrade"} & set(request.headers)
        if not is_followed and self._is_from_elsewhere(request):
            return OTHER_SITE
        if is_link and not self._is_page(request):
            return OTHER_SITE
        if is_link or self._is_owner(request) or self.guest(request) is not None:
            return None
        if self._has_authorization(request):
            return NOT_LOGGED_IN if self._hosting.trust_header else None
        had_link = any(name.startswith(self._guests_cookie) for name in request.cookies)
        return LINK_CLOSED if had_link else LINK_NEEDED

    def has_link(self, request: HTTPServerRequest) -> bool:
        """Return whether a request's address holds the owner's token or a guest's."""
        return self._has_owners_link(request) or self._invited(request) is not None

    def guest(self, request: HTTPServerRequest) -> Guest | None:
        """Return the guest who made the request, if it is not the owner's; links count before cookies."""
        if self._has_owners_link(request):
            return None
        invited = self._invited(request)
        if invited is not None or self._is_owner(request) or self._has_authorization(request):
            return invited
        cookies = [
            cookie.value for name, cookie in request.cookies.items() if name.startswith(self._guests_cookie)
        ]
        if self.guests is None:
            return None
        found = [guest for guest in map(self.guests.with_cookie, cookies) if guest is not None]
        wanted = parse_qs(request.query).get("session", [])
        return next((guest for guest in found if guest.session in wanted), found[0] if found else None)

    def cookie_of(self, guest: Guest | None) -> tuple[str, str]:
        """Return name and value of the cookie that replaces a link."""
        if guest is None:
            return self.cookie_name, self.cookie_value
        return f"{self._guests_cookie}{guest.link[:12]}", guest.cookie

    @property
    def _guests_cookie(self) -> str:
        return f"{self.cookie_name}-guest-"

    def _invited(self, request: HTTPServerRequest) -> Guest | None:
        if self.guests is None:
            return None
        found = map(self.guests.with_token, _tokens(request))
        return next((guest for guest in found if guest is not None), None)

    def _has_owners_link(self, request: HTTPServerRequest) -> bool:
        secrets = [self._hosting.token, *self._unused]
        return any(_is_same(given, secret) for given in _tokens(request) for secret in secrets)

    def _is_owner(self, request: HTTPServerRequest) -> bool:
        return self.user_name(request) is not None or self._has_cookie(request)

    def invalidate_link(self, request: HTTPServerRequest) -> None:
        """Invalidate a one-time link."""
        self._unused = [once for once in self._unused if not any(_is_same(g, once) for g in _tokens(request))]

    def user_name(self, request: HTTPServerRequest) -> str | None:
        """Return the name that a trusted proxy vouches for, or None."""
        if self._hosting.trust_header is None:
            return None
        values = request.headers.get_list(self._hosting.trust_header)
        if len(values) != 1 or not values[0].strip():
            return None
        try:
            # The address of the socket: the server does not read X-Forwarded-For.
            address = ipaddress.ip_address(request.remote_ip or "")
        except ValueError:
            return None
        address = getattr(address, "ipv4_mapped", None) or address
        if not any(address in proxy for proxy in self._proxies):
            return None
        # Any user of this machine can send a header from its loopback address: a proxy here adds the token.
        if address.is_loopback and not self._has_authorization(request):
            return None
        return _decoded(values[0].strip())

    def _has_cookie(self, request: HTTPServerRequest) -> bool:
        cookie = request.cookies.get(self.cookie_name)
        return cookie is not None and _is_same(cookie.value, self.cookie_value)

    def _has_authorization(self, request: HTTPServerRequest) -> bool:
        given = _AUTHORIZATION.fullmatch(request.headers.get("Authorization", ""))
        return given is not None and _is_same(given[1], self._hosting.token)

    def _is_own_name(self, host: str) -> bool:
        name = _without_port(host)
        if name in self._names:
            return True
        if not self._hosting.listens_everywhere:
            return False
        try:  # the owner of a name can make it lead here, an address can't
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _is_from_elsewhere(self, request: HTTPServerRequest) -> bool:
        headers = request.headers
        site = headers.get("Sec-Fetch-Site")
        if site is not None and site not in ("same-origin", "none"):
            return True
        origin = headers.get("Origin")
        if origin is None:
            return False  # not a browser, or a plain GET of the page
        asked_by = urlsplit(origin).netloc
        # A proxy may have replaced the name that the browser asked for by its own name for this server.
        return asked_by != request.host and not (
            _without_port(asked_by) in self._hosting.allowed_hosts
            and urlsplit(origin).scheme in ("http", "https")
        )

    @staticmethod
    def _is_page(request: HTTPServerRequest) -> bool:
        """Return whether a request is for a window of its own, rather than a part of another page."""
        return request.headers.get("Sec-Fetch-Dest", "document") == "document" or (
            request.headers.get("Sec-Fetch-Site") in ("same-origin", "none")
        )


def _tokens(request: HTTPServerRequest) -> list[str]:
    return parse_qs(request.query).get("token", [])


def _is_same(given: str, secret: str) -> bool:
    # In constant time: the duration does not reveal how much is right.
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def _own_names(hosting: Hosting) -> frozenset[str]:
    names = {"localhost", "127.0.0.1", "::1", hosting.host, *hosting.allowed_hosts}
    if hosting.listens_everywhere:
        names |= {socket.gethostname(), socket.getfqdn()}
    return frozenset(name.lower() for name in names)


def _without_port(host: str) -> str:
    return re.sub(r":\d+\Z", "", host).strip("[]").lower()


def _decoded(value: str) -> str:
    # tornado reads headers as Latin-1; proxies write UTF-8.
    try:
        return value.encode("latin-1").decode()
    except UnicodeError:
        return value
