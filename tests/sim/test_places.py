"""Places that instructions remember: the last ones, of a limited size together."""

from __future__ import annotations

import pytest

from weft.sim import places


def test_places_are_forgotten_where_they_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MOST", 10)
    kept = places.Places[str]()
    assert [kept.keep(name, name.upper(), size) for name, size in (("a", 4), ("b", 6))] == ["A", "B"]
    assert [kept.get(name) for name in "abc"] == ["A", "B", None]
    kept.keep("c", "C", 1)
    assert [kept.get(name) for name in "abc"] == [None, None, "C"]
    kept.keep("d", "D", 9)
    assert [kept.get(name) for name in "cd"] == ["C", "D"]
    kept.keep("e", "E", 11)
    kept.keep("f", "F", 1)
    assert [kept.get(name) for name in "cdef"] == [None, None, None, "F"]
