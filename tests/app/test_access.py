"""Who may pass the gate, told apart by what a request says of itself."""

import subprocess
import sys

import pytest
from click.testing import CliRunner
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine

from activeeval_widgets.app import cli
from activeeval_widgets.app.access import LINK_NEEDED, NOT_LOGGED_IN, OTHER_NAME, OTHER_SITE, Access
from activeeval_widgets.app.gate import without_token
from activeeval_widgets.app.hosting import TOKEN_VARIABLE, Hosting
from activeeval_widgets.app.page_socket import is_message

TOKEN = "a-token-that-is-long-enough"
PORT = 8866
OWN = f"127.0.0.1:{PORT}"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
LINK = f"/?token={TOKEN}"


class FromAddress:
    """The part of a connection that knows where it comes from."""

    def __init__(self, remote_ip):
        self.remote_ip = remote_ip
        self.protocol = "http"


def asked(uri="/", *, method="GET", host=OWN, remote_ip="127.0.0.1", **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    class Connection:
        context = FromAddress(remote_ip)

    return HTTPServerRequest(
        start_line=RequestStartLine(method, uri, "HTTP/1.1"),
        headers=HTTPHeaders({"Host": host, **named}),
        connection=Connection(),
    )


def refusal(uri="/", *, hosting=None, **request):
    return Access(hosting or Hosting(token=TOKEN), PORT).refusal(asked(uri, **request))


COOKIE = f"activeeval-widgets-{PORT}={Access(Hosting(token=TOKEN), PORT).cookie_value}"


@pytest.mark.parametrize(
    "uri", ["/", "/favicon.svg", "/voila/static/voila.js", "/api/kernels/x", "/nonesuch"]
)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT"])
def test_without_the_token_nothing_is_answered(uri, method):
    assert refusal(uri, method=method) is LINK_NEEDED


@pytest.mark.parametrize(
    "wrong", ["", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "%E2%98%83", "\xff", "%00", "%ff%fe", "undefined"]
)
def test_a_wrong_token_is_none(wrong):
    assert refusal(f"/?token={wrong}") is LINK_NEEDED
    assert refusal(Authorization=f"Bearer {wrong}") is LINK_NEEDED
    assert refusal(Cookie=f"activeeval-widgets-{PORT}={wrong}") is LINK_NEEDED


def test_link_cookie_and_header_pass():
    assert refusal(LINK) is None
    assert refusal(f"/?session=a&token={TOKEN}") is None
    assert refusal("/api/kernels/x", Cookie=f"other=1; {COOKIE}") is None
    assert refusal("/api/kernels/x", **BEARER) is None
    assert refusal("/api/kernels/x", Authorization=f"token {TOKEN}") is None


def test_what_the_browser_is_started_with_opens_the_page_one_time():
    hosting = Hosting(token=TOKEN)
    assert hosting.once not in repr(hosting)
    assert hosting.link(1, once=True) == hosting.link(1).replace(TOKEN, hosting.once)
    access = Access(hosting, PORT)
    once = f"/?token={hosting.once}"
    assert access.refusal(asked(once)) is None
    access.invalidate_link(asked(LINK))
    assert access.refusal(asked(once)) is None
    access.invalidate_link(asked(once))
    assert access.refusal(asked(once)) is LINK_NEEDED
    assert access.refusal(asked(LINK)) is None
    assert access.refusal(asked(Authorization=f"Bearer {hosting.once}")) is LINK_NEEDED


def test_the_cookie_of_another_server_does_not_pass():
    assert refusal(Cookie=COOKIE.replace(str(PORT), "8867")) is LINK_NEEDED
    assert refusal(Cookie=COOKIE, hosting=Hosting()) is LINK_NEEDED


def test_a_cookie_does_not_tell_the_token():
    access = Access(Hosting(token=TOKEN), PORT)
    assert TOKEN not in access.cookie_value
    assert refusal(f"/?token={access.cookie_value}") is LINK_NEEDED


def test_tokens_are_not_shown():
    assert TOKEN not in repr(Hosting(token=TOKEN))


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("uri", ["/", "/?session=x", "/api/kernels/x/channels"])
def test_what_another_site_asks_for_is_refused_whatever_the_browser_adds(site, uri):
    assert refusal(uri, Cookie=COOKIE, Sec_Fetch_Site=site) is OTHER_SITE


def test_the_link_may_be_opened_from_another_site_but_not_loaded_by_it():
    assert refusal(LINK, Sec_Fetch_Site="cross-site", Sec_Fetch_Dest="document") is None
    for destination in ("iframe", "image", "script", "empty", "websocket"):
        assert refusal(LINK, Sec_Fetch_Site="cross-site", Sec_Fetch_Dest=destination) is OTHER_SITE


@pytest.mark.parametrize(
    "origin",
    ["http://other.example", "null", f"http://{OWN}.other.example", "http://127.0.0.1:9999", "", "x"],
)
def test_origins_other_than_its_own_are_refused(origin):
    assert refusal("/api/kernels/x/channels", Cookie=COOKIE, Origin=origin) is OTHER_SITE
    assert refusal("/", method="POST", Cookie=COOKIE, Origin=origin) is OTHER_SITE


def test_its_own_origin_passes():
    assert refusal(Cookie=COOKIE, Origin=f"http://{OWN}", Sec_Fetch_Site="same-origin") is None
    assert refusal(host="localhost:1", Cookie=COOKIE, Origin="http://localhost:1") is None


@pytest.mark.parametrize(
    "host",
    ["rebound.example", f"rebound.example:{PORT}", "127.0.0.1.nip.example", "", "192.168.1.5", "[::2]"],
)
def test_a_name_that_is_not_its_own_is_refused(host):
    assert refusal(LINK, host=host) is OTHER_NAME
    assert refusal(host=host, Cookie=COOKIE) is OTHER_NAME


def test_names_that_are_allowed():
    for host in ("127.0.0.1", "localhost:8866", "LOCALHOST", "[::1]:8866"):
        assert refusal(LINK, host=host) is None
    named = Hosting(token=TOKEN, allowed_hosts=("labels.example.org",))
    assert refusal(LINK, hosting=named, host="labels.example.org") is None
    everywhere = Hosting(token=TOKEN, host="0.0.0.0")
    assert refusal(LINK, hosting=everywhere, host="192.168.1.5:8866") is None
    assert refusal(LINK, hosting=everywhere, host="rebound.example") is OTHER_NAME


def test_a_proxy_that_adds_the_token_may_have_any_name_but_not_any_page():
    seen = {"host": "hub.example.org", **BEARER}
    assert refusal(**seen) is None
    assert refusal(**seen, Origin="https://hub.example.org", Sec_Fetch_Site="same-origin") is None
    assert refusal(**seen, Origin="https://other.example.org") is OTHER_SITE
    assert refusal(**seen, Sec_Fetch_Site="cross-site") is OTHER_SITE


def test_a_proxy_may_put_its_own_name_in_the_place_of_the_browsers():
    named = Hosting(token=TOKEN, allowed_hosts=("labels.example.org",))
    assert refusal(hosting=named, Cookie=COOKIE, Origin="https://labels.example.org") is None
    assert refusal(hosting=named, Cookie=COOKIE, Origin="https://other.example.org") is OTHER_SITE


PROXIED = Hosting(token=TOKEN, trust_header="X-Remote-User", trusted_proxies=("10.0.0.7", "127.0.0.1"))


def who(hosting=PROXIED, **request):
    return Access(hosting, PORT).user_name(asked(**request))


def test_a_trusted_proxy_says_who_it_is():
    assert who(remote_ip="10.0.0.7", X_Remote_User="ada") == "ada"
    assert who(remote_ip="::ffff:10.0.0.7", X_Remote_User="ada") == "ada"
    assert who(remote_ip="10.0.0.7", X_Remote_User="Zoë".encode().decode("latin-1")) == "Zoë"
    assert refusal(hosting=PROXIED, remote_ip="10.0.0.7", X_Remote_User="ada") is None


def test_nobody_else_says_who_it_is():
    assert who(remote_ip="10.0.0.8", X_Remote_User="ada") is None
    assert who(remote_ip="10.0.0.7", X_Remote_User=" ") is None
    assert who(remote_ip="10.0.0.7") is None
    assert who(hosting=Hosting(token=TOKEN), remote_ip="10.0.0.7", X_Remote_User="ada") is None
    assert refusal(hosting=PROXIED, remote_ip="10.0.0.8", X_Remote_User="ada") is LINK_NEEDED
    # A colleague with the link gets in, but not under another one's name.
    assert refusal(hosting=PROXIED, remote_ip="10.0.0.8", X_Remote_User="ada", Cookie=COOKIE) is None
    assert who(remote_ip="10.0.0.8", X_Remote_User="ada", Cookie=COOKIE) is None


def test_from_this_machine_a_proxy_needs_the_token_too():
    assert who(X_Remote_User="ada") is None
    assert refusal(hosting=PROXIED, X_Remote_User="ada") is LINK_NEEDED
    assert who(X_Remote_User="ada", **BEARER) == "ada"
    assert refusal(hosting=PROXIED, X_Remote_User="ada", **BEARER) is None
    # It sends the token with every request: who has not logged in must not pass with it.
    assert refusal(hosting=PROXIED, **BEARER) is NOT_LOGGED_IN


def test_two_names_are_none():
    headers = HTTPHeaders({"Host": OWN})
    headers.add("X-Remote-User", "ada")
    headers.add("X-Remote-User", "bob")
    request = asked(remote_ip="10.0.0.7")
    request.headers = headers
    assert Access(PROXIED, PORT).user_name(request) is None


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", ""),
        (f"token={TOKEN}", ""),
        (f"session=a+b&token={TOKEN}", "session=a+b"),
        ("session=a%26token%3Dx", "session=a%26token%3Dx"),
        ("session=", "session="),
    ],
)
def test_the_token_goes_no_further(given, kept):
    assert without_token(given) == kept


def test_tokens_are_new_each_time_and_long():
    assert len({Hosting().token for _ in range(5)}) == 5
    assert len(Hosting().token) >= 32


def test_a_token_may_come_from_the_environment(monkeypatch):
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    assert Hosting().token == TOKEN
    monkeypatch.setenv(TOKEN_VARIABLE, "short")
    with pytest.raises(ValueError, match="at least 16"):
        Hosting()


def test_links():
    assert Hosting(token=TOKEN).link(1) == f"http://127.0.0.1:1/?token={TOKEN}"
    assert Hosting(token=TOKEN, host="::1", base_url="/a/b").link(1) == f"http://[::1]:1/a/b/?token={TOKEN}"
    assert Hosting(token=TOKEN, host="0.0.0.0").link(1).startswith("http://127.0.0.1:1/")


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--token", "", "at least 16 characters"),
        ("--token", "short", "at least 16 characters"),
        ("--token", "long enough, but with blanks", "letters, digits"),
        ("--base-url", "http://x/", "a path such as /evaluation/"),
        ("--base-url", "/a/../b", "a path such as /evaluation/"),
        ("--base-url", "/a?b", "a path such as /evaluation/"),
        ("--host", "http://x", "without http://"),
        ("--allowed-host", "x:80", "without http://"),
        ("--trusted-proxy", "proxy", "IP address"),
        ("--trust-header", "X-Remote-User", "and --trusted-proxy ADDRESS go together"),
        ("--trusted-proxy", "10.0.0.7", "--trust-header NAME and"),
        ("--max-pages", "0", "--max-pages"),
        ("--host", "192.0.2.1", "not an address of this machine"),
        ("--host", "nonesuch.invalid", "not an address of this machine"),
    ],
)
def test_what_cannot_be_served_so_is_one_message(option, value, message, tmp_path):
    arguments = ["demo", "text", "--no-browser", "--store", str(tmp_path / "s.sqlite"), option, value]
    result = CliRunner().invoke(cli.main, arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())
    assert "Traceback" not in result.output


def frame(*parts, offsets=None):
    n = len(parts) + 1
    ends = [8 * (n + 1)]
    for part in parts:
        ends.append(ends[-1] + len(part))
    return b"".join(k.to_bytes(8, "little") for k in [n, *(offsets or ends)]) + b"".join(parts)


def test_frames_of_the_protocol():
    good = frame(b"shell", b"{}", b"{}", b"{}", b"{}")
    assert is_message(good)
    assert is_message(frame(b"shell", b"{}", b"{}", b"{}", b"{}", b"binary"))
    for bad in (
        good.decode("latin-1"),
        b"",
        b"\xff" * 8,
        b"\xff" * 800,
        b"\x00" * 800,
        good[:-1],
        good + b"x",
        frame(b"shell", b"{}"),
        frame(b"shell", b"{}", b"{}", b"{}", b"{}", offsets=[56, 2**63, 63, 65, 67, 69]),
        # the older protocol: the number of its parts comes big end first
        (2).to_bytes(4, "big") + (12).to_bytes(4, "big") + (14).to_bytes(4, "big") + b"{}" + b"binary",
    ):
        assert not is_message(bad)


def test_help_does_not_wait_for_the_server():
    check = "import sys; import activeeval_widgets.app.cli; print({'tornado', 'voila'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_a_websocket_with_the_token_of_another_origin_is_refused(origin):
    uri = f"/api/kernels/x/channels?token={TOKEN}"
    assert refusal(uri, Origin=origin, Upgrade="websocket", Connection="Upgrade") is OTHER_SITE
    assert refusal(uri, Origin=origin) is OTHER_SITE
    assert refusal(uri, Origin=f"http://{OWN}", Upgrade="websocket") is None
    assert refusal(uri, Upgrade="websocket") is None
