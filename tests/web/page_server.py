"""A server of the page in a child process."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import psutil

START = "from gridsage.web.app import serve; serve('127.0.0.1', 0, False)"
# Spawned workers import the main module again: only the guard keeps them from serving too.
PROGRAM = f"if __name__ == '__main__':\n    {START}\n"


@dataclass
class Server:
    """A running server: where it is, and its processes."""

    address: str
    process: subprocess.Popen[str]
    home: Path

    @property
    def workers(self) -> list[psutil.Process]:
        return [child for child in psutil.Process(self.process.pid).children(recursive=True) if child.is_running()]

    def end(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        finally:
            assert self.process.stdout is not None
            self.process.stdout.close()


def start_server(folder: Path, program: str = PROGRAM) -> Server:
    """Start a server whose store is in `folder`, and read its address from what it prints."""
    script = folder / "serve.py"
    script.write_text(program, encoding="utf-8")
    environment = dict(os.environ) | {"GRIDSAGE_HOME": str(folder / "home")}
    process = subprocess.Popen([sys.executable, script], env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    server = Server(line.partition(" at ")[2].split(" ")[0].rstrip("/"), process, folder / "home")
    if not server.address.startswith("http://"):
        server.end()
        raise AssertionError(f"the server did not start: {line!r}")
    return server
