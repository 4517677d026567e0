/// Who asked for an action on this machine, as the kernel says.
public struct Requester: Hashable, Sendable {
    /// The user.
    public let user: UInt32
    /// The process.
    public let process: Int32

    /// The process `process` of the user `user`.
    public init(user: UInt32, process: Int32) {
        self.user = user
        self.process = process
    }
}
