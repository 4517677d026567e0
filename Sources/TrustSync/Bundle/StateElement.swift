import Credentials
import Cryptography
import Encoding
import SiteRules

/// What one record adds to the sum of a state: 2,048 bytes that nobody can choose, the key stream of ChaCha20 under a hash of the record.
public struct StateElement: Hashable, Sendable {
    /// The bytes of an element and of a sum.
    public static let length = 2048
    /// Keeps these hashes from ever being those of something else.
    private static let label = Array("tapstile-element-1".utf8)

    let bytes: [UInt8]

    /// The element of a record.
    public init(_ record: PublicationRecord) {
        guard case .rule(.membership(let membership)) = record else {
            self.init(form: record.encoded)
            return
        }
        self.init(group: membership.group, person: PersonDigest(subject: membership.subject).bytes)
    }

    /// The element of a membership, as a gate knows it: it does not keep whose.
    /// - Parameter person: the bytes of a `PersonDigest`.
    public init(group: String, person: [UInt8]) {
        self.init(form: CBOR.array([.unsigned(SiteRecord.kinds.upperBound), .text(group), .bytes(person)]).encoded)
    }

    /// The element of a record of another kind than a membership, by its one form in CBOR.
    public init(form: [UInt8]) {
        bytes = ChaCha20.keyStream(key: SHA256.hash(Self.label + form), count: Self.length)
    }
}
