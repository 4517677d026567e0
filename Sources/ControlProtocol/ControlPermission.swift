/// Who may ask for something on the control socket.
public enum ControlPermission: Sendable {
    /// Whoever can open the socket.
    case everyone
    /// Root, the daemon's own user, and the members of the operators' group.
    case operators
    /// Root alone.
    case root
}
