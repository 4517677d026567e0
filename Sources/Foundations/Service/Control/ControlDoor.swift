/// One way to the gate: a socket in the file system, and the group that may open it besides its owner.
public struct ControlDoor: Hashable, Sendable {
    /// The socket's path.
    public let path: String
    /// The group the file is given to; nil leaves it as it is.
    public let group: String?

    /// A door at `path`.
    public init(path: String, group: String? = nil) {
        self.path = path
        self.group = group
    }
}
