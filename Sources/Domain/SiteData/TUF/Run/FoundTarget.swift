/// A target, as the role that decides about it describes it.
public struct FoundTarget: Hashable, Sendable {
    /// Its path.
    public let path: TargetPath
    /// Its length, its hashes and what the product says of it.
    public let file: TargetFile
    /// The role that describes it.
    public let role: RoleName
    /// Where to fetch it.
    public let request: FetchRequest

    init(_ path: TargetPath, _ file: TargetFile, by role: RoleName, consistent: Bool) {
        self.path = path
        self.file = file
        self.role = role
        let name = path.fileName(prefix: consistent ? file.hashes.prefix : nil)
        request = FetchRequest(.targets, name, limit: file.length)
    }
}
