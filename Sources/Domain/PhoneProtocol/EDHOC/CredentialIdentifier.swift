import Encoding

/// ID_CRED_x: a COSE header map by which the other side finds the credential (RFC 9528, 3.5.3).
/// The map is kept as the bytes that were given or received.
public struct CredentialIdentifier: Hashable, Sendable {
    /// What the map says.
    public enum Kind: Hashable, Sendable {
        /// `{4: kid}`: a reference. Not unique by itself.
        case keyIdentifier([UInt8])
        /// `{13: CWT}`: a token by value, as these bytes.
        case token([UInt8])
        /// `{14: CCS}`: a CWT claims set by value, as these bytes.
        case claims([UInt8])
        /// Any other header parameter, opaque here.
        case other
    }

    public let kind: Kind
    /// ID_CRED_x as an encoded CBOR map, the form that enters MACs and signatures.
    public let map: [UInt8]
    /// The credential by value as the message was read, for whoever takes it apart; nil where bytes were given or there is none.
    let item: CBOR?

    private static let keyIdentifierParameter: UInt8 = 4   // RFC 9052, 3.1
    private static let tokenParameter: UInt8 = 13          // kcwt: RFC 9528, 10.6
    private static let claimsParameter: UInt8 = 14         // kccs: RFC 9528, 10.6
    private static let mapOfOne: UInt8 = 0xA1

    /// By reference.
    public init(keyIdentifier: [UInt8]) {
        var map: [UInt8] = [Self.mapOfOne, Self.keyIdentifierParameter]
        map.appendByteString(keyIdentifier)
        self.init(kind: .keyIdentifier(keyIdentifier), map: map)
    }

    /// A token by value: its bytes as they are.
    public init(token: [UInt8]) {
        self.init(kind: .token(token), map: [Self.mapOfOne, Self.tokenParameter] + token)
    }

    /// A claims set by value: its bytes as they are.
    public init(claims: [UInt8]) {
        self.init(kind: .claims(claims), map: [Self.mapOfOne, Self.claimsParameter] + claims)
    }

    /// Whether an encoded map is that of this credential by value: nothing is read for it.
    static func isMap(_ map: [UInt8], of credential: [UInt8]) -> Bool {
        guard map.count == credential.count + 2, map[0] == mapOfOne, map[1] == tokenParameter || map[1] == claimsParameter else { return false }
        return map[2...].elementsEqual(credential)
    }

    /// Any header map, encoded.
    public init(map: [UInt8]) throws(EDHOCError) {
        guard let item = try? CBOR.decode(map, rules: .wellFormed), let read = CredentialIdentifier(reading: item, raw: map)
        else { throw .malformed("ID_CRED") }
        self = read
    }

    private init(kind: Kind, map: [UInt8], item: CBOR? = nil) {
        self.kind = kind
        self.map = map
        self.item = item
    }

    /// Whether they are the same bytes; all else follows from them.
    public static func == (a: CredentialIdentifier, b: CredentialIdentifier) -> Bool { a.map == b.map }

    public func hash(into hasher: inout Hasher) { hasher.combine(map) }

    /// The form in PLAINTEXT_2 and PLAINTEXT_3: a map that is only a `kid` becomes that identifier
    /// (RFC 9528, 3.5.3.2).
    var wire: [UInt8] {
        switch kind {
        case .keyIdentifier(let identifier): CompactIdentifier.encode(identifier)
        case .token, .claims, .other: map
        }
    }

    /// Reads the item of a plaintext. A map that should have been compacted is refused, and so is an
    /// identifier with a longer head than it needs (RFC 9528, 3.1): one identifier has one form.
    init(wire item: CBOR, raw: [UInt8]) throws(EDHOCError) {
        if let identifier = CompactIdentifier.decode(item) {
            guard raw == CompactIdentifier.encode(identifier) else { throw .malformed("ID_CRED") }
            self.init(keyIdentifier: identifier)
            return
        }
        guard let read = CredentialIdentifier(reading: item, raw: raw) else { throw .malformed("ID_CRED") }
        if case .keyIdentifier = read.kind { throw .malformed("ID_CRED") }
        self = read
    }

    /// nil if the item is no map, is empty, or writes our parameters in a longer form than needed.
    private init?(reading item: CBOR, raw: [UInt8]) {
        guard let entries = item.map, let entry = entries.first, raw.count >= 2 else { return nil }
        guard entries.count == 1, let parameter = entry.key.unsignedInteger.flatMap({ UInt8(exactly: $0) }) else {
            self.init(kind: .other, map: raw)
            return
        }
        let isShort = raw[0] == Self.mapOfOne && raw[1] == parameter
        switch parameter {
        case Self.keyIdentifierParameter:
            guard isShort, let identifier = entry.value.bytes else { return nil }
            self.init(kind: .keyIdentifier(identifier), map: raw)
        case Self.tokenParameter:
            guard isShort else { return nil }
            self.init(kind: .token(Array(raw[2...])), map: raw, item: entry.value)
        case Self.claimsParameter:
            guard isShort else { return nil }
            self.init(kind: .claims(Array(raw[2...])), map: raw, item: entry.value)
        default:
            self.init(kind: .other, map: raw)
        }
    }
}
