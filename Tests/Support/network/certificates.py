"""Certificates for servers and clients, made with the library of the judges."""

import datetime
import ipaddress
import os

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = datetime.timedelta(days=1)


def _name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _write(path, *pieces):
    with open(path, "wb") as file:
        file.write(b"".join(pieces))
    return path


def _pem(key):
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


class CertificateAuthority:
    """Somebody who vouches for others. `file` is what those who trust it have."""

    def __init__(self, folder, name="authority"):
        self.folder, self._subject, self._key = folder, _name(name), ec.generate_private_key(ec.SECP256R1())
        certificate = self._certificate(self._subject, self._key, authority=True)
        self.file = _write(os.path.join(folder, f"{name}.pem"), certificate.public_bytes(serialization.Encoding.PEM))

    def _certificate(self, subject, key, names=(), days=(-1, 30), authority=False):
        now = datetime.datetime.now(datetime.timezone.utc)
        builder = (x509.CertificateBuilder().subject_name(subject).issuer_name(self._subject).public_key(key.public_key())
                   .serial_number(x509.random_serial_number()).not_valid_before(now + days[0] * DAY).not_valid_after(now + days[1] * DAY)
                   .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
                   .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
                   .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False))
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName([self._alternative(name) for name in names]), critical=False)
        return builder.sign(self._key, hashes.SHA256())

    @staticmethod
    def _alternative(name):
        try:
            return x509.IPAddress(ipaddress.ip_address(name))
        except ValueError:
            return x509.DNSName(name)

    def issue(self, label, *names, days=(-1, 30)):
        """The files of a certificate for these names or addresses, good from and until so many days from now, and of its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = self._certificate(_name(label), key, names, days)
        path = os.path.join(self.folder, label)
        return (_write(path + ".pem", certificate.public_bytes(serialization.Encoding.PEM)), _write(path + ".key", _pem(key)))
