/// Who asks on the control socket. Each may do what those before it may, and more.
public enum ControlRole: Int, Comparable, Sendable, CaseIterable {
    /// Sees how the gate is and what happens at it: no names, no journal.
    case observer
    /// Reads the journal, brings site data, has the configuration read again.
    case maintainer
    /// Lets people through, gives lanes their modes, acknowledges records.
    case `operator`
    /// The administrator of the machine.
    case root

    /// Its word in documents.
    public var word: String {
        switch self {
        case .observer: "observer"
        case .maintainer: "maintainer"
        case .operator: "operator"
        case .root: "root"
        }
    }

    public static func < (left: ControlRole, right: ControlRole) -> Bool { left.rawValue < right.rawValue }
}
