import Cryptography
import Encoding

/// Whose keys a role had when something was noted: what was noted belongs to them, and means nothing once root has replaced one of them.
public struct KeyMark: Hashable, Sendable {
    /// So many keys are told apart; of more, all together are one.
    private static let most = 8
    private static let length = 8

    /// The beginning of the SHA-256 of each, sorted; empty where nobody knows.
    public let keys: [[UInt8]]

    /// Nobody knows.
    public init() { keys = [] }

    /// As it was kept; nil for what no mark was ever like.
    public init?(_ keys: [CBOR]) {
        let bytes = keys.compactMap(\.bytes)
        guard bytes.count == keys.count, bytes.count <= Self.most, bytes.allSatisfy({ $0.count == Self.length }) else { return nil }
        self.keys = bytes
    }

    init(_ keys: Set<VerificationKey>) { self.init(encoded: keys.map(\.encoded)) }

    private init(encoded: [[UInt8]]) {
        let digests = encoded.map { SHA256.hash($0) }.sorted { $0.lexicographicallyPrecedes($1) }
        let told = digests.count <= Self.most ? digests : [SHA256.hash(digests.flatMap { $0 })]
        keys = told.map { Array($0.prefix(Self.length)) }
    }

    /// Whether one of these keys is none of those. New keys beside the old ones take nothing away from what was noted.
    public func isReplaced(by newer: KeyMark) -> Bool { !newer.keys.isEmpty && !Set(keys).isSubset(of: newer.keys) }

    /// To be kept.
    public var cbor: CBOR { .array(keys.map { .bytes($0) }) }
}

extension RootMetadata {
    /// The keys of one of the four roles.
    public func keyMark(of role: RoleName) -> KeyMark { KeyMark(signers(of: role).keys) }
}

extension VerificationKey {
    /// Different for different keys.
    fileprivate var encoded: [UInt8] {
        switch self {
        case .ed25519(let key): [1] + key.x
        case .ecdsaP256(let key): [2] + key.x + (key.y ?? [])
        case .rsaPSS(let key): [3] + key.modulus + key.exponent
        }
    }
}
