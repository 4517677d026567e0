/// `[control]`
public struct ControlSettings: Hashable, Sendable {
    /// Path of the control socket, at most 100 bytes.
    public var socket: String
    /// The group that may use it besides root.
    public var group: String

    public init(socket: String, group: String) {
        self.socket = socket
        self.group = group
    }
}
