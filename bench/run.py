"""`make bench`: strength and speed of every room, as ratios from this one run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SCRIPTS = (
    ("ricochet_solver.py",),
    ("loderunner_speed.py",),
    ("delirium_speed.py",),
    ("pushem_speed.py",),
    ("pushem_elo.py", "--pairs", "50", "--nodes", "20000"),  # beside the first master, at equal CPU time
)


def main() -> int:
    failed = 0
    for script, *arguments in SCRIPTS:
        path = HERE / script
        if path.exists():
            print(f"== {script}", flush=True)
            failed += subprocess.run([sys.executable, str(path), *arguments], check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
