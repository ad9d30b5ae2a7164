"""Every starter kit whose tool is on this machine plays by the protocol; those that are skipped are named."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from toys import nim, stroll

from gridsage.arena.external import check, kits
from gridsage.core.errors import OptionError, UnknownName
from gridsage.games import catalog


@pytest.mark.parametrize("language", kits.KITS)
def test_a_kit_plays_every_trial_and_repeats(language, box, tmp_path, monkeypatch):
    kit = kits.KITS[language]
    if shutil.which(kit.tool) is None or subprocess.run([kit.tool, "--version"], capture_output=True).returncode:
        pytest.skip(f"the kit for {language} is not tested: {kit.tool} is not installed")  # or an empty shell of it
    kits.write(language, "mybot", tmp_path)
    monkeypatch.chdir(tmp_path / "mybot")
    if kit.has_makefile:
        subprocess.run(["make"], check=True, capture_output=True)
    spec = catalog.parse_agent(kit.command.format(name="mybot"))
    findings = list(check.check([stroll.ROOM, nim.ROOM], spec, box))
    assert [finding.problem for finding in findings] == [""] * 10
    assert "ms per decision" in findings[0].words
    assert findings[1].words == findings[6].words == "", "it must repeat under its seed"


def test_a_kit_overwrites_nothing(tmp_path):
    kits.write("python", "mybot", tmp_path)
    with pytest.raises(OptionError, match="is there already"):
        kits.write("c", "mybot", tmp_path)
    with pytest.raises(OptionError, match="cannot name a player"):
        kits.write("c", "../mybot", tmp_path)
    with pytest.raises(UnknownName, match="known: c, cpp, java, javascript, prolog, python, rust"):
        kits.write("cobol", "mybot", tmp_path)


def test_a_check_says_what_is_wrong_and_what_to_look_for(conditions, tmp_path):
    from external.bots import script

    bot = script(tmp_path / "bot", at_turn="print('thinking', file=sys.stderr); time.sleep(99)")
    quick = conditions.__class__(walls=conditions.walls, decision=0.3)
    (finding,) = check.check([stroll.ROOM], catalog.parse_agent(bot), quick)
    assert finding.problem.startswith("timeout at turn 0: a decision took")
    assert "does it flush its output" in finding.problem and finding.problem.endswith("log: thinking")


def test_a_check_notices_that_a_player_does_not_repeat(conditions, tmp_path):
    from external.bots import script

    counter = tmp_path / "count"
    bot = script(
        tmp_path / "bot",
        at_import="import random\nrandom.seed(os.urandom(8))",
        at_turn="act(m, random.choice(m['legal']))",
    )
    assert not counter.exists()
    words = {finding.words for finding in check.check([stroll.ROOM] * 8, catalog.parse_agent(bot), conditions)}
    assert any("use the seed from `begin`" in each for each in words)


def test_what_has_to_be_compiled_comes_with_a_makefile():
    compiled = {name for name, kit in kits.KITS.items() if kit.has_makefile}
    assert compiled == {"c", "cpp", "java", "rust"}
