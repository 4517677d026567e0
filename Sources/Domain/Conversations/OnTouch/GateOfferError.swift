/// Why a lane's settings make no offer.
public enum GateOfferError: Error, Hashable, Sendable {
    case nameEmpty
    case nameTooLong(String)
    case noMethod
    case noSuite

    /// Stable code.
    public var code: String {
        switch self {
        case .nameEmpty: "name-empty"
        case .nameTooLong: "name-too-long"
        case .noMethod: "no-method"
        case .noSuite: "no-suite"
        }
    }

    /// One sentence for people.
    public var message: String {
        switch self {
        case .nameEmpty: "A gate and a lane need a name."
        case .nameTooLong(let name):
            "The name \"\(name)\" is longer than \(OnTouchProfile.maximumNameLength) bytes."
        case .noMethod: "No authentication method is allowed."
        case .noSuite: "No cipher suite on P-256 (2 or 3) is allowed."
        }
    }
}
