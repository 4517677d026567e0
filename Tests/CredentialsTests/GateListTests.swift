import Credentials
import Cryptography
import Encoding
import Testing

/// The file by which phones know the gates of a site.
@Suite struct GateListTests {
    let key: PublicKey
    let credential: ConfirmedKeyCredential
    let issuer: GateIssuer

    init() throws {
        key = try SigningKey.generate().publicKey
        credential = try ConfirmedKeyCredential(parsing: GateCredential(site: "hq", key: key).claims)
        issuer = GateIssuer(site: "hq", name: "hq-gates", key: try SigningKey.generate().publicKey)
    }

    @Test func entriesComeBackInOrder() throws {
        let entries: [GateListEntry] = [.credential(credential), .issuer(issuer), .credential(credential)]
        #expect(GateListEntry.list(parsing: entries.flatMap(\.encoded)) == entries)
        #expect(GateListEntry.list(parsing: []) == [])
    }

    @Test func whatIsNeitherSpoilsTheFile() throws {
        let good = GateListEntry.issuer(issuer).encoded
        let parts = try #require(CBOR.decode(good).array)
        let agreeing = COSEKey(key: key, use: .agree).cbor
        let others: [CBOR] = [
            [parts[0], parts[1], parts[2]], [parts[0], parts[1], parts[2], parts[3], 1], ["token-issuer", parts[1], parts[2], parts[3]],
            [parts[0], 1, parts[2], parts[3]], [parts[0], parts[1], .null, parts[3]], [parts[0], parts[1], parts[2], agreeing],
            [parts[0], parts[1], parts[2], .bytes([1])], 1, [:], .array([])
        ]
        for other in others { #expect(GateListEntry.list(parsing: good + other.encoded) == nil, "\(other)") }
        #expect(GateListEntry.list(parsing: good.dropLast()) == nil)
        let nameless = ConfirmedKeyCredential(key: COSEKey(key: key), subject: "hq").raw
        #expect(GateListEntry.list(parsing: nameless) == nil)
    }

    /// An issuer with a key on another curve could sign nothing that a phone reads.
    @Test func anIssuerHasAKeyThatSignsES256() throws {
        let other = GateIssuer(site: "hq", name: "hq-gates", key: try SigningKey.generate(.ed25519).publicKey)
        #expect(GateListEntry.list(parsing: GateListEntry.issuer(other).encoded) == nil)
    }
}
