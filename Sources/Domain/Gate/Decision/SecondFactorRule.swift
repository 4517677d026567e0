/// When a lane grants only on a key that is released after user verification (V6).
public enum SecondFactorRule: Hashable, Sendable {
    /// At no time.
    case never
    /// At all times.
    case always
    /// While the schedule of that name is in force.
    case scheduled(String)

    /// Whether it is wanted now.
    /// - Parameter isInForce: whether the schedule of a name is in force. Nil, for one that the gate does not
    ///   have, counts as in force: a name that was misspelt leaves no lane open.
    public func isWanted(_ isInForce: (String) -> Bool?) -> Bool {
        switch self {
        case .never: false
        case .always: true
        case .scheduled(let name): isInForce(name) ?? true
        }
    }
}
