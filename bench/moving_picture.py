"""Record the moving picture of the start page from the page itself: `python bench/moving_picture.py`.

Needs chromium, and pillow (`pip install pillow`), which nothing else here uses.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from web_page import chromium

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "tests"))
from web.page_server import start_server  # noqa: E402  # the tests' own way to serve the page

TARGET = PROJECT / "docs" / "pictures" / "moving.gif"
SCENES = (
    "/watch/loderunner?level=15_six_of_them&nodes=4000",
    "/watch/delirium?level=17_avalanche&nodes=2000",
)
PICTURES = 13  # per scene
PAUSE_MS = 220
SIZE = (400, 250)
COLOURS = 28
MOST_BYTES = 400_000


def recorded(page: Page, address: str) -> list[Image.Image]:
    """Return pictures of the board while an agent plays."""
    page.goto(address)
    page.wait_for_selector("canvas")
    page.wait_for_timeout(6_000)  # the agent thinks ahead of the picture
    pictures = []
    for _ in range(PICTURES):
        box = page.locator("canvas").first
        image = Image.open(io.BytesIO(box.screenshot())).convert("RGB")
        image.thumbnail(SIZE)
        canvas = Image.new("RGB", SIZE, "white")
        canvas.paste(image, ((SIZE[0] - image.width) // 2, (SIZE[1] - image.height) // 2))
        pictures.append(canvas.quantize(COLOURS, dither=Image.Dither.NONE))
        page.wait_for_timeout(PAUSE_MS)
    return pictures


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = start_server(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(base_url=server.address, viewport={"width": 900, "height": 700})
        pictures = [picture for scene in SCENES for picture in recorded(page, scene)]
        browser.close()
        server.end()
    pictures[0].save(TARGET, save_all=True, append_images=pictures[1:], duration=PAUSE_MS, loop=0, optimize=True)
    size = TARGET.stat().st_size
    print(f"{TARGET.relative_to(PROJECT)}: {len(pictures)} pictures, {size:,} bytes")
    if size > MOST_BYTES:
        sys.exit(f"more than {MOST_BYTES:,} bytes: fewer pictures or colours are needed")


if __name__ == "__main__":
    main()
