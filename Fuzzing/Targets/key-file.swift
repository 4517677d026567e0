import Cryptography

/// No input stops the reader of key files, and a key that was read is written and read again.
func fuzz(_ input: [UInt8]) {
    guard let file = try? KeyFile(parsing: input) else { return }
    precondition(file.role.fits(file.use) && file.curve.fits(file.use), "role, use and curve go together")
    guard let text = try? file.text(), let again = try? KeyFile(parsing: text) else {
        preconditionFailure("a key file is read as written")
    }
    precondition(again.publicKey == file.publicKey && again.role == file.role && again.use == file.use, "the same key")
}
