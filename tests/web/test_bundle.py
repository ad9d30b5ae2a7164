"""Modules joined into one script: the same names, in an order that works, and nothing left over."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from gridsage.web.assets import STATIC, Assets
from gridsage.web.bundle import bundle, in_order

MODULES = {
    "start.js": "import { two, value as one } from './deep/two.js';\nconsole.log(one, two());\n",
    "deep/two.js": "import { value } from '../one.js';\nexport { value };\n",
    "one.js": "export const value = 1;\n",
}


def test_a_module_comes_after_those_that_it_imports() -> None:
    assert in_order(MODULES, "start.js") == ["one.js", "deep/two.js", "start.js"]


def test_what_cannot_be_joined_is_named() -> None:
    with pytest.raises(AssertionError, match=r"deep/two.js: 'export \{ value \};' is not a form"):
        bundle(MODULES, "start.js")
    with pytest.raises(AssertionError, match=r"modules import each other: a.js -> b.js -> a.js"):
        bundle({"a.js": "import { b } from './b.js';\n", "b.js": "import { a } from './a.js';\n"}, "a.js")


def test_joined_modules_do_what_they_did_apart() -> None:
    if (node := shutil.which("node")) is None:
        pytest.skip("node is not installed: see .ci/node")
    two = "import {\n  value as other,\n} from '../one.js';\nexport const value = 'kept apart';\n"
    two += "export function two() {\n  return other + 1;\n}\n"
    script = bundle(MODULES | {"deep/two.js": two}, "start.js")
    done = subprocess.run([node, "--input-type=module"], input=script, capture_output=True, text=True, check=True)
    assert done.stdout == "kept apart 2\n"


def test_the_script_of_a_page_is_served_before_the_page_was_opened() -> None:
    assets = Assets()
    served = httpx.ASGITransport(Starlette(routes=[Route("/static/{digest}/{name:path}", assets.serve)]))

    async def asked(name: str) -> httpx.Response:
        async with httpx.AsyncClient(transport=served, base_url="http://page") as client:
            return await client.get(f"/static/{assets.digest}/bundle/{name}")

    def answer_to(name: str) -> httpx.Response:
        with ThreadPoolExecutor(1) as thread:  # the browser's tests have an event loop at work in this one
            return thread.submit(lambda: asyncio.run(asked(name))).result()

    for page in (STATIC / "pages").glob("*.js"):
        answer = answer_to(page.name)
        assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]
        assert f"loaded['pages/{page.name}'] = " in answer.text
    assert answer_to("nosuch.js").status_code == 404
