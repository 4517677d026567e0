/// What a small value of the gate's state is about.
public struct StateKey: Hashable, Sendable {
    /// The kinds of values there are. The raw value is in the database.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The mode that an operator gave a lane; `name` is the lane's.
        case laneMode = "lane-mode"
        /// Whether a lane raises alarms; `name` is the lane's.
        case armed
        /// The state of an output that is restored after a start; `name` is LANE:OUTPUT, and LANE:OUTPUT/phone what a phone has ordered of it.
        case output
    }

    /// What kind of value it is.
    public let kind: Kind
    /// Whose it is.
    public let name: String

    /// A key.
    public init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }
}
