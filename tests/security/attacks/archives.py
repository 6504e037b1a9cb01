"""Attacks by files: backups and dumps that grow when they are opened, uploads of strangers that are kept."""

import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from tests.postgres import nginx_proxy
from tests.security.attacks.findings import Verdict, finding
from tests.security.attacks.target import BOOK, Target

WRITTEN_MOST = 32_000_000
MEMORY_MOST = 64_000_000
"""What a refused archive may write, and take beyond what the command needs for an empty one."""
UPLOAD_BYTES = 40_000_000
UPLOAD_BLOCK = b"x" * 65_536


@finding(4, "a small backup writes gigabytes before it is refused", on_machine=True, is_long=True)
def sparse_backup(site, size):
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        with (place / "database.sqlite3").open("wb") as hole:
            hole.truncate(size.bomb_bytes)
        tar = place / "bomb.tar"
        subprocess.run(["tar", "-S", "-cf", tar, "-C", place, "database.sqlite3"], check=True)
        code, written, _ = watched(site, place / "var", "restore", tar)
        length = tar.stat().st_size
    told = f"{length / 1000:.0f} kB wrote {written / 1e6:.0f} MB, exit {code}"
    return Verdict(code != 0 and written <= WRITTEN_MOST, told)


@finding(4, "a small dump takes gigabytes of memory before it is refused", on_machine=True, is_long=True)
def packed_dump(site, size):
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        memory = {}
        for name, length in (("small", 1_000), ("bomb", size.bomb_bytes // 2)):
            bag = write_bag(place / f"{name}.zip", length)
            code, _, memory[name] = watched(site, place / f"var-{name}", "load_dump", bag)
        kilobytes = bag.stat().st_size / 1000
    grown = memory["bomb"] - memory["small"]
    told = f"{kilobytes:.0f} kB took {grown / 1e6:.0f} MB more than a small one, exit {code}"
    return Verdict(code != 0 and grown <= MEMORY_MOST, told)


def write_bag(path, length):
    """A zipped bag whose first file is so long, and is nearly nothing when packed."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        with packed.open("dump/bagit.txt", "w", force_zip64=True) as out:
            out.write(b"BagIt-Version: 1.0\n")
            for _ in range(length // 1_000_000 + 1):
                out.write(b" " * min(length, 1_000_000))
        packed.writestr("dump/manifest-sha256.txt", f"{'0' * 64}  data/records/books.jsonl\n")
    return path


def watched(site, var, *words):
    """A command in an empty folder: its exit code, the bytes it wrote and the memory it had at most."""
    var.mkdir()
    other = Target(site.host, var, site.root)
    if words[0] != "restore":
        assert other.manage("migrate", "--verbosity", "0").returncode == 0
    command = [sys.executable, "manage.py", *map(str, words)]
    process = subprocess.Popen(
        command, cwd=site.root, env=other.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    written = 0
    while True:
        done, status, used = os.wait4(process.pid, os.WNOHANG)
        if done:
            break
        written = max(written, written_by(process.pid), size_of(var))
        time.sleep(0.01)
    process.returncode = os.waitstatus_to_exitcode(status)
    shutil.rmtree(var)
    return process.returncode, written, used.ru_maxrss * 1024


def written_by(pid):
    try:
        lines = Path(f"/proc/{pid}/io").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("wchar")), 0)


def size_of(folder):
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


class Proxy(nginx_proxy.Proxy):
    """nginx with the file of deploy/ in the checkout that is attacked."""

    def __init__(self, folder, site):
        super().__init__(folder, site.var, [int(site.host.rsplit(":", 1)[1])])
        self.deploy = site.root / "deploy" / "nginx"

    def site(self):
        kept, nginx_proxy.SITE = nginx_proxy.SITE, self.deploy / "tallyroom.conf"
        try:
            return super().site()
        finally:
            nginx_proxy.SITE = kept


@finding(4, "nginx keeps a stranger's upload before anyone asks who sends it", on_machine=True)
def stranger_upload(site, size):
    if not Path("/usr/sbin/nginx").exists():
        return Verdict(None, "not tried: there is no nginx here")
    with tempfile.TemporaryDirectory() as folder:
        proxy = Proxy(folder, site)
        proxy.start()
        try:
            sent, status = sent_until_answered(proxy)
        finally:
            proxy.kill()
    told = f"answered {status} after {sent / 1e6:.0f} of {UPLOAD_BYTES / 1e6:.0f} MB"
    return Verdict(sent < UPLOAD_BYTES / 2, told)


def sent_until_answered(proxy):
    """How many bytes of a body are taken before there is an answer, and its status."""
    trusted = ssl.create_default_context(cafile=str(proxy.certificate))
    with socket.create_connection(("127.0.0.1", proxy.port), 20) as plain:
        line = trusted.wrap_socket(plain, server_hostname="127.0.0.1")
        head = f"POST /books/{BOOK}/scans/upload/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        kind = "Content-Type: multipart/form-data; boundary=x"
        line.sendall(f"{head}Content-Length: {UPLOAD_BYTES}\r\n{kind}\r\n\r\n".encode())
        sent = 0
        line.settimeout(0.02)
        while sent < UPLOAD_BYTES:
            try:
                return sent, line.recv(64)[9:12].decode()
            except TimeoutError:
                pass
            try:
                line.settimeout(20)
                for _ in range(16):
                    line.sendall(UPLOAD_BLOCK)
                    sent += len(UPLOAD_BLOCK)
            except OSError:
                return sent, "closed"
            line.settimeout(0.02)
        line.settimeout(20)
        return sent, line.recv(64)[9:12].decode()
