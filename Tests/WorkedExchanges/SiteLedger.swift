import Cryptography
import Encoding

/// What both exchanges share: the gate group's key and credential, the phone's key, the token. Computed from
/// the recording by the rules of docs/phone-protocol.md, without the rooms that run the protocol.
public struct SiteLedger: Sendable {
    let recording: Recording
    public private(set) var chapters: [WorkedChapter] = []
    /// COSE_Key of the gate, its `kid` and CRED_R.
    let gateIdentifier: [UInt8]
    let gateCredential: [UInt8]
    /// The first bytes of the token identifier.
    let tokenReference: [UInt8]

    public init(_ recording: Recording) throws {
        self.recording = recording
        var gate = WorkedChapter(
            title: "The gate group's key",
            text: "The phone has CRED_R with its token. The `kid` is the first byte of the key's thumbprint (RFC 9679).")
        let point = try SigningKey(rawPrivate: recording.gateKey, curve: .p256).publicKey
        _ = gate.note("gate_private_key", "", recording.gateKey)
        _ = gate.note("gate_x", "", point.x)
        _ = gate.note("gate_y", "", point.y ?? [])
        let thumbprint = SHA256.hash(gate.note("gate_thumbprint_input", "{1: 2, -1: 1, -2: x, -3: y}", Self.key(point).encoded))
        _ = gate.note("gate_thumbprint", "SHA-256(gate_thumbprint_input)", thumbprint)
        gateIdentifier = gate.note("gate_kid", "first byte of gate_thumbprint", Array(thumbprint.prefix(1)))
        let claims: CBOR = .map([2: .text(recording.site), 8: .map([1: Self.key(point, identifier: gateIdentifier)])])
        gateCredential = gate.note("CRED_R", "{2: site, 8: {1: COSE_Key with kid}}", claims.encoded)

        var phone = WorkedChapter(
            title: "The phone's key and its token",
            text: "`cnf` is the phone's key. The first 8 bytes of the identifier are the reference.")
        let own = try SigningKey(rawPrivate: recording.phoneKey, curve: .p256).publicKey
        let issuer = try SigningKey(rawPrivate: recording.issuerKey, curve: .p256).publicKey
        _ = phone.note("phone_private_key", "", recording.phoneKey)
        _ = phone.note("phone_x", "", own.x)
        _ = phone.note("phone_y", "", own.y ?? [])
        _ = phone.note("issuer_private_key", "", recording.issuerKey)
        _ = phone.note("issuer_x", "", issuer.x)
        _ = phone.note("issuer_y", "", issuer.y ?? [])
        guard let parts = try CBOR.decode(recording.token).array, parts.count == 4, let protected = parts[0].bytes,
              let payload = parts[2].bytes, let signature = parts[3].bytes
        else { throw Recording.Incomplete() }
        _ = phone.note("token_protected", "{1: -7}", protected)
        _ = phone.note("token_claims", "", payload)
        let structure: CBOR = .array([.text("Signature1"), .bytes(protected), .bytes([]), .bytes(payload)])
        let signed = phone.note(
            "token_Sig_structure", "[\"Signature1\", token_protected, h'', token_claims]", structure.encoded)
        _ = phone.note("token_signature", "ES256(issuer_private_key, token_Sig_structure)", signature)
        _ = phone.note("token", "[token_protected, {}, token_claims, token_signature]", recording.token)
        let identifier = phone.note("token_identifier", "SHA-256(token_Sig_structure)", SHA256.hash(signed))
        tokenReference = phone.note("token_reference", "first 8 bytes of token_identifier", Array(identifier.prefix(8)))
        chapters = [gate, phone]
    }

    /// COSE_Key of a P-256 point (RFC 9053, 7.1.1).
    private static func key(_ point: PublicKey, identifier: [UInt8]? = nil) -> CBOR {
        var map: CBORMap = [1: 2, -1: 1, -2: .bytes(point.x), -3: .bytes(point.y ?? [])]
        if let identifier { map[2] = .bytes(identifier) }
        return .map(map)
    }
}
