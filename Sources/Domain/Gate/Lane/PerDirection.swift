/// One value for each way people pass.
struct PerDirection<Value> {
    var inward: Value
    var outward: Value

    /// The same both ways.
    init(_ value: Value) {
        inward = value
        outward = value
    }

    subscript(direction: Direction) -> Value {
        get {
            switch direction {
            case .inward: inward
            case .outward: outward
            }
        }
        _modify {
            switch direction {
            case .inward: yield &inward
            case .outward: yield &outward
            }
        }
    }
}

extension PerDirection: Equatable where Value: Equatable {}
extension PerDirection: Sendable where Value: Sendable {}
