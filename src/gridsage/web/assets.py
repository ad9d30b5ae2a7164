"""Our own scripts, styles and pictures, read once: compressed, and under an address that changes with their content."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gridsage.web.bundle import bundle

if TYPE_CHECKING:  # a file that stands alone is made without a server
    from starlette.requests import Request
    from starlette.responses import Response

STATIC = Path(__file__).resolve().parent / "static"
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
FOR_EVER = "public, max-age=31536000, immutable"
DIGEST_DIGITS = 12
# Not every browser imports JSON: it travels inside the module that wants it.
JSON_IMPORT = re.compile(r"^import (\w+) from '\./([\w.]+)' with \{ type: 'json' \};$", re.MULTILINE)
BUNDLES = "bundle/"  # where the scripts of pages are served
NAMED = re.compile(r"'([a-z][a-z_]+)'")  # what may be the name of a text in a script,
BEGUN = re.compile(r"`([a-z]+_)\$\{")  # and how a name begins whose end is known only when the page runs


@dataclass(frozen=True)
class Asset:
    """One file of the page, as it is and as it travels."""

    media_type: str
    plain: bytes
    compressed: bytes


class Assets:
    """Every file under static/. A change of any of them gives all of them a new address."""

    def __init__(self, folder: Path = STATIC) -> None:
        served = [path for path in sorted(folder.rglob("*.*")) if path.suffix in MEDIA_TYPES]
        self._files = {path.relative_to(folder).as_posix(): _asset(path.suffix, _read(path)) for path in served}
        digest = hashlib.blake2b(digest_size=16)
        for name, asset in self._files.items():
            digest.update(name.encode() + b"\0" + asset.plain + b"\0")
        self.digest = digest.hexdigest()[:DIGEST_DIGITS]

    def address(self, name: str) -> str:
        """Return the address of the file `name` on this server."""
        assert name in self._files, name
        return f"/static/{self.digest}/{name}"

    def inline(self, name: str) -> str:
        """Return the file `name` as an address that holds it whole: a small picture is not worth a request."""
        asset = self._files[name]
        return f"data:{asset.media_type};base64,{base64.b64encode(asset.plain).decode()}"

    def text(self, name: str) -> str:
        """Return what is in the file `name`."""
        return self._files[name].plain.decode()

    def joined(self, *entries: str) -> str:
        """Return modules and all that they import as one script."""
        modules = {module: self.text(module) for module in self._files if module.endswith(".js")}
        return bundle(modules, *entries)

    def script(self, page: str) -> str:
        """Return the address of the one script of a page: the frame around it, the page itself, and what they use."""
        name = f"{BUNDLES}{page}.js"
        if name not in self._files:
            self._files[name] = _asset(".js", self.joined("shell.js", f"pages/{page}.js").encode())
        return self.address(name)

    def used(self, page: str, texts: Mapping[str, str]) -> dict[str, str]:
        """Return the texts that the script of a page may ask for: named in it, or by a beginning such as `way_`."""
        self.script(page)
        script = self.text(f"{BUNDLES}{page}.js")
        named, beginnings = set(NAMED.findall(script)), tuple(BEGUN.findall(script))
        return {name: words for name, words in texts.items() if name in named or name.startswith(beginnings)}

    async def serve(self, request: Request) -> Response:
        """Answer with a file; one that is asked for under an old address is sent without being kept."""
        from starlette.responses import Response

        name = request.path_params["name"]
        page = name.removeprefix(BUNDLES)
        if name != page and f"pages/{page}" in self._files:
            self.script(page.removesuffix(".js"))  # a tab may be older than this server
        asset = self._files.get(name)
        if asset is None:
            return Response("no such file", 404)
        current = request.path_params["digest"] == self.digest
        headers = {"cache-control": FOR_EVER if current else "no-cache", "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(
                asset.compressed, headers=headers | {"content-encoding": "gzip"}, media_type=asset.media_type
            )
        return Response(asset.plain, headers=headers, media_type=asset.media_type)


def _read(path: Path) -> bytes:
    if path.suffix != ".js":
        return path.read_bytes()
    return JSON_IMPORT.sub(lambda found: _inlined(found[1], path.parent / found[2]), path.read_text("utf-8")).encode()


def _inlined(name: str, path: Path) -> str:
    """Return a file of JSON as a constant of a script."""
    return f"const {name} = {msgspec.json.encode(msgspec.json.decode(path.read_bytes())).decode()};"


def _asset(suffix: str, data: bytes) -> Asset:
    return Asset(MEDIA_TYPES[suffix], data, gzip.compress(data, 9, mtime=0))
