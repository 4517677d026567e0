/// How much one update may take. The specification leaves the numbers to the application (TUF specification,
/// 5.3.3, 5.4.1, 5.5.1, 5.6.1); these are those of python-tuf.
public struct UpdateLimits: Hashable, Sendable {
    /// Bytes of one root.
    public var root: Int
    /// Bytes of the timestamp.
    public var timestamp: Int
    /// Bytes of the snapshot, also where the timestamp allows more.
    public var snapshot: Int
    /// Bytes of the metadata of one role that describes targets, also where the snapshot allows more.
    public var targets: Int
    /// New roots in one run. A gate that was away for longer needs a second run.
    public var newRoots: Int
    /// Delegated roles that one search may ask.
    public var delegatedRoles: Int

    /// Limits, each by default the usual one.
    public init(root: Int = 512_000, timestamp: Int = 16_384, snapshot: Int = 2_000_000, targets: Int = 5_000_000,
                newRoots: Int = 256, delegatedRoles: Int = 32) {
        self.root = root
        self.timestamp = timestamp
        self.snapshot = snapshot
        self.targets = targets
        self.newRoots = newRoots
        self.delegatedRoles = delegatedRoles
    }

    /// How long a role's file may be, in bytes.
    public func bytes(of role: RoleName) -> Int {
        switch role {
        case .root: root
        case .timestamp: timestamp
        case .snapshot: snapshot
        default: targets
        }
    }

    /// The same where who names the file says how long it is.
    func bytes(of role: RoleName, saidToBe length: Int64?) -> Int {
        guard let length, length < Int64(bytes(of: role)) else { return bytes(of: role) }
        return Int(length)
    }
}
