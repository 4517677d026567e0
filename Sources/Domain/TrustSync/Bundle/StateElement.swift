import Credentials
import Cryptography
import Encoding
import SiteRules

/// What one record adds to the sum of a state: 2,048 bytes that nobody can choose, the key stream of ChaCha20 under a hash of the record.
public struct StateElement: Hashable, Sendable {
    /// The bytes of an element and of a sum.
    public static let length = 2048
    /// Keeps these hashes from ever being those of something else.
    static let label = Array("tapstile-element-1".utf8)

    let bytes: [UInt8]

    /// One that was made elsewhere.
    init(bytes: [UInt8]) { self.bytes = bytes }

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
        self.init(form: Self.form(group: group, person: person))
    }

    static func form(group: String, person: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        writer.appendArrayHead(count: 3)
        writer.append(.unsigned(SiteRecord.kinds.upperBound))
        writer.append(.text(group))
        writer.append(.bytes(person))
        return writer.bytes
    }

    /// The element of a record of another kind than a membership, by its one form in CBOR.
    public init(form: [UInt8]) {
        bytes = ChaCha20.keyStream(key: SHA256.hash(Self.label + form), count: Self.length)
    }
}
