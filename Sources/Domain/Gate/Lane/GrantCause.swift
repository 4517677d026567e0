/// What lets one person through.
public enum GrantCause: Hashable, Sendable {
    /// A credential.
    case credential(GrantIdentity)
    /// The request to exit of the lane.
    case requestToExit
    /// An operator.
    case release(Requester)

    /// The grant to hand back; nil where no credential was shown.
    public var identity: GrantIdentity? {
        switch self {
        case .credential(let identity): identity
        case .requestToExit, .release: nil
        }
    }
}
