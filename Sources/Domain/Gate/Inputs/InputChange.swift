/// An input has come to another state, and has stayed there for its debounce time.
public struct InputChange: Hashable, Sendable {
    public let kind: InputKind
    public let state: InputState
    /// Nobody saw the contact move: it was found like this at the start, or when its line came back. A request to exit
    /// that is found active is a contact that is stuck, not somebody's request.
    public let isFound: Bool

    public init(_ kind: InputKind, _ state: InputState, isFound: Bool = false) {
        self.kind = kind
        self.state = state
        self.isFound = isFound
    }
}
