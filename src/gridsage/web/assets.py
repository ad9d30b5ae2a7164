"""Our own scripts, styles and pictures, read once: compressed, and under an address that changes with their content."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:  # a file that stands alone is made without a server
    from starlette.requests import Request
    from starlette.responses import Response

STATIC = Path(__file__).resolve().parent / "static"
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
FOR_EVER = "public, max-age=31536000, immutable"
DIGEST_DIGITS = 12
# Not every browser imports JSON, and one request less is sooner there: it travels inside the module that wants it.
JSON_IMPORTS = re.compile(r"""^import (\w+) from '\./([\w.]+)' with \{ type: 'json' \};$""", re.MULTILINE)
IMPORTS = re.compile(r"""^(?:import|export)\b[^'"]*\bfrom\s+['"](\.[^'"]+)['"]""", re.MULTILINE)


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
        self._files = {path.relative_to(folder).as_posix(): _read(path) for path in served}
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
        return self._files[name].plain.decode("utf-8")

    @cache  # noqa: B019 - one object lives as long as the server
    def modules(self, entry: str) -> tuple[str, ...]:
        """Return `entry` and every module that it imports, directly or not, in the order in which they are found."""
        waiting, found = [entry], dict[str, None]()
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            found[name] = None
            waiting += reversed(self.imports(name))
        return tuple(found)

    def imports(self, name: str) -> list[str]:
        """Return the modules that the module `name` imports, in its order."""
        return [_joined(Path(name).parent, imported) for imported in IMPORTS.findall(self.text(name))]

    async def serve(self, request: Request) -> Response:
        """Answer with a file; one that is asked for under an old address is sent without being kept."""
        from starlette.responses import Response

        asset = self._files.get(request.path_params["name"])
        if asset is None:
            return Response("no such file", 404)
        current = request.path_params["digest"] == self.digest
        headers = {"cache-control": FOR_EVER if current else "no-cache", "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(
                asset.compressed, headers=headers | {"content-encoding": "gzip"}, media_type=asset.media_type
            )
        return Response(asset.plain, headers=headers, media_type=asset.media_type)


def _read(path: Path) -> Asset:
    data = path.read_bytes()
    if path.suffix == ".js":
        data = JSON_IMPORTS.sub(lambda found: _inlined(found[1], path.parent / found[2]), data.decode()).encode()
    return Asset(MEDIA_TYPES[path.suffix], data, gzip.compress(data, 9, mtime=0))


def _inlined(name: str, path: Path) -> str:
    """Return a file of JSON as a constant of a script."""
    return f"const {name} = {msgspec.json.encode(msgspec.json.decode(path.read_bytes())).decode()};"


def _joined(folder: Path, name: str) -> str:
    """`pages` and `../dom.js` make `dom.js`."""
    parts: list[str] = list(folder.parts)
    for part in name.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
