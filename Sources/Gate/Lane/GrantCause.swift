/// What lets one person through.
public enum GrantCause: Hashable, Sendable {
    /// A credential.
    case credential(GrantIdentity)
    /// The exit request of the lane.
    case exitRequest
    /// An operator.
    case release(Asker)

    /// The grant to hand back; nil where no credential was shown.
    public var identity: GrantIdentity? {
        switch self {
        case .credential(let identity): identity
        case .exitRequest, .release: nil
        }
    }
}
