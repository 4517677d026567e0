import Encoding

/// Numbers of certificates that were taken back.
public struct RevokedSerials: Hashable, Sendable {
    /// Without zeros before them.
    private var serials: Set<[UInt8]>

    /// None.
    public init() { serials = [] }

    /// Certificates with these numbers, big-endian.
    public init(_ serials: some Sequence<[UInt8]>) { self.serials = Set(serials.map(Self.shortest)) }

    /// Reads Google's list (android.googleapis.com/attestation/status): hexadecimal numbers, each with why it stands there. Whatever stands
    /// there counts, revoked or suspended.
    public init(status text: [UInt8]) throws(AttestationPolicyFault) {
        guard text.count <= Self.longestList, let list = try? JSON.parse(text, within: JSONBounds(depth: 4)),
              let entries = list["entries"]?.object else { throw .revocations }
        var read: [[UInt8]] = []
        for entry in entries {
            guard entry.value["status"]?.string != nil, let serial = Self.number(entry.key) else { throw .revocations }
            read.append(serial)
        }
        self.init(read)
    }

    /// How many.
    public var count: Int { serials.count }

    /// Whether the certificate with this number was taken back.
    public func contains(_ serial: [UInt8]) -> Bool { serials.contains(Self.shortest(serial)) }

    private static let longestList = 16 << 20

    private static func number(_ text: String) -> [UInt8]? {
        try? Hex.decode(text.utf8.count.isMultiple(of: 2) ? text : "0" + text)
    }

    private static func shortest(_ serial: [UInt8]) -> [UInt8] { Array(serial.drop { $0 == 0 }) }
}
