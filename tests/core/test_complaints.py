"""What libraries say about bad input, told in our words."""

from __future__ import annotations

import json
import zlib
from typing import Annotated, Literal

import msgspec
import pytest

from gridsage.core.complaints import in_words


class Cart(msgspec.Struct, forbid_unknown_fields=True):
    """A struct with every kind of limit."""

    name: Annotated[str, msgspec.Meta(max_length=3)]
    wheels: Annotated[int, msgspec.Meta(ge=2, le=4)] = 4
    load: Annotated[float, msgspec.Meta(gt=0, lt=9)] = 1.0
    colour: Literal["red", "blue"] = "red"
    size: tuple[int, int] = (1, 1)
    horses: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)] = ("Moll",)
    driver: str | int | None = None

    def __post_init__(self) -> None:
        if self.wheels == 3:
            raise ValueError("a cart of three wheels falls over")


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ('{"name": 1}', "`name`: expected a text, found a whole number"),
        ('{"name": "cart"}', "`name`: it is longer than 3"),
        ("{}", "it lacks `name`"),
        ('{"name": "a", "bell": 1}', "`bell` is unknown"),
        ('{"name": "a", "wheels": 1}', "`wheels`: expected 2 or more"),
        ('{"name": "a", "wheels": 5}', "`wheels`: expected 4 or less"),
        ('{"name": "a", "wheels": 3}', "a cart of three wheels falls over"),
        ('{"name": "a", "load": 0.0}', "`load`: expected more than 0.0"),
        ('{"name": "a", "load": 9.0}', "`load`: expected less than 9.0"),
        ('{"name": "a", "colour": "green"}', "`colour`: 'green' is unknown"),
        ('{"name": "a", "size": [1]}', "`size`: expected 2 of them"),
        ('{"name": "a", "size": [1, null]}', "`size[1]`: expected a whole number, found nothing"),
        ('{"name": "a", "horses": []}', "`horses`: expected at least 1 of them"),
        ('{"name": "a", "driver": {}}', "`driver`: expected a whole number, a text or nothing, found named values"),
        ("[true]", "expected named values, found a list"),
        ("{", "it is not JSON"),
        ("[" * 100_000, "expected named values, found a list"),
    ],
)
def test_what_msgspec_says_is_told_with_the_place_first(sent: str, words: str) -> None:
    with pytest.raises(msgspec.DecodeError) as found:
        msgspec.json.decode(sent, type=Cart)
    assert in_words(found.value) == words


def test_what_python_says_is_told_in_words() -> None:
    with pytest.raises(json.JSONDecodeError) as no_json:
        json.loads("[1,\n x]")
    with pytest.raises(UnicodeDecodeError) as no_text:
        b"abc\xff".decode()
    with pytest.raises(zlib.error) as no_stream:
        zlib.decompress(b"nothing")
    assert in_words(no_json.value) == "it is not JSON: line 2, column 2 cannot be read"
    assert in_words(no_text.value) == "it is no text: byte 4 is none of UTF-8"
    assert in_words(no_stream.value) == "it is cut off or damaged"
    assert in_words(OSError(28, "No space left on device", "/secret")) == "No space left on device"
    assert in_words(RecursionError("maximum recursion depth exceeded")) == "it is nested too deeply"


def test_a_sentence_of_our_own_stays_as_it_is() -> None:
    assert in_words(ValueError("line 7 has 27 cells, expected 28")) == "line 7 has 27 cells, expected 28"
