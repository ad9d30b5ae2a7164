"""The wheel carries everything that gridsage needs at work, and says what it is."""

from __future__ import annotations

import email
import os
import shutil
import subprocess
import sys
import zipfile
from email.message import Message
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = PROJECT / "src" / "gridsage"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built with the packages that are here."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(PROJECT)], check=True, capture_output=True)
    (built,) = folder.glob("gridsage-*.whl")
    return built


@pytest.fixture(scope="module")
def metadata(wheel) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return email.message_from_bytes(archive.read(name))


def test_every_file_of_the_package_is_in_the_wheel(wheel):
    listed = subprocess.run(["git", "ls-files", "src/gridsage"], cwd=PROJECT, capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("this is no git checkout: nothing says which files belong to the package")
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    ours = {name.removeprefix("src/") for name in listed.stdout.split() if (PROJECT / name).exists()}
    assert ours - packed == set()
    assert {Path(name).suffix for name in packed} >= {".py", ".js", ".css", ".txt", ".des", ".toml", ".json"}


def test_the_core_needs_six_packages(metadata):
    needed = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    names = sorted(line.partition(">")[0] for line in needed)
    assert names == ["msgspec", "numba", "numpy", "platformdirs", "rich", "typer"]


def test_the_metadata_says_who_it_is_for(metadata):
    extras = {"page", "nethack", "rl", "openspiel", "analysis", "ray", "pictures", "all", "test", "docs"}
    assert set(metadata.get_all("Provides-Extra", [])) == extras
    assert {line.partition(",")[0] for line in metadata.get_all("Project-URL", [])} >= {"Homepage", "Documentation"}
    pythons = [line for line in metadata.get_all("Classifier", []) if line.startswith("Programming Language")]
    assert [line.rpartition(" ")[2] for line in pythons] == ["Only", "3.11", "3.12", "3.13"]
    assert metadata["Requires-Python"] == "<3.14,>=3.11"
    assert "nethack" in metadata["Keywords"]


def test_an_installed_wheel_plays_without_the_checkout(wheel, tmp_path):
    place = tmp_path / "installed"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(place), str(wheel)]
    subprocess.run(command, check=True, capture_output=True)
    code = "import gridsage, sys; from gridsage.cli import main; print(gridsage.__file__, file=sys.stderr); main()"
    env = {**os.environ, "PYTHONPATH": str(place), "GRIDSAGE_HOME": str(tmp_path / "home")}
    for words in (["agents"], ["levels", "list", "ricochet"], ["levels", "list", "nethack"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *words], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
        )
        assert str(place) in done.stderr, "another gridsage was used"
        assert done.stdout.strip()


def interpreter(version: str) -> str | None:
    """Return a Python of this version that works, on the path or among pyenv's."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python3"))
    for found in (shutil.which(f"python{version}"), *map(str, kept)):
        if found and subprocess.run([found, "--version"], capture_output=True).returncode == 0:
            return found
    return None


@pytest.mark.long
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_the_wheel_installs_into_an_empty_environment(wheel, tmp_path, version):
    python = interpreter(version)
    if python is None:
        pytest.skip(f"python{version} is not on this machine")
    subprocess.run([python, "-m", "venv", str(tmp_path / "venv")], check=True)
    binaries = tmp_path / "venv" / "bin"
    install = [str(binaries / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "--constraint", str(PROJECT / "constraints.txt"), str(wheel)], check=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GRIDSAGE_CACHE": str(tmp_path / "cache")}
    solve = [str(binaries / "gridsage"), "solve", "ricochet", "--seed", "2"]
    done = subprocess.run(solve, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "5 moves of 1 robot, and no fewer" in done.stdout
    page = subprocess.run([str(binaries / "gridsage"), "--no-open"], env=env, capture_output=True, text=True)
    assert (page.returncode, page.stderr) == (
        3,
        "gridsage: The page needs packages that are not installed: pip install 'gridsage[page]'\n",
    )
