"""Keys that everybody has: whoever copied an example lets in nobody with them, in the office, in a site's file, and at the gate (S6)."""

import hashlib
import json
import sqlite3

import pytest
from gatehouse import without_sums

# 1·G, 2·G, and the responder's key of RFC 9529, 3.2.
EVERYBODYS = [
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
    "047cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc4766997807775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1",
    "04bbc34960526ea4d32e940cad2a234148ddc21791a12afbcbac93622046dd44f04519e257236b2a0ce2023f0931f1f386ca7afda64fcde0108c224c51eabf6072",
]


def code_of(run):
    return json.loads(run.stderr)["error"]["code"]


@pytest.mark.parametrize("point", EVERYBODYS)
def test_the_office_takes_no_key_that_everybody_has(site, point):
    file = site.path("people", "copied.pub")
    with open(file, "w", encoding="ascii") as text:
        text.write(point)
    people = site.path("people", "list.csv")
    with open(people, "w", encoding="ascii") as text:
        text.write(f"subject,key\nanna,{point}\n")

    def refused(*arguments):
        return site.programs.run("tapstile-authority", *arguments, "--dir", site.path("authority"), "--json", status=1)

    assert code_of(refused("enrol", "--key", file, "--subject", "anna")) == "key-well-known"
    assert code_of(refused("token", "--key", file, "--subject", "anna", "--valid", "1d")) == "key-well-known"
    assert "key-well-known" in refused("import", people).stdout
    assert site.programs.run("tapstile-authority", "list", "enrolled", "--dir", site.path("authority"), "--json").stdout.strip() == ""


def test_the_gate_refuses_it_though_an_older_office_has_signed_for_it(site, start):
    """What was enrolled before stays in the office's database, and whoever has the documents has its private half."""
    site.person("carl").enrol()
    database = sqlite3.connect(site.path("authority", "authority.db"))
    x, y = bytes.fromhex(EVERYBODYS[0][2:66]), bytes.fromhex(EVERYBODYS[0][66:])
    # Of the COSE_Key (RFC 9679).
    thumbprint = hashlib.sha256(bytes.fromhex("a4010220012158 20") + x + bytes.fromhex("225820") + y).digest()
    database.execute("UPDATE enrolled SET x = ?, y = ?, thumbprint = ?, kid = ?", (x, y, thumbprint, thumbprint[:8]))
    without_sums(database)
    database.commit()
    database.close()
    credentials = start().ask("explain", "--subject", "carl", status=None)["credentials"]
    assert [answer["reason"] for credential in credentials for answer in credential["answers"]] == ["key-well-known"]


def test_a_private_key_in_the_place_of_a_public_one_is_told(site, tmp_path):
    programs = site.programs
    for role in ("root", "targets"):
        programs.run("tapstile-authority", "role-key", "--role", role, "--out", tmp_path / f"{role}.key")
    refused = programs.run("tapstile-authority", "publish", "init", "--repo", tmp_path / "repo", "--dir", site.path("authority"), "--root-key", tmp_path / "root.key",
                           "--targets-key", tmp_path / "targets.pub", "--json", status=1)
    assert code_of(refused) == "key-is-private" and not (tmp_path / "repo").exists()
    programs.run("tapstile-phone", "key", "--out", tmp_path / "ben.key")
    for command in ("enrol", "token"):
        refused = programs.run("tapstile-authority", command, "--key", tmp_path / "ben.key", "--subject", "ben", "--dir", site.path("authority"),
                               *(["--valid", "1d"] if command == "token" else []), "--json", status=1)
        assert code_of(refused) == "key-is-private"
