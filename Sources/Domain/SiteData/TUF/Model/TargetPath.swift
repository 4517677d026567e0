import Encoding

/// The path of a target, relative to where targets are. It is signed, but those who sign may err or be
/// deceived: a path that leads elsewhere is none.
public struct TargetPath: Hashable, Sendable {
    /// The path as metadata has it.
    public let path: ExactText

    /// Nil unless the path has parts between single slashes, none of them empty, `.` or `..`, also when
    /// these are written with `%`, and no backslash or control character.
    public init?(_ path: String) {
        guard path.utf8.count <= MetadataBounds.pathLength, let plain = Self.decoded(path) else { return nil }
        guard plain.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }),
              plain.count(where: { $0 == Self.slash }) == path.utf8.count(where: { $0 == Self.slash }) else { return nil }
        let parts = plain.split(separator: Self.slash, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ Self.isName($0) }) else { return nil }
        self.path = ExactText(path)
    }

    private static let slash = UInt8(ascii: "/")

    private static func isName(_ part: ArraySlice<UInt8>) -> Bool {
        part.count > 2 || part.contains { $0 != UInt8(ascii: ".") }
    }

    /// What a server may make of it; nil for a `%` without two digits after it.
    private static func decoded(_ path: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(path.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = try? Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self)), value.count == 1 else { return nil }
            bytes += value
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    /// The file below the address of targets: with a hash before its name in consistent snapshots.
    public func fileName(prefix: String?) -> String {
        let encoded = PercentText.encodePath(path.text)
        guard let prefix else { return encoded }
        guard let slash = encoded.lastIndex(of: "/") else { return "\(prefix).\(encoded)" }
        return "\(encoded[...slash])\(prefix).\(encoded[encoded.index(after: slash)...])"
    }
}

extension TargetPath: CustomStringConvertible {
    /// The path itself.
    public var description: String { path.text }
}
