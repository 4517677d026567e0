import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import Readers
import Testing
import VirtualPhone

@testable import Controller

/// Somebody says that the second factor was given; only the issuer's word about the key counts.
@Suite("Attack: flag without attested key (V6)") final class SecondFactorAttackTests: TokenHolder {
    init() throws { try super.init(lane: "second-factor = \"always\"") }

    private var reason: String? { events.reasons.last }

    @Test func flagsOfThePhoneAreNone() throws {
        let own = OwnCredential(identifier: CredentialIdentifier(token: token.raw), credential: token.raw, key: .signing(key))
        let phone = HostilePhone(own, gates: try site.gatePeers) {
            [PhoneRequest(carrier: $0.carrier, lane: $0.lane, trigger: .manual, isForeground: true).item]
        }
        _ = controller.present(phone, at: "entry")
        #expect(reason == "second-factor")
    }

    /// The claim is put into a token that was signed without it.
    @Test func aClaimThatNobodySignedIsNone() throws {
        var parts = try #require(CBOR.decode(token.raw).array)
        var claims = try #require(CBOR.decode(parts[2].bytes ?? []).map)
        claims[-65537] = true
        parts[2] = .bytes(CBOR.map(claims).encoded)
        let forged = CBOR.array(parts).encoded
        #expect(try Token(parsing: forged).claims.userVerification)
        let own = OwnCredential(identifier: CredentialIdentifier(token: forged), credential: forged, key: .signing(key))
        _ = controller.present(HostilePhone(own, gates: try site.gatePeers), at: "entry")
        #expect(reason == "bad-signature")
    }

    /// The claim stands in a CCS beside the token, where everything but the key is ignored.
    @Test func aClaimBesideTheTokenIsNone() throws {
        var claims = try #require(CBOR.decode(ConfirmedKeyCredential(key: COSEKey(key: key.publicKey)).raw).map)
        claims[-65537] = true
        let shown = CBOR.map(claims).encoded
        let phone = TestPhone(PhoneIdentity(
            credential: .claims(shown), key: .signing(key), accompanyingToken: token.raw, gates: try site.gates))
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .secondFactor)
    }

    /// Another person's token of an attested key, proved with a key that is not.
    @Test func anothersAttestedTokenIsNone() throws {
        let other = try SigningKey.generate(.p256)
        var claims = site.claims(other.publicKey)
        claims.userVerification = true
        let attested = try site.token(claims)
        let phone = try site.phone(key, attested)
        _ = controller.present(phone, at: "entry")
        #expect(reason == "bad-proof")
        let right = try site.phone(other, attested)
        _ = controller.present(right, at: "entry")
        #expect(right.reason == .granted)
    }
}
