"""Private names of uvicorn that config/server rests on. pyproject.toml holds uvicorn to one minor version; a
newer one must have these names too, and mean the same by them."""

import ast
import inspect
import re
import textwrap
import tomllib
from pathlib import Path

import pytest
import uvicorn
from uvicorn import _types
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

ROOT = Path(__file__).resolve().parents[2]
METHODS = {
    "connection_made": ["transport"], "connection_lost": ["exc"], "data_received": ["data"],
    "on_message_begin": [], "on_header": ["name", "value"], "on_headers_complete": [], "on_body": ["body"],
    "on_message_complete": [], "send_400_response": ["msg"], "_start_asgi_task": ["cycle", "app"],
}  # fmt: skip
"""What BoundedHttpProtocol overrides or calls, with the arguments it passes on."""
PROTOCOL_ATTRIBUTES = {"transport", "loop", "pipeline", "cycle"}
CYCLE_ATTRIBUTES = {"transport", "disconnected", "message_event", "response_complete"}
"""`send` is a method of a cycle: the bridge finds the connection by `send.__self__.transport`."""


def assigned(kind):
    """The attributes that the constructor of a class sets."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind.__init__)))
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and ast.unparse(node.value) == "self"
    }


@pytest.mark.parametrize("name", METHODS)
def test_the_protocol_has_each_method_we_override_or_call(name):
    assert list(inspect.signature(getattr(HttpToolsProtocol, name)).parameters)[1:] == METHODS[name]


def test_a_connection_and_a_request_have_the_attributes_we_read():
    assert assigned(HttpToolsProtocol) >= PROTOCOL_ATTRIBUTES
    assert assigned(RequestResponseCycle) >= CYCLE_ATTRIBUTES
    assert inspect.iscoroutinefunction(RequestResponseCycle.send)


def test_the_server_is_started_and_stopped_by_the_methods_we_override():
    for name in ("startup", "shutdown"):
        assert list(inspect.signature(getattr(uvicorn.Server, name)).parameters) == ["self", "sockets"]
    assert "started" in assigned(uvicorn.Server) and hasattr(_types, "ASGI3Application")


def test_uvicorn_is_held_to_one_minor_version_and_the_locks_have_it():
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    [held] = [line for line in wanted if line.startswith("uvicorn")]
    low, high = map(int, re.fullmatch(r"uvicorn>=0\.(\d+),<0\.(\d+)", held).groups())
    assert high == low + 1 and uvicorn.__version__.startswith(f"0.{low}.")
    for lock in ROOT.glob("requirements*.lock"):
        assert re.search(rf"^uvicorn==0\.{low}\.", lock.read_text(), re.M), lock.name
