"""Whatever is asked, the answer is an answer or a refusal, never a failure."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from oddscalc.web.app import create_app
from oddscalc.web.endpoints import ENDPOINTS, Endpoint

# Only small games and samples: what is fuzzed is the reading, not the patience.
SENSIBLE = {
    "game": ["poker-dice-short", "two-handed", "three-handed", "four-handed", "yatzi"],
    "roll": ["23621", "2 3 6 2 1", "66666", "⚀⚁⚂⚃⚄", "7"],
    "rolls-left": ["0", "1", "2", "3", "-1"],
    "filled": ["three-alike=0", "three-alike=", "three-alike=0,three-alike=0", "combination=4"],
    "open": ["combination", "three-alike, combination", ","],
    "bonus-progress": ["0", "stage-one=0", "x=1"],
    "points": ["50", "-1", "99999999999999999999"],
    "joker-bonus": ["100", "0"],
    "goal": ["mean", "pot", "beat:60", "beat:--1", "box:combination", "box:"],
    "totals": ["74,12,71", "0,0", "++1", ""],
    "seat": ["1", "2", "dealer", "partner", "0"],
    "combination": ["full-house", "poker", "three-alike"],
    "from": ["22", "", "123456"],
    "rolls": ["1", "3", "1000000"],
    "total": ["60", "-60", "1e9", "99999999999999999999"],
    "players": ["2", "1", "-5"],
    "settle": ["2", "8", "9"],
    "blunder": ["1", "nan", "inf", "-1"],
    "hand": ["JS JC AS KH 9D", "JSJCASKH", "Jo AS KS QS 9S", "♠♠"],
    "up": ["TS", "10♠", "Jo", "JS"],
    "round": ["1", "2", "3"],
    "dummy": ["TS KH QH 9C AC", "TS"],
    "trump": ["S", "hearts", "♦", "x"],
    "deals": ["2", "50", "1", "1000000"],
    "seed": ["0", "-1", "9223372036854775808"],
    "deal": ["JS AS KS QS 9H / TS 9S AH KH QH", "/", "JS / JS"],
    "of": ["JS JC", "trumps", "bowers", "aces", ""],
    "at-least": ["1", "0", "-3", "40"],
    "maker": ["1", "dealer", "9"],
    "me": ["1", "dealer"],
    "leader": ["1", "dealer"],
    "alone": ["1", "2"],
    "defend-alone": ["2", "1"],
    "seen": ["9S", "JS JS"],
    "play": ["open", "x"],
    "score": ["9-6", "10-10", "9-6-4", ""],
    "played": ["JS 9D TS KS / AH 9H QH TH", "JS", "JS JS", "/"],
    "buried": ["9D", "JS 9D", ""],
    "upcard-left": ["yes", "no", "maybe"],
    "ignore-bids": ["yes", "1"],
}
# What would take long: other policies than the one that is shipped, other sheets than the smallest.
ALWAYS = {"game", "deals", "play", "ignore-bids"}
QUICK = {
    "/api/euchre/match": ["four-handed", "yatzi"],
    **{path: ["poker-dice-short", "yatzi"] for path in ENDPOINTS if "sheet" in path},
}
RECORDS = ["game: poker-dice-short\n23621 > three-alike", "game: poker-dice-short\n| >", "x", ""]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(), base_url="http://localhost") as client:
        yield client


def _values(endpoint: Endpoint, name: str) -> st.SearchStrategy[str]:
    if name == "game" and endpoint.path in QUICK:
        return st.sampled_from(QUICK[endpoint.path])
    sensible = st.sampled_from(SENSIBLE[name])
    # A word of chance may name a game or a number of deals that takes long to answer.
    return sensible if name in ALWAYS else sensible | st.text(max_size=30)


@st.composite
def _questions(draw: st.DrawFn) -> tuple[Endpoint, list[tuple[str, str]], str]:
    endpoint = draw(st.sampled_from(list(ENDPOINTS.values())))
    names = [parameter.name for parameter in endpoint.parameters]
    chosen = draw(st.lists(st.sampled_from(names), unique=True)) if names else []
    needed = [parameter.name for parameter in endpoint.parameters if parameter.required]
    if draw(st.booleans()):
        chosen = [*needed, *(name for name in chosen if name not in needed)]
    chosen += [name for name in names if name in ALWAYS and name not in chosen]
    query = [(name, draw(_values(endpoint, name))) for name in chosen]
    if draw(st.integers(0, 9)) == 0:
        query.append((draw(st.text(max_size=8)), draw(st.text(max_size=8))))
    return endpoint, query, draw(st.sampled_from(RECORDS) | st.text(max_size=80))


@settings(max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(question=_questions())
def test_no_question_fails(
    client: TestClient, question: tuple[Endpoint, list[tuple[str, str]], str]
) -> None:
    endpoint, query, record = question
    address = f"{endpoint.path}?{urlencode(query)}"
    method, body = ("POST", record.encode()) if endpoint.body else ("GET", None)
    answer = client.request(method, address, content=body)
    assert answer.status_code in (200, 400), answer.text
    if answer.status_code == 400 or endpoint.media_type == "application/json":
        assert answer.json()["schema"].startswith("oddscalc.")


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.text(st.characters(codec="utf-8"), max_size=40),
    host=st.text(st.characters(codec="latin-1"), max_size=20),
)
def test_no_path_or_host_fails(client: TestClient, path: str, host: str) -> None:
    if "\r" not in host and "\n" not in host:
        answer = client.get("/api/dice/games", headers={b"Host": host.encode("latin-1")})
        assert answer.status_code < 500
    assert client.get("/" + quote(path, safe="")).status_code < 500
