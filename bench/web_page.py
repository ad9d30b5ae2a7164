"""How the page feels, measured in headless Chromium: weight, requests, layout shift, first board, frames, keys, ticks.

Then how its server bears many boards and viewers. Run it on a quiet machine: `python bench/web_page.py`. It prints one
line per number, and what the number should be; `python bench/web_page.py load` measures the server alone.
"""

from __future__ import annotations

import itertools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

import web_load

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
COLS, ROWS = 40, 24
KEYS = 60
KEY_PAUSE_MS = 100  # people press no more than ten keys per second
WARM_STEPS = 30
WATCH_MS = 5_000
VISITED = [
    "/",
    "/learn/pushem",
    "/learn/ricochet",
    "/watch/loderunner",
    "/watch/nethack",
    "/play/pushem",
    "/play/nethack",
    "/play/ricochet",
    "/play/delirium-bd",
    "/edit/ricochet",
    "/edit/delirium",
    "/edit/nethack",
    "/replays",
    "/compare",
    "/help",
]
SIZES = [(1400, 900), (1024, 700), (390, 844)]
SETTLED_MS = 2_500  # after the first board: what comes later may still push something
SHIFTS = """window.shifted = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shifted += entry.value; }))
  .observe({ type: 'layout-shift', buffered: true });"""
# Between two pictures of a board that was still moving in the first; at rest it is not drawn at all.
NOTE_GAPS = """() => {
  const { board } = gridsage.views[0];
  const draw = board.draw.bind(board);
  let [before, moving] = [0, false];
  window.gaps = [];
  board.draw = () => {
    const drawn = board.stats.frames;
    draw();
    if (board.stats.frames === drawn) return;
    const now = performance.now();
    if (moving) gaps.push(now - before);
    [before, moving] = [now, board.dirty];
  };
}"""
# When the frames that answer the clock's own moves arrive.
NOTE_TICKS = """() => {
  window.ticked = [];
  gridsage.view.listeners.push((message) => {
    if (message.m === 'frame' && message.q !== undefined) ticked.push(performance.now());
  });
}"""
PACE = 23  # ticks per second, the middle one of the classic Lode Runner
PROGRAM = "if __name__ == '__main__':\n    from gridsage.web.app import serve\n    serve('127.0.0.1', 0, False)\n"


def chromium() -> str:
    """Return where Debian's Chromium is, with its windows or without."""
    found = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    if found is None:
        raise SystemExit("Chromium is not installed: `bash .ci/browsers` installs Debian's.")
    return found


def hall() -> str:
    """A hall of 40 by 24 cells with an enemy on every floor; nobody reaches the bonus, so the game is long."""
    wall, floor = "W" * COLS, f"W{'F' * (COLS - 2)}W"
    guarded = f"W{'.' * 29}E{'.' * (COLS - 32)}W"
    closed = f"{'W' * 20}B{'W' * (COLS - 21)}"
    lines = [wall, *[guarded, floor] * 9, guarded.replace("E", "."), f"WR{'.' * (COLS - 4)}XW", wall, closed, wall]
    lines[-5] = floor
    return "\n".join(lines) + "\n"


def main() -> None:
    """Start a server of its own, measure, end it."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "serve.py"
        script.write_text(PROGRAM, encoding="utf-8")
        environment = dict(os.environ) | {"GRIDSAGE_HOME": folder}
        server = subprocess.Popen([sys.executable, script], env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().partition(" at ")[2].split(" ")[0].rstrip("/")
            print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
            if sys.argv[1:] != ["load"]:
                with sync_playwright() as playwright:
                    browser = playwright.chromium.launch(executable_path=chromium(), headless=True, args=FLAGS)
                    measure(browser, address)
                    browser.close()
            web_load.report(address, server.pid)
        finally:
            server.terminate()
            server.wait()


def measure(browser: Browser, address: str) -> None:
    first = [first_board(browser, address) for _ in range(3)]
    print(f"first board: {first[0]:.2f} s on a new server, then {min(first[1:]):.2f} s (at most 1 s)")
    print("first visit: requests (at most 20), kB as sent (at most 200), layout shift by width (at most 0.02)")
    for path in VISITED:
        found = [visit(browser, address, path, size) for size in SIZES]
        shifts = ", ".join(f"{width}: {shift:.4f}" for (width, _), (_, _, shift) in zip(SIZES, found, strict=True))
        print(f"  {path:18} {found[0][0]:3} requests {found[0][1] / 1000:6.1f} kB   {shifts}")
    print(f"frames shown on a {COLS}x{ROWS} board at 60 asked: {frames(browser, address):.1f} per second (at least 58)")
    print(f"frames while something glides: {gliding(browser, address):.1f} per second (at least 58)")
    times = keys(browser, address)
    p95 = statistics.quantiles(times, n=20)[-1]
    print(f"key to frame: median {statistics.median(times):.1f} ms, p95 {p95:.1f} ms over {len(times)} (at most 15 ms)")
    off = ticks(browser, address)
    p95 = statistics.quantiles(off, n=20)[-1]
    print(f"ticks at {PACE} per second: off by {p95:.1f} ms (p95) over {len(off)} (at most 10 ms)")


def new_page(browser: Browser, address: str) -> Page:
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 800})
    context.set_default_timeout(120_000)
    return context.new_page()


def first_board(browser: Browser, address: str) -> float:
    page = new_page(browser, address)
    began = time.perf_counter()
    page.goto("/watch/ricochet?seed=1&nodes=1000")
    page.wait_for_selector("canvas[data-ready=yes]")
    spent = time.perf_counter() - began
    page.context.close()
    return spent


def visit(browser: Browser, address: str, path: str, size: tuple[int, int]) -> tuple[int, int, float]:
    """Return the requests, the bytes and the layout shift of a first visit."""
    context = browser.new_context(base_url=address, viewport={"width": size[0], "height": size[1]})
    context.set_default_timeout(120_000)
    page = context.new_page()
    sizes: list[int] = []
    page.on("response", lambda answer: sizes.append(int(answer.headers.get("content-length", 0))))
    page.add_init_script(SHIFTS)
    page.goto(path)
    if path.count("/") > 1:
        page.wait_for_selector("canvas[data-ready=yes]")
    page.wait_for_timeout(SETTLED_MS)
    shift = float(page.evaluate("shifted"))
    context.close()
    return len(sizes), sum(sizes), shift


def gliding(browser: Browser, address: str) -> float:
    """Return how often a board is drawn per second while its figures are on their way, at the game's usual speed."""
    page = new_page(browser, address)
    page.goto("/watch/loderunner?" + urlencode({"text": hall(), "agents": "random", "nodes": 1}))
    page.wait_for_selector("canvas[data-ready=yes]")
    while page.evaluate("() => gridsage.transport.pos") < WARM_STEPS // 3:
        page.wait_for_timeout(200)
    page.evaluate(NOTE_GAPS)
    page.wait_for_timeout(WATCH_MS)
    gaps = [float(gap) for gap in page.evaluate("gaps")]
    page.context.close()
    return 1000 / statistics.fmean(gaps)


def frames(browser: Browser, address: str) -> float:
    page = new_page(browser, address)
    page.goto("/watch/loderunner?" + urlencode({"text": hall(), "agents": "random", "nodes": 1}))
    page.wait_for_selector("canvas[data-ready=yes]")
    page.get_by_label("Speed").select_option("60")
    while page.evaluate("() => gridsage.transport.pos") < WARM_STEPS:  # kernels may have to be compiled first
        page.wait_for_timeout(200)
    count = "() => [gridsage.views[0].board.stats.frames, performance.now(), gridsage.transport.pos]"
    before = page.evaluate(count)
    page.wait_for_timeout(WATCH_MS)
    after = page.evaluate(count)
    steps = after[2] - before[2]
    assert steps > 0, "the game ended before it could be measured"
    page.context.close()
    return float((after[0] - before[0]) / (after[1] - before[1]) * 1000)


def keys(browser: Browser, address: str) -> list[float]:
    page = new_page(browser, address)
    page.goto("/play/loderunner?" + urlencode({"text": hall().replace("E", "."), "seed": 1}))
    for t in range(KEYS):
        page.wait_for_selector(f".turn[data-turn='mine-{t}']")
        page.wait_for_timeout(KEY_PAUSE_MS)
        page.keyboard.press("ArrowRight" if t % 20 < 10 else "ArrowLeft")
    page.wait_for_selector(f".turn[data-turn='mine-{KEYS}']")
    times = [float(value) for value in page.evaluate("() => gridsage.latencies")]
    page.context.close()
    return times[5:]


def ticks(browser: Browser, address: str) -> list[float]:
    """Return by how many milliseconds each tick of a game in real time was too short or too long."""
    page = new_page(browser, address)
    page.goto("/play/loderunner-classic?level=01_first_gold&seed=1")
    page.wait_for_selector(".turn[data-turn='mine-0']")
    page.get_by_label("Pace").select_option(str(PACE))
    page.evaluate(NOTE_TICKS)
    page.keyboard.down("ArrowLeft")
    page.wait_for_timeout(2 * WATCH_MS)
    times = [float(value) for value in page.evaluate("ticked")]
    page.context.close()
    assert len(times) > PACE, "time did not run"
    return [abs(after - before - 1000 / PACE) for before, after in itertools.pairwise(times[5:])]


if __name__ == "__main__":
    main()
