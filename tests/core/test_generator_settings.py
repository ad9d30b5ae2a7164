"""Settings of a generator are typed as its signature says, and bad ones are named."""

from __future__ import annotations

import pytest

from gridsage.core.errors import OptionError
from gridsage.core.room import NamedLevel, generator_settings


def generate(seed: int = 1, rows: int = 9, share: float = 0.5, closed: bool = True) -> NamedLevel:
    return NamedLevel(f"{seed} {rows} {share} {closed}", "")


def test_settings_have_the_types_of_the_signature():
    settings = generator_settings(generate, {"rows": "12", "share": "0.25", "closed": "false"}, "toy")
    assert settings == {"rows": 12, "share": 0.25, "closed": False}
    assert generate(**settings).name == "1 12 0.25 False"
    assert generator_settings(generate, {}, "toy") == {}


@pytest.mark.parametrize(
    ("given", "words"),
    [({"row": "3"}, "'row'; did you mean rows"), ({"rows": "many"}, "'many'"), ({"closed": "perhaps"}, "'perhaps'")],
)
def test_a_bad_setting_is_named(given, words):
    with pytest.raises(OptionError, match=words):
        generator_settings(generate, given, "toy")
