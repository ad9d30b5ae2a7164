"""`make bench`: strength and speed of every room, as ratios and paired results from this one run.

    make bench                      # minutes; beside commit 2917b23 where ../gridsage-old or OLD=FOLDER holds it
    make bench OLD=FOLDER LONG=1    # hours, with the numbers of games that the documentation names

The master of Push'em All meets the first one, which is kept as a setting; the other rooms are measured beside an older
checkout.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
OLD_COMMIT = "2917b23"
SPEEDS = (("loderunner_speed.py",), ("delirium_speed.py",), ("pushem_speed.py",))
SHORT = (
    ("ricochet_solver.py", "--random", "400", "--rounds", "2"),
    ("pushem_elo.py", "--pairs", "50", "--nodes", "20000"),  # beside the first master, at equal CPU time
)
LONG = (
    ("ricochet_solver.py",),
    ("pushem_elo.py", "--pairs", "500", "--nodes", "570000"),  # 0.1 s per turn
)


def run(script: str, *arguments: str) -> bool:
    """Run a script; return True if it failed."""
    print(f"== {script}", flush=True)
    return subprocess.run([sys.executable, str(HERE / script), *arguments], check=False).returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", type=Path, default=HERE.parent.parent / "gridsage-old", help="an older checkout")
    parser.add_argument("--long", action="store_true", help="hours instead of minutes")
    given = parser.parse_args()
    failed = 0
    if (given.old / "src" / "gridsage").is_dir():
        failed += run("beside.py", str(given.old), *(["--long"] if given.long else []))
    else:
        print(f"== no figures beside commit {OLD_COMMIT}: there is no checkout of it in {given.old}")
        print(f"   git worktree add --detach {given.old} {OLD_COMMIT}    # makes one")
    return failed + sum(run(*script) for script in (*(LONG if given.long else SHORT), *SPEEDS))


if __name__ == "__main__":
    sys.exit(main())
