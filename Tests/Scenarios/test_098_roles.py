"""Who may do what at the control sockets, by real users in real groups; and what one user can take from the others."""

import json
import os
import pwd
import stat
import tempfile
import threading

import pytest

from patience import OUTER, Deadline, connected, wait_until

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")

# Groups that every Debian has, in the places of tapstile, tapstile-operators and tapstile-observers.
MAINTAINERS, OPERATORS, OBSERVERS = ("games", 60), ("staff", 50), ("users", 100)
CONTROL = f'group = "{MAINTAINERS[0]}"\noperator-group = "{OPERATORS[0]}"\nobserver-group = "{OBSERVERS[0]}"'
DOORS = ("control", "operator.sock", "observer.sock")
ASKS = {
    "observer": [{"do": "status"}, {"do": "lane", "lane": "entry"}],
    "maintainer": [{"do": "journal"}, {"do": "passback"}, {"do": "explain", "subject": "anna"}, {"do": "reload"}],
    "operator": [{"do": "lane-act", "lane": "entry", "action": "release"}, {"do": "passback-reset"}],
    "root": [{"do": "clock-reset-floor"}],
}
ROLES = list(ASKS)


@pytest.fixture
def gate(start):
    gate = start(control=CONTROL)
    folder = os.path.dirname(gate.socket)
    while folder != tempfile.gettempdir():
        os.chmod(folder, 0o711)
        folder = os.path.dirname(folder)
    return gate


def door(gate, name):
    return os.path.join(os.path.dirname(gate.socket), name)


def as_member(group, work):
    """What `work` answers in a process of nobody's with that one group; the name of the error where it has one."""
    user = pwd.getpwnam("nobody")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([group] if group is not None else [])
            os.setgid(user.pw_gid)
            os.setuid(user.pw_uid)
            try:
                answer = work()
            except OSError as error:
                answer = type(error).__name__
            os.write(writing, json.dumps(answer).encode())
        finally:
            os._exit(0)
    os.close(writing)
    wait_until("the end of the member's process", lambda: os.waitpid(child, os.WNOHANG)[0], OUTER)
    with os.fdopen(reading, "rb") as answer:
        return json.loads(answer.read())


def ask(path, request):
    with connected(path) as connection:
        connection.sendall(json.dumps({**request, "v": 1, "id": 1}).encode() + b"\n")
        return json.loads(connection.makefile("rb").readline())


@pytest.mark.parametrize("name, group, role", [
    ("control", MAINTAINERS, "maintainer"), ("operator.sock", OPERATORS, "operator"), ("observer.sock", OBSERVERS, "observer"),
])
def test_each_group_may_do_what_its_role_may_and_no_more(gate, name, group, role):
    path = door(gate, name)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o660 and os.stat(path).st_gid == group[1]
    for least, requests in ASKS.items():
        for request in requests:
            answer = as_member(group[1], lambda request=request: ask(path, request))
            if ROLES.index(least) <= ROLES.index(role):
                assert answer.get("error", {}).get("code") != "not-permitted", request
            else:
                assert answer["error"]["code"] == "not-permitted", request


@pytest.mark.parametrize("name, group", list(zip(DOORS, (OBSERVERS, MAINTAINERS, OPERATORS))))
def test_nobody_comes_through_a_door_of_others(gate, name, group):
    path = door(gate, name)
    assert as_member(group[1], lambda: ask(path, {"do": "status"})) == "PermissionError"
    assert as_member(None, lambda: ask(path, {"do": "status"})) == "PermissionError"


def test_at_the_observers_door_root_is_an_observer(gate):
    path = door(gate, "observer.sock")
    assert "body" in ask(path, {"do": "status"})
    assert ask(path, {"do": "lane-act", "lane": "entry", "action": "release"})["error"]["code"] == "not-permitted"
    assert ask(path, {"do": "journal"})["error"]["code"] == "not-permitted"


def test_observers_hear_events_without_a_name(site, gate):
    with connected(door(gate, "observer.sock")) as connection:
        connection.sendall(b'{"do":"events","v":1,"id":1}\n')
        lines = connection.makefile("rb")
        assert json.loads(lines.readline())["body"] == {"subscribed": True}
        assert site.anna.phone().tap()["result"] == "granted"
        deadline = Deadline("the result")
        while (event := json.loads(lines.readline())).get("event") != "result":
            assert deadline.left > 0
        assert event["reason"] == "granted" and "anna" not in json.dumps(event)
    assert "anna" not in json.dumps(ask(door(gate, "observer.sock"), {"do": "status"}))


def test_twenty_subscribers_of_one_user_leave_root_its_place(gate):
    path = gate.socket

    def crowd():
        held, answers = [], []
        for _ in range(20):
            connection = connected(path)
            held.append(connection)
            try:
                connection.sendall(b'{"do":"events","v":1,"id":1}\n')
            except BrokenPipeError:
                answers.append("broken")
                continue
            answers.append(json.loads(connection.makefile("rb").readline()))
        os.write(told, b".")
        os.read(go, 1)
        return answers

    ready, told = os.pipe()
    go, done = os.pipe()
    status = []

    def root():
        os.read(ready, 1)
        status.append(gate.status())
        os.write(done, b".")

    requester = threading.Thread(target=root)
    requester.start()
    answers = as_member(MAINTAINERS[1], crowd)
    requester.join(OUTER)
    assert status and status[0]["lanes"]
    subscribed = [answer for answer in answers if answer != "broken" and "body" in answer]
    refused = [answer for answer in answers if answer != "broken" and "error" in answer]
    assert 0 < len(subscribed) < 10 and len(subscribed) + len(refused) == 20, answers
    assert {answer["error"]["code"] for answer in refused} == {"too-many-clients"}
