"""An owned office drafts what a thief wants: whoever signs reads it on the real screen, or nothing is signed."""

import base64
import hashlib
import json
import os
import pty
import subprocess

import pytest

from gatehouse import Programs
from network.ceremony import Ceremony
from network.certificates import CertificateAuthority
from patience import PATIENCE


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("office"))
    office = Ceremony(Programs(os.environ["TAPSTILE_BIN"]), folder, CertificateAuthority(folder))
    yield office
    office.close()


def drafted(office, role):
    path = os.path.join(office.keys, "draft")
    office.site.authority("draft", role, "--out", path)
    return path


def owned(path):
    """The same draft, whose part of the site before holds already what comes."""
    with open(path, encoding="utf-8") as file:
        draft = json.load(file)
    draft["siteDataBefore"] = draft["siteData"]
    data = base64.b64decode(draft["siteData"])
    draft["inForce"]["signed"]["targets"]["site/data"] = {"length": len(data), "hashes": {"sha256": hashlib.sha256(data).hexdigest()}}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(draft, file)


def on_a_screen(office, answer, *arguments):
    """What `sign` shows a person, who answers; and how it ended."""
    leader, follower = pty.openpty()
    try:
        command = [office.programs.path("tapstile-authority"), "sign", *arguments]
        process = subprocess.Popen(command, stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        os.write(leader, f"{answer}\n".encode())
        output, errors = process.communicate(timeout=PATIENCE)
        return process.returncode, output, errors
    finally:
        os.close(leader)
        os.close(follower)


def test_the_issuer_of_a_thief_is_on_the_screen_of_whoever_signs(office):
    office.site.authority("issuer", "--rotate", "--issuer", "thief")
    path, signature = drafted(office, "targets"), os.path.join(office.keys, "sig")
    told = office.programs.json("tapstile-authority", "sign", path, "--key", office.private("targets"), "--out", signature, "--yes")
    assert told["compared"] and len([line for line in told["says"] if "token issuer" in line]) == 1
    os.unlink(signature)

    owned(path)
    refused = office.programs.run("tapstile-authority", "sign", path, "--key", office.private("targets"), "--out", signature, "--yes", status=1)
    assert "draft-not-compared" in refused.stderr
    status, shown, errors = on_a_screen(office, "no", path, "--key", office.private("targets"), "--out", signature)
    assert status == 1 and "not-signed" in errors
    assert "! NOT compared with version 1" in shown
    # Twice each: what is more than a page stands below once more.
    assert len({line for line in shown.splitlines() if line.startswith("  token issuer")}) == 2 and "'thief'" in shown
    assert not os.path.exists(signature)


RULES = """
time-zone = "Europe/Berlin"
[[schedule]]
name = "weekend"
week = ["Sat,Sun 08:00-20:00"]
[[group]]
name = "guests"
[[rule]]
group = "guests"
schedule = "weekend"
"""


def test_a_weekend_that_becomes_every_day_is_read_in_words(office):
    office.rules(RULES)
    office.sign("targets", "targets")
    office.rules(RULES.replace("Sat,Sun 08:00-20:00", "daily").replace('"guests"\nschedule = "weekend"', '"guests"'))
    path, signature = drafted(office, "targets"), os.path.join(office.keys, "sig")
    status, shown, _ = on_a_screen(office, "no", path, "--key", office.private("targets"), "--out", signature)
    assert status == 1 and "compared with version" in shown
    for line in ("+ schedule 'weekend': every day 00:00-24:00", "- schedule 'weekend': Monday to Friday never; Saturday, Sunday 08:00-20:00",
                 "+ group 'guests' may pass every lane at ALL times", "- group 'guests' may pass every lane during the schedule 'weekend'"):
        assert line in shown.splitlines()


def renamed(path, site):
    """The same draft, with another name of the site on it."""
    with open(path, encoding="utf-8") as file:
        draft = json.load(file)
    draft["site"] = site
    with open(path, "w", encoding="utf-8") as file:
        json.dump(draft, file)


def test_the_name_of_another_site_hides_nothing(office):
    signature = os.path.join(office.keys, "sig")
    path = drafted(office, "targets")
    renamed(path, "elsewhere")
    refused = office.programs.run("tapstile-authority", "sign", path, "--key", office.private("targets"), "--out", signature, "--yes", "--uncompared", status=1)
    assert "draft-malformed" in refused.stderr
    path = drafted(office, "root")
    renamed(path, "elsewhere")
    arguments = (path, "--key", office.private("alice"), "--out", signature, "--root", office.root)
    refused = office.programs.run("tapstile-authority", "sign", *arguments, "--yes", status=1)
    assert "draft-not-compared" in refused.stderr
    status, shown, _ = on_a_screen(office, "no", *arguments)
    assert status == 1 and "! NOT compared: this key has signed for the site" in shown and "never for 'elsewhere'" in shown
    assert not os.path.exists(signature)


def test_whoever_reads_it_and_says_yes_has_signed_and_it_is_remembered(office):
    path, signature = drafted(office, "root"), os.path.join(office.keys, "sig")
    # Bob did not sign the first one; he was given it.
    status, shown, _ = on_a_screen(office, "yes", path, "--key", office.private("bob"), "--out", signature, "--root", office.root)
    assert status == 0 and os.path.exists(signature)
    assert "compared with version 1, signed as root version 1 demands" in shown
    assert "(alice)" in shown and "(carol)" in shown and "root needs 2 of 3 keys" in shown
    with open(office.private("bob") + ".signed", encoding="utf-8") as file:
        assert [entry["version"] for entry in json.load(file)["signed"]] == [2]
    os.unlink(signature)
