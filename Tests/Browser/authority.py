"""A certification authority for tests, in the store of the browser: made by openssl and certutil."""

import os

import processes

NAME = "Tests of Tapstile"


class TestAuthority:
    """A folder with its certificate, and one that it has given to `localhost`."""

    __test__ = False

    def __init__(self, folder):
        self.folder = folder
        self.certificate, self.key = self._path("server.pem"), self._path("server.key")
        with open(self._path("names"), "w", encoding="ascii") as file:
            file.write("subjectAltName=DNS:localhost\nextendedKeyUsage=serverAuth\n")
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        self._openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "30", "-subj", f"/CN={NAME}",
                      "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
        self._openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
        self._openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "20",
                      "-extfile", "names", "-out", "server.pem")

    def put_into_store(self, home):
        """The browser of whoever has this home believes it from now on."""
        store = os.path.join(home, ".pki", "nssdb")
        os.makedirs(store)
        for options in (["-N", "--empty-password"], ["-A", "-t", "C,,", "-n", NAME, "-i", self._path("ca.pem")]):
            processes.run(["certutil", "-d", f"sql:{store}", *options], check=True, capture_output=True)

    def _path(self, name):
        return os.path.join(self.folder, name)

    def _openssl(self, *arguments):
        processes.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)
