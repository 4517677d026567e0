/// What there is once for each chain of the journal.
protocol PerPartition {
    associatedtype Part

    var main: Part { get set }
    var unproven: Part { get set }
}

extension PerPartition {
    subscript(partition: JournalPartition) -> Part {
        get {
            switch partition {
            case .main: main
            case .unproven: unproven
            }
        }
        set {
            switch partition {
            case .main: main = newValue
            case .unproven: unproven = newValue
            }
        }
    }
}
