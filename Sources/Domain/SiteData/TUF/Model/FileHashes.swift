import Encoding

/// The hashes that metadata gives of a file.
public struct FileHashes: Hashable, Sendable {
    /// Lower or upper case, as written: a target's file is called by it. Always hexadecimal of the right length.
    public let sha256: String?
    /// As `sha256`.
    public let sha512: String?

    /// Hashes of other kinds are left out: whoever made them may know of better ones one day.
    init(_ fields: MetadataFields) throws(MetadataFault) {
        guard !fields.object.isEmpty, fields.object.allSatisfy({ $0.value.string != nil }) else { throw .field(fields.path) }
        sha256 = try Self.hash("sha256", of: 32, fields)
        sha512 = try Self.hash("sha512", of: 64, fields)
    }

    /// Whether there is one that can be checked.
    public var isVerifiable: Bool { sha256 != nil || sha512 != nil }

    /// The one that stands before the name of a target's file in consistent snapshots.
    public var prefix: String? { sha256 ?? sha512 }

    /// Whether a file with these hashes is the one; every hash that can be checked must fit.
    func fits(sha256 first: @autoclosure () -> [UInt8], sha512 second: @autoclosure () -> [UInt8]) -> Bool {
        Self.fits(sha256, first()) && Self.fits(sha512, second())
    }

    private static func fits(_ text: String?, _ digest: @autoclosure () -> [UInt8]) -> Bool {
        guard let text else { return true }
        return (try? Hex.decode(text)) == digest()
    }

    /// It becomes part of a path: nothing but digits may be in it.
    private static func hash(_ name: String, of length: Int, _ fields: MetadataFields) throws(MetadataFault) -> String? {
        guard fields.has(name) else { return nil }
        let text = try fields.string(name)
        guard let bytes = try? Hex.decode(text), bytes.count == length else { throw .field(fields.place(name)) }
        return text
    }
}
