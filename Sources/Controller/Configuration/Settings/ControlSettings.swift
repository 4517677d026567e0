/// `[control]`
public struct ControlSettings: Hashable, Sendable {
    /// Path of the control socket, at most 95 bytes, for those beside it may have longer names: the maintainers' and root's. Those of operators and observers lie beside it.
    public var socket: String
    /// The group of maintainers, who may use it besides root.
    public var group: String
    /// The group of operators.
    public var operatorGroup: String
    /// The group of observers.
    public var observerGroup: String

    public init(socket: String, group: String, operatorGroup: String = "tapstile-operators", observerGroup: String = "tapstile-observers") {
        self.socket = socket
        self.group = group
        self.operatorGroup = operatorGroup
        self.observerGroup = observerGroup
    }

    /// The operators' socket.
    public var operatorSocket: String { beside("operator.sock") }
    /// The observers' socket.
    public var observerSocket: String { beside("observer.sock") }

    private func beside(_ name: String) -> String {
        guard let slash = socket.utf8.lastIndex(of: UInt8(ascii: "/")) else { return name }
        return String(socket[...slash]) + name
    }
}
