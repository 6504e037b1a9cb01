"""The real product for browser tests: its own process, its own folder, started and stopped like any other."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 180


class Site:
    """`python -m config.serve` on a free port; it can be stopped, killed and started again."""

    def __init__(self, var, **environment):
        self.var = Path(var)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = environment
        self.log = self.var.parent / f"{self.var.name}.log"
        self.process = None

    def start(self):
        hidden = {"DEBUG", "SECRET_KEY", "DATABASE_URL", "ALLOWED_HOSTS", "DJANGO_SETTINGS_MODULE", "SECURE"}
        clean = {name: value for name, value in os.environ.items() if name not in hidden}
        own = {
            "TALLYROOM_VAR": str(self.var),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            **self.environment,
        }
        command = [sys.executable, "-m", "config.serve"]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, env=clean | own, stdout=log, stderr=log)
        self.wait()
        return self

    def wait(self):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.url}/health", timeout=5):
                    return
            except (OSError, urllib.error.URLError):
                time.sleep(0.1)
        raise RuntimeError(f"The site did not start:\n{self.log.read_text()[-4000:]}")

    def stop(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def kill(self):
        self.stop(signal.SIGKILL)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
