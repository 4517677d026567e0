"""Makes the metadata of this folder with python-tuf (PyPI: tuf 7.0.0, securesystemslib, cryptography):

    python3 make.py

Every kind of key, a threshold of two kinds, texts that the signed form treats on its own, and delegations by
pattern. The keys are new with every run.
"""
import datetime
import os

from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import (DelegatedRole, Delegations, Metadata, MetaFile, Root, Snapshot, TargetFile, Targets,
                              Timestamp)
from tuf.api.serialization.json import JSONSerializer

HERE = os.path.dirname(os.path.abspath(__file__))
EXPIRES = datetime.datetime(2040, 1, 31, 8, 30, 0, tzinfo=datetime.timezone.utc)


def write(name, metadata, signers):
    for signer in signers:
        metadata.sign(signer, append=True)
    data = metadata.to_bytes(JSONSerializer(compact=name == "people"))
    with open(os.path.join(HERE, f"{name}.json"), "wb") as file:
        file.write(data)
    return data


def main():
    ed25519, ecdsa = CryptoSigner.generate_ed25519(), CryptoSigner.generate_ecdsa()
    rsa = CryptoSigner.generate_rsa(size=2048)
    online, people_key = CryptoSigner.generate_ed25519(), CryptoSigner.generate_ecdsa()

    people = Targets(version=7, expires=EXPIRES)
    people.targets["people/0.cbor"] = TargetFile.from_data("people/0.cbor", b"nobody", ["sha256", "sha512"])
    people_data = write("people", Metadata(people), [people_key])

    targets = Targets(version=3, expires=EXPIRES)
    targets.targets["site/rules.cbor"] = TargetFile.from_data("site/rules.cbor", b"rules", ["sha256"])
    targets.targets["site/rules.cbor"].unrecognized_fields["custom"] = {"base": 12, "kind": "full"}
    roles = [DelegatedRole("people", [], 1, True, paths=["people/*"]),
             DelegatedRole("bin/0", [], 1, False, paths=["bin/*"])]
    targets.delegations = Delegations({}, {role.name: role for role in roles})
    for role in roles:
        targets.add_key(people_key.public_key, role.name)
    targets_data = write("targets", Metadata(targets), [ecdsa])

    meta = {"targets.json": MetaFile.from_data(3, targets_data, ["sha256"]),
            "people.json": MetaFile.from_data(7, people_data, ["sha256", "sha512"]),
            "bin/0.json": MetaFile(1)}
    snapshot_data = write("snapshot", Metadata(Snapshot(version=11, expires=EXPIRES, meta=meta)), [online])
    timestamp = Timestamp(version=12, expires=EXPIRES, snapshot_meta=MetaFile.from_data(11, snapshot_data, ["sha256"]))
    write("timestamp", Metadata(timestamp), [online])

    root = Root(version=1, expires=EXPIRES, consistent_snapshot=True)
    for signer in (ed25519, ecdsa, rsa):
        root.add_key(signer.public_key, "root")
    root.roles["root"].threshold = 3
    root.add_key(ecdsa.public_key, "targets")
    for role in ("snapshot", "timestamp"):
        root.add_key(online.public_key, role)
    # Beyond U+FFFF the order by code points differs from that of UTF-16; quotes and control characters.
    root.unrecognized_fields = {"x-\U0001f6aa": "Tür \"1\" \\ \n\t\x01/", "x-\ufb33": [1, -2, True, None, {}]}
    write("root", Metadata(root), [ed25519, ecdsa, rsa])


if __name__ == "__main__":
    main()
