"""What the README shows works as it says."""

from __future__ import annotations

import re
from pathlib import Path

from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core.game import Budget
from gridsage.games import catalog

PROJECT = Path(__file__).resolve().parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")


def test_the_first_agent_of_the_readme_plays(tmp_path):
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert code is not None
    assert len(code[1].strip().splitlines()) <= 12, "it is promised to be short"
    (tmp_path / "first_agent.py").write_text(code[1])
    room = catalog.ready_room("ricochet")
    spec = catalog.parse_agent(f"{tmp_path / 'first_agent.py'}:Hasty")
    reasons = set()
    for seed in range(1, 21):
        assert room.levels.of_seed is not None
        reasons.add(play(episode(room, room.levels.of_seed(seed), [spec], seed, {}, Budget())).trace.outcome.reason)
    assert reasons == {"solved", "gave up"}


def test_the_python_lines_of_the_readme_run(capsys):
    (block,) = re.findall(r"```pycon\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    for line in block.splitlines():
        exec(line.removeprefix(">>> "), names)
    assert capsys.readouterr().out.rstrip().splitlines()[-1].startswith("master on 01_first_steps: won after")
    assert len(names["frame"]) == 40


def test_the_example_file_is_the_one_in_the_readme():
    assert (PROJECT / "examples/agents/first_agent.py").read_text(encoding="utf-8").strip() in README


def test_every_link_and_picture_of_the_documents_exists():
    """In the checkout itself, where a code host shows them: pages that only `make docs` writes are no targets."""
    broken = [
        f"{document.relative_to(PROJECT)}: {target}"
        for document in [*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md"), *PROJECT.glob("examples/**/*.md")]
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", document.read_text(encoding="utf-8"))
        if not target.startswith("http") and not (document.parent / target).exists()
    ]
    assert broken == []
