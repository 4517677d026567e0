import CLinux

/// The group whose members may act on the control socket.
enum ControlGroup {
    /// Its number; nil when this machine has no such group.
    static func identifier(named name: String) -> UInt32? {
        UInt32(exactly: clinux_group_id(name))
    }
}
