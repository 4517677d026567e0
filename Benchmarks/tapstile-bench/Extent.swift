/// How much of everything is measured.
enum Extent: Sendable {
    /// As docs/benchmarks.md says.
    case whole
    /// So little that it only shows that each part still works: no number means anything, and no bar is judged.
    case short

    /// One of the two.
    func of<Value>(_ whole: Value, short: Value) -> Value {
        switch self {
        case .whole: whole
        case .short: short
        }
    }
}
