"""Somebody who calls the site over a socket, from an address of his own."""

import itertools
import json
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPMessage
from http.cookies import SimpleCookie
from urllib.parse import urlencode

PATIENCE_SECONDS = 120
FORM = "application/x-www-form-urlencoded"
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Answer:
    """What the site said, and how long that took."""

    status: int
    headers: HTTPMessage
    content: bytes
    seconds: float

    @property
    def json(self):
        return json.loads(self.content)

    @property
    def text(self):
        return self.content.decode("utf-8", "replace")


def new_address():
    """An address nobody else here has, in the network that is kept for examples."""
    number = next(_numbers)
    return f"198.{18 + number // 60_000}.{number // 250 % 240}.{1 + number % 250}"


class Caller:
    """One connection, kept open, with cookies. The site believes the address while it trusts this machine."""

    def __init__(self, host, address=None, patience=PATIENCE_SECONDS):
        self.host = host
        self.address = address or new_address()
        self.patience = patience
        self.cookies = {"csrftoken": "a" * 32}
        self.connection = self.answer = None

    def ask(self, method, path, body=None, **headers):
        shown = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"X-Forwarded-For": self.address, "Cookie": shown}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        began = time.perf_counter()
        answer = self._exchange(method, path, body, sent)
        content = answer.read()
        self._keep_cookies(answer.headers)
        return Answer(answer.status, answer.headers, content, time.perf_counter() - began)

    def _exchange(self, method, path, body, headers):
        """Over the open connection; a new one if the site has closed it meanwhile."""
        for is_last in (False, True):
            if self.connection is None:
                self.connection = HTTPConnection(self.host, timeout=self.patience)
            try:
                self.connection.request(method, path, body, headers)
                return self.connection.getresponse()
            except TimeoutError:
                self.close()
                raise
            except (HTTPException, OSError):
                self.close()
                if is_last:
                    raise
        raise AssertionError

    def _keep_cookies(self, headers):
        for line in headers.get_all("Set-Cookie", []):
            for name, morsel in SimpleCookie(line).items():
                if morsel["max-age"] == "0" or not morsel.value:
                    self.cookies.pop(name, None)
                else:
                    self.cookies[name] = morsel.value

    def get(self, path, token=None):
        return self.ask("GET", path, **_bearer(token))

    def post(self, path, sent=None, token=None):
        """As a program sends it: JSON."""
        body = json.dumps({} if sent is None else sent)
        return self.ask("POST", path, body, Content_Type="application/json", **_bearer(token))

    def form(self, path, fields=(), **headers):
        """As a page sends it, with the page's own token."""
        body = urlencode(fields, doseq=True)
        return self.ask(
            "POST", path, body, Content_Type=FORM, X_CSRFToken=self.cookies["csrftoken"], **headers
        )

    def open_stream(self, path, token):
        """The status of a stream, which stays open until this caller is closed."""
        self.close()
        sent = {"X-Forwarded-For": self.address, **_bearer(token)}
        # Kept: with it the connection would be closed.
        self.answer = self._exchange("GET", path, None, sent)
        return self.answer.status

    def upload(self, path, name, content, field="files", words=()):
        """One file, as the page for scans sends it; with these words, as other forms do."""
        edge = "edge-of-a-part"
        head = "".join(
            f'--{edge}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{words[key]}\r\n'
            for key in words
        )
        head += f'--{edge}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
        body = f"{head}Content-Type: image/png\r\n\r\n".encode() + content + f"\r\n--{edge}--\r\n".encode()
        kind = f"multipart/form-data; boundary={edge}"
        token = self.cookies["csrftoken"]
        return self.ask("POST", path, body, Content_Type=kind, X_CSRFToken=token, Accept="application/json")

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


def _bearer(token):
    return {"Authorization": f"Bearer {token}"} if token else {}


@dataclass(frozen=True)
class Pad:
    """A pad with the tokens of its links."""

    code: str
    keep: str
    play: str
    watch: str

    def at(self, path=""):
        return f"/pads/{self.code}/{path}"


def pad_of(answer):
    """The pad that an answer of 201 names."""
    assert answer.status == 201, (answer.status, answer.text[:300])
    told = answer.json
    tokens = {role: told[role].rsplit("/", 1)[-1] for role in ("keep", "play", "watch")}
    return Pad(told["pad"].split("/")[2], **tokens)


def new_pad(caller, players=("Ann", "Bert", "Cleo"), game="victory-rummy", **wish):
    return pad_of(caller.post("/pads/", {"game": game, "players": list(players), **wish}))


def import_pad(caller, sheet):
    return pad_of(caller.post("/pads/import/", sheet))
