/// A value that no log line, description or debugger dump shows: keys, codes, evidence.
public struct Redacted<Value>: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value itself, for those who need it.
    public let value: Value

    public init(_ value: Value) { self.value = value }

    public var description: String { "[redacted]" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Redacted: Sendable where Value: Sendable {}
