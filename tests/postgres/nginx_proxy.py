"""nginx with the file of deploy/, on ports and in a folder of its own."""

import os
import ssl
import subprocess
import time
from http.client import HTTPSConnection
from pathlib import Path

from tests.scorepad.live_server import ROOT, Server, free_port

SITE = ROOT / "deploy" / "nginx" / "tallyroom.conf"
NAME = "tally.example.org"
AROUND = """
daemon off;
pid {folder}/nginx.pid;
error_log stderr;
{user}
worker_processes 1;
events {{ worker_connections 1024; }}
http {{
    default_type application/octet-stream;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u;
    scgi_temp_path {folder}/s;
    include {folder}/tallyroom.conf;
}}
"""


class Proxy(Server):
    """The site as the world sees it: nginx, with TLS, before some processes. It is called like any server."""

    def __init__(self, folder, var, ports):
        super().__init__(Path(var), free_port())
        self.folder = Path(folder)
        self.processes = ports
        self.certificate = self.folder / "fullchain.pem"

    def write(self):
        """The files nginx reads."""
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
             "-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1",
             "-keyout", self.folder / "privkey.pem", "-out", self.certificate],
            check=True, capture_output=True,
        )  # fmt: skip
        (self.folder / "tallyroom.conf").write_text(self.site())
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(AROUND.format(folder=self.folder, user=user))

    @property
    def command(self):
        return ["/usr/sbin/nginx", "-c", self.folder / "nginx.conf", "-p", self.folder]

    def start(self):
        self.write()
        self.process = subprocess.Popen(self.command, stderr=(self.folder / "start.log").open("w"))
        self.wait()
        return self

    def site(self):
        """deploy's file with our ports and folders in the place of the real ones; each must be there."""
        text = SITE.read_text()
        servers = "\n".join(f"    server 127.0.0.1:{port} max_fails=0;" for port in self.processes)
        for theirs, ours in {
            "    server 127.0.0.1:8001 max_fails=0;\n    server 127.0.0.1:8002 max_fails=0;": servers,
            "    listen 80;": f"    listen 127.0.0.1:{free_port()};",
            "    listen [::]:80;\n": "",
            "    listen 443 ssl http2;": f"    listen 127.0.0.1:{self.port} ssl http2;",
            "    listen [::]:443 ssl http2;\n": "",
            f"/etc/letsencrypt/live/{NAME}": str(self.folder),
            "/var/cache/tallyroom": str(self.folder / "cache"),
            "/var/log/nginx": str(self.folder),
            "root /var/lib/tallyroom;": f"root {self.var};",
        }.items():
            assert theirs in text, theirs
            text = text.replace(theirs, ours)
        return text

    def wait(self):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            assert self.process.poll() is None, (self.folder / "start.log").read_text()
            try:
                self.call("GET", "/health")
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError("nginx did not answer")

    def connect(self, timeout):
        trusted = ssl.create_default_context(cafile=str(self.certificate))
        return HTTPSConnection("127.0.0.1", self.port, timeout=timeout, context=trusted)

    def kill(self):
        if self.process is not None:
            self.process.terminate()
            self.process.wait(10)
