import Cryptography
import Encoding

/// One entry of the file that a phone gets with its own credential (`gates.phone`): by what it knows the gates of a
/// site. The file is a CBOR sequence of claims sets and of arrays `["gate-issuer", site, name, COSE_Key]`.
public enum GateListEntry: Hashable, Sendable {
    /// The CCS of one key of gates, with a `kid`.
    case credential(ConfirmedKeyCredential)
    /// Who signs the gate tokens of a site.
    case issuer(GateIssuer)

    private static let issuerMark = "gate-issuer"

    /// The entry as one item of the sequence.
    public var encoded: [UInt8] {
        switch self {
        case .credential(let credential):
            credential.raw
        case .issuer(let issuer):
            CBOR.array([.text(Self.issuerMark), .text(issuer.site), .text(issuer.name), COSEKey(key: issuer.key).cbor]).encoded
        }
    }

    /// One entry; nil if the bytes are anything else.
    public init?(parsing raw: [UInt8]) {
        guard let entries = Self.list(parsing: raw), entries.count == 1 else { return nil }
        self = entries[0]
    }

    /// The entries of a whole file; nil if there is anything else in it.
    public static func list(parsing bytes: [UInt8]) -> [GateListEntry]? {
        var reader = CBORReader(bytes)
        var entries: [GateListEntry] = []
        while !reader.isAtEnd {
            guard let (item, raw) = try? reader.nextRaw(), let entry = entry(item, raw) else { return nil }
            entries.append(entry)
        }
        return entries
    }

    private static func entry(_ item: CBOR, _ raw: [UInt8]) -> GateListEntry? {
        guard let parts = item.array else {
            guard let credential = try? ConfirmedKeyCredential(parsing: raw), credential.key.keyIdentifier != nil else { return nil }
            return .credential(credential)
        }
        guard parts.count == 4, parts[0].text == issuerMark, let site = parts[1].text, let name = parts[2].text,
              let key = try? COSEKey(cbor: parts[3]), key.key.curve == .p256, key.use != .agree else { return nil }
        return .issuer(GateIssuer(site: site, name: name, key: key.key))
    }
}
