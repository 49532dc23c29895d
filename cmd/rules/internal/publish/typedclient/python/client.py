"""What the clients of all rulesets have in common. It needs no other package."""

from __future__ import annotations

import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any, Generic, NotRequired, Protocol, TypedDict, TypeVar

Output = TypeVar("Output")
Distributions = TypeVar("Distributions")
Character = TypeVar("Character")
State = TypeVar("State")

Faces = Sequence[int] | Mapping[str, Sequence[int]]
"""Faces in the order in which they fall, or by the id of their die."""


class Problem(Exception):
    """Why there is no answer: problem details (RFC 9457)."""

    def __init__(self, details: Mapping[str, Any]) -> None:
        super().__init__(": ".join(filter(None, (details.get("path"), details.get("detail", "")))))
        self.status: int = details.get("status", 0)
        self.code: str = details.get("code", "http")
        self.detail: str = details.get("detail", "")
        self.path: str | None = details.get("path")
        self.cite: str | None = details.get("cite")
        self.event: int | None = details.get("event")


class Mismatch(Exception):
    """The answers would be of other rules than the client is made for."""


class Way(Protocol):
    """A way to be answered. Bodies and answers are JSON."""

    def digest(self, ruleset: str, revision: str) -> str | None:
        """Returns the digest of the rules of a revision, or None where it is not there."""
        ...

    def answer(self, ruleset: str, revision: str, id: str, body: str) -> str:
        """Returns the sheet of a rule or a procedure."""
        ...

    def odds(self, ruleset: str, revision: str, id: str, body: str) -> str:
        """Returns the odds of a rule or a procedure."""
        ...


class OverHTTP:
    """Asks a server, "rules serve"."""

    def __init__(self, url: str, *, timeout: float = 30, headers: Mapping[str, str] | None = None) -> None:
        self._base = url.rstrip("/").removesuffix("/v1") + "/v1/"
        self._timeout = timeout
        self._headers = dict(headers or {})

    def digest(self, ruleset: str, revision: str) -> str | None:
        for served in json.loads(self._send("", None)):
            if served["ruleset"] == ruleset and served["revision"] == revision:
                return served["digest"]
        return None

    def answer(self, ruleset: str, revision: str, id: str, body: str) -> str:
        return self._send(f"{ruleset}@{revision}/{id}/eval", body)

    def odds(self, ruleset: str, revision: str, id: str, body: str) -> str:
        return self._send(f"{ruleset}@{revision}/{id}/odds", body)

    def _send(self, path: str, body: str | None) -> str:
        headers = self._headers | ({} if body is None else {"Content-Type": "application/json"})
        data = None if body is None else body.encode()
        request = urllib.request.Request(self._base + path, data=data, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as e:
            text = e.read().decode()
            try:
                details = json.loads(text)
            except ValueError:
                details = {"status": e.code, "detail": text}
            raise Problem(details) from None
        except urllib.error.URLError as e:
            detail = f"{self._base} does not answer: {e.reason}"
            raise Problem({"code": "unreachable", "detail": detail}) from None


class Sheet(TypedDict, Generic[Output]):
    """The answer of a rule."""

    ruleset: str
    revision: str
    rule: str
    options: Mapping[str, str]
    seed: NotRequired[int]
    dice: NotRequired[Mapping[str, Sequence[int]]]
    output: Output


class Probability(TypedDict, Generic[Output]):
    """A value of an output with its probability."""

    value: Output
    p: float
    exact: NotRequired[str]


class Distribution(TypedDict, Generic[Output]):
    """The values of an output in their order."""

    distribution: Sequence[Probability[Output]]
    mean: NotRequired[float]
    exact_mean: NotRequired[str]
    deviation: NotRequired[float]


class Ending(TypedDict):
    """Why there are no outputs, and how likely."""

    message: str
    p: float
    exact: NotRequired[str]


class Outcome(TypedDict, Generic[Output]):
    """The outputs that are asked for, together with their probability."""

    output: Output
    p: float
    exact: NotRequired[str]


class Odds(TypedDict, Generic[Distributions, Output]):
    """The distributions of outputs. With the endings all that may happen adds up to 1."""

    odds: Distributions
    joint: NotRequired[Sequence[Outcome[Output]]]
    refused: NotRequired[Sequence[Ending]]
    failed: NotRequired[Sequence[Ending]]
    unfollowed: NotRequired[float]
    unfollowed_exact: NotRequired[str]


class End(TypedDict, Generic[Output]):
    """A way in which a procedure ends, with its probability in all and by each event, the start being 0."""

    status: Output
    p: float
    most: NotRequired[float]
    """Where p is the least that it may be."""
    exact: NotRequired[str]
    by_event: Sequence[float]


class Situation(TypedDict, Generic[Character, State]):
    """A situation after some events, with its probability. An end that an earlier event has reached has no state and no
    character; nor has a situation the character where no event changes it."""

    status: str
    state: NotRequired[State]
    character: NotRequired[Character]
    p: float
    exact: NotRequired[str]


class Course(TypedDict, Generic[Output, Character, State]):
    """How a procedure ends, and how likely it goes on after the events that were followed."""

    ends: Sequence[End[Output]]
    open: float
    exact_open: NotRequired[str]
    mean_events: NotRequired[float]
    least_mean_events: NotRequired[float]
    exact_mean_events: NotRequired[str]
    after: NotRequired[Sequence[Situation[Character, State]]]
    """The situations after so many events as were asked for."""


def check_digest(way: Way, ruleset: str, revision: str, digest: str) -> None:
    """Raises Mismatch unless the answers are of the rules of the client."""
    found = way.digest(ruleset, revision)
    if found != digest:
        raise Mismatch(f"{ruleset} {revision} is {found or 'not there'}; this client is of {digest}")


def question(
    character: Mapping[str, Any] | None,
    input: Mapping[str, Any] | None,
    options: Mapping[str, Any] | None,
    dice: Faces | None,
    seed: int | None,
) -> dict[str, Any]:
    """Returns the body of a question. A seed is drawn where no faces are given, and kept: the events of a play draw
    from it too."""
    if dice is None and seed is None:
        seed = secrets.randbelow(1 << 53)
    members = {"character": character, "input": input, "options": options, "dice": dice, "seed": seed}
    return {name: value for name, value in members.items() if value is not None}


def records(**members: Any) -> str:
    """Returns the body of a question for odds, of the members that are given."""
    return json.dumps({name: value for name, value in members.items() if value is not None})


class Asked:
    """A play with all that was asked, which never changes, so that two plays may follow the same one."""

    def __init__(self, way: Way, ruleset: str, revision: str, id: str, question: dict[str, Any]) -> None:
        self._way, self._ruleset, self._revision, self._id = way, ruleset, revision, id
        self._question = question
        self.text = way.answer(ruleset, revision, id, json.dumps(question))
        """The sheet as it was answered."""
        self.sheet: Any = json.loads(self.text)

    def after(self, event: str, input: Mapping[str, Any] | None, dice: Faces | None) -> Asked:
        """Returns the play that follows an event."""
        happened = {"event": event, "input": input or {}} | ({} if dice is None else {"dice": dice})
        events = [*self._question.get("events", []), happened]
        return Asked(self._way, self._ruleset, self._revision, self._id, self._question | {"events": events})
