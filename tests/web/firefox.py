"""A real Firefox without a window, driven over its own remote protocol on loopback."""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Self

PATIENCE_SECONDS = 60.0
RIGHT = "\ue014"  # the arrow key, in the words of WebDriver
COMMAND = shutil.which("firefox") or shutil.which("firefox-esr")
PREFERENCES = (
    ("marionette.port", "0"),  # any free one: it is written to a file of the profile
    ("app.update.enabled", "false"),
    ("browser.shell.checkDefaultBrowser", "false"),
    ("datareporting.policy.dataSubmissionEnabled", "false"),
    ("toolkit.telemetry.reportingpolicy.firstRun", "false"),
    ("network.captive-portal-service.enabled", "false"),
    ("network.connectivity-service.enabled", "false"),
    ("network.proxy.type", "1"),  # whatever it asks for meets a closed door
    ("network.proxy.http", '"127.0.0.1"'),
    ("network.proxy.http_port", "9"),
    ("network.proxy.ssl", '"127.0.0.1"'),
    ("network.proxy.ssl_port", "9"),
)


class Firefox:
    """One browser with a new profile in `folder`; it ends with the `with` block."""

    def __init__(self, folder: Path) -> None:
        assert COMMAND is not None
        self._profile = folder / "firefox"
        self._profile.mkdir()
        lines = (f'user_pref("{name}", {value});' for name, value in PREFERENCES)
        (self._profile / "user.js").write_text("\n".join(lines))
        command = [COMMAND, "--headless", "--no-remote", "--marionette", "--profile", str(self._profile)]
        env = {**os.environ, "HOME": str(self._profile)}
        self._process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._number = 0

    def __enter__(self) -> Self:
        try:
            self._socket = socket.create_connection(("127.0.0.1", self._port()), PATIENCE_SECONDS)
            self._read()  # its greeting
            self._ask("WebDriver:NewSession", capabilities={})
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._socket.close()
        self._end()

    def open(self, path: Path, width: int = 1280, height: int = 800) -> None:
        """Open a file from disk in a window of this size."""
        self._ask("WebDriver:SetWindowRect", width=width, height=height)
        self._ask("WebDriver:Navigate", url=path.as_uri())

    def run(self, script: str) -> object:
        """Return what a function body returns in the page, whatever the page's policy."""
        return self._ask("WebDriver:ExecuteScript", script=script, args=[], sandbox="default")

    def wait_for(self, condition: str) -> None:
        """Wait until an expression is true in the page."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not self.run(f"return Boolean({condition})"):
            assert time.monotonic() < end, f"never true: {condition}"
            time.sleep(0.05)

    def press(self, key: str) -> None:
        """Press and release a key, by its WebDriver character."""
        keys = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._ask("WebDriver:PerformActions", actions=[{"type": "key", "id": "keyboard", "actions": keys}])

    def picture(self) -> bytes:
        """Return what the window shows, as PNG."""
        return base64.b64decode(str(self._ask("WebDriver:TakeScreenshot", full=False)))

    def _port(self) -> int:
        file, end = self._profile / "MarionetteActivePort", time.monotonic() + PATIENCE_SECONDS
        while not file.exists() or not file.read_text():
            assert self._process.poll() is None, "Firefox ended by itself"
            assert time.monotonic() < end, "Firefox does not answer"
            time.sleep(0.05)
        return int(file.read_text())

    def _ask(self, command: str, **parameters: object) -> object:
        self._number += 1
        message = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(f"{len(message)}:".encode() + message)
        _, number, error, result = self._read()
        assert number == self._number and not error, f"{command}: {error}"
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def _read(self) -> list[object]:
        length = b""
        while not length.endswith(b":"):
            length += self._socket.recv(1)
        data = b""
        while len(data) < int(length[:-1]):
            data += self._socket.recv(65536)
        found: list[object] = json.loads(data)
        return found

    def _end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
