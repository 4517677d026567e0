import Encoding

/// The name of a role, and with it that of its file.
public struct RoleName: Hashable, Sendable {
    /// The name as metadata has it.
    public let name: ExactText

    /// Signs the keys of all others.
    public static let root = RoleName(known: "root")
    /// Says which snapshot is the newest.
    public static let timestamp = RoleName(known: "timestamp")
    /// Says which version every role has.
    public static let snapshot = RoleName(known: "snapshot")
    /// Describes targets, and delegates.
    public static let targets = RoleName(known: "targets")

    private static let topLevel: Set<ExactText> = [root.name, timestamp.name, snapshot.name, targets.name]

    /// The name of a delegated role. None may be called as one of the four is, whose file it would replace.
    public init(delegated name: String) throws(MetadataFault) {
        let text = ExactText(name)
        guard !name.isEmpty, !Self.topLevel.contains(text),
              PercentText.encode(name).utf8.count <= MetadataBounds.roleFileNameLength else { throw .unsafeRoleName(name) }
        self.name = text
    }

    /// The name of any role, such as one that somebody wrote down.
    public init(named name: String) throws(MetadataFault) {
        if Self.topLevel.contains(ExactText(name)) {
            self.init(known: name)
        } else {
            try self.init(delegated: name)
        }
    }

    private init(known name: String) { self.name = ExactText(name) }

    /// Whether it is one of the four roles that are not delegated.
    public var isTopLevel: Bool { Self.topLevel.contains(name) }

    /// The file in the folder of what is trusted, and in a repository without consistent snapshots.
    public var fileName: String { "\(PercentText.encode(name.text)).json" }

    /// The file in a repository with consistent snapshots (TUF specification, 6.2).
    public func fileName(version: Int64) -> String { "\(version).\(fileName)" }

    /// How metadata calls the file: with the name as it is.
    var metaName: ExactText { ExactText("\(name.text)\(Self.ending)") }

    /// The role whose file metadata calls so; nil if that is no role's.
    init?(metaName: ExactText) {
        let text = metaName.text
        guard text.utf8.count > Self.ending.utf8.count, text.hasSuffix(Self.ending),
              let role = try? RoleName(named: String(text.dropLast(Self.ending.count))) else { return nil }
        self = role
    }

    private static let ending = ".json"
}

extension RoleName: CustomStringConvertible {
    /// The name itself.
    public var description: String { name.text }
}
