import Credentials
import Cryptography
import Encoding

/// What a phone reads of gates: the file of a site (`gates.phone`), and the credential that a gate shows by value.
func fuzz(_ input: [UInt8]) {
    if let entries = GateListEntry.list(parsing: input) {
        for entry in entries { precondition(GateListEntry(parsing: entry.encoded) == entry, "an entry is written as it is read") }
    }
    guard let token = try? GateToken(parsing: input) else { return }
    precondition(token.raw == input, "EDHOC hashes the bytes as they came")
    precondition((try? Token(parsing: input)) == nil, "no gate is a person")
    precondition(token.claims.notBefore < token.claims.expiresAt && token.claims.confirmationKey.use != nil, "a gate token is whole")
    let issuer = GateIssuer(site: token.claims.site, name: token.claims.issuer, key: token.claims.confirmationKey.key)
    precondition((try? token.verify(by: issuer, at: nil)) == nil, "no gate vouches for itself")
}
