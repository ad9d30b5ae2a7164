"""Our modules as one script: each becomes a function that is called once, so that a page asks for one file."""

from __future__ import annotations

import re
from collections.abc import Mapping

# The modules are formatted by prettier, so that what is imported and exported stands at the beginning of a line.
IMPORT = re.compile(r"^import \{([^}]*)\} from '(\.[^']+)';\n", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) (\w+))", re.MULTILINE)
LATER = re.compile(r"\bimport\(`\./([^`]*)`\)")  # a module by a name that is known only when the page runs
UNKNOWN = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def joined(folder: str, name: str) -> str:
    """Return the module that `name` means in a module of `folder`: `pages` and `../dom.js` make `dom.js`."""
    parts = folder.split("/") if folder else []
    for part in name.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def folder_of(name: str) -> str:
    """Return the folder of a module, empty for one at the top."""
    return name.rpartition("/")[0]


def in_order(sources: Mapping[str, str], *entries: str) -> list[str]:
    """Return the entries and every module they import, directly or not, each after those it imports."""
    found: list[str] = []
    on_the_way: list[str] = []

    def visit(name: str) -> None:
        if name in found:
            return
        assert name not in on_the_way, f"modules import each other: {' -> '.join([*on_the_way, name])}"
        on_the_way.append(name)
        for _, imported in IMPORT.findall(sources[name]):
            visit(joined(folder_of(name), imported))
        on_the_way.pop()
        found.append(name)

    for entry in entries:
        visit(entry)
    return found


def bundle(sources: Mapping[str, str], *entries: str) -> str:
    """Return one script that does what the entries and their modules do, in the order of `in_order`."""
    parts = ["'use strict';\nconst loaded = {};\n"]
    parts += [
        f"loaded['{name}'] = (() => {{\n{_body(name, sources[name])}}})();\n" for name in in_order(sources, *entries)
    ]
    return "".join(parts)


def _body(name: str, source: str) -> str:
    """Return a module as the body of a function that returns what it exports."""

    def taken(found: re.Match[str]) -> str:
        names = found[1].replace(" as ", ": ")
        return f"const {{{names}}} = loaded['{joined(folder_of(name), found[2])}'];\n"

    exported = EXPORT.findall(source)
    text = EXPORT.sub("", IMPORT.sub(taken, source))
    text = LATER.sub(r"Promise.resolve().then(() => loaded[`\1`])", text)
    assert not (left := UNKNOWN.search(text)), f"{name}: {left[0]!r} is not a form that can be bundled"
    return f"{text}return {{ {', '.join(exported)} }};\n"
